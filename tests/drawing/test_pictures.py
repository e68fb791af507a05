"""Scenes as pictures: their size, their colours, what they leave alone, and that everything fits."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from railbird import drawing
from railbird.drawing import picture
from railbird.drawing.canvas import lines, shortened, squeezed, text_width
from railbird.drawing.grids import shelves
from railbird.drawing.theme import FELT, GOLD, RED, SUIT_COLORS
from railbird.games.errors import InvalidSettings
from railbird.games.scene import CardRow, Course, Grid, Runner, Scene, named
from railbird.games.superfecta.scene import frames, scene
from railbird.games.superfecta.settings import SuperfectaSettings
from railbird.games.superfecta.table import Superfecta

LONG = "my_agents.deep.module:AVeryLongAgentName:fraction=0.25"


def table(seats: int = 4, races: int = 3, wagers: int = 2) -> Superfecta:
    """A table after one race in which each seat has written that many wagers."""
    game = Superfecta(SuperfectaSettings(seats=seats, races=races), seed=5)
    game.start()
    tickets = game.blank()
    tickets[0, :, :wagers] = 1
    game.submit(tickets)
    return game


def has(image: np.ndarray, color: tuple[int, int, int]) -> bool:
    return bool((image == np.array(color)).all(axis=2).any())


def same(one: dict[str, np.ndarray], other: dict[str, np.ndarray]) -> bool:
    return all(np.array_equal(one[name], other[name]) for name in one)


def test_a_picture_is_an_array_of_bytes_960_wide() -> None:
    image = picture(scene(table(), 0, None))
    assert image.dtype == np.uint8
    assert image.shape[1:] == (960, 3)
    assert picture(scene(table(), 0, None), width=700).shape[1] == 700


def test_the_same_scene_gives_the_same_picture_and_another_a_different_one() -> None:
    game = table()
    first, again, later = (picture(scene(game, 0, frame)) for frame in (3, 3, 4))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, later)


def test_all_pictures_of_a_table_have_one_size() -> None:
    game = table(seats=6, wagers=12)
    shown = [None, *range(frames(game, 0))]
    assert len({picture(scene(game, 0, frame)).shape for frame in shown}) == 1


def test_drawing_changes_nothing_and_spends_no_randomness() -> None:
    game = table()
    before, legacy, plain = game.save(), np.random.get_state(), random.getstate()  # noqa: NPY002 - it is watched
    for frame in (None, 0, frames(game, 0) - 1):
        picture(scene(game, 0, frame))
        drawing.scene_text(scene(game, 0, frame))
    assert same(before, game.save())
    assert random.getstate() == plain
    assert str(np.random.get_state()) == str(legacy)  # noqa: NPY002 - it is watched


@pytest.mark.parametrize(("suit", "color"), list(enumerate(SUIT_COLORS)))
def test_cards_are_drawn_in_the_colour_of_their_suit(suit: int, color: tuple[int, int, int]) -> None:
    image = picture(Scene("", "", cards=(CardRow("", (13 * suit + 4,)),)))
    assert has(image, color)
    assert has(image, RED) == (suit < 2)


def test_a_card_face_down_does_not_show_its_suit() -> None:
    assert not has(picture(Scene("", "", cards=(CardRow("", (None,)),))), RED)


def test_suits_in_texts_are_drawn_as_shapes() -> None:
    assert has(picture(Scene("", "", note="♦ leads")), RED)
    assert not has(picture(Scene("", "", note="D leads")), RED)


def test_a_horse_stands_as_far_on_as_it_has_run_and_home_is_marked() -> None:
    def position(steps: float) -> float:
        image = picture(Scene("", "", course=Course(7, (Runner(0, steps),))))
        reds = np.argwhere((image == np.array(RED)).all(axis=2))[:, 1]
        return float(reds[reds > 150].mean())  # right of the lane's own label

    # the turf is 960 - 2 * 26 - 116 - 136 = 656 wide, so 8 spaces of 82 pixels
    assert position(3) - position(1) == pytest.approx(2 * 82, abs=0.5)
    home = Course(7, (Runner(0, 7, "1st", home=True),))
    assert has(picture(Scene("", "", course=home)), GOLD)
    assert not has(picture(Scene("", "", course=replace(home, runners=(Runner(0, 6, "2nd"),)))), GOLD)


def test_twelve_seats_with_long_names_and_tickets_fit_without_overlap() -> None:
    shown = named(scene(table(seats=12, wagers=40), 0, None), [f"{LONG}#{seat}" for seat in range(12)])
    assert picture(shown).shape[0] < 1_100
    for shelf in shelves(shown.grids, 26, 908, 16):
        right = 26 - 16.0
        for panel in shelf:
            assert panel.left >= right + 16 - 0.01
            right = panel.left + panel.width
            assert sum(panel.widths) + 18 * (len(panel.widths) - 1) + 2 * 14 <= panel.width + 0.01
        assert right == pytest.approx(26 + 908)


def test_a_hand_of_26_cards_fits() -> None:
    bare, hand = (
        picture(Scene("", "", cards=(CardRow("Hand", ()),))),
        picture(Scene("", "", cards=(CardRow("Hand", tuple(range(26))),))),
    )
    margin = bare[0, 0]
    assert (hand[:, -20:] == margin).all() and (hand[:, :20] == margin).all()


def test_a_hand_of_26_cards_and_bets_of_13_fit_on_the_table() -> None:
    def table(*hand: int) -> np.ndarray:
        bets = CardRow(f"{LONG} bet", hand[:13]), CardRow(f"{LONG}#2 bet", hand[:13])
        stack, gamble = CardRow("Stack 13", (None,)), CardRow("Gamble", hand[:1])
        return picture(
            Scene("", "", table=((CardRow(LONG, hand),), (stack, gamble, *bets), (CardRow(LONG, hand),)))
        )

    bare, full = table(), table(*range(26))
    assert bare.shape == full.shape
    assert has(bare, FELT) and has(full, FELT)
    for image in (bare, full):  # 26 pixels of paper and 16 of felt on either side
        assert (image[200:-60, 30:40] == np.array(FELT)).all()
        assert (image[200:-60, -40:-30] == np.array(FELT)).all()


def test_a_horse_beyond_the_line_stands_where_it_has_run_to() -> None:
    def position(steps: float) -> float:
        image = picture(Scene("", "", course=Course(7, (Runner(0, steps),), beyond=3)))
        reds = np.argwhere((image == np.array(RED)).all(axis=2))[:, 1]
        return float(reds[reds > 150].mean())

    # 656 pixels of turf for 7 + 1 + 3 spaces: 59.6 each
    assert position(10) - position(7) == pytest.approx(3 * 656 / 11, abs=0.7)
    assert position(12) == position(10)  # the last space in sight


def test_a_wide_grid_has_a_line_of_its_own_and_one_without_names_is_lower() -> None:
    headed, plain = Grid("a", ("x", "y"), (("1", "2"),)), Grid("a", ("", ""), (("1", "2"),))
    heights = [[panel.height for panel in shelf] for shelf in shelves((headed, plain), 26, 908, 16)]
    assert len(heights) == 1 and heights[0][0] - heights[0][1] == 22  # a row
    apart = shelves((headed, replace(plain, wide=True), headed), 26, 908, 16)
    assert [len(shelf) for shelf in apart] == [1, 1, 1]


def test_texts_are_shortened_to_the_pixels_they_have() -> None:
    assert shortened("short", 13, 200) == "short"
    cut = shortened("a ticket of very many wagers", 13, 80)
    assert cut.endswith("…") and cut.startswith("a tick") and text_width(cut, 13) <= 80
    name = squeezed(f"{LONG}#7", 13, 150)
    assert name.startswith("my_a") and name.endswith("#7") and "…" in name and text_width(name, 13) <= 150
    words = "one two three four five six seven eight nine ten"
    broken = lines(words, 15, 120, most=2)
    assert len(broken) == 2 and broken[1].endswith("…")
    assert all(text_width(line, 15) <= 120 for line in broken)
    assert " ".join(lines(words, 15, 120, most=9)) == words


def test_a_width_out_of_range_is_refused() -> None:
    with pytest.raises(InvalidSettings, match="width is a whole number from 640 to 4,096, not 100"):
        picture(Scene("", ""), width=100)


def test_the_drawing_package_hands_out_its_functions_only() -> None:
    assert drawing.picture is picture
    with pytest.raises(AttributeError, match="no attribute 'paint'"):
        drawing.paint  # noqa: B018 - asking is the test
    assert Grid("", ("a",), ()).left == (0,)
