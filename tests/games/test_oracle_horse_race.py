"""The plain bookmaker against the worked examples of RULES.md §3, sums in the comments."""

import random
from fractions import Fraction

import pytest

import horse_race_oracle
import races_oracle
from horse_race_oracle import PRICES, HorseRace, Settings, limit, payout

H, D, C, S = range(4)


def price(text: str) -> int:
    """The index of a board price."""
    return horse_race_oracle.BOARD.split().index(text)


def deck_won_by(suit: int) -> list[int]:
    """A deck with rail counts 2,2,1,1 whose stock begins with ten cards of one suit."""
    free = {s: [13 * s + rank for rank in range(1, 13)] for s in range(4)}
    deck = [free[s].pop() for s in [H, H, D, D, C, S] + [suit] * 10]
    return deck + [card for s in range(4) for card in free[s]]


EVENS = (price("1/1"),) * 4
THREES = (price("3/1"),) * 4


def test_board_has_33_prices_in_rising_order() -> None:
    assert len(PRICES) == 33
    assert list(PRICES) == sorted(set(PRICES))
    assert (PRICES[0], PRICES[32]) == (Fraction(1, 2), Fraction(150))


@pytest.mark.parametrize(
    ("odds", "stake", "back"),
    [
        ("3/1", 10, 40),  # 10 + 30
        ("6/4", 30, 75),  # 30 + 45
        ("11/8", 10, 23),  # 10 + floor(13.75)
        ("4/6", 10, 16),  # 10 + floor(6.67)
        ("10/11", 20, 38),  # 20 + floor(18.18)
        ("3/1", 0, 0),
    ],
)
def test_payout_is_the_stake_and_the_odds_rounded_down(odds: str, stake: int, back: int) -> None:
    assert payout(stake, Fraction(odds)) == back


@pytest.mark.parametrize(
    ("odds", "bettors", "bank", "largest"),
    [
        ("3/1", 5, 1_000, 60),  # 5*3*60 = 900 <= 1,000 < 1,050
        ("11/8", 1, 13, 10),  # floor(13.75) = 13 is covered, floor(27.5) = 27 is not
        ("150/1", 5, 1_000, 0),  # 5*1,500 = 7,500: closed
        ("1/2", 1, 1_000, 1_000),  # the cap; 500 would be paid
        ("1/1", 1, 199, 190),
    ],
)
def test_limit_is_what_the_bank_covers_if_everybody_wins(
    odds: str, bettors: int, bank: int, largest: int
) -> None:
    assert limit(Fraction(odds), 10, 1_000, bettors, bank) == largest


def test_house_pays_and_keeps_an_account() -> None:
    game = HorseRace(Settings(seats=2))
    record = game.play(deck_won_by(C), THREES, [{C: 10}, {H: 20, C: 10}])
    assert record.winner == C and record.rail_counts == (2, 2, 1, 1)
    assert record.payouts == (40, 40)
    # 40 - 10 and 40 - 30; the house pays for both
    assert (record.profits, record.house_profit) == ((30, 10), -40)
    record = game.play(deck_won_by(D), THREES, [{C: 100}, {}])
    assert (record.profits, record.house_profit, game.book.house) == ((-100, 0), 100, 60)


def test_house_takes_up_to_the_cap_on_each_suit() -> None:
    game = HorseRace(Settings(seats=1, bankroll=5_000))
    long_shots = (price("150/1"),) * 4
    assert game.limits(long_shots) == (1_000,) * 4
    assert game.play(deck_won_by(C), long_shots, [{H: 1_000, C: 1_000}]).profits == (150_000 - 1_000,)


def test_rotating_bank_sets_limits_suit_by_suit() -> None:
    game = HorseRace(Settings(bank="rotate"))
    quotes = (price("1/2"), price("3/1"), price("20/1"), price("150/1"))
    # bank 1,000, five bettors: 200 each. s/2 <= 200: 400; 3s <= 200: 60; 20s <= 200: 10; 150s: closed
    assert game.limits(quotes) == (400, 60, 10, 0)
    with pytest.raises(ValueError, match="above the limit of 60"):
        game.play(deck_won_by(D), quotes, [{}, {D: 70}, {}, {}, {}, {}])
    with pytest.raises(ValueError, match="above the limit of 0"):
        game.play(deck_won_by(D), quotes, [{}, {S: 10}, {}, {}, {}, {}])
    with pytest.raises(ValueError, match="banker does not bet"):
        game.play(deck_won_by(D), quotes, [{D: 10}, {}, {}, {}, {}, {}])
    record = game.play(deck_won_by(D), quotes, [{}] + [{D: 60}] * 5)
    # 5 * 180 = 900 from the bank
    assert record.profits == (-900, 180, 180, 180, 180, 180)
    assert record.bankrolls[0] == 100


