"""The plain race against the worked figures of RULES.md §1 and small races counted by hand."""

from fractions import Fraction
from itertools import permutations

import pytest

import races_oracle

H, D, C, S = range(4)


def deck_with(rail: list[int], suits_first: list[int]) -> list[int]:
    """A full deck whose rail has the suits `rail` and whose stock begins with the suits `suits_first`."""
    free = {suit: [13 * suit + rank for rank in range(1, 13)] for suit in range(4)}
    deck = [free[suit].pop() for suit in rail + suits_first]
    return deck + [card for suit in range(4) for card in free[suit]]


@pytest.mark.parametrize(
    ("counts", "printed"),
    [
        ((2, 2, 1, 1), ("0.1892", "0.1892", "0.3108", "0.3108")),
        ((3, 1, 1, 1), ("0.0959", "0.3014", "0.3014", "0.3014")),
        ((3, 2, 1, 0), ("0.0928", "0.1775", "0.2926", "0.4371")),
        ((5, 1, 0, 0), ("0.0073", "0.2472", "0.3728", "0.3728")),
    ],
)
def test_win_chances_are_those_of_the_rule_page(counts: tuple[int, ...], printed: tuple[str, ...]) -> None:
    assert tuple(f"{float(chance):.4f}" for chance in races_oracle.win_chances(counts, 7)) == printed


def test_suit_with_six_rail_cards_is_fourth_with_certainty() -> None:
    # six left, seven needed; the other three are alike: 1/3 each, and 3! = 6 orders of 1/6 each
    assert races_oracle.win_chances((6, 0, 0, 0), 7) == (Fraction(0), *[Fraction(1, 3)] * 3)
    chances = races_oracle.order_chances((6, 0, 0, 0), 7)
    assert {order: chance for order, chance in chances.items() if chance} == {
        (*first, H): Fraction(1, 6) for first in permutations((D, C, S))
    }


def test_likeliest_orders_of_rail_2211_are_the_four_twins_of_scdh() -> None:
    chances = races_oracle.order_chances((2, 2, 1, 1), 7)
    best = max(chances.values())
    assert f"{float(best):.4f}" == "0.0665"
    # twins: swap S and C, swap D and H
    assert {order for order in chances if chances[order] == best} == {
        (S, C, D, H),
        (S, C, H, D),
        (C, S, D, H),
        (C, S, H, D),
    }


def test_order_chances_agree_with_win_chances_and_add_up_to_one() -> None:
    chances = races_oracle.order_chances((3, 2, 1, 0), 7)
    assert len(chances) == 24 and sum(chances.values()) == 1
    for suit in range(4):
        total = sum(chance for order, chance in chances.items() if order[0] == suit)
        assert total == races_oracle.win_chances((3, 2, 1, 0), 7)[suit]


def test_law_equals_counting_every_stock_of_a_tiny_race() -> None:
    # stock: two hearts, two diamonds, one club, two spades; hearts need 2 cards, the others 1
    stock = (H, H, D, D, C, S, S)
    to_go = (2, 1, 1, 1)
    counted: dict[tuple[int, ...], int] = {}
    for dealing in permutations(stock):
        seen: list[int] = []
        order: list[int] = []
        for suit in dealing:
            seen.append(suit)
            if suit not in order and seen.count(suit) == to_go[suit]:
                order.append(suit)
        counted[tuple(order[:3])] = counted.get(tuple(order[:3]), 0) + 1
    law = races_oracle.chances_from((2, 2, 1, 2), to_go, (), 3)
    assert law == {order: Fraction(count, 5040) for order, count in counted.items()}  # 7! = 5040


def test_every_rail_vector_of_superfecta_has_a_law() -> None:
    # six cards over four suits: C(9, 3) = 84 vectors
    vectors = [(h, d, c, 6 - h - d - c) for h in range(7) for d in range(7 - h) for c in range(7 - h - d)]
    assert len(vectors) == 84
    patterns = {tuple(sorted(vector, reverse=True)) for vector in vectors}
    assert len(patterns) == 9  # partitions of 6 into at most four parts
    assert all(sum(races_oracle.win_chances(pattern, 7)) == 1 for pattern in patterns)


def test_law_does_not_care_which_suit_is_which() -> None:
    chances = races_oracle.order_chances((3, 2, 1, 0), 7)
    renamed = races_oracle.order_chances((0, 3, 2, 1), 7)  # each suit is now the next one
    assert all(
        renamed[tuple((suit + 1) % 4 for suit in order)] == chance for order, chance in chances.items()
    )


def test_horse_finishes_with_the_finish_th_card_and_the_last_is_eliminated() -> None:
    # D 7 cards, two more diamonds ignored, C 7, H 7: S is fourth without a card
    deck = deck_with([H, H, D, C, S, S], [D] * 7 + [D, D] + [C] * 7 + [H] * 7)
    race = races_oracle.run_race(deck, races_oracle.SUPERFECTA)
    assert race.rail_counts == (2, 1, 1, 2)
    assert race.order == (D, C, H, S)
    assert len(race.dealt) == 7 + 2 + 7 + 7


def test_rail_cards_never_move_a_horse() -> None:
    # S shows five on the rail and still needs all seven of its seven stock cards
    deck = deck_with([S] * 5 + [H], [S] * 6 + [C] * 7 + [S])
    assert races_oracle.run_race(deck, races_oracle.HORSE_RACE, places=1).order == (C,)


def test_scarne_runs_to_six_cards() -> None:
    deck = deck_with([H, H, D, C, S, S], [D] * 5 + [S] * 6)
    assert races_oracle.run_race(deck, races_oracle.SCARNE, places=1).order == (S,)


def test_rail_with_five_of_a_suit_is_dealt_again_in_racing_aces() -> None:
    five = deck_with([H] * 5 + [D, C], [])
    four = deck_with([H] * 4 + [D, C, C], [S] * 8)
    deck, used = races_oracle.next_deck([five, five, four, five], races_oracle.RACING_ACES)
    assert (deck, used) == (four, 3)
    assert races_oracle.run_race(deck, races_oracle.RACING_ACES, places=1).order == (S,)
    waiting = [four, five]
    assert races_oracle.next_deck(lambda: waiting.pop(), races_oracle.RACING_ACES) == (four, 2)
    with pytest.raises(ValueError, match="dealt again"):
        races_oracle.run_race(five, races_oracle.RACING_ACES)


def test_deck_with_an_ace_or_a_card_twice_is_refused() -> None:
    deck = deck_with([], [])
    with pytest.raises(ValueError, match="48 non-ace cards"):
        races_oracle.run_race([0, *deck[1:]], races_oracle.SUPERFECTA)
    with pytest.raises(ValueError, match="48 non-ace cards"):
        races_oracle.run_race([deck[1], *deck[1:]], races_oracle.SUPERFECTA)
