"""The page of observations and actions, made from the code: ``python -m railbird.envs.documentation``."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Sequence
from typing import Any

from ..games.registry import load
from ..games.spec import GameSpec
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
    whole = getattr(encoding, "nvec", None)
    tickets = "" if whole is None else f' With `action="ticket"`: {_product(whole.tolist())}.'
    return (
        f"## {variant.id}\n\nObservation: `Box` of {encoding.features} float32.\n\n"
        f"```\n{encoding.layout.table()}\n```\n\n{_more_to_see(spec, encoding)}"
        f"Action: `Discrete({encoding.actions})`; {examples}.{tickets}\n"
    )


def _more_to_see(spec: GameSpec, plain: Any) -> str:
    """What options of the encoding add to its observation that are off where nothing is said."""
    parameters = inspect.signature(spec.encoding).parameters
    parts = []
    for name in spec.encoding_options:
        if parameters[name].default is False:
            layout = spec.encoding(plain.settings, **{name: True}).layout
            rows = layout.table().splitlines()[len(plain.layout.blocks) :]
            parts.append(f"With `{name}=True` {layout.size}:\n\n```\n" + "\n".join(rows) + "\n```\n\n")
    return "".join(parts)


def _product(sizes: Sequence[int]) -> str:
    """The space of whole tickets of so many choices in each part."""
    return f"`MultiDiscrete([{sizes[0]}] * {len(sizes)})`"


if __name__ == "__main__":
    sys.stdout.write(observations_page())
