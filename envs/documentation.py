"""The page of observations and actions, made from the code: ``python -m railbird.envs.documentation``."""

from __future__ import annotations

import sys

from ..games.registry import load
from .variants import VARIANTS, Variant


def observations_page() -> str:
    """Every environment's index table and actions under the default settings, as Markdown."""
    sections = [_section(variant) for variant in VARIANTS]
    made = "Made by `python -m railbird.envs.documentation`; settings move sizes."
    head = f"# Observations and actions\n\n{made}\n"
    return "\n".join([head, *sections])


def _section(variant: Variant) -> str:
    spec = load(variant.game)
    encoding = spec.encoding(spec.make_settings())
    spelled = {encoding.action_text(action): action for action in (0, 1, encoding.actions - 1)}
    examples = ", ".join(f"{action} is “{text}”" for text, action in spelled.items())
    return (
        f"## {variant.id}\n\nObservation: `Box` of {encoding.features} float32.\n\n"
        f"```\n{encoding.layout.table()}\n```\n\nAction: `Discrete({encoding.actions})`; {examples}.\n"
    )


if __name__ == "__main__":
    sys.stdout.write(observations_page())
