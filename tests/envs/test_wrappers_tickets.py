"""Whole tickets by number and by shares of the bankroll, line by line from the rules."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from railbird.envs.wrappers import StakeFractions, TicketCatalogue, vector
from railbird.envs.wrappers.catalogue import KINDS, Catalogue, all_patterns, order_by_rank
from railbird.games.errors import IllegalDecision, InvalidSettings
from railbird.games.order_law import ORDERS, rails, win_table
from railbird.games.superfecta.encoding import Ticket
from railbird.games.superfecta.lines import LINES
from railbird.games.superfecta.settings import SuperfectaSettings
from railbird.games.superfecta.tickets import print_ticket
from railbird.games.track import SUPERFECTA as TRACK

make: Any = gym.make  # our environments have more than its type says
make_vec: Any = gym.make_vec

SUPERFECTA = "railbird/Superfecta-v0"
HORSE_RACE = "railbird/HorseRace-v0"
RACING_ACES = "railbird/RacingAces-v0"


def lines_of(name, rail=(3, 2, 1, 0), horses="rank"):
    """The lines of a catalogue's ticket by its name."""
    catalogue = Catalogue(SuperfectaSettings(), None, (1,), horses)
    names = [catalogue.action_text(action).removeprefix("$1 ") for action in range(catalogue.actions)]
    (stakes,) = catalogue.tickets(np.array([names.index(name)]), np.array([rail]))
    return [line.removeprefix("$1 ") for line in print_ticket(stakes).splitlines()]


# Rail 3,2,1,0: the fewer cards lie there the likelier a horse wins, so the ranks are S, C, D, H.
@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("pass", []),
        ("WIN 1", ["WIN S"]),
        ("WIN 4", ["WIN H"]),
        ("EXA 1/3", ["EXA S/D"]),
        ("EXA box 1,2", ["EXA C/S", "EXA S/C"]),
        ("EXA box 1,2,4", ["EXA H/C", "EXA H/S", "EXA C/H", "EXA C/S", "EXA S/H", "EXA S/C"]),
        ("EXA wheel 2/all", ["EXA C/H", "EXA C/D", "EXA C/S"]),
        ("EXA key 2/1,4", ["EXA C/H", "EXA C/S"]),
        ("SFC 1/2/3/4", ["SFC S/C/D/H"]),
        ("SFC box 1,2", ["SFC C/S/H/D", "SFC C/S/D/H", "SFC S/C/H/D", "SFC S/C/D/H"]),
        (
            "SFC box 1,2,3",
            ["SFC D/C/S/H", "SFC D/S/C/H", "SFC C/D/S/H", "SFC C/S/D/H", "SFC S/D/C/H", "SFC S/C/D/H"],
        ),
        (
            "SFC wheel 1/all",
            ["SFC S/H/D/C", "SFC S/H/C/D", "SFC S/D/H/C", "SFC S/D/C/H", "SFC S/C/H/D", "SFC S/C/D/H"],
        ),
        ("SFC key 3/4/all", ["SFC D/H/C/S", "SFC D/H/S/C"]),
    ],
)
def test_a_ticket_has_these_lines(name, lines):
    assert lines_of(name) == lines


def test_horses_of_equal_chances_stand_in_the_order_of_suits():
    assert lines_of("SFC 1/2/3/4", rail=(2, 2, 1, 1)) == ["SFC C/S/H/D"]
    assert lines_of("SFC 1/2/3/4", rail=(1, 3, 1, 1)) == ["SFC H/C/S/D"]


def test_by_suit_the_rail_changes_nothing():
    for rail in ((3, 2, 1, 0), (0, 1, 2, 3)):
        assert lines_of("EXA key D/H,S", rail=rail, horses="suit") == ["EXA D/H", "EXA D/S"]


def test_ranks_are_those_of_the_exact_chances_at_every_rail():
    ranked = order_by_rank(np.array(rails(TRACK)))
    for chances, order in zip(win_table(TRACK), ORDERS[ranked], strict=True):
        assert order.tolist() == sorted(range(4), key=lambda suit: (-chances[suit], suit))


