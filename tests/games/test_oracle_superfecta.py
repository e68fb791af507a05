"""The plain Superfecta against the worked examples of RULES.md §2, sums in the comments."""

import random
from fractions import Fraction

import pytest

import races_oracle
import superfecta_oracle
from superfecta_oracle import Settings, Superfecta

H, D, C, S = range(4)
WIN, EXA, SFC = range(3)


def line(pool: int, *suits: int) -> int:
    return superfecta_oracle.LINES.index((pool, suits))


def deck_for(order: tuple[int, ...]) -> list[int]:
    """A deck with rail counts 2,2,1,1 whose stock runs the suits home in this order."""
    free = {suit: [13 * suit + rank for rank in range(1, 13)] for suit in range(4)}
    suits = [H, H, D, D, C, S] + [suit for suit in order for _ in range(7)]
    deck = [free[suit].pop() for suit in suits]
    return deck + [card for suit in range(4) for card in free[suit]]


def test_line_numbers_are_lexicographic() -> None:
    assert [line(WIN, H), line(WIN, S)] == [0, 3]
    assert [line(EXA, H, D), line(EXA, D, C), line(EXA, C, D), line(EXA, S, C)] == [4, 8, 11, 15]
    assert [line(SFC, H, D, C, S), line(SFC, S, C, D, H)] == [16, 39]
    assert len(superfecta_oracle.LINES) == 40


def test_example_a_james_wins_in_all_three_pools_and_one_exacta_loses() -> None:
    james = {line(WIN, D): 2, line(EXA, D, C): 1, line(EXA, C, D): 1, line(SFC, D, C, H, S): 1}
    record = Superfecta(Settings(seats=2)).play(deck_for((D, C, H, S)), [james, {line(WIN, H): 3}])
    assert record.order == (D, C, H, S)
    # staked: WIN 2 + 3, EXA 1 + 1, SFC 1; James alone holds each winner and takes 5 + 2 + 1 = 8 for 5
    assert record.pool_totals == (5, 2, 1)
    assert record.payouts == (8, 0)
    assert record.profits == (8 - 5, -3)
    assert record.carried == (0, 0, 0)


def test_example_b_winners_share_equally_and_unwon_pools_carry_over() -> None:
    game = Superfecta(Settings(seats=4))
    win_h = {line(WIN, H): 1}
    tickets = [{line(WIN, H): 5}, win_h, win_h, {line(WIN, D): 3, line(SFC, S, C, D, H): 4}]
    record = game.play(deck_for((H, D, C, S)), tickets)
    # WIN pool 5 + 1 + 1 + 3 = 10, three winners: 10 // 3 = 3 each, 1 carries over; the 5 bought nothing
    assert record.pool_totals == (10, 0, 4)
    assert record.payouts == (3, 3, 3, 0)
    assert record.profits == (-2, 2, 2, -7)
    assert record.carried == (1, 0, 4)
    # next race: 1 carried + 2 staked for the one winner
    record = game.play(deck_for((H, D, C, S)), [{line(WIN, H): 2}, {}, {}, {}])
    assert record.pool_totals == (3, 0, 4)
    assert record.payouts == (3, 0, 0, 0)
    assert record.carried == (0, 0, 4)


def pro_rata(**changes: object) -> Settings:
    return Settings(**({"split": "pro_rata", "seats": 3} | changes))  # type: ignore[arg-type]


def win_pool(
    settings: Settings, on_h: list[int], on_d: int, carried: int = 0
) -> superfecta_oracle.PoolSettlement:
    """Settle the WIN pool for hearts first: a seat for each of `on_h`, one more with `on_d` on diamonds."""
    tickets = [{line(WIN, H): chips} for chips in on_h] + [{line(WIN, D): on_d}]
    return superfecta_oracle.settle_pool(settings, WIN, tickets, carried, (H, D, C, S))


def test_example_c_pro_rata_dividend() -> None:
    pool = win_pool(pro_rata(), [1, 3], 6)
    # pool 1 + 3 + 6 = 10, floor(10 / 4) = 2 per chip: 2 and 6, 10 - 8 = 2 carry over
    assert (pool.total, pool.dividend, pool.payouts, pool.carried) == (10, 2, [2, 6, 0], 2)


