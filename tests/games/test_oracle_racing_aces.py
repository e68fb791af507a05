"""The plain Racing Aces against every printed figure of RULES.md §4, recomputed exactly."""

from fractions import Fraction
from functools import cache
from math import comb

import pytest

import races_oracle
import racing_aces_oracle
from racing_aces_oracle import RacingAces, Settings, published_odds

H, D, C, S = range(4)
Rail = tuple[int, ...]


def standing_rails() -> list[Rail]:
    """Every rail count vector of seven cards that is not dealt again."""
    four = range(5)
    return [(h, d, c, s) for h in four for d in four for c in four for s in four if h + d + c + s == 7]


def ways(rail: Rail) -> int:
    """The number of seven-card rails with these counts."""
    product = 1
    for count in rail:
        product *= comb(12, count)
    return product


@cache
def expectations(pattern: Rail) -> tuple[Fraction, ...]:
    """Profit per chip on each suit: chance * odds - (1 - chance)."""
    chances = races_oracle.win_chances(pattern, 8)
    return tuple(
        chance * (odds + 1) - 1 for chance, odds in zip(chances, published_odds(pattern), strict=True)
    )


def shares() -> dict[Rail, Fraction]:
    """The share of deals of each pattern (counts in falling order) among the rails that stand."""
    total = sum(ways(rail) for rail in standing_rails())
    found: dict[Rail, Fraction] = {}
    for rail in standing_rails():
        pattern = tuple(sorted(rail, reverse=True))
        found[pattern] = found.get(pattern, Fraction(0)) + Fraction(ways(rail), total)
    return found


TABLE = [
    ((3, 2, 1, 1), "0.3509", 1, "0.359", "+0.078"),
    ((2, 2, 2, 1), "0.1930", 1, "0.378", "+0.133"),
    ((3, 2, 2, 0), "0.1608", 0, "0.546", "+0.091"),
    ((4, 2, 1, 0), "0.1316", 0, "0.500", "+0.0004"),
    ((3, 3, 1, 0), "0.0975", 0, "0.521", "+0.043"),
    ((4, 1, 1, 1), "0.0479", 1, "0.327", "-0.020"),
    ((4, 3, 0, 0), "0.0183", 0, "0.459", "-0.081"),
]


def test_odds_by_rail_cards() -> None:
    assert list(published_odds((0, 1, 2, 4))) == [1, 2, 3, 10]
    assert list(published_odds((3, 3, 1, 0))) == [5, 5, 2, 1]


@pytest.mark.parametrize(("pattern", "share", "shows", "chance", "profit"), TABLE)
def test_table_of_exact_expectations(pattern: Rail, share: str, shows: int, chance: str, profit: str) -> None:
    assert f"{float(shares()[pattern]):.4f}" == share
    best = max(range(4), key=lambda suit: expectations(pattern)[suit])
    assert pattern[best] == shows
    assert f"{float(races_oracle.win_chances(pattern, 8)[best]):.3f}" == chance
    digits = len(profit) - len("+0.")
    assert f"{float(expectations(pattern)[best]):+.{digits}f}" == profit


def test_table_holds_every_pattern() -> None:
    assert set(shares()) == {row[0] for row in TABLE}


def test_what_the_best_bettor_the_simple_bettor_and_the_spread_bettor_earn() -> None:
    best = fewest = spread = Fraction(0)
    for pattern, share in shares().items():
        gains = expectations(pattern)
        best += share * max(Fraction(0), *gains)
        fewest += share * gains[pattern.index(min(pattern))]  # suits with equal counts have equal chances
        spread += share * sum(gain for gain in gains if gain > 0)
    assert f"{float(best):.6f}" == "0.071857"
    assert f"{float(fewest):.6f}" == "0.069439"
    assert f"{float(spread):.5f}" == "0.09917"


def deck_with(rail: list[int], suits_first: list[int]) -> list[int]:
    free = {suit: [13 * suit + rank for rank in range(1, 13)] for suit in range(4)}
    deck = [free[suit].pop() for suit in rail + suits_first]
    return deck + [card for suit in range(4) for card in free[suit]]


def test_one_chip_at_three_to_one_returns_four() -> None:
    game = RacingAces(Settings())
    deck = deck_with([H, H, D, D, C, C, S], [D] * 8)
    record = game.play([deck], [{D: 1}])
    assert record.rail_counts == (2, 2, 2, 1)
    assert (record.payouts, record.profits, record.house_profit) == ((4,), (3,), -3)
    record = game.play([deck], [{S: 1}])
    assert (record.payouts, record.profits, game.book.house) == ((0,), (-1,), -2)


def test_race_is_run_with_the_first_rail_that_stands() -> None:
    again = deck_with([H] * 5 + [D, C], [S] * 7)
    stands = deck_with([H] * 4 + [D, C, C], [S] * 8)
    record = RacingAces(Settings()).play([again, stands], [{S: 2}])
    assert (record.rail_counts, record.winner, record.profits) == ((4, 1, 2, 0), S, (2,))  # 0 cards: 1/1


def test_ticket_may_not_back_more_suits_than_allowed() -> None:
    deck = deck_with([H, H, D, D, C, C, S], [D] * 8)
    with pytest.raises(ValueError, match="2 suits backed, at most 1"):
        RacingAces(Settings()).play([deck], [{D: 1, S: 1}])
    game = RacingAces(Settings(max_wagers=2))
    assert game.play([deck], [{D: 1, S: 1}]).profits == (2,)  # +3 - 1


def test_rotating_bank_covers_what_everybody_could_win_and_moves_after_each_race() -> None:
    game = RacingAces(Settings(seats=3, bank="rotate", max_wagers=4))
    deck = deck_with([H] * 4 + [D, D, C], [D] * 8)
    # bank 100, two bettors: 50 each. 10/1: 5; 3/1: 16; 2/1: 25; 1/1: 50
    assert game.limits((4, 2, 1, 0)) == (5, 16, 25, 50)
    record = game.play([deck], [{}, {H: 5, D: 16}, {D: 16, S: 50}])
    # seat 1: 48 - 5 = 43; seat 2: 48 - 50 = -2; the banker -41
    assert (record.banker, record.profits) == (0, (-41, 43, -2))
    record = game.play([deck], [{}, {}, {D: 1}])
    assert (record.banker, record.profits) == (1, (0, -3, 3))
    assert game.play([deck], [{}, {}, {}]).banker == 2


def test_expected_profit_is_the_table_times_the_stake() -> None:
    rail = (3, 2, 1, 1)
    game = RacingAces(Settings(max_wagers=2))
    gains = expectations(rail)
    assert game.expected_profit(rail, [{C: 3, S: 1}]) == [3 * gains[C] + gains[S]]
    assert game.expected_profit(rail, [{C: 101}]) == [0]  # refused


def test_seats_allowed() -> None:
    with pytest.raises(ValueError, match="2 to 12"):
        Settings(seats=1, bank="rotate")
    assert racing_aces_oracle.Settings(seats=1).seats == 1
