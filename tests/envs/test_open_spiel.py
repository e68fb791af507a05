"""The OpenSpiel door: chance, hidden hands and money by the rules, and the exact solver's figures again."""

import itertools
import pickle
from collections import Counter, defaultdict
from functools import cache

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed (the extra open-spiel)")

from open_spiel.python import policy as policies  # noqa: E402 - it may be missing
from open_spiel.python.algorithms import cfr, external_sampling_mccfr, ismcts, mcts  # noqa: E402
from open_spiel.python.algorithms.exploitability import exploitability as theirs  # noqa: E402

import railbird.envs.open_spiel  # noqa: E402, F401 - it registers the games
from railbird.evaluation.exact.cfr import find_equilibrium  # noqa: E402
from railbird.evaluation.exact.enumeration import play_out  # noqa: E402
from railbird.evaluation.exact.forms import behaviour_of, even_behaviour, plan_of  # noqa: E402
from railbird.evaluation.exact.responses import exploitability as ours  # noqa: E402
from railbird.evaluation.exact.tables import table_of, take  # noqa: E402
from railbird.games.errors import BadTicket, IllegalDecision, InvalidSettings  # noqa: E402
from railbird.games.save_the_bet.sets import cards_in  # noqa: E402

FIVE = {"suits": 2, "ranks": 3, "hand_size": 2, "target": 3}  # AH 2H 3H 2D 3D, a stack of one card
SEVEN = {"suits": 2, "ranks": 4, "hand_size": 1, "target": 4}  # and 4H 4D, a stack of five
BOX = "|".join(["$2 SFC S/C/D/H", "; ".join(f"$2 SFC {'/'.join(o)}" for o in itertools.permutations("HDCS"))])
FAT = {
    "rail": "HHDDCS",
    "minimum_bet": 2,
    "carried": "0 0 60",
    "tickets": BOX,
}  # all but the box is a bad bet


def save_the_bet(max_turns=1, **rules):
    return pyspiel.load_game("railbird_save_the_bet", {**rules, "max_turns": max_turns})


def superfecta(**params):
    return pyspiel.load_game("railbird_superfecta", params)


def at(game, *actions):
    """The state after these actions and outcomes."""
    state = game.new_initial_state()
    for action in actions:
        state.apply_action(action)
    return state


def states(state):
    """Every state from this one on."""
    yield state
    for action in state.legal_actions():
        yield from states(state.child(action))


def played(game, seed):
    """The states of a game played by lot."""
    draw, state = np.random.default_rng(seed), game.new_initial_state()
    while not state.is_terminal():
        yield state.clone()
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(draw.choice(outcomes, p=chances)))
        else:
            state.apply_action(int(draw.choice(state.legal_actions())))
    yield state


# ---- OpenSpiel's own test, and what it does not look at


@pytest.mark.parametrize(
    "game",
    [
        "railbird_save_the_bet(suits=2,ranks=3,hand_size=2,target=3,max_turns=2)",
        "railbird_superfecta(seats=3,bankroll=6,races=2)",
        "railbird_superfecta(split=pro_rata,bankroll=400,minimum_bet=100,rate=0.2)",
        "railbird_superfecta(rail=HHDDCS,carried=0 0 12,tickets=$1 WIN C|$2 EXA S/C; $1 WIN S)",
        pytest.param("railbird_save_the_bet", marks=pytest.mark.slow),
    ],
)
def test_games_pass_the_test_of_openspiel(game, capfd):
    pyspiel.random_sim_test(pyspiel.load_game(game), 2, True, True)
    assert "Reached a terminal state!" in capfd.readouterr().out


@pytest.mark.parametrize(
    ("game", "utility", "total"),
    [
        (save_the_bet(), "ZERO_SUM", 0.0),
        (superfecta(minimum_bet=2), "ZERO_SUM", 0.0),
        (superfecta(seats=3, minimum_bet=6, carried="6 0 30"), "CONSTANT_SUM", 36.0),
        (
            superfecta(seats=3, minimum_bet=2),
            "GENERAL_SUM",
            None,
        ),  # two winners of 6 get 3, of 2 · 3 = 6 one 2
        (superfecta(minimum_bet=2, carried="0 0 3", bankroll=5, seats=3), "GENERAL_SUM", None),
        (superfecta(minimum_bet=2, split="pro_rata", rate=0.2, bankroll=99), "GENERAL_SUM", None),
    ],
)
def test_winnings_add_up_to_what_the_game_says(game, utility, total):
    assert game.get_type().utility.name == utility
    assert game.utility_sum() == total
    for seed in range(12 if total is not None else 0):
        *_, end = played(game, seed)
        assert sum(end.returns()) == total


