"""N14: the corner cases of settlement as worked examples, each a test. Rule: RULES.md §2, §3, §5 and §6.

Dead heats do not occur: a race has one winner, and Pasteboard Derby decides ties in a run-off. No horse is
scratched either: a suit that the bank cannot cover is closed, which the tests of its table cover.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

from railbird.envs.checking.verdicts import CheckFailed
from railbird.games.bookmaking import ledger
from railbird.games.bookmaking.prices import parse_price
from railbird.games.cards import parse_card
from railbird.games.pasteboard_derby import bank
from railbird.games.pasteboard_derby.settings import PasteboardDerbySettings
from railbird.games.save_the_bet.settings import SaveTheBetSettings
from railbird.games.save_the_bet.table import SaveTheBet
from railbird.games.superfecta import pools
from railbird.games.superfecta.settings import SuperfectaSettings

H, D, C, S = range(4)
DCHS = 8  # the order D, C, H, S: 6 orders begin with H, then D/H/…, D/H/…, and D/C/H/S
NOBODY = -1
EQUAL = SuperfectaSettings(seats=3)


def by_stake(**options: Any) -> SuperfectaSettings:
    return SuperfectaSettings(seats=3, split="pro_rata", minimum_bets=(1, 1, 1), breakage=1, **options)


@dataclass(frozen=True, slots=True)
class Example:
    """Stakes of three players in the WIN pool of Superfecta, a race that D wins, and what is due."""

    name: str
    stakes: tuple[dict[int, int], ...]  # of each seat: suit -> chips
    payouts: list[int]
    left: int
    settings: SuperfectaSettings = EQUAL
    carried: int = 0
    takeout: int = 0


IN_CENTS = SuperfectaSettings(seats=3, split="pro_rata")  # minimum 100, breakage 10
EXAMPLES = (
    # 1 + 1 + 1 + 7 = 10, three hold D: 3 each, 1 carries over
    Example("a rest that cannot be divided", ({D: 1}, {D: 1}, {D: 1, H: 7}), [3, 3, 3], 1),
    Example("no winning ticket", ({H: 4}, {C: 2}, {}), [0, 0, 0], 6),
    Example("nobody bets and something is carried", ({}, {}, {}), [0, 0, 0], 5, carried=5),
    Example("everyone on the winner", ({D: 2}, {D: 2}, {D: 2}), [2, 2, 2], 0),
    Example("one bettor alone", ({}, {}, {D: 7}), [0, 0, 7], 0),
    # 10 in the pool, winners staked 1 and 3: floor(10 / 4) = 2 a chip: 2 and 6, 10 - 8 = 2 carry over
    Example("shares by stake", ({D: 1}, {D: 3}, {H: 6}), [2, 6, 0], 2, by_stake()),
    # 10 staked and 4 carried: takeout floor(10 / 5) = 2 of the new money alone, 12 for the only winner of 1
    Example("takeout of new money only", ({D: 1}, {H: 9}, {}), [12, 0, 0], 0, by_stake(rate=0.2), 4, 2),
    # the same when nobody wins: 10 - 2 + 4 = 12 stay
    Example("takeout when nobody wins", ({H: 1}, {H: 9}, {}), [0, 0, 0], 12, by_stake(rate=0.2), 4, 2),
    Example("takeout of 100 %", ({D: 4}, {H: 6}, {}), [0, 0, 0], 0, by_stake(rate=1), takeout=10),
    # 700 over winning 300: floor(70,000 / 300) = 233, down to 230: 3 · 230 = 690, 10 carry over
    Example("breakage", ({D: 300}, {H: 400}, {}), [690, 0, 0], 10, IN_CENTS),
    # 600 staked, takeout 120, 156 carried: net 636, floor(63,600 / 600) = 106, down to 100, raised to 105:
    # 105 and 5 · 105 = 525, 636 - 630 = 6 carry over
    Example(
        "a minimum dividend", ({D: 100}, {D: 500}, {}), [105, 525, 0], 6,
        replace(IN_CENTS, rate=0.2, minimum_dividend=105), 156, 120,
    ),
    # without the carried money the net is 480: 80 a 100 is all the pool can pay
    Example(
        "a minimum dividend the pool cannot pay", ({D: 100}, {D: 500}, {}), [80, 400, 0], 0,
        replace(IN_CENTS, rate=0.2, minimum_dividend=105), 0, 120,
    ),
)  # fmt: skip


def fail_unless(due: Any, paid: Any, name: str) -> None:
    if paid != due:
        raise CheckFailed(f"{name}: due is {due}, paid {paid}", "settle as RULES.md says")


def pools_pay_as_the_rules_say(settle: Callable[..., pools.Settlement], examples: Sequence[Example]) -> None:
    """Each example is settled to the chip: payouts, what is carried on, what is taken."""
    for example in examples:
        stakes = np.zeros((1, 3, 40), np.int16)
        for seat, wagers in enumerate(example.stakes):
            for suit, chips in wagers.items():
                stakes[0, seat, suit] = chips
        carried = np.array([[example.carried, 0, 0]])
        paid = settle(stakes, carried, np.array([DCHS]), example.settings)
        came = (paid.payouts[0].tolist(), int(paid.pools[0, 0]), int(paid.takeout[0]))
        fail_unless((example.payouts, example.left, example.takeout), came, example.name)


def test_pools_pay_as_the_rules_say():
    pools_pay_as_the_rules_say(pools.settle, EXAMPLES)


def bank_pays_as_the_rules_say(settle: Callable[..., bank.Settlement]) -> None:
    """Pasteboard Derby: payouts and what stays in the bank."""
    for name, named, chips, first, second, payouts, left, ante in (
        # bank 5 · 2 + 1 carried = 11, two named H: 5 each, 1 stays
        ("a rest that cannot be divided", "HHDCS", 11, H, NOBODY, [5, 5, 0, 0, 0], 1, 2),
        ("no winner named", "HHDDS", 11, C, NOBODY, [0] * 5, 11, 2),
        # bank 3 · 2 + 4 carried = 10: 3 each, 1 stays
        ("everyone on the winner", "CCC", 10, C, NOBODY, [3, 3, 3], 1, 2),
        ("one player alone", "HDD", 6, H, NOBODY, [6, 0, 0], 0, 2),
        # bank 7: three antes of 1 go back, 4 are split 2 and 2
        ("the second's antes", "HHDDDCS", 7, H, D, [2, 2, 1, 1, 1, 0, 0], 0, 1),
        # bank 6 · 2 + 5 = 17: two antes of 2 go back, 13 stay
        ("the second alone was named", "HHDDDC", 17, S, H, [2, 2, 0, 0, 0, 0], 13, 2),
    ):
        codes = np.array([["HDCS".index(letter) + 1 for letter in named]], np.int8)
        rules = PasteboardDerbySettings(seats=len(named), ante=ante)
        paid = settle(codes, np.array([chips]), np.array([first]), np.array([second]), rules)
        fail_unless((payouts, left), (paid.payouts[0].tolist(), int(paid.bank[0])), name)


def test_the_derbys_bank_pays_as_the_rules_say():
    bank_pays_as_the_rules_say(bank.settle)


def quotes_pay_as_the_rules_say(settle: Callable[..., ledger.Settlement]) -> None:
    """Horse Race: what a stake on the winner brings back, and what the bank wins or loses."""
    for price, stake, payout in (
        ("3/1", 10, 40),  # 10 + 30
        ("6/4", 30, 75),  # 30 + 45
        ("11/8", 10, 23),  # 10 + floor(13.75): rounded down for the bank
        ("1/2", 10, 15),  # 10 + 5
        ("150/1", 10, 1_510),  # 10 + 1,500
    ):
        stakes = np.zeros((1, 3, 4), np.int16)
        stakes[0, 0, D], stakes[0, 1, H] = stake, 20  # seat 2 keeps the bank; H loses
        paid = settle(stakes, [[0, parse_price(price), 0, 0]], [D], [2])
        due = ([payout, 0, 0], [payout - stake, -20, 20 - (payout - stake)])
        fail_unless(due, (paid.payouts[0].tolist(), paid.profit[0].tolist()), f"{stake} at {price}")


def test_quotes_pay_as_the_rules_say():
    quotes_pay_as_the_rules_say(ledger.settle)


def cards(text: str) -> int:
    return sum(1 << parse_card(word) for word in text.split())


def turns_end_as_the_rules_say(game_of: type[SaveTheBet]) -> None:
    """Save The Bet: who takes what on a win, a draw and a blank."""
    rules = SaveTheBetSettings()
    for name, bets, gamble, hands in (
        # 5 + 2 = 7 equals the gamble's 7; 4 does not: the first takes all three and the gamble
        ("one winner", ("5H 2H", "4D"), "7C", ("5H 2H 4D 7C", "")),
        # K♠ is of the gamble's suit and 9 is its value: both win, each takes back its own
        ("a draw", ("KS", "9H"), "9S", ("KS", "9H")),
        # RULES.md: nobody wins, each takes what the other bet
        ("a blank", ("5H", "KS 3S"), "9D", ("KS 3S", "5H")),
    ):
        game = game_of(rules, 0, 1)
        game.start()
        state, laid = game.state, [cards(bet) for bet in bets]
        state.bets[0], state.gamble[0], state.turn[0] = laid, parse_card(gamble), 1
        state.hands[0] = [cards("2D"), cards("3D")]  # they keep a card each, so that nobody is out of cards
        used = laid[0] | laid[1] | cards(f"2D 3D {gamble}")
        state.stack[0] = int(rules.deck) & ~used
        state.public[:] = state.returned[:] = 0
        game.submit(game.blank())  # nobody saves
        due = tuple(cards(hand) for hand in hands)
        kept = (cards("2D"), cards("3D"))
        took = tuple(int(state.hands[0, seat]) & ~kept[seat] for seat in (0, 1))
        fail_unless(due, took, name)


def test_turns_of_save_the_bet_end_as_the_rules_say():
    turns_end_as_the_rules_say(SaveTheBet)


# ---- each seen failing


def spoilt(settle: Callable[..., Any], spoil: Callable[..., None]) -> Callable[..., Any]:
    """A settlement that is altered after the fact."""

    def broken(*given: Any) -> Any:
        paid = settle(*given)
        spoil(paid, *given)
        return paid

    return broken


def rest_to_the_first(paid: Any, stakes: Any, *_: Any) -> None:
    if paid.payouts.any():
        paid.payouts[0, int(np.flatnonzero(paid.payouts[0])[0])] += paid.pools[0, 0]
        paid.pools[0, 0] = 0


def pool_to_each(paid: Any, stakes: Any, *_: Any) -> None:
    winners = paid.payouts > 0
    paid.payouts[winners] = stakes.sum()


def nothing_taken_from_a_pool_nobody_won(paid: Any, *_: Any) -> None:
    if not paid.payouts.any():
        paid.pools[:, 0] += paid.takeout
        paid.takeout[:] = 0


def taken_from_carried_money_too(paid: Any, stakes: Any, carried: Any, order: Any, settings: Any) -> None:
    again = int(carried[0, 0] * settings.takeout_rate)
    paid.takeout[:] += again
    paid.payouts[paid.payouts > 0] -= again


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (
            rest_to_the_first,
            r"a rest .* divided: due is \(\[3, 3, 3\], 1, 0\), paid \(\[4, 3, 3\], 0, 0\); settle as",
        ),
        (pool_to_each, r"a rest that cannot be divided: due .*, paid \(\[10, 10, 10\], 1, 0\)"),
        (nothing_taken_from_a_pool_nobody_won, r"takeout when nobody wins: due .* 12, 2\), paid .* 14, 0\)"),
    ],
)
def test_pools_that_pay_otherwise_are_found(spoil, message):
    with pytest.raises(CheckFailed, match=message):
        pools_pay_as_the_rules_say(spoilt(pools.settle, spoil), EXAMPLES)


def test_takeout_of_carried_money_is_found():
    # floor(4 · 0.2) = 0 of the 4 carried in the example; of 156 it is 31
    with pytest.raises(CheckFailed, match=r"a minimum dividend: due is .*120\), paid .*151\)"):
        pools_pay_as_the_rules_say(spoilt(pools.settle, taken_from_carried_money_too), EXAMPLES)


def test_a_bank_that_keeps_the_seconds_antes_is_found():
    def kept(paid: Any, named: Any, chips: Any, first: Any, second: Any, rules: Any) -> None:
        paid.payouts[named == second[:, None] + 1] = 0

    with pytest.raises(CheckFailed, match=r"the second's antes: due is \(\[2, 2, 1, 1, 1, 0, 0\], 0\), paid"):
        bank_pays_as_the_rules_say(spoilt(bank.settle, kept))


def test_a_quote_that_is_rounded_to_the_nearest_chip_is_found():
    def nearest(paid: Any, *_: Any) -> None:
        paid.payouts[paid.payouts == 23] = 24  # 13.75 as 14

    with pytest.raises(CheckFailed, match=r"10 at 11/8: due is \(\[23, 0, 0\], .*, paid \(\[24, 0, 0\]"):
        quotes_pay_as_the_rules_say(spoilt(ledger.settle, nearest))


def test_a_draw_that_is_settled_as_a_loss_is_found():
    class Swapping(SaveTheBet):
        def __init__(self, settings: Any, seed: int, lanes: Any) -> None:
            super().__init__(replace(settings, draw_returns="swap"), seed, lanes)

    with pytest.raises(CheckFailed, match=r"a draw: due is .*, paid .*; settle as RULES.md says"):
        turns_end_as_the_rules_say(Swapping)