def test_losing_stakes_go_to_the_banker() -> None:
    game = HorseRace(Settings(seats=3, bank="rotate"))
    record = game.play(deck_won_by(D), EVENS, [{}, {H: 50, D: 30}, {S: 40}])
    # seat 1: +30 - 50; seat 2: -40; the banker the other side of both
    assert record.profits == (60, -20, -40)
    assert record.house_profit == 0


def test_bank_rotates_every_few_races_and_passes_over_seats_without_chips() -> None:
    game = HorseRace(Settings(seats=3, bank="rotate", rotate_every=2, bankroll=100))
    bankers: list[int | None] = []
    lost = [{}, {H: 50}, {}], [{}, {H: 50}, {}]  # seat 1 loses everything to seat 0
    for tickets in lost:
        bankers.append(game.play(deck_won_by(D), EVENS, tickets).banker)
    assert game.book.bankrolls == [200, 0, 100]
    for _ in range(4):
        bankers.append(game.play(deck_won_by(D), EVENS, [{}, {}, {}]).banker)
    assert bankers == [0, 0, 2, 2, 0, 0]


def test_ticket_dearer_than_the_chips_is_refused_whole() -> None:
    game = HorseRace(Settings(seats=2, bankroll=100))
    record = game.play(deck_won_by(H), EVENS, [{H: 60, D: 50}, {H: 60, D: 40}])
    assert record.refused == (True, False)
    assert record.bankrolls == (100, 120)


@pytest.mark.parametrize(
    ("ticket", "message"),
    [({H: -10}, "never negative"), ({H: 15}, "no multiple"), ({4: 10}, "suits are 0 to 3")],
)
def test_illegal_wagers_stop_the_race(ticket: dict[int, int], message: str) -> None:
    game = HorseRace(Settings(seats=1))
    with pytest.raises(ValueError, match=message):
        game.play(deck_won_by(H), EVENS, [ticket])
    assert (game.race, game.book.bankrolls) == (0, [1_000])


@pytest.mark.parametrize("quotes", [(0, 0, 0), (0, 0, 0, 33), (0, 0, 0, -1)])
def test_quote_is_four_indices_into_the_board(quotes: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="33 prices"):
        HorseRace(Settings()).limits(quotes)


def test_scarne_needs_six_cards_only() -> None:
    # rail 6 spades: with seven needed S could never win, with six it does
    free = {s: [13 * s + rank for rank in range(1, 13)] for s in range(4)}
    deck = [free[s].pop() for s in [S] * 12 + [H] * 7]
    deck += [card for s in range(4) for card in free[s]]
    tickets = [{S: 10}]
    assert HorseRace(Settings(seats=1)).play(deck, EVENS, tickets).winner == H
    assert HorseRace(Settings(seats=1, track=races_oracle.SCARNE)).play(deck, EVENS, tickets).winner == S


def test_expected_profit_uses_the_exact_win_chances() -> None:
    game = HorseRace(Settings(seats=2, bank="rotate"))
    # rail 6,0,0,0: D wins with 1/3: 30/3 - 10*2/3 = 10/3 for the bettor, the banker the other side
    assert game.expected_profit((6, 0, 0, 0), THREES, [{}, {D: 10}]) == [Fraction(-10, 3), Fraction(10, 3)]
    assert game.book.bankrolls == [1_000, 1_000]


@pytest.mark.parametrize("bank", ["house", "rotate"])
def test_books_balance_over_random_games(bank: str) -> None:
    chance = random.Random(3)
    game = HorseRace(Settings(seats=4, bank=bank, rotate_every=2))
    while not game.over:
        deck = [card for card in range(52) if card % 13]
        chance.shuffle(deck)
        quotes = [chance.randrange(33) for _ in range(4)]
        tickets: list[dict[int, int]] = []
        for seat in range(4):
            wagers = {
                suit: 10 * chance.randint(0, most // 10) for suit, most in enumerate(game.limits(quotes))
            }
            tickets.append({} if seat == game.book.banker else wagers)
        record = game.play(deck, quotes, tickets)  # asserts the books itself
        assert sum(record.profits) + record.house_profit == 0