def test_indivisible_chips_are_the_reason_for_a_general_sum():
    # seats 0 and 1 hold the winner of a pool of 2: 1 each; alone it is 1 chip, lost to nobody: 1 // 2 = 0
    # each
    game = superfecta(rail="HHDDCS", tickets="$1 WIN C")
    lost = at(game, 1, 0, 23)  # order S/C/D/H
    assert lost.returns() == [-1.0, 0.0]


# ---- Save The Bet


def test_every_deal_comes_once_and_all_are_equally_likely():
    deals = defaultdict(float)

    def deal(state, chance):
        if not state.is_chance_node():
            deals[tuple(state.position.table.state.hands[0].tolist())] += chance
            return 1
        return sum(deal(state.child(o), chance * p) for o, p in state.chance_outcomes())

    # 5 over 2 hands of the one, 3 over 2 of the other: 10 · 3 = 30
    assert deal(at(save_the_bet(**FIVE)), 1.0) == 30
    assert len(deals) == 30
    assert list(deals.values()) == pytest.approx([1 / 30] * 30)


def test_each_card_of_the_stack_is_as_likely_a_gamble_and_comes_when_asked_for():
    state = at(save_the_bet(**SEVEN), 0, 14)
    assert state.is_chance_node()  # both had one card to bet
    assert state.chance_outcomes() == [(card, pytest.approx(1 / 5)) for card in (1, 2, 3, 15, 16)]
    for card in (1, 2, 3, 15, 16):
        after = state.child(card)
        record = after.position.table.state
        assert 1 << card & int(record.hands[0].sum() | record.stack[0])
        assert record.last_gamble[0] == card


def test_a_bet_is_hidden_until_both_are_made():
    dealt = at(save_the_bet(**FIVE), 0, 1, 2, 15)  # AH 2H against 3H 3D; 2D is left
    after = [dealt.child(1).child(0), dealt.child(2), dealt.child(1).child(2)]  # AH; 2H; AH 2H
    assert {state.current_player() for state in after} == {1}
    assert len({state.information_state_string(0) for state in after}) == 3
    assert {state.information_state_string(1) for state in after} == {dealt.information_state_string(1)}
    assert {state.observation_string(1) for state in after} == {dealt.observation_string(1)}
    assert len({tuple(state.information_state_tensor(1)) for state in after}) == 1


def test_the_same_cards_in_either_seat_are_different_information():
    strings = defaultdict(set)
    for state in states(at(save_the_bet(**FIVE))):
        if state.current_player() >= 0:
            strings[state.current_player()].add(state.information_state_string())
    assert len(strings[0]) > 10
    assert not strings[0] & strings[1]


def test_a_game_by_hand():
    # AH 2H against 3H 3D: AH and 3D are bet, the gamble 2D is a diamond. Seat 1 wins by suit with nothing
    # saved by seat 0 (it has no diamond): it takes AH 3D 2D and holds 4 of 5 cards. 3H is no diamond, so no
    # save either.
    state = at(save_the_bet(**FIVE), 0, 1, 2, 15, 1, 0, 16, 14)
    assert state.is_terminal()
    assert state.returns() == [-1.0, 1.0]


@pytest.mark.slow
def test_strings_and_tensors_tell_the_same_states_apart():
    seen = defaultdict(set)
    for state in states(at(save_the_bet(2, **FIVE))):
        if (seat := state.current_player()) >= 0:
            tensor = np.array(state.information_state_tensor(), np.float32).tobytes()
            seen[seat, state.information_state_string()].add(tensor)
    tensors = [tensor for (seat, _), found in seen.items() for tensor in found if seat == 0]
    assert all(len(found) == 1 for found in seen.values())
    assert len(set(tensors)) == len(tensors)


# ---- the exact solver


def begun(game):
    """By seat and all the seat has seen: a state in which it begins to decide."""
    found = {}
    for state in states(game.new_initial_state()):
        seat, point = state.current_player(), state.position
        if seat >= 0:
            found.setdefault((seat, *lines(point, seat)), state)
    return found


def lines(point, seat):
    """What a seat has seen, turn by turn."""
    past = () if point.before[seat] is None else lines(point.before[seat], seat)
    return (*past, point.walk.law.seen(point.table, seat))


