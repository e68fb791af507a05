"""Compiles every kernel into its cache by playing a little of everything."""

from __future__ import annotations

from ..agents.registry import zoo
from ..evaluation.tournament import TournamentSettings, run
from ..games.registry import load, names


def warm_up() -> None:
    """Plays a deal of every game with its whole zoo, and writes every kind of observation."""
    for game in names():
        run(TournamentSettings.of(game, zoo(game), deals=1), workers=1)
        spec = load(game)
        table = spec.game(spec.make_settings(), 0, 1)
        table.start()
        encoding = spec.encoding(table.settings)
        view = table.view(0)
        draft = encoding.begin(view)
        encoding.mask(view, draft)
        encoding.observe(view, draft)
