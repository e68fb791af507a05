"""Makes Railbird's environments known to Gymnasium."""

from __future__ import annotations

from .variants import VARIANTS


def register_envs() -> None:
    """Registers every id that Gymnasium does not know yet; calling it again changes nothing."""
    from gymnasium.envs.registration import register, registry

    for variant in VARIANTS:
        if variant.id not in registry:
            register(variant.id, variant.entry_point, vector_entry_point=variant.vector_entry_point)