def test_every_pattern_is_there_once_and_has_as_many_lines_as_it_should():
    patterns = list(all_patterns())
    assert len({pattern.lines for pattern in patterns}) == len(patterns)
    counted: dict[str, list[int]] = {kind: [] for kind in KINDS}
    for pattern in patterns:
        counted[pattern.kind].append(len(pattern.lines))
    assert counted == {
        "WIN": [1] * 4,
        "EXA": [1] * 12,  # 4 · 3 ordered pairs
        "EXA box": [2] * 6 + [6] * 4 + [12],  # of two, three, four horses
        "EXA wheel": [3] * 4,
        "EXA key": [2] * 12,  # a first horse and two of the other three
        "SFC": [1] * 24,
        "SFC box": [4] * 6 + [6] * 4 + [24],  # 2!·2!, 3!·1!, 4!
        "SFC wheel": [6] * 4,
        "SFC key": [2] * 12,
    }


def test_stake_levels_are_minimum_bets_of_the_pool_on_every_line():
    rules = SuperfectaSettings(minimum_bets=(5, 2, 1))
    catalogue = Catalogue(rules, ("WIN", "EXA wheel", "SFC key"), (1, 3), "rank")
    assert catalogue.actions == 1 + (4 + 4 + 12) * 2
    texts = {catalogue.action_text(action): action for action in range(catalogue.actions)}
    costs = {text: int(catalogue.costs[action]) for text, action in texts.items()}
    # the level is chips on one line; WIN 3 · 5, three EXA lines at 3 · 2, two SFC lines at 1
    assert costs["$15 WIN 2"] == 15 and costs["$6 EXA wheel 1/all"] == 18 and costs["$1 SFC key 2/1/all"] == 2
    written = catalogue.tickets(np.array([texts["$6 EXA wheel 1/all"]]), np.array([[0, 2, 2, 2]]))
    assert print_ticket(written[0]) == "$6 EXA H/D\n$6 EXA H/C\n$6 EXA H/S"


def test_the_table_tells_every_action():
    catalogue = Catalogue(SuperfectaSettings(), ("WIN", "SFC box"), (1, 2), "rank")
    rows = catalogue.table().splitlines()
    assert len(rows) == catalogue.actions == 1 + (4 + 11) * 2
    assert rows[0].split() == ["0", "pass"]
    assert rows[2].split() == ["2", "$2", "WIN", "1", "1", "line,", "costs", "2"]
    assert rows[-1].split() == ["30", "$2", "SFC", "box", "1,2,3,4", "24", "lines,", "costs", "48"]
    with pytest.raises(InvalidSettings, match="action is a whole number from 0 to 30, not 31"):
        catalogue.action_text(31)


def number_of(env, text):
    """The number of a ticket in words."""
    texts = [env.catalogue.action_text(action) for action in range(env.action_space.n)]
    return texts.index(text)


def test_a_step_is_a_race_and_pays_for_the_ticket(on_line):
    env = TicketCatalogue(make(SUPERFECTA, seats=2, races=3, opponents=[on_line(0, 0)]))
    table = env.unwrapped.table
    wheel = number_of(env, "$1 SFC wheel 1/all")
    env.reset(seed=1)
    for race in range(1, 4):
        best = int(np.argmin(table.game.state.rail[0]))
        _, _, ended, _, _ = env.step(wheel)
        stakes = table.game.state.last_stakes[0, 0]
        # the six orders a horse leads are lines 16 + 6 · suit on
        assert np.flatnonzero(stakes).tolist() == list(range(16 + 6 * best, 22 + 6 * best))
        assert stakes.sum() == 6 and table.game.state.turn[0] == race and ended == (race == 3)


def test_the_mask_allows_what_can_be_paid_for():
    env = TicketCatalogue(
        make(SUPERFECTA, bankroll=6, illegal="raise"), kinds=("WIN", "EXA box"), stakes=(1, 4)
    )
    _, info = env.reset(seed=1)
    # 6 chips: WIN at 1 and 4; boxes of 2 and 6 lines at 1, none at 4 (8, 24, 48)
    affordable = [1] + [1, 1] * 4 + [1, 0] * (6 + 4) + [0, 0]
    assert info["action_mask"].tolist() == affordable and info["action_mask"].dtype == np.int8
    assert env.action_masks().tolist() == [bool(one) for one in affordable]
    with pytest.raises(IllegalDecision, match=r"action 30 \(\$4 EXA box .*\) costs .*, which is too dear"):
        env.step(28 + 2)
    with pytest.raises(IllegalDecision, match="action 31 is none of 0 to 30"):
        env.step(31)