def test_example_d_takeout_is_of_new_money_only() -> None:
    pool = win_pool(pro_rata(rate=Fraction(1, 5)), [], 10, carried=4)
    # floor(10 / 5) = 2 is taken although nobody won; net 10 + 4 - 2 = 12 carries over
    assert (pool.total, pool.takeout, pool.carried) == (14, 2, 12)
    pool = win_pool(pro_rata(rate=Fraction(1, 5)), [], 0, carried=12)
    assert (pool.takeout, pool.carried) == (0, 12)  # never again from carried money


def test_example_e_only_bettor_wins_the_pool_back_whole() -> None:
    record = Superfecta(Settings(seats=2)).play(deck_for((C, D, H, S)), [{line(WIN, C): 7}, {}])
    assert record.payouts == (7, 0) and record.profits == (0, 0)
    record = Superfecta(pro_rata(seats=2)).play(deck_for((C, D, H, S)), [{line(WIN, C): 7}, {}])
    assert record.payouts == (7, 0) and record.carried == (0, 0, 0)


def test_example_f_last_race_divides_the_pools_among_all() -> None:
    game = Superfecta(Settings(races=1))
    loser = {line(WIN, D): 4, line(EXA, D, C): 4, line(SFC, D, C, H, S): 4}
    record = game.play(deck_for((H, D, C, S)), [loser, {}, {}, {}, {}, {}])
    # 4 + 4 + 4 = 12 for six players: 2 each
    assert record.carried == (4, 4, 4)
    assert record.final_share == 2
    assert record.profits == (2 - 12, 2, 2, 2, 2, 2)
    assert (game.over, game.pools, game.undivided) == (True, [0, 0, 0], 0)
    with pytest.raises(ValueError, match="over"):
        game.play(deck_for((H, D, C, S)), [{}] * 6)


def test_rest_of_the_final_division_belongs_to_nobody() -> None:
    game = Superfecta(Settings(races=1))
    record = game.play(deck_for((H, D, C, S)), [{line(WIN, D): 15}] + [{}] * 5)
    # 15 = 6 * 2 + 3
    assert (record.final_share, record.undivided) == (2, 3)
    assert sum(record.bankrolls) == 600 - 3


def test_breakage_rounds_the_dividend_down() -> None:
    settings = pro_rata(minimum_bets=(100, 100, 100), breakage=10, bankroll=10_000, rate=Fraction(1, 10))
    pool = win_pool(settings, [100, 200], 130 * 100)
    # staked 13,300, takeout 1,330, net 11,970; 11,970 * 100 / 300 = 3,990 per 100: a multiple of 10
    assert (pool.takeout, pool.dividend, pool.payouts) == (1330, 3990, [3990, 7980, 0])
    pool = win_pool(settings, [100, 600], 200)
    # staked 900, takeout 90, net 810; 810 * 100 / 700 = 115.7 -> 110: 110 + 660 = 770, 40 carry over
    assert (pool.dividend, pool.payouts, pool.carried) == (110, [110, 660, 0], 40)


def test_minimum_dividend_is_paid_as_far_as_the_pool_reaches() -> None:
    settings = pro_rata(
        minimum_bets=(100, 100, 100), breakage=10, bankroll=10_000, rate=Fraction(1, 5), minimum_dividend=105
    )
    # 1,000 staked, takeout 200, net 800, all on the winner: 80 < 105, the pool reaches to 80
    assert win_pool(settings, [400, 600], 0).dividend == 80
    # net 800 + 45 = 845 for 1,000: 84.5 -> 80 by breakage, raised to 105 but the pool reaches to 84
    pool = win_pool(settings, [400, 600], 0, carried=45)
    assert (pool.dividend, pool.payouts, pool.carried) == (84, [336, 504, 0], 5)
    # net 800 + 285 = 1,085: 108.5 -> 100 by breakage, raised to 105
    pool = win_pool(settings, [400, 600], 0, carried=285)
    assert (pool.dividend, pool.payouts, pool.carried) == (105, [420, 630, 0], 35)