@cache
def both(max_turns, rules):
    """The game in OpenSpiel and played out, and where each of our information sets begins in OpenSpiel."""
    game = save_the_bet(max_turns, **dict(rules))
    law = game.new_initial_state().position.walk.law
    small = play_out(law.settings)
    starts = begun(game)
    found = []
    for seat in (0, 1):
        here, past = {}, [()]
        for moment in small.moments[seat]:
            tables = [
                table_of(law.settings, take(moment.tables, np.array([row])))
                for row in range(len(moment.sets))
            ]
            past = [(*past[i], law.seen(table, seat)) for i, table in zip(moment.before, tables, strict=True)]
            for row in np.flatnonzero(moment.sets >= 0):
                here[int(moment.sets[row])] = starts[seat, *past[row]]
        found.append(here)
    return game, small, found


def way(state, cards):
    """The (state, action) of each choice that writes these cards, from where a seat begins."""
    seat, saving = state.current_player(), state.position.table.phase[0] == 1
    spelled = [1 + card for card in cards_in(cards)]
    spelled += [0] if not (saving and spelled) else []
    turn, steps = state.position.table.state.turn[0], []
    for place, action in enumerate(spelled):
        written = state.position.written[seat] if state.position.table.state.turn[0] == turn else ()
        if (
            state.current_player() != seat
            or len(written) > place
            or state.position.table.state.turn[0] > turn
        ):
            continue  # it was forced
        steps.append((state, action))
        state = state.child(action)
    return steps


def as_ours(game, small, starts, policy):
    """An OpenSpiel policy as our plans."""
    plans = []
    for seat, side in enumerate(small.form.sides):
        behaviour = even_behaviour(side)
        for number, start in starts[seat].items():
            for sequence in range(side.first[number], side.first[number + 1]):
                steps = way(start, small.decisions[seat][sequence])
                behaviour[sequence] = np.prod([policy.action_probabilities(s)[a] for s, a in steps])
        plans.append(plan_of(side, behaviour))
    return plans[0], plans[1]


def as_theirs(game, small, starts, plans):
    """Our plans as an OpenSpiel policy."""
    table = policies.TabularPolicy(game)
    for seat, side in enumerate(small.form.sides):
        behaviour = behaviour_of(side, plans[seat])
        weights = defaultdict(Counter)
        for number, start in starts[seat].items():
            for sequence in range(side.first[number], side.first[number + 1]):
                for state, action in way(start, small.decisions[seat][sequence]):
                    weights[state.information_state_string()][action] += behaviour[sequence]
        for known, chances in weights.items():
            if (total := sum(chances.values())) > 0:
                row = table.policy_for_key(known)
                row[:] = [chances[action] / total for action in range(len(row))]
    return table


SOLVED = [(1, tuple(FIVE.items())), pytest.param(2, tuple(FIVE.items()), marks=pytest.mark.slow)]


@pytest.mark.parametrize(("max_turns", "rules"), SOLVED)
def test_exploitability_of_the_even_strategy_is_the_exact_solvers(max_turns, rules):
    game, small, starts = both(max_turns, rules)
    even = policies.UniformRandomPolicy(game)
    measured = theirs(game, even)
    assert measured > 0.1
    assert measured == pytest.approx(ours(small.form, as_ours(game, small, starts, even)), abs=1e-9)


@pytest.mark.parametrize(("max_turns", "rules"), SOLVED)
def test_exploitability_of_openspiels_equilibrium_is_the_exact_solvers(max_turns, rules):
    game, small, starts = both(max_turns, rules)
    solver = cfr.CFRSolver(game)
    for _ in range(10):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    measured = theirs(game, policy)
    assert 0 < measured < theirs(game, policies.UniformRandomPolicy(game)) / 4
    assert measured == pytest.approx(ours(small.form, as_ours(game, small, starts, policy)), abs=1e-9)


@pytest.mark.parametrize(("max_turns", "rules"), SOLVED)
def test_exploitability_of_a_lopsided_strategy_of_ours_is_openspiels(max_turns, rules):
    game, small, starts = both(max_turns, rules)
    plans = []
    for side in small.form.sides:
        weights = 1 + np.arange(side.sequences) % 3.0
        sums = np.add.reduceat(weights, side.first[:-1])
        plans.append(plan_of(side, np.concatenate([[1], weights[1:] / np.repeat(sums, side.choices)])))
    expected = ours(small.form, (plans[0], plans[1]))
    assert expected > 0.1
    assert theirs(game, as_theirs(game, small, starts, plans)) == pytest.approx(expected, abs=1e-9)