def test_an_illegal_number_passes():
    env = TicketCatalogue(make(SUPERFECTA, bankroll=6))
    env.reset(seed=1)
    _, _, _, _, info = env.step(number_of(env, "$1 SFC box 1,2,3,4"))  # 24 chips
    assert info["illegal_action"] and not env.unwrapped.table.game.state.last_stakes[0, 0].any()


# ---- fractions


def staked(env_id, fractions, wrapper=None, **settings):
    """What a ticket of fractions comes to in chips on each line; the first race is always the same."""
    env: Any = StakeFractions(make(env_id, **settings), **(wrapper or {}))
    env.reset(seed=1)
    lines = env.action_space.shape[0]
    action = np.zeros(lines, np.float32)
    action[: len(fractions)] = fractions
    env.step(action)
    game = env.unwrapped.table.game
    assert not game.refused.any()
    return game.state.last_stakes[0, 0].tolist()


@pytest.mark.parametrize(
    ("fractions", "chips"),
    [
        ([0.07, 0.295, 0.0099], [7, 29, 0]),  # of 100 chips, rounded down
        ([1, 1], [50, 50]),  # together twice the bankroll, so halved
        ([0.8, 0.4], [66, 33]),  # 100 · 0.8 / 1.2 and 100 · 0.4 / 1.2
        ([1] * 40, [2] * 40),  # 100 / 40 = 2.5
        ([0.29, 0.57, 0.14], [29, 57, 14]),  # to the chip, whatever binary fractions make of them
    ],
)
def test_fractions_become_chips_of_the_bankroll(fractions, chips):
    assert staked(SUPERFECTA, fractions) == chips + [0] * (LINES - len(chips))


def test_stakes_are_multiples_of_the_pools_minimum_bet():
    # 10,000 chips pro rata, minimum 100: 199 is one minimum bet, 2,999 are 29, and 99 none
    assert staked(SUPERFECTA, [0.0199, 0.2999, 0.0099], split="pro_rata")[:3] == [100, 2_900, 0]
    # minimum 3 in WIN and 7 in EXA, of 100: 20 is 18 and 14
    assert staked(SUPERFECTA, [0.2, 0, 0, 0, 0.2], minimum_bets=(3, 7, 1))[:5] == [18, 0, 0, 0, 14]


def test_stakes_end_at_the_largest_wager():
    assert staked(SUPERFECTA, [0.5, 0.1], max_wager=20)[:2] == [20, 10]
    # of 2^40 chips a millionth is still above the limit of 32,767; the sums must not overflow on the way
    assert staked(SUPERFECTA, [1, 1e-6, 0.5], bankroll=2**40)[:3] == [32_767] * 3
    assert staked(SUPERFECTA, [1] * 40, bankroll=2**40, seats=12) == [32_767] * 40


def test_the_richest_player_there_can_be_stakes_what_is_allowed():
    # twelve times 2^40 chips and all shares 1: a fortieth is above the limit, and no product may overflow
    actions = StakeFractions(make(SUPERFECTA, seats=12, bankroll=2**40)).core
    ticket = Ticket(np.zeros((1, 40), np.int16), np.zeros(1, np.int64))
    mask = actions.mask(SimpleNamespace(lane=np.zeros(1, int), bankroll=np.array([12 * 2**40])), ticket)
    actions.write(ticket, actions.read(np.ones((1, 40)), 1), np.ones(1, bool))
    assert mask.all() and ticket.stakes.tolist() == [[32_767] * 40]
    assert ticket.cost.tolist() == [40 * 32_767]


def test_a_ticket_costs_at_most_the_share_that_is_wanted():
    # a tenth of 100 chips is 10; both whole: 5 each
    assert staked(SUPERFECTA, [0.5], {"most": 0.1})[0] == 5
    assert staked(SUPERFECTA, [1, 1], {"most": "1/10"})[:2] == [5, 5]


def test_stakes_at_horse_race_are_tens_within_the_limit():
    # 1,000 chips: 25 becomes 20, 9 none, 500 is above the cap of 100
    assert staked(HORSE_RACE, [0.025, 0.009, 0.5, 0.1], cap=100) == [20, 0, 100, 100]


