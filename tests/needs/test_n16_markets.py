"""N16: what is shown of a market is what holds: pools without one's own ticket, quotes that are paid.

Superfecta shows the chips carried in each pool, of which no ticket of the coming race is part; a bookmaker's
odds are fixed when they are quoted. Tickets are written unseen, so no price moves before the race is run.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from railbird.envs.checking.verdicts import CheckFailed
from railbird.games.bookmaking.prices import parse_price
from railbird.games.errors import IllegalDecision
from railbird.games.horse_race.settings import HorseRaceSettings
from railbird.games.horse_race.table import HorseRace
from railbird.games.superfecta.lines import WINNING
from railbird.games.superfecta.settings import SuperfectaSettings
from railbird.games.superfecta.table import Superfecta

CARRIED = 1_000
STAKES = (300, 400, 300)  # on the winner, on the winner, on another horse


def fail_unless(due: Any, came: Any, name: str) -> None:
    if came != due:
        raise CheckFailed(f"{name}: due is {due}, it is {came}", "show and pay what the pool holds")


def dividends_are_paid_as_shown(game_of: type[Superfecta]) -> None:
    """Bets into a WIN pool of 1,000 carried chips and compares the shown, final and paid amounts by hand.

    Takeout a fifth, minimum bet 100, breakage 10. Shown before the bets: 1,000. Staked are 1,000, of them
    floor(1,000 / 5) = 200 taken: the final pool is 1,000 + 1,000 - 200 = 1,800. On the winner lie 700:
    floor(1,800 · 100 / 700) = 257, with breakage 250 for each 100. Paid are 3 · 250 = 750 and 4 · 250 =
    1,000; 1,800 - 1,750 = 50 are carried on and shown before the next race.
    """
    settings = SuperfectaSettings(seats=3, races=2, split="pro_rata", rate=0.2)
    game = game_of(settings, 7, 1)
    game.start()
    game.state.pools[0, 0] = CARRIED
    winner = _coming_winner(game)
    fail_unless([CARRIED, 0, 0], game.view(0).pools[0].tolist(), "the pools shown before the bets")
    decisions = game.blank()
    decisions[0, 0, winner], decisions[0, 1, winner], decisions[0, 2, (winner + 1) % 4] = STAKES
    game.submit(decisions)
    seen = game.view(0)
    fail_unless(1_800, int(seen.last_pools[0, 0]), "the final pool")
    fail_unless([750, 1_000, 0], seen.last_payouts[0].tolist(), "paid")
    fail_unless([10_450, 10_600, 9_700], seen.bankrolls[0].tolist(), "held")  # 10,000 - 300 + 750, and so on
    fail_unless([50, 0, 0], seen.pools[0].tolist(), "the pools shown before the next bets")


def _coming_winner(game: Superfecta) -> int:
    """Who will win: a copy of the table plays the same race."""
    ahead = type(game)(game.settings, 0, 1)
    ahead.load(game.save())
    ahead.submit(ahead.blank())
    return int(WINNING[ahead.state.last_order[0], 0])


def own_bets_move_the_dividend(game_of: type[Superfecta]) -> None:
    """Without the first bettor's 300: 700 staked, 140 taken, net 1,560, winning 400: 390 for each 100. So
    its own ticket brought the dividend down to 250.
    """
    game = game_of(SuperfectaSettings(seats=3, races=2, split="pro_rata", rate=0.2), 7, 1)
    game.start()
    game.state.pools[0, 0] = CARRIED
    winner = _coming_winner(game)
    decisions = game.blank()
    decisions[0, 1, winner], decisions[0, 2, (winner + 1) % 4] = STAKES[1:]
    game.submit(decisions)
    fail_unless(4 * 390, int(game.state.last_payouts[0, 1]), "paid without the first ticket")


def own_tickets_are_not_in_what_is_shown(doors: Any) -> None:
    """While a ticket is written the observed pools stay as they are, and the index table says so."""
    env = doors.open_single()
    block = next(part for part in env.encoding.layout.blocks if part.name == "pools")
    if "carried" not in block.meaning:
        raise CheckFailed(f"the index table says {block.meaning!r} of the pools", "say what they include")
    seen, _ = env.reset(seed=1)
    for action in (1, 6, 17):
        then = seen[block.slice].copy()
        seen = env.step(action)[0]
        fail_unless(then.tolist(), seen[block.slice].tolist(), "the pools shown while a ticket is written")


def quotes_hold(game_of: type[HorseRace]) -> None:
    """A bettor is paid at the odds it was shown, whatever others stake, and gets no more than is offered.

    Two bettors, a bank of 1,000 that rotates, 3/1 on every suit. The limit is the largest multiple s of 10
    with 2 · 3 · s <= 1,000: 160. It brings 160 + 480 = 640 to each if it wins; the bank pays 960.
    """
    game = game_of(HorseRaceSettings(seats=3, races=2, bank="rotate"), 5, 1)
    game.start()
    quote = game.blank()
    quote[0, 0] = parse_price("3/1")
    game.submit(quote)
    seen = game.view(1)
    fail_unless([parse_price("3/1")] * 4, seen.quotes[0].tolist(), "the odds shown")
    fail_unless([160] * 4, seen.limits[0].tolist(), "the limits shown")
    ahead = game_of(game.settings, 0, 1)
    ahead.load(game.save())
    ahead.submit(ahead.blank())
    bets = game.blank()
    bets[0, 1:3, int(ahead.state.last_winner[0])] = 160
    above = bets.copy()
    above[0, 1] = np.where(above[0, 1], 170, 0)
    try:
        game.submit(above)
    except IllegalDecision:
        pass
    else:
        raise CheckFailed("170 are taken where 160 were offered", "refuse what is above the limit")
    game.submit(bets)
    fail_unless([0, 640, 640], game.state.last_payouts[0].tolist(), "paid at 3/1")
    fail_unless([40, 1_480, 1_480], game.state.bankrolls[0].tolist(), "held")  # 1,000 - 960, 1,000 + 480


def test_dividends_are_paid_as_shown():
    dividends_are_paid_as_shown(Superfecta)
    own_bets_move_the_dividend(Superfecta)


@pytest.mark.parametrize("settings", [{}, {"split": "pro_rata", "stakes": (1, 2)}])
def test_own_tickets_are_not_in_what_is_shown(broken, settings):
    own_tickets_are_not_in_what_is_shown(broken("Superfecta", settings))


def test_quotes_hold():
    quotes_hold(HorseRace)


# ---- each seen failing


class ShowsNetOfTakeout(Superfecta):
    """Shows the pools as if the takeout were already taken from them."""

    def _view(self, seats: Any, rows: Any) -> Any:
        from dataclasses import replace

        view = super()._view(seats, rows)
        return replace(view, pools=view.pools - view.pools // 5)


class PaysWithoutBreakage(Superfecta):
    """Pays the dividend unrounded to whoever holds the winner."""

    def _play(self, decisions: Any, rows: Any) -> None:
        super()._play(decisions, rows)
        state = self.state
        state.last_payouts[:] = state.last_payouts * 257 // 250
        state.pools[:, 0] = 1


class OwnBetsDoNotMove(Superfecta):
    """Pays what the pool would pay without the bettor's own chips: 390 for each 100."""

    def _play(self, decisions: Any, rows: Any) -> None:
        super()._play(decisions, rows)
        self.state.last_payouts[:] = self.state.last_payouts * 390 // 250


