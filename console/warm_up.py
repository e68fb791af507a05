"""Compiles every kernel into its cache by playing a little of everything."""

from __future__ import annotations

from typing import Any

from ..agents.registry import zoo
from ..evaluation.tournament import TournamentSettings, run
from ..games.registry import load, names


def warm_up() -> None:
    """Plays a short deal of every game with its whole zoo, rates it, and writes every kind of observation."""
    for game in names():
        spec = load(game)
        fields = spec.settings.__dataclass_fields__
        short: dict[str, Any] = {name: 2 for name in ("races", "max_turns") if name in fields}
        run(TournamentSettings.of(game, zoo(game), deals=1, **short), workers=1)
        table = spec.game(spec.make_settings(), 0, 1)
        table.start()
        encoding = spec.encoding(table.settings)
        view = table.view(0)
        draft = encoding.begin(view)
        encoding.mask(view, draft)
        encoding.observe(view, draft)
