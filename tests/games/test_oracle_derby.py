"""The plain Derby against the worked examples of RULES.md §5 and races followed by hand."""

import random
from fractions import Fraction
from itertools import product

import pytest

from derby_oracle import Dealer, Derby, Finish, Settings, move, run_race, settle

H, D, C, S = range(4)


def deck_dealing(suits: str) -> list[int]:
    """A deck whose stock begins with these suits, e.g. "HDSC" for one round of 3 each; high cards first."""
    free = {suit: [13 * suit + rank for rank in range(1, 13)] for suit in range(4)}
    dealt = [free["HDCS".index(letter)].pop() for letter in suits.replace(" ", "")]
    rest = [card for suit in range(4) for card in free[suit]]
    return rest[:7] + dealt + rest[7:]


def no_shuffle(cards: list[int]) -> list[int]:
    raise AssertionError("this race deals no more than the stock")


def backwards(cards: list[int]) -> list[int]:
    return cards[::-1]


def affinity(suits: str, places: int = 1) -> Finish:
    """Run the race dealt by these suits and check that it needed exactly these cards."""
    finish = run_race(deck_dealing(suits), "affinity", places, no_shuffle)
    assert len(finish.cards) == len(suits.replace(" ", ""))
    return finish


def test_affinity_moves_three_two_one() -> None:
    hearts, diamonds, clubs, spades = (13 * suit + 5 for suit in range(4))
    assert [move(H, card, "affinity") for card in (hearts, diamonds, clubs, spades)] == [3, 2, 1, 1]
    assert [move(S, card, "affinity") for card in (hearts, diamonds, clubs, spades)] == [1, 1, 2, 3]


def test_pips_move_by_face_value() -> None:
    # card 13 is the ace of diamonds; two = 2, ten = 10, J, Q, K = 11, 12, 13
    assert [move(C, 13 + rank, "pips") for rank in (1, 9, 10, 11, 12)] == [2, 10, 11, 12, 13]


def test_horse_farthest_past_the_line_after_a_full_round_wins() -> None:
    # dealt in the order H, D, S, C. Three rounds from 1:
    # H 3+3+2 -> 9, D 2+2+2 -> 7, S 3+3+3 -> 10 (dealt after H, still ahead), C 2+2+1 -> 6
    finish = affinity("HHSS HHSS DHSD")
    assert (finish.winner, finish.second, finish.rounds) == (S, None, 3)
    assert finish.positions == (9, 7, 6, 10)


def test_position_seven_is_not_past_the_line() -> None:
    # two rounds of 3 bring every horse to 7; the third decides
    finish = affinity("HDSC HDSC HHHH")
    assert finish.rounds == 3
    # H +3 = 10, D +2 = 9, S and C +1 = 8
    assert (finish.positions, finish.winner) == ((10, 9, 8, 8), H)


def test_tie_for_first_is_run_off_by_the_level_horses_only() -> None:
    # three rounds of 3 for H and D: both at 10, S and C at 4 (a red card each time)
    rounds = "HDHH HDDD HDHD"
    # run-off: H and D 3 each, level at 13; then H takes a club (1), D a heart (2)
    finish = affinity(rounds + "HD" + "CH")
    assert (finish.winner, finish.run_offs) == (D, 2)
    assert finish.positions == (14, 15, 4, 4)


def test_horse_behind_in_a_run_off_takes_no_more_cards() -> None:
    # H, D, S level at 10 after three rounds, C at 4 (hearts)
    rounds = "HDSH" * 3
    # first card each: H 3, D 3, S 1 -> S out at 11; then H 1, D 2
    finish = affinity(rounds + "HDH" + "CH")
    assert (finish.winner, finish.positions) == (D, (14, 15, 4, 11))


def test_loser_of_a_run_off_for_first_is_second_and_earlier_losers_stay_behind() -> None:
    rounds = "HDSH" * 3
    # as above: S fell out first, H lost the last card: H second
    assert affinity(rounds + "HDH" + "CH", places=2).second == H
    # one card: H 3 ahead, D 2, S 1: D second without another card
    assert affinity(rounds + "HHH", places=2).second == D
    # one card: H 3, D 1, S 1: D and S level behind, they run off: D 1, S 3
    finish = affinity(rounds + "HCH" + "SS", places=2)
    assert (finish.winner, finish.second) == (H, S)


def test_second_place_is_the_next_farthest_past_the_line() -> None:
    # the race of `test_horse_farthest...`: S 10, H 9, the others short
    assert affinity("HHSS HHSS DHSD", places=2).second == H