@pytest.mark.slow
def test_exploitability_of_our_equilibrium_is_openspiels():
    game, small, starts = both(2, tuple(FIVE.items()))
    solution = find_equilibrium(small.form, 20)
    assert solution.exploitability > 1e-6
    measured = theirs(game, as_theirs(game, small, starts, solution.plans))
    assert measured == pytest.approx(solution.exploitability, abs=1e-9)


# ---- search and sampling


def test_a_resampled_state_looks_the_same_and_all_hidden_cards_are_equally_likely():
    state = at(save_the_bet(**SEVEN | {"hand_size": 2}), 0, 14, 1, 2, 1)
    assert state.current_player() == 1  # 2H 3H; unknown to it are AH 4H 2D 3D 4D, two of them the other's
    found = Counter()
    for number in range(800):
        other = state.resample_from_infostate(1, lambda number=number: number / 800)
        assert other.information_state_string() == state.information_state_string()
        table = other.position.table
        table.check()
        found[int(table.state.hands[0, 0])] += 1
    # 5 over 2 = 10 hands, 80 each; the standard deviation of a count is √(800 · 0.1 · 0.9) = 8.5
    assert len(found) == 10
    assert all(abs(count - 80) < 5 * 8.5 for count in found.values())


def test_a_hidden_bet_is_drawn_with_the_hand_behind_it():
    game = save_the_bet(**SEVEN | {"hand_size": 2})
    state = at(
        game, 0, 1, 15, 16, 1, 2, 16, 0, 14
    )  # AH 2H both bet, against 3D and 4D, of which 3D; gamble 2D
    assert state.current_player() == 1
    found = Counter()
    for number in range(600):
        other = state.resample_from_infostate(1, lambda number=number: number / 600)
        assert other.information_state_string() == state.information_state_string()
        found[int(other.position.table.state.bets[0, 0])] += 1
    # of AH 2H 3H 4H two are bet together: 4 over 2 = 6 pairs, 100 each, with a deviation of √(600 · 5 / 36) =
    # 9.1
    assert len(found) == 6
    assert all(abs(count - 100) < 5 * 9.1 for count in found.values())


@pytest.mark.slow
@pytest.mark.parametrize(
    "game", ["railbird_save_the_bet(max_turns=12)", "railbird_superfecta(seats=3,races=2)"]
)
def test_every_state_of_a_large_game_can_be_resampled(game):
    for state in played(pyspiel.load_game(game), 3):
        seat = state.current_player()
        if seat >= 0:
            other = state.resample_from_infostate(seat, lambda: 0.25)
            assert other.information_state_string() == state.information_state_string()
            assert other.observation_string() == state.observation_string()
            assert other.information_state_tensor() == state.information_state_tensor()
            assert other.legal_actions() == state.legal_actions()
            other.apply_action(other.legal_actions()[-1])


def test_a_state_is_written_down_and_a_resampled_one_is_not():
    game = save_the_bet(2, **FIVE)
    *_, state = (state for state in played(game, 1) if state.current_player() == 1)
    _, again = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
    assert again.history() == state.history()
    assert [again.information_state_string(i) for i in (0, 1)] == [
        state.information_state_string(i) for i in (0, 1)
    ]
    with pytest.raises(InvalidSettings, match="it has no history to be written down"):
        pickle.dumps(state.resample_from_infostate(1, lambda: 0.5).position)


def test_external_sampling_learns():
    game = save_the_bet(**FIVE)
    solver = external_sampling_mccfr.ExternalSamplingSolver(game)
    np.random.seed(5)  # noqa: NPY002 - OpenSpiel's solver draws from the global generator
    for _ in range(1000):
        solver.iteration()
    even = theirs(game, policies.UniformRandomPolicy(game))
    assert theirs(game, solver.average_policy()) < even / 4


def test_information_set_search_buys_the_box():
    # Seat 1, the other's ticket unseen. The box of all 24 orders (48 chips) wins the pool for sure: at least
    # half of 60 + 48 chips, (60 + 48 + 48) / 2 = 78 against another box; 78 - 48 = 30 is what nobody betting
    # brings.
    game = superfecta(**FAT)
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = ismcts.ISMCTSBot(game, evaluator, 40.0, 200, random_state=np.random.RandomState(2))
    numbers = itertools.count()
    bot.set_resampler(lambda state, seat: state.resample_from_infostate(seat, lambda: next(numbers) / 1000))
    assert dict(bot.get_policy(at(game, 0)))[2] == 1.0


# ---- Superfecta


