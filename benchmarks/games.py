"""Speed of the other games' kernels, all seats with random legal decisions given."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from .measure import Figure, figure, rates

LANES = 4096


def race_games() -> Iterator[Figure]:
    """Whole races of Racing Aces, Horse Race with six bettors and the Derby with six players."""
    from ..games.horse_race.settings import HorseRaceSettings
    from ..games.horse_race.table import HorseRace
    from ..games.pasteboard_derby.settings import PasteboardDerbySettings
    from ..games.pasteboard_derby.table import PasteboardDerby
    from ..games.racing_aces.settings import RacingAcesSettings
    from ..games.racing_aces.table import RacingAces

    rng = np.random.default_rng(0)
    aces = RacingAces(RacingAcesSettings(), 0, LANES)
    suit = np.eye(5, 4, dtype=np.int16)[rng.integers(0, 5, LANES)]  # one chip on a suit, or none
    tickets = aces.blank()
    tickets[:, 0] = suit
    yield figure("racing_aces_races", rates(lambda: _game(aces, [tickets])), "races/s", 4_000_000)

    book = HorseRace(HorseRaceSettings(), 0, LANES)
    quotes, bets = book.blank(), book.blank()
    quotes[:, -1] = rng.integers(5, 25, (LANES, 4))
    bets[:, :-1] = 10 * (rng.random((LANES, 6, 4)) < 0.3)
    yield figure(
        "horse_race_races", [r / 2 for r in rates(lambda: _game(book, [quotes, bets]))], "races/s", 1_500_000
    )

    derby = PasteboardDerby(PasteboardDerbySettings(), 0, LANES)
    horses = derby.blank()
    horses[..., 0] = rng.integers(1, 5, (LANES, 6))
    yield figure("pasteboard_derby_races", rates(lambda: _game(derby, [horses])), "races/s", 1_500_000)


def _game(game: Any, turns: list[Any]) -> float:
    """A whole game with these decisions turn after turn; the turns played in all lanes."""
    game.start()
    played = 0
    while not game.over.all():
        played += int((~game.over).sum())
        game.submit(turns[int(game.state.turn.max()) % len(turns)])
    return float(played)
