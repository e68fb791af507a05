"""Cards, suits and their texts."""

import pickle

import pytest

from railbird.games.cards import CARDS, card_text, parse_card, parse_suit, suit_of
from railbird.games.errors import InvalidSettings, UnknownName


def test_codes_run_in_suit_then_rank_order():
    assert [card_text(card) for card in (0, 1, 9, 10, 11, 12, 13, 51)] == [
        "AH", "2H", "10H", "JH", "QH", "KH", "AD", "KS",
    ]  # fmt: skip
    assert [suit_of(card) for card in (0, 12, 13, 39, 51)] == [0, 0, 1, 3, 3]


def test_every_card_is_read_back_from_its_text_in_any_case_or_symbol():
    for card in range(CARDS):
        text = card_text(card)
        symbol = text[:-1] + "♥♦♣♠"["HDCS".index(text[-1])]
        assert parse_card(text) == parse_card(text.lower()) == parse_card(f" {symbol} ") == card


@pytest.mark.parametrize("text", ["", "H", "1H", "11H", "AX", "HH", "A"])
def test_what_is_no_card_is_refused(text):
    with pytest.raises(InvalidSettings, match="is no card; write the rank"):
        parse_card(text)


def test_suits_are_read_from_letters_and_symbols():
    assert [parse_suit(text) for text in ("h", "D", "♣", " s ")] == [0, 1, 2, 3]
    with pytest.raises(InvalidSettings, match="'X' is no suit; the suits are H, D, C and S"):
        parse_suit("X")


def test_an_unknown_name_suggests_the_nearest_and_survives_pickling():
    error = UnknownName("game", "superfecto", ["racing-aces", "superfecta"])
    assert str(error) == (
        "there is no game 'superfecto'; did you mean 'superfecta'? known: racing-aces, superfecta"
    )
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
