"""What holds for every agent of Pasteboard Derby: legal, deterministic, alone in its lane, described."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from railbird.agents.registry import describe, parse_agent, zoo
from railbird.games.pasteboard_derby.settings import PasteboardDerbySettings
from railbird.games.pasteboard_derby.table import PasteboardDerby

GAME = "pasteboard-derby"
NAMES = zoo(GAME)
rules_of_any_kind = st.builds(
    PasteboardDerbySettings,
    seats=st.integers(3, 12),
    races=st.integers(1, 5),
    bankroll=st.sampled_from([3, 4, 8, 100, 2**40]),
    ante=st.integers(1, 3),
    advance=st.sampled_from(["affinity", "pips"]),
    places=st.integers(1, 2),
)


def make(names, rules, lanes):
    players = [parse_agent(name, GAME).make(rules) for name in names]
    for player in players:
        player.begin(np.ones(lanes, bool))
    return players


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=15)
@given(rules=rules_of_any_kind, seed=st.integers(0, 2**32), company=st.sampled_from(NAMES))
def test_every_horse_named_is_legal_and_none_where_the_ante_cannot_be_paid(name, rules, seed, company):
    game = PasteboardDerby(rules, seed, 4)
    game.start()
    players = make([name, *[company, "random", name] * 4][: rules.seats], rules, 4)
    while not game.over.all():
        decisions = game.blank()
        for seat, player in enumerate(players):
            chosen = player.act(game.view(seat), game.draws(seat))
            assert chosen.shape == (4, 1)
            assert np.array_equal(chosen[:, 0] != 0, game.to_act[:, seat])
            decisions[:, seat] = chosen
        game.submit(decisions)  # raises IllegalDecision if a horse is unknown


def horses_named(name, numbers, parts=1, late=False):
    """All that an agent names in two games at these lane numbers, by lane number, game, turn and seat.

    The other seats draw. The lanes are asked in so many parts; with ``late`` every other one starts two
    turns after the rest.
    """
    rules = PasteboardDerbySettings(places=2, races=5)
    game = PasteboardDerby(rules, seed=11, lanes=numbers)
    every = np.arange(len(numbers))
    seats = np.array(numbers) % 6
    tested, drawing = make([name, "random"], rules, len(numbers))
    found = {}
    turn = 0
    while turn < 14:
        begins = game.over & (game.state.episode < 1) & (turn >= 2 * (every % 2 * late))
        if begins.any():
            game.start(begins)
            tested.begin(begins)
        active = ~game.over
        if not active.any():
            break
        decisions = game.blank()
        for seat in range(6):
            decisions[active, seat] = drawing.act(game.view(seat, active), game.draws(seat, active))
        for part in range(parts):
            asked = active & (every % parts == part)
            if asked.any():
                rows = np.flatnonzero(asked)
                view, draws = game.view(seats[rows], asked), game.draws(seats[rows], asked)
                decisions[rows, seats[rows]] = tested.act(view, draws)
        for row in np.flatnonzero(active):
            key = (numbers[row], int(game.state.episode[row]), int(game.state.turn[row]))
            found[key] = int(decisions[row, seats[row], 0])
        game.submit(decisions)
        turn += 1
    return found


@pytest.mark.parametrize("name", NAMES)
def test_what_is_named_depends_on_nothing_but_the_table(name):
    numbers = list(range(8))
    base = horses_named(name, numbers)
    assert len(base) == 8 * 2 * 5
    assert horses_named(name, numbers) == base
    assert horses_named(name, numbers, parts=3) == base
    assert horses_named(name, numbers, late=True) == base
    for fewer in ([5], [6, 1, 4]):
        expected = {key: horse for key, horse in base.items() if key[0] in fewer}
        assert horses_named(name, fewer) == expected


@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("random", "equilibrium")])
def test_a_game_may_start_in_the_middle(name):
    # three races are run by drawing, then an agent that was not there names a horse; so does one that was
    rules = PasteboardDerbySettings(races=9)
    game = PasteboardDerby(rules, seed=3, lanes=16)
    game.start()
    there, drawing = make([name, "random"], rules, 16)
    for _ in range(3):
        there.act(game.view(1), game.draws(1))
        game.submit(np.stack([drawing.act(game.view(seat), game.draws(seat)) for seat in range(6)], axis=1))
    (late,) = make([name], rules, 16)
    named = late.act(game.view(1), game.draws(1))
    assert np.array_equal(named, there.act(game.view(1), game.draws(1)))


def profit_beside_loyal_players(name):
    """Expected chips a race of one agent among five that keep to a horse each, in 300 tables, and its error."""
    rules = PasteboardDerbySettings()
    game = PasteboardDerby(rules, seed=9, lanes=300)
    game.start()
    players = make([name, *["loyal"] * 5], rules, 300)
    total = np.zeros(300)
    while not game.over.all():
        decisions = [player.act(game.view(seat), game.draws(seat)) for seat, player in enumerate(players)]
        game.submit(np.stack(decisions, axis=1))
        total += game.expected_profit()[:, 0]
    return total.mean() / rules.races, total.std() / rules.races / np.sqrt(300)


def test_avoider_beats_drawing_at_predictable_tables():
    avoider, error = profit_beside_loyal_players("avoider")
    drawn, other_error = profit_beside_loyal_players("random")
    assert avoider - drawn > 5 * np.hypot(error, other_error)
    assert avoider > 0.5  # of an ante of 2: it has a horse alone, or with one, nearly always


@pytest.mark.parametrize("card", describe(GAME), ids=lambda card: card.name)
def test_every_agent_is_described(card):
    assert card.idea.endswith(".") and card.idea.count(". ") == 0  # one sentence
    assert card.source
    for option in card.options:
        assert option.meaning.endswith(".") and option.default is not None


def test_the_zoo_has_what_is_promised():
    assert NAMES == [
        "random", "loyal", "crowd", "contrarian", "level-1", "level-2", "equilibrium", "avoider",
    ]  # fmt: skip