def test_ties_for_second_place_run_off() -> None:
    # H 10, S and C both 10 - 1: H 3+3+3; S 3+3+2 = 9, C 3+3+2 = 9, D at 7 after 2+2+2
    rounds = "HHSC HHSC HHCS"
    # run-off in the order S, C: S a club 2 -> 11, C a club 3 -> 12
    finish = affinity(rounds + "CC", places=2)
    assert (finish.winner, finish.second, finish.positions) == (H, C, (10, 7, 12, 11))


def test_others_race_on_for_second_and_the_winner_takes_no_card() -> None:
    # H 3+3+3 -> 10; D by spades 4, S by hearts 4, C by hearts 4: only H is past the line
    rounds = "HSHH" * 2 + "HSDD"
    # racing on, D, S, C: 3 each -> 7, nobody past; then D 1 -> 8, S 2 -> 9, C 1 -> 8
    finish = affinity(rounds + "DSC" + "CCD", places=2)
    assert (finish.winner, finish.second, finish.rounds) == (H, S, 3)
    assert finish.positions == (10, 8, 8, 9)
    assert affinity(rounds).winner == H  # for first only these cards are not dealt


def test_dealt_cards_without_the_track_become_a_new_stock_when_it_runs_out() -> None:
    # with pips, four kings, four queens ... keep all horses level; the stock ends with the three of hearts
    by_rank = [13 * suit + rank for rank in range(12, 0, -1) for suit in (H, D, S, C)]
    deck = by_rank[41:] + by_rank[:41]
    king_of_spades = 13 * S + 12
    asked: list[list[int]] = []

    def reshuffle(cards: list[int]) -> list[int]:
        asked.append(cards)
        return [king_of_spades, *[card for card in cards if card != king_of_spades]]

    finish = run_race(deck, "pips", 1, reshuffle)
    assert asked == [by_rank[:41]]
    # kings to fours: 1 + (13 + 12 + ... + 4) = 86 each; the kings were the round, the others 9 run-offs.
    # H the three: 89. New stock: D the king of spades, S the king of hearts, C that of diamonds: 99 each.
    # Then D the king of clubs: 112; S and C the queens of hearts and diamonds: 111.
    assert finish.positions == (89, 112, 111, 111)
    assert (finish.winner, finish.rounds, finish.run_offs, finish.reshuffles) == (D, 1, 9 + 2, 1)


def test_each_new_stock_holds_the_cards_dealt_since_the_last() -> None:
    deck = deck_dealing("")
    asked: list[list[int]] = []

    def reverse(cards: list[int]) -> list[int]:
        asked.append(cards)
        return cards[::-1]

    dealer = Dealer(deck, reverse)
    dealt = [dealer.deal() for _ in range(41 + 41 + 1)]
    # 41 cards in order, the same backwards, and the first of them again
    assert dealt == [*deck[7:], *deck[:6:-1], deck[7]]
    assert asked == [deck[7:], deck[:6:-1]]


def test_new_stock_with_other_cards_is_refused() -> None:
    dealer = Dealer(deck_dealing(""), lambda cards: cards[1:])
    for _ in range(41):
        dealer.deal()
    with pytest.raises(ValueError, match="cards dealt before"):
        dealer.deal()


def test_example_two_backers_share_the_bank_and_the_rest_stays() -> None:
    # 5 antes of 2 + 1 carried = 11: 5 each, 1 stays
    assert settle(11, 2, [H, H, D, C, S], H, None) == ([5, 5, 0, 0, 0], 1)


def test_example_second_place_gets_its_ante_back_first() -> None:
    # 7 antes of 1; three named the second: 3 go back; 4 are split 2 and 2
    assert settle(7, 1, [H, H, D, D, D, S, C], H, D) == ([2, 2, 1, 1, 1, 0, 0], 0)


def test_bank_stays_when_nobody_named_the_winner() -> None:
    assert settle(10, 2, [H, H, D, C, C], S, None) == ([0] * 5, 10)
    # second's backers still get their antes: 12 - 2*2 = 8 stay
    assert settle(12, 2, [H, H, D, C, C, C], S, H) == ([2, 2, 0, 0, 0, 0], 8)


def test_second_place_needs_six_payers() -> None:
    deck = deck_dealing("HHSS HHSS DHSD")  # S first, H second
    record = Derby(Settings(seats=6, places=2)).play(deck, [H, S, D, D, D, D], no_shuffle)
    # 12 in the bank, 2 back to seat 0, 10 to seat 1
    assert record.profits == (0, 8, -2, -2, -2, -2)
    record = Derby(Settings(seats=5, places=2)).play(deck, [H, S, D, D, D], no_shuffle)
    assert (record.finish.second, record.profits) == (None, (-2, 8, -2, -2, -2))