def test_orders_have_the_exact_chances():
    state = at(superfecta(rail="HHDDCS", tickets="$1 WIN C"), 0, 0)
    chances = dict(state.chance_outcomes())
    # Rule: RULES.md §1, rail 2,2,1,1: C and S win with 0.3108, and S/C/D/H, the last of 24, has 0.0665
    assert sum(chances[order] for order in range(12, 18)) == pytest.approx(0.3108, abs=5e-5)
    assert chances[23] == pytest.approx(0.0665, abs=5e-5)
    assert state.action_to_string(-1, 23) == "order S/C/D/H"


def test_a_rail_is_as_likely_as_its_cards():
    state = at(superfecta())
    chances = dict(state.chance_outcomes())
    spades = next(o for o in chances if state.action_to_string(-1, o) == "rail SSSSSS")
    assert len(chances) == 84
    assert chances[spades] == pytest.approx(924 / 12_271_512)  # 12 over 6 of 48 over 6
    assert sum(chances.values()) == pytest.approx(1)


def test_a_race_by_hand():
    game = superfecta(rail="HHDDCS", minimum_bet=2, carried="0 0 60", tickets="$2 WIN C|$2 SFC S/C/D/H")
    # the superfecta holder takes 60 + 2; of the lost WIN stake each seat gets 1 back: 60 + 1 and -2 + 1
    assert at(game, 1, 2, 23).returns() == [-1.0, 61.0]
    # C/S/D/H: the WIN pool of 2 is won back, 62 in SFC are divided: 31 and -2 + 31
    assert at(game, 1, 2, 17).returns() == [31.0, 29.0]


def test_a_ticket_is_hidden_until_all_are_handed_in():
    game = superfecta(rail="HHDDCS")
    some = [at(game, 0), at(game, 1, 0), at(game, 5, 40, 0)]
    assert {state.current_player() for state in some} == {1}
    assert len({state.information_state_string(1) for state in some}) == 1
    assert len({tuple(state.information_state_tensor(1)) for state in some}) == 1
    assert len({state.information_state_string(0) for state in some}) == 3


def test_a_ticket_that_cannot_be_paid_for_is_no_action():
    # each of two seats has lost 30 of the 60 chips that lie in the pool: of 77 it has 47 left, of 78 just 48
    assert at(superfecta(**FAT, bankroll=77)).legal_actions() == [0, 1]
    assert at(superfecta(**FAT, bankroll=78)).legal_actions() == [0, 1, 2]


def test_a_second_race_has_a_rail_and_pools_of_its_own():
    state = at(superfecta(rail="HHDDCS", races=2, tickets="$3 WIN H|$1 WIN S"), 1, 2, 17)  # C/S/D/H: 4 stay
    assert state.is_chance_node()
    assert len(state.chance_outcomes()) == 84
    assert state.returns() == [0.0, 0.0]
    state.apply_action(83)
    assert "rail HHHHHH, pools 4 0 0, chips 97 99, last order C/S/D/H" in state.information_state_string(1)


# ---- what is refused


@pytest.mark.parametrize(
    ("params", "error", "message"),
    [
        ({"carried": "0 60"}, InvalidSettings, r"carried is three whole numbers .*, not '0 60'"),
        ({"carried": "0 0 3"}, InvalidSettings, r"multiple of 2 seats in all, at most 200, not 3"),
        ({"carried": "0 0 202"}, InvalidSettings, r"multiple of 2 seats in all, at most 200, not 202"),
        (
            {"tickets": "$1 WIN H|$1 WIN H"},
            InvalidSettings,
            r"tickets are different ones, none of them empty",
        ),
        ({"tickets": "$1 WIN"}, BadTicket, r"no wager"),
        ({"rail": "HHDD"}, InvalidSettings, r"rail 'HHDD' has 4 cards"),
        ({"races": 0}, InvalidSettings, r"races is a whole number from 1"),
    ],
)
def test_wrong_parameters_are_refused(params, error, message):
    with pytest.raises(error, match=message):
        superfecta(**params)


def test_other_observations_and_other_seats_are_refused():
    game = superfecta(rail="HHDDCS")
    everything = pyspiel.IIGObservationType(
        perfect_recall=False, private_info=pyspiel.PrivateInfoType.ALL_PLAYERS
    )
    with pytest.raises(InvalidSettings, match="observations are of one seat"):
        game.make_py_observer(everything)
    with pytest.raises(IllegalDecision, match="seat 1 is not to write here"):
        at(game).resample_from_infostate(1, lambda: 0.5)
    with pytest.raises(IllegalDecision, match="99 is no choice here"):
        at(game).position.after(99)