def test_ticket_dearer_than_the_bankroll_is_refused_whole() -> None:
    game = Superfecta(Settings(seats=2, bankroll=10))
    record = game.play(deck_for((H, D, C, S)), [{line(WIN, H): 6, line(EXA, H, D): 5}, {line(WIN, H): 10}])
    assert record.refused == (True, False)
    assert record.tickets == ({}, {line(WIN, H): 10})
    assert record.bankrolls == (10, 10)


@pytest.mark.parametrize(
    ("ticket", "message"),
    [
        ({0: -2}, "never negative"),
        ({0: 3}, "no multiple"),
        ({4: 32_770}, "above the largest wager"),
        ({40: 2}, "lines are 0 to 39"),
    ],
)
def test_illegal_stakes_stop_the_race(ticket: dict[int, int], message: str) -> None:
    game = Superfecta(Settings(seats=2, minimum_bets=(2, 1, 1)))
    with pytest.raises(ValueError, match=message):
        game.play(deck_for((H, D, C, S)), [ticket, {}])
    assert (game.race, game.bankrolls) == (0, [100, 100])


def test_broke_player_gets_its_share_of_the_final_division() -> None:
    game = Superfecta(Settings(seats=2, races=2, bankroll=10))
    game.play(deck_for((H, D, C, S)), [{line(WIN, D): 10}, {}])
    assert game.is_broke(0) and not game.is_broke(1)
    record = game.play(deck_for((H, D, C, S)), [{line(WIN, H): 1}, {}])
    assert record.refused == (True, False)
    assert record.profits == (5, 5)


def test_expected_profit_weighs_the_orders_by_their_chances() -> None:
    game = Superfecta(Settings(seats=2))
    # rail 6,0,0,0: hearts fourth, the others 1/3 each. Seat 0 on D, seat 1 on C and H, 3 chips together.
    expected = game.expected_profit((6, 0, 0, 0), [{line(WIN, D): 1}, {line(WIN, C): 1, line(WIN, H): 1}])
    # seat 0: (3 - 1)/3 - 1/3 - 1/3 = 0; seat 1: (3 - 2)/3 - 2/3 - 2/3 = -1; the rest carries over
    assert expected == [0, -1]


def test_expected_profit_of_the_last_race_holds_the_final_division() -> None:
    game = Superfecta(Settings(seats=2, races=1))
    expected = game.expected_profit((6, 0, 0, 0), [{line(WIN, D): 1}, {line(WIN, C): 1, line(WIN, H): 1}])
    # if S wins (1/3) the 3 chips are divided: 1 each more, so 1/3 more each than before
    assert expected == [Fraction(1, 3), Fraction(-2, 3)]


def test_expected_profit_is_the_mean_over_orders_of_what_play_pays() -> None:
    tickets = [{0: 2, 7: 1, 30: 3}, {1: 5, 21: 1}, {2: 4, 3: 1, 12: 2}]
    expectation = [Fraction(0)] * 3
    chances = races_oracle.order_chances((2, 2, 1, 1), 7)
    for order, chance in chances.items():
        record = Superfecta(Settings(seats=3, races=1)).play(deck_for(order), tickets)
        expectation = [sum_ + chance * won for sum_, won in zip(expectation, record.profits, strict=True)]
    assert Superfecta(Settings(seats=3, races=1)).expected_profit((2, 2, 1, 1), tickets) == expectation


@pytest.mark.parametrize("split", ["equal", "pro_rata"])
def test_books_balance_over_random_games(split: str) -> None:
    chance = random.Random(5)
    rate = Fraction(1, 7) if split == "pro_rata" else Fraction(0)
    game = Superfecta(Settings(seats=4, races=6, bankroll=60, split=split, rate=rate, minimum_bets=(2, 1, 3)))
    earned = [0] * 4
    while not game.over:
        deck = [card for card in range(52) if card % 13]
        chance.shuffle(deck)
        tickets = []
        for _ in range(4):
            lines = chance.sample(range(40), chance.randrange(5))
            tickets.append({i: 6 * chance.randint(1, 2) for i in lines})
        record = game.play(deck, tickets)  # asserts the books itself
        earned = [total + profit for total, profit in zip(earned, record.profits, strict=True)]
    assert [60 + profit for profit in earned] == game.bankrolls
    assert sum(game.bankrolls) + game.takeout + game.undivided == 4 * 60