def test_seat_that_cannot_pay_sits_out_and_few_payers_end_the_game() -> None:
    game = Derby(Settings(seats=4, bankroll=5))
    won_by_s = deck_dealing("HHSS HHSS DHSD")
    game.play(won_by_s, [S, S, H, S], no_shuffle)  # bank 8: 2 each, 2 stay
    assert (game.bankrolls, game.bank) == ([5, 5, 3, 5], 2)
    game.play(won_by_s, [S, S, H, S], no_shuffle)  # bank 10: 3 each, 1 stays
    assert (game.bankrolls, game.bank) == ([6, 6, 1, 6], 1)
    with pytest.raises(ValueError, match="seat 2 cannot pay"):
        game.play(won_by_s, [S, S, H, S], no_shuffle)
    with pytest.raises(ValueError, match="seat 3 pays the ante"):
        game.play(won_by_s, [S, S, None, None], no_shuffle)
    for _ in range(2):  # bank 7 and 13: nobody named S
        record = game.play(won_by_s, [H, H, None, H], no_shuffle)
    assert (record.payers, record.carried) == ((True, True, False, True), 13)
    record = game.play(won_by_s, [H, H, None, S], no_shuffle)  # 19 for seat 3; the others are at 0
    # fewer than three can pay: the game ends with an empty bank
    assert record.bankrolls == (0, 0, 1, 19)
    assert (record.final_share, game.over) == (0, True)


def test_two_payers_are_too_few() -> None:
    game = Derby(Settings(seats=3, bankroll=4))
    won_by_s = deck_dealing("HHSS HHSS DHSD")
    game.play(won_by_s, [S, S, H], no_shuffle)  # bank 6: 3 each
    assert (game.bankrolls, game.over) == ([5, 5, 2], False)
    game.play(won_by_s, [S, S, H], no_shuffle)
    assert (game.bankrolls, game.over, game.race) == ([6, 6, 0], True, 2)
    with pytest.raises(ValueError, match="over"):
        game.play(won_by_s, [S, S, None], no_shuffle)


def test_bank_left_at_the_end_is_divided_among_all() -> None:
    game = Derby(Settings(seats=3, races=1, ante=5))
    record = game.play(deck_dealing("HHSS HHSS DHSD"), [H, H, H], no_shuffle)
    assert (record.carried, record.final_share, record.profits, record.undivided) == (15, 5, (0, 0, 0), 0)
    game = Derby(Settings(seats=5, races=1, ante=2, bankroll=2))
    record = game.play(deck_dealing("HHSS HHSS DHSD"), [S, S, S, H, H], no_shuffle)
    # 10 = 3*3 + 1; the 1 left is not enough for five
    assert (record.profits, record.undivided) == ((1, 1, 1, -2, -2), 1)


def test_length_of_a_race_and_ties_are_those_of_the_rule_page() -> None:
    chance = random.Random(11)
    rounds = ties = pips_in_one = 0
    races = 4_000
    deck = [card for card in range(52) if card % 13]
    for _ in range(races):
        chance.shuffle(deck)
        finish = run_race(deck, "affinity", 1, backwards)
        assert 3 <= finish.rounds <= 6
        rounds += finish.rounds
        ties += finish.run_offs > 0
        pips_in_one += run_race(deck, "pips", 1, backwards).rounds == 1
    # mean 3.46 rounds (standard error about 0.01), 23 % ties (0.7 %), with pips 98 % in one round (0.2 %)
    assert abs(Fraction(rounds, races) - Fraction(346, 100)) < Fraction(4, 100)
    assert abs(ties / races - 0.23) < 0.025
    assert abs(pips_in_one / races - 0.98) < 0.01


@pytest.mark.parametrize(("places", "advance"), list(product((1, 2), ("affinity", "pips"))))
def test_books_balance_over_random_games(places: int, advance: str) -> None:
    chance = random.Random(places)
    game = Derby(Settings(seats=7, races=20, bankroll=15, places=places, advance=advance))
    deck = [card for card in range(52) if card % 13]
    while not game.over:
        chance.shuffle(deck)
        horses = [chance.randrange(4) if pays else None for pays in game.payers()]
        record = game.play(deck, horses, backwards)  # asserts the books itself
        assert record.finish.second != record.finish.winner
    assert sum(game.bankrolls) + game.undivided == 7 * 15
