"""What an agent earns at Racing Aces exactly: no games are played, every rail is weighed by its chance.

With one wager a race the expectation of a decision is a sum over four suits, and there are few rails. From
the second race on a seat also sees the race before, so each of its rails and winners is weighed as well; the
bet seen there is the one the agent places in the first race of a game. Chips stay at what a game begins with.

Rule: RULES.md §1 and §4.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from ...agents.contract import Agent
from ...games.bookmaking.kernels import expect_races
from ...games.bookmaking.state import BookmakerView
from ...games.errors import InvalidSettings
from ...games.kernels import Floats, Rows, Stakes
from ...games.order_law import rail_index, rail_probability, rails, win_table
from ...games.racing_aces.settings import RacingAcesSettings
from ...games.racing_aces.table import RacingAces
from ...games.streams import Draws, extend, root_key
from ...games.track import RACING_ACES, SUITS

DEALT: Final = 20_000  # tables among which every rail is looked for; the rarest is one in 656
BATCH: Final = 8_192  # rows an agent decides at once


@dataclass(frozen=True, slots=True)
class ExactScore:
    """Chips a race, the luck of rails and races averaged out."""

    by_race: tuple[float, ...]  # in the first race of a game, the second, …
    optimum: float  # of the best bettor, in any race

    @property
    def first(self) -> float:
        """Share of the optimum in the first race of a game."""
        return self.by_race[0] / self.optimum

    @property
    def worst(self) -> float:
        """Share of the optimum in the race in which it is smallest."""
        return min(self.by_race) / self.optimum


def exact_score(agent: Agent[BookmakerView], settings: RacingAcesSettings | None = None) -> ExactScore:
    """The exact expected profit of a seat of Racing Aces against the house.

    Args:
        agent: who bets; one that draws is scored with the draws it happens to get.
        settings: the rules; None: the defaults.

    Raises:
        InvalidSettings: there is more than one seat, the bank rotates, or a player has no chips.
    """
    rules = RacingAcesSettings() if settings is None else settings
    if rules.seats != 1 or rules.rotates or rules.bankroll < rules.stakes[0] or rules.max_wagers != 1:
        raise InvalidSettings(
            "the exact score is that of a single seat with one wager and the chips for it, against the house;"
            f" not of {rules}"
        )
    view, chance = _first_races(rules)
    bets = _ask(agent, view)
    worth = [float(chance @ _expected(view, bets))]
    if rules.races > 1:
        later, weight = _later_races(view, bets, chance)
        for race in range(1, rules.races):
            seen = replace(later, race=np.full_like(later.race, race))
            worth.append(float(weight @ _expected(seen, _ask(agent, seen))))
    return ExactScore(tuple(worth), _optimum(view, chance, rules))


def _first_races(rules: RacingAcesSettings) -> tuple[BookmakerView, Floats]:
    """Every rail as the seat sees it in the first race of a game, and the chance of each."""
    game = RacingAces(rules, 0, DEALT)
    game.start(np.ones(DEALT, bool))
    found = rail_index(RACING_ACES, game.state.rail)
    places, lanes = np.unique(found, return_index=True)
    if len(places) != len(rails(RACING_ACES)):
        raise InvalidSettings(f"only {len(places)} rails were found among {DEALT:,} tables")
    mask = np.zeros(DEALT, bool)
    mask[lanes] = True
    view = game.view(0, mask)
    chance = np.array([float(one) for one in rail_probability(RACING_ACES)])
    return _renumbered(view, np.arange(len(view.lane))), chance[_rail_numbers(view)]


def _later_races(view: BookmakerView, bets: Stakes, chance: Floats) -> tuple[BookmakerView, Floats]:
    """Every rail behind every race before it: (rails · rails · 4) rows, and the chance of each."""
    count = len(chance)
    before, winner, now = (part.ravel() for part in np.indices((count, SUITS, count)))
    won = win_table(RACING_ACES)[_rail_numbers(view)]  # (rails, 4)
    rows = _renumbered(view, now)
    stakes = np.zeros((len(now), *view.last_stakes.shape[1:]), np.int16)
    stakes[:, 0] = bets[before]
    later = replace(
        rows,
        last_rail=view.rail[before],
        last_winner=winner.astype(np.int8),
        last_bank=view.bank[before],
        last_quotes=view.quotes[before],
        last_stakes=stakes,
    )
    return later, chance[before] * won[before, winner] * chance[now]


def _renumbered(view: BookmakerView, rows: Rows) -> BookmakerView:
    """A view of these rows, in lanes of their own."""
    taken = {name: getattr(view, name)[rows] for name in view.__slots__}
    return BookmakerView(**{**taken, "lane": np.arange(len(rows))})


def _ask(agent: Agent[BookmakerView], view: BookmakerView) -> Stakes:
    """(n, 4) int16: what the agent bets, some rows at a time."""
    bets: list[Any] = []
    for start in range(0, len(view.lane), BATCH):
        part = _renumbered(view, np.arange(start, min(start + BATCH, len(view.lane))))
        agent.begin(np.ones(len(part.lane), bool))
        bets.append(agent.act(part, Draws(extend(np.full(len(part.lane), root_key(start)), part.lane))))
    return np.concatenate(bets).astype(np.int16)


def _expected(view: BookmakerView, bets: Stakes) -> Floats:
    """(n,) chips: the exact expectation of bets (n, 4)."""
    out = np.empty((len(bets), 2))  # the seat and the house
    stakes = np.zeros((len(bets), 2, SUITS), np.int16)
    stakes[:, 0] = bets
    chances = win_table(RACING_ACES)[_rail_numbers(view)]
    expect_races(out, stakes, view.quotes, view.bank, chances)
    return out[:, 0]


def _rail_numbers(view: BookmakerView) -> Rows:
    return rail_index(RACING_ACES, view.rail)


def _optimum(view: BookmakerView, chance: Floats, rules: RacingAcesSettings) -> float:
    """Chips a race of who places the best stake on the best suit, or none."""
    best = np.zeros(len(chance))
    for suit in range(SUITS):
        for stake in rules.stakes:
            bets = np.zeros((len(chance), SUITS), np.int16)
            bets[:, suit] = stake
            best = np.maximum(best, _expected(view, bets))
    return float(chance @ best)