def test_a_suit_closed_by_the_bank_takes_nothing(rival):
    # The next seat banks with 3 chips: at 1/1 a stake of 3 can be covered for one bettor of the two others,
    # 3 // 2 = 1 chip each; from 2/1 on not even one.
    env = StakeFractions(
        make(RACING_ACES, bank="rotate", seats=3, seat=1, bankroll=3, stakes=(1, 2, 3), max_wagers=4)
    )
    seen = set()
    for seed in range(12):
        env.reset(seed=seed)
        limits = env.unwrapped.table.game.state.limits[0].copy()
        rail = env.unwrapped.table.game.state.rail[0]
        assert limits.tolist() == [int(shown == 0) for shown in rail.tolist()]
        assert env.action_masks().tolist() == [bool(limit) for limit in limits]
        env.step(np.ones(4, np.float32))
        seen.add(int(limits.sum()))
    assert seen == {0, 1}


def test_as_many_suits_as_the_rules_allow_are_backed_the_largest_stakes_first():
    # 100 chips: 4, 2, 6 and 1 of which 2, 2, 5 and 1 are on offer; two may stand: 5 on C, and of the equal
    # ones H, whose share is larger
    rules = {"stakes": (1, 2, 5), "max_wagers": 2}
    assert staked(RACING_ACES, [0.04, 0.02, 0.06, 0.01], **rules) == [2, 0, 5, 0]
    # by default one chip on one suit: the largest share
    assert staked(RACING_ACES, [0.3, 0.1, 0.4, 0.2]) == [0, 0, 1, 0]


@pytest.mark.parametrize("wrong", [1.5, -0.1, np.nan, np.inf])
def test_what_is_no_share_is_illegal(wrong):
    action = np.zeros(40, np.float32)
    action[5] = wrong
    env = StakeFractions(make(SUPERFECTA))
    env.reset(seed=1)
    action[0] = 0.5
    assert env.step(action)[4]["illegal_action"]
    assert not env.unwrapped.table.game.state.last_stakes[0, 0].any()
    strict = StakeFractions(make(SUPERFECTA, illegal="raise"))
    strict.reset(seed=1)
    with pytest.raises(IllegalDecision, match="a number from 0 to 1; that of EXA H/C is not"):
        strict.step(action)


def test_fractions_of_another_shape_or_kind_are_an_error():
    env = StakeFractions(make(SUPERFECTA))
    env.reset(seed=1)
    with pytest.raises(InvalidSettings, match=r"fractions of the bankroll of shape \(1, 40\), not float64"):
        env.step(np.zeros(4))
    with pytest.raises(InvalidSettings, match="not bool of shape"):
        env.step(np.zeros(40, bool))


TABLES: list[tuple[str, dict[str, Any]]] = [
    (SUPERFECTA, {"bankroll": 37, "minimum_bets": (2, 3, 1), "max_wager": 9}),
    (SUPERFECTA, {"split": "pro_rata", "rate": 0.2, "bankroll": 2_350}),
    (HORSE_RACE, {"bankroll": 235, "cap": 60}),
    ("railbird/ScarneHorseRace-v0", {"bankroll": 95}),
    (RACING_ACES, {"bank": "rotate", "seats": 4, "bankroll": 23, "stakes": (1, 3, 4), "max_wagers": 3}),
    (RACING_ACES, {"bankroll": 3}),
]


@pytest.mark.parametrize(("env_id", "rules"), TABLES)
@settings(max_examples=25)
@given(seed=st.integers(0, 2**32), density=st.sampled_from([0.02, 0.3, 1.0]))
def test_no_fractions_are_ever_an_illegal_or_refused_ticket(env_id, rules, density, seed):
    native = make_vec(env_id, 5, vectorization_mode="vector_entry_point", illegal="raise", **rules)
    env = vector.StakeFractions(native)
    rng = np.random.default_rng(seed)
    env.reset(seed=seed)
    game = native.table.game
    for _ in range(8):
        shape = env.action_space.shape
        action = np.where(rng.random(shape) < density, rng.random(shape), rng.integers(0, 2, shape) * density)
        learner, lanes = native.table.seat.copy(), np.arange(5)
        _, _, _, _, infos = env.step(action.astype(np.float32))
        assert not infos["illegal_action"].any()
        assert not game.refused[lanes, learner].any()