@pytest.mark.parametrize(
    ("game_of", "message"),
    [
        (
            ShowsNetOfTakeout,
            r"the pools shown before the bets: due is \[1000, 0, 0\], it is \[800, 0, 0\]; show",
        ),
        (PaysWithoutBreakage, r"paid: due is \[750, 1000, 0\], it is \[771, 1028, 0\]"),
        (OwnBetsDoNotMove, r"paid: due is \[750, 1000, 0\], it is \[1170, 1560, 0\]"),
    ],
)
def test_a_market_that_does_otherwise_is_found(game_of, message):
    with pytest.raises(CheckFailed, match=message):
        dividends_are_paid_as_shown(game_of)


def test_a_pool_shown_with_ones_own_ticket_is_found(case_of, broken):
    base = type(case_of("Superfecta").make())

    def step(self: Any, action: Any) -> Any:
        seen, *rest = base.step(self, action)
        seen[4] += len(self.table.draft_text(0)) / 100
        return seen, *rest

    with pytest.raises(CheckFailed, match="the pools shown while a ticket is written: due is"):
        own_tickets_are_not_in_what_is_shown(broken("Superfecta", single={"step": step}))


class Shortens(HorseRace):
    """Pays at shorter odds than were quoted."""

    def _play(self, decisions: Any, rows: Any) -> None:
        if self.phase[0]:  # the bets are in
            self.state.quotes[:] = parse_price("5/2")
        super()._play(decisions, rows)


class TakesAll(HorseRace):
    """Takes bets of any size."""

    def faults(self, decisions: Any, lanes: Any = None) -> Any:
        return super().faults(decisions, lanes) * 0


@pytest.mark.parametrize(
    ("game_of", "message"),
    [
        (Shortens, r"paid at 3/1: due is \[0, 640, 640\], it is \[0, 560, 560\]"),
        (TakesAll, "170 are taken where 160 were offered; refuse what is above the limit"),
    ],
)
def test_a_bookmaker_that_does_otherwise_is_found(game_of, message):
    with pytest.raises(CheckFailed, match=message):
        quotes_hold(game_of)
