"""Learned agents: what a network decides, worked out by hand, and what is refused when a folder is read.

Racing Aces by default: action 0 hands in, actions 1 to 4 bet a chip on H, D, C, S, and the one wager the
rules allow hands the ticket in. A layer without hidden ones gives action a the score bias[a] + weight[a] ·
features.
"""

import hashlib
import json
import shutil
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise
from math import exp, tanh

import numpy as np
import pytest
from safetensors.numpy import load, save

from railbird.agents.learned import folder as folder_module
from railbird.agents.learned.folder import (
    AgentFacts,
    describe_encoding,
    find_agent,
    pretrained,
    read_agent,
    write_facts,
)
from railbird.agents.learned.network import (
    Layer,
    Network,
    Normalisation,
    Recurrence,
    choose_best,
    choose_drawn,
)
from railbird.agents.learned.policy import agent_class
from railbird.agents.registry import describe, parse_agent
from railbird.agents.seating import parse_player
from railbird.envs import sb3_vec_env
from railbird.evaluation.provenance import source_of
from railbird.evaluation.tournament import TournamentSettings, run
from railbird.games.errors import BrokenFile, InvalidSettings, RailbirdError, UnknownName
from railbird.games.registry import load as load_game

CLUBS = 3  # the action that bets on C


def make_folder(path, game="racing-aces", bias=None, options=None, hidden=(), masked=True, **changes):
    """A folder whose policy always prefers one action, whatever it sees."""
    spec = load_game(game)
    encoding = spec.encoding(spec.make_settings(), **(options or {}))
    sizes = (encoding.features, *hidden, encoding.actions)
    tensors = {}
    for number, (inputs, outputs) in enumerate(pairwise(sizes)):
        tensors[f"layers.{number}.weight"] = np.zeros((outputs, inputs), np.float32)
        tensors[f"layers.{number}.bias"] = np.zeros(outputs, np.float32)
    for action, value in (bias or {CLUBS: 1.0}).items():
        tensors[f"layers.{len(hidden)}.bias"][action] = value
    return write(path, game, describe_encoding(encoding, options or {}), tensors, hidden, masked, **changes)


def write(path, game, encoding, tensors, hidden=(), masked=True, **changes):
    content = save(tensors)
    facts = AgentFacts(
        game, encoding, encoding.actions, "", masked, tuple(hidden), "tanh", 0, None, 0.0, {"seats": 1},
        {"algorithm": "ppo", "steps": 12_000, "seed": 7, "opponents": "default"},
        (len(content), hashlib.sha256(content).hexdigest()),
    )  # fmt: skip
    path.mkdir(parents=True, exist_ok=True)
    (path / "agent.json").write_bytes(write_facts(replace(facts, **changes)))
    (path / "policy.safetensors").write_bytes(content)
    return path


def rewrite(path, **entries):
    """Changes entries of agent.json, dotted names reaching deeper: `encoding.version`."""
    facts = json.loads((path / "agent.json").read_text())
    for name, value in entries.items():
        *way, last = name.split("__")
        place = facts
        for step in way:
            place = place[step]
        place[last] = value
    (path / "agent.json").write_text(json.dumps(facts))


def reweigh(path, change):
    """Changes the tensors, and the hash in agent.json with them."""
    tensors = {
        name: tensor.copy() for name, tensor in load((path / "policy.safetensors").read_bytes()).items()
    }
    change(tensors)
    content = save(tensors)
    (path / "policy.safetensors").write_bytes(content)
    rewrite(path, weights={"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()})


def tables(game="racing-aces", lanes=4, **rules):
    spec = load_game(game)
    played = spec.game(spec.make_settings(**rules), 5, lanes)
    played.start()
    return played


# ---- what a network says


def test_layers_are_products_plus_bias_through_the_activation():
    # hidden: tanh(1·2 + 0·3 + 0.5) = tanh(2.5) and tanh(−1·2 + 2·3 − 1) = tanh(3)
    hidden = Layer(np.array([[1, -1], [0, 2]], np.float32), np.array([0.5, -1], np.float32))
    last = Layer(np.array([[1], [10]], np.float32), np.array([0.25], np.float32))
    scores = Network((hidden, last), "tanh").scores(np.array([[2, 3]], np.float32))
    assert scores[0, 0] == pytest.approx(tanh(2.5) + 10 * tanh(3) + 0.25, rel=1e-6)
    # relu: max(2.5, 0) + 10 max(3, 0) + 0.25 = 32.75; with −3 for 3: 2.5 + 10 max(−9, 0) + 0.25 = 2.75
    scores = Network((hidden, last), "relu").scores(np.array([[2, 3], [2, -3]], np.float32))
    assert scores[:, 0].tolist() == [32.75, 2.75]


def test_tanh_is_exact_to_a_few_units_in_the_last_place_and_never_beyond_one():
    line = Layer(np.ones((1, 1), np.float32), np.zeros(1, np.float32))
    seen = np.linspace(-12, 12, 4_001, dtype=np.float32)[:, None]
    scores = Network((line, line), "tanh").scores(seen)
    assert np.abs(scores - np.tanh(seen.astype(np.float64))).max() < 5e-7
    assert np.abs(scores).max() <= 1


def test_observations_are_normalised_and_cut_off_first():
    # (5 − 1) / √(3 + 1) = 2; (100 − 1) / 2 is cut off at 10
    normalisation = Normalisation(np.array([1.0]), np.array([3.0]), epsilon=1.0, clip=10.0)
    last = Layer(np.ones((1, 1), np.float32), np.zeros(1, np.float32))
    network = Network((last,), "tanh", normalisation)
    assert network.scores(np.array([[5], [100]], np.float32))[:, 0].tolist() == [2, 10]


def test_memory_is_a_long_short_term_memory():
    # one unit, no weights: gates σ(1), σ(−1), tanh(2), σ(0.5); the cell was 3
    cell = 1 / (1 + exp(1)) * 3 + 1 / (1 + exp(-1)) * tanh(2)
    hidden = 1 / (1 + exp(-0.5)) * tanh(cell)
    nothing = np.zeros((1, 4), np.float32)
    recurrence = Recurrence(nothing, nothing, np.array([1, -1, 2, 0.5], np.float32))
    last = Layer(np.ones((1, 1), np.float32), np.zeros(1, np.float32))
    memory = np.zeros((1, 1), np.float32), np.full((1, 1), 3, np.float32)
    scores = Network((last,), "tanh", None, recurrence).scores(np.zeros((1, 1), np.float32), memory)
    assert scores[0, 0] == pytest.approx(hidden, rel=1e-6)
    assert memory[0][0, 0] == pytest.approx(hidden, rel=1e-6)
    assert memory[1][0, 0] == pytest.approx(cell, rel=1e-6)


def test_memory_reads_what_is_seen_and_what_it_said_before():
    # candidate tanh(2·3 − 1·0.25) = tanh(5.75), all other gates σ(0) = 1/2, the cell was 0
    inward, onward = np.zeros((2, 1, 4), np.float32)
    inward[0, 2], onward[0, 2] = 2, -1
    last = Layer(np.ones((1, 1), np.float32), np.zeros(1, np.float32))
    network = Network((last,), "tanh", None, Recurrence(inward, onward, np.zeros(4, np.float32)))
    memory = np.full((1, 1), 0.25, np.float32), np.zeros((1, 1), np.float32)
    scores = network.scores(np.array([[3]], np.float32), memory)
    assert scores[0, 0] == pytest.approx(tanh(tanh(5.75) / 2) / 2, rel=1e-6)


@pytest.mark.parametrize("group", [1, 7, 64, 300])
def test_rows_do_not_depend_on_those_beside_them(group):
    random = np.random.default_rng(3)
    sizes = (29, 33, 17, 5)
    layers = tuple(
        Layer(random.standard_normal((a, b), np.float32), random.standard_normal(b, np.float32))
        for a, b in pairwise(sizes)
    )
    seen = random.standard_normal((300, 29), np.float32)
    network = Network(layers, "tanh")
    together = network.scores(seen)
    apart = np.concatenate([network.scores(seen[at : at + group]) for at in range(0, 300, group)])
    assert np.array_equal(together, apart)


def choose(function, scores, mask, masked, *drawn):
    out = np.empty(len(scores), np.int64)
    function(out, np.array(scores, np.float32), np.array(mask, np.int8), masked, *drawn)
    return out.tolist()


def test_the_first_of_the_best_legal_actions_is_taken():
    scores, mask = [[1, 5, 3, 3], [4, 4, 4, 4], [-9, -8, 0, 0]], [[1, 0, 1, 1], [0, 1, 1, 1], [1, 1, 0, 0]]
    assert choose(choose_best, scores, mask, True) == [2, 1, 1]


def test_without_a_mask_an_illegal_choice_becomes_the_lowest_legal_one():
    scores, mask = [[1, 5, 3, 3], [1, 5, 3, 3], [1, 5, 3, 3]], [[1, 0, 1, 1], [0, 0, 0, 1], [1, 1, 1, 1]]
    assert choose(choose_best, scores, mask, False) == [0, 3, 1]


def test_actions_are_drawn_with_the_exponentials_of_their_scores():
    # e^log 2 = 2, 1 and 1 of 4: up to 1/2 the first, up to 3/4 the third; the second is not legal
    scores, mask = [[np.log(2), 9, 0, 0]] * 5, [[1, 0, 1, 1]] * 5
    drawn = np.array([0.0, 0.49, 0.51, 0.74, 0.76])
    assert choose(choose_drawn, scores, mask, True, drawn) == [0, 0, 2, 2, 3]


def test_without_a_mask_an_illegal_draw_becomes_the_lowest_legal_one():
    # 1/4 each; the second, drawn in 0.25 to 0.5, is not legal
    scores, mask = [[0, 0, 0, 0]] * 3, [[0, 0, 1, 1]] * 3
    assert choose(choose_drawn, scores, mask, False, np.array([0.3, 0.6, 0.9])) == [2, 2, 3]


# ---- the agent


def test_agent_writes_the_ticket_its_network_prefers(tmp_path):
    made = parse_agent(str(make_folder(tmp_path / "a")), "racing-aces").make(tables().settings)
    played = tables(lanes=3)
    decided = made.act(played.view(0), played.draws(0))
    assert decided.tolist() == [[0, 0, 1, 0]] * 3  # a chip on C


def test_agent_writes_wagers_until_its_network_hands_in(tmp_path):
    # of the four suits S is liked best, then H; nothing is liked better than D and C. Two wagers, then in.
    path = make_folder(tmp_path / "a", bias={4: 3.0, 1: 2.0, 0: 1.0})
    rules = {"max_wagers": 4}
    played = tables(lanes=2, **rules)
    made = parse_agent(str(path), "racing-aces").make(played.settings)
    assert made.act(played.view(0), played.draws(0)).tolist() == [[1, 0, 0, 1]] * 2


def scored_rows(monkeypatch):
    """How many observations each call of a network scores, a list that grows."""
    rows = []
    scores = Network.scores

    def counted(own, seen, *memory):
        rows.append(len(seen))
        return scores(own, seen, *memory)

    monkeypatch.setattr(Network, "scores", counted)
    return rows


def test_agent_that_reads_nothing_of_its_ticket_scores_it_once(tmp_path, monkeypatch):
    path = make_folder(tmp_path / "a", bias={4: 3.0, 1: 2.0, 0: 1.0})
    played = tables(lanes=2, max_wagers=4)
    made = parse_agent(str(path), "racing-aces").make(played.settings)
    rows = scored_rows(monkeypatch)
    assert made.act(played.view(0), played.draws(0)).tolist() == [[1, 0, 0, 1]] * 2
    assert rows == [2]  # both lanes, once for two wagers and the hand-in


def test_agent_that_reads_its_ticket_scores_it_wager_by_wager(tmp_path, monkeypatch):
    path = make_folder(tmp_path / "a", bias={4: 3.0, 1: 2.0, 0: 1.0})
    spec = load_game("racing-aces")
    place = spec.encoding(spec.make_settings()).layout["draft"].start + 3  # the stake on S

    def hand_in_behind_spades(tensors):
        tensors["layers.0.weight"][0, place] = 9

    reweigh(path, hand_in_behind_spades)
    played = tables(lanes=2, max_wagers=4)
    made = parse_agent(str(path), "racing-aces").make(played.settings)
    rows = scored_rows(monkeypatch)
    # with the chip on S handing in scores 1 + 9, more than the 2 of H
    assert made.act(played.view(0), played.draws(0)).tolist() == [[0, 0, 0, 1]] * 2
    assert rows == [2, 2]


def test_agent_whose_network_knows_no_masks_hands_in_at_its_first_illegal_choice(tmp_path):
    path = make_folder(tmp_path / "a", bias={4: 3.0, 1: 2.0}, masked=False)
    played = tables(lanes=1, max_wagers=4)
    made = parse_agent(str(path), "racing-aces").make(played.settings)
    assert made.act(played.view(0), played.draws(0)).tolist() == [[0, 0, 0, 1]]  # S again is illegal


def test_sampling_agent_draws_the_same_alone_and_in_company(tmp_path):
    path = make_folder(tmp_path / "a", bias={1: 0.5})
    agent = parse_agent(f"{path}:sample=true", "racing-aces")
    played = tables(lanes=40, max_wagers=4)
    together = agent.make(played.settings).act(played.view(0), played.draws(0))
    assert len(np.unique(together, axis=0)) > 5
    for lane in (0, 17, 39):
        only = np.arange(40) == lane
        alone = agent.make(played.settings).act(played.view(0, only), played.draws(0, only))
        assert alone.tolist() == [together[lane].tolist()]


def test_agent_with_a_memory_forgets_when_a_game_begins_and_only_there(tmp_path):
    path = make_recurrent(tmp_path / "a")
    played = tables(lanes=2)
    made = parse_agent(str(path), "racing-aces").make(played.settings)
    made.begin(np.array([True, True]))
    first = made.act(played.view(0), played.draws(0))
    made.begin(np.array([True, False]))
    second = made.act(played.view(0), played.draws(0))
    # its memory starts at 0, where H is liked best; once it remembers having decided, S is
    assert first.tolist() == [[1, 0, 0, 0]] * 2
    assert second.tolist() == [[1, 0, 0, 0], [0, 0, 0, 1]]


def make_recurrent(path, **rules):
    """A memory of one unit that grows by tanh(1)/2 a decision, halved each time: the cell is 0.381, then
    0.571, the hidden value σ(0) tanh of it: 0.182, then 0.258. S is liked better than H above 0.22.
    """
    spec = load_game("racing-aces")
    encoding = spec.encoding(spec.make_settings(**rules))
    weight, bias = np.zeros((5, 1), np.float32), np.full(5, -9, np.float32)
    weight[4], bias[1], bias[4] = 1, 0, -0.22
    tensors = {
        "memory.inward": np.zeros((4, encoding.features), np.float32),
        "memory.onward": np.zeros((4, 1), np.float32),
        "memory.bias": np.array([0, 0, 1, 0], np.float32),
        "layers.0.weight": weight,
        "layers.0.bias": bias,
    }
    return write(path, "racing-aces", describe_encoding(encoding, {}), tensors, memory=1)


def test_agents_of_one_folder_share_no_memory(tmp_path):
    agent = parse_agent(str(make_recurrent(tmp_path / "a")), "racing-aces")
    played = tables(lanes=1)
    one, other = agent.make(played.settings), agent.make(played.settings)
    one.begin(np.array([True]))
    other.begin(np.array([True]))
    one.act(played.view(0), played.draws(0))
    assert other.act(played.view(0), played.draws(0)).tolist() == [[1, 0, 0, 0]]


# ---- its place among the agents


def test_tournament_seats_a_folder_by_its_path(tmp_path):
    path = make_folder(tmp_path / "a")
    settings = TournamentSettings.of("racing-aces", [str(path), "null"], deals=4, races=2)
    result = run(settings)
    assert {standing.agent for standing in result.leaderboard} == {str(path), "null"}
    staked = {standing.agent: standing.roi for standing in result.leaderboard}
    assert staked[str(path)] is not None
    assert staked["null"] is None
    assert not result.faults


def test_the_folder_of_a_run_stands_for_its_agent(tmp_path):
    path = make_folder(tmp_path / "run" / "agent")
    assert find_agent(str(tmp_path / "run")) == path
    assert find_agent(str(path)) == path
    assert find_agent(str(tmp_path)) is None
    assert find_agent("x" * 10_000) is None


def test_options_of_a_folder_are_written_behind_a_colon(tmp_path):
    path = make_folder(tmp_path / "a")
    assert parse_agent(f"{path}:sample=yes", "racing-aces").text == f"{path}:sample=true"
    with pytest.raises(InvalidSettings, match=r"has no option 'smaple'; its options: sample"):
        parse_agent(f"{path}:smaple=yes", "racing-aces")


def test_folder_that_is_not_there_is_told_from_an_unknown_name(tmp_path):
    with pytest.raises(InvalidSettings, match=r"there is no agent folder 'runs/x'; it holds an agent.json"):
        parse_agent("runs/x", "racing-aces")
    with pytest.raises(UnknownName, match="did you mean 'random'"):
        parse_agent("randm", "racing-aces")


def test_shipped_agents_are_known_by_name(tmp_path, monkeypatch):
    make_folder(tmp_path / "ppo-racing-aces")
    make_folder(tmp_path / "ppo-derby", game="pasteboard-derby")
    monkeypatch.setattr(folder_module, "PRETRAINED", tmp_path)
    folder_module._shipped.cache_clear()
    try:
        assert pretrained("racing-aces") == {"ppo-racing-aces": tmp_path / "ppo-racing-aces"}
        card = describe("racing-aces")[-1]
        assert card.name == "ppo-racing-aces"
        assert card.idea == "Plays what ppo learned in 12,000 steps."
        assert [option.name for option in card.options] == ["sample"]
        assert parse_agent("ppo-racing-aces", "racing-aces").text == "ppo-racing-aces"
        with pytest.raises(UnknownName, match="did you mean 'ppo-racing-aces'"):
            parse_agent("ppo-racing-ace", "racing-aces")
    finally:
        folder_module._shipped.cache_clear()


def test_weights_count_in_a_tournaments_record_of_its_agents(tmp_path):
    path = make_folder(tmp_path / "a")
    settings = tables().settings
    before = source_of(parse_agent(str(path), "racing-aces").make(settings))
    assert {"agent.json", "policy.safetensors", "policy.py"} <= set(before["files"])
    reweigh(path, lambda tensors: tensors["layers.0.bias"].fill(2))
    assert source_of(parse_agent(str(path), "racing-aces").make(settings))["sha256"] != before["sha256"]


def test_learned_agent_quotes_and_bets_where_the_bank_rotates(tmp_path):
    spec = load_game("horse-race")
    settings = spec.make_settings(bank="rotate", seats=2)
    encoding = spec.encoding(settings)
    tensors = {
        "layers.0.weight": np.zeros((encoding.actions, encoding.features), np.float32),
        "layers.0.bias": np.zeros(encoding.actions, np.float32),
    }
    path = write(tmp_path / "a", "horse-race", describe_encoding(encoding, {}), tensors)
    assert parse_player(str(path), spec, settings).text == str(path)
    assert parse_player("value", spec, settings).text == "margin+value"
    settings = TournamentSettings.of(
        "horse-race", [str(path), "value"], deals=2, seats=2, races=4, bank="rotate"
    )
    assert not run(settings).faults


def test_environment_whose_rival_has_a_memory_is_saved_and_goes_on(tmp_path):
    path = str(make_recurrent(tmp_path / "a", seats=2))
    settings = {"seats": 2, "races": 6, "opponents": [path]}
    one, other = (sb3_vec_env("racing-aces", 3, **settings) for _ in range(2))
    one.seed(4)
    one.reset()
    none = np.zeros(3, np.int64)
    one.step(none)
    other.set_state(json.loads(json.dumps(one.get_state())))
    for _ in range(4):
        one.step(none)
        other.step(none)
        assert one.get_state() == other.get_state()
    fresh = sb3_vec_env("racing-aces", 3, **settings)
    fresh.seed(4)
    fresh.reset()
    assert fresh.get_state()["rivals"] != one.get_state()["rivals"]


# ---- what is refused


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ({"format": 2}, r"agent.json has format 2; this version reads 1"),
        ({"game": "superfecta"}, r"was trained for superfecta, not for racing-aces"),
        ({"game": "chess"}, r"there is no game 'chess'; known: superfecta, horse-race"),
        ({"game": 7}, r"'game' is a int, not a str"),
        ({"encoding__version": 99}, r"version 99 of the encoding of racing-aces; this is version 1:"),
        ({"encoding__features": 3}, r"'layers.0.weight' is float32 of shape \(5, \d+\), not .*\(5, 3\)"),
        ({"encoding__features": 0}, r"features and actions are from 1 to 65536, not 0, 5"),
        ({"encoding__actions": True}, r"'actions' is a bool, not a int"),
        ({"network__hidden": [8]}, r"'layers.0.weight' is float32 of shape .* not float32 of shape \(8,"),
        ({"network__hidden": ["a"]}, r"hidden is a list of at most 32 numbers of 1 to 65536 units"),
        ({"network__activation": "gelu"}, r"an activation is one of tanh, relu, not 'gelu'"),
        ({"network__outputs": 0}, r"outputs are from 1 to 65536, not 0"),
        ({"network__outputs": 4}, r"outputs are 4, but there are 5 actions"),
        ({"most": "0"}, r"most is a share above 0 and at most 1, such as '1/20', not '0'"),
        ({"most": "2"}, r"most is a share above 0 and at most 1"),
        ({"network__memory": -1}, r"memory is from 0 to 65536 units, not -1"),
        ({"network__memory": 3}, r"tensor 'layers.0.weight' is"),
        ({"network__normalisation": {"clip": -1.0, "epsilon": 1e-8}}, r"clip and epsilon are finite numbers"),
        ({"network__normalisation": {"clip": float("nan"), "epsilon": 1e-8}}, r"clip and epsilon are finite"),
        ({"network__normalisation": {"clip": 9.0, "epsilon": 1e-8}}, r"'observation.mean' is missing"),
        ({"weights": {"bytes": 5, "sha256": ""}}, r"policy.safetensors has \d+ bytes, not 5: it is cut off"),
        ({"weights": []}, r"'weights' is a list, not a dict"),
        ({"masked": 1}, r"'masked' is a int, not a bool"),
    ],
)  # fmt: skip
def test_facts_that_do_not_fit_are_refused(tmp_path, entries, message):
    path = make_folder(tmp_path / "a")
    rewrite(path, **entries)
    with pytest.raises(BrokenFile, match=message):
        agent_class(path, "racing-aces")


def drop(name):
    return lambda tensors: tensors.pop(name)


def put(name, value):
    return lambda tensors: tensors.update({name: value})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (drop("layers.0.bias"), r"tensor 'layers.0.bias' is missing"),
        (put("extra", np.zeros(2, np.float32)), r"tensor 'extra' belongs to no part of the network"),
        (put("layers.0.bias", np.zeros(4, np.float32)), r"is float32 of shape \(4,\), not .* \(5,\)"),
        (put("layers.0.bias", np.zeros(5)), r"'layers.0.bias' is float64 of shape \(5,\), not float32"),
        (put("layers.0.bias", np.array([0, 0, np.nan, 0, 0], np.float32)), r"numbers that are not finite"),
        (put("layers.0.bias", np.array([0, 0, np.inf, 0, 0], np.float32)), r"numbers that are not finite"),
    ],
)  # fmt: skip
def test_weights_that_do_not_fit_are_refused(tmp_path, change, message):
    path = make_folder(tmp_path / "a")
    reweigh(path, change)
    with pytest.raises(BrokenFile, match=message):
        read_agent(path)


@pytest.mark.parametrize("kept", [0, 7, 8, 100, -1])
def test_weights_that_are_cut_off_are_refused(tmp_path, kept):
    path = make_folder(tmp_path / "a")
    content = (path / "policy.safetensors").read_bytes()[:kept]
    (path / "policy.safetensors").write_bytes(content)
    with pytest.raises(BrokenFile, match=r"cut off or another's; export or copy it again"):
        read_agent(path)
    rewrite(path, weights={"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()})
    with pytest.raises(BrokenFile, match="no readable safetensors file"):
        read_agent(path)


def test_weights_that_were_changed_are_refused(tmp_path):
    path = make_folder(tmp_path / "a")
    content = bytearray((path / "policy.safetensors").read_bytes())
    content[-1] ^= 1
    (path / "policy.safetensors").write_bytes(content)
    with pytest.raises(BrokenFile, match="has been changed since it was written, or is another agent's"):
        read_agent(path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "agent.json is no JSON"),
        (b"[1]", "agent.json holds no object"),
        (b"{}", "agent.json has no 'format'"),
        (b'{"a":' * 50_000, "agent.json is no JSON: maximum recursion"),
        (b"\xff\xfe", "agent.json is no JSON"),
        (b" " * (2**20 + 1), "agent.json is larger than 1,048,576 bytes"),
    ],
)
def test_facts_that_cannot_be_read_are_refused(tmp_path, content, message):
    path = make_folder(tmp_path / "a")
    (path / "agent.json").write_bytes(content)
    with pytest.raises(BrokenFile, match=message):
        read_agent(path)


def test_folder_without_weights_is_refused(tmp_path):
    path = make_folder(tmp_path / "a")
    (path / "policy.safetensors").unlink()
    with pytest.raises(BrokenFile, match=r"policy.safetensors cannot be read: No such file"):
        read_agent(path)


def test_file_that_changes_is_read_again(tmp_path):
    path = make_folder(tmp_path / "a")
    assert read_agent(path).network.layers[0].bias[CLUBS] == 1
    shutil.rmtree(path)
    make_folder(path, bias={CLUBS: 0.5})
    assert read_agent(path).network.layers[0].bias[CLUBS] == 0.5


def test_table_at_which_the_policy_sees_something_else_is_refused(tmp_path):
    path = make_folder(tmp_path / "a", game="superfecta", bias={0: 1.0})
    agent = parse_agent(str(path), "superfecta")
    settings = load_game("superfecta").make_settings(seats=3)
    with pytest.raises(InvalidSettings, match=r"give it 96 features and 41 actions instead of 99 and 41"):
        agent.make(settings)


def test_actions_of_another_meaning_are_refused(tmp_path):
    path = make_folder(tmp_path / "a", game="superfecta", bias={0: 1.0}, options={"stakes": (2,)})
    rewrite(path, encoding__options={"stakes": [3]})
    agent = parse_agent(str(path), "superfecta")
    with pytest.raises(InvalidSettings, match=r"give it features or actions of another meaning"):
        agent.make(load_game("superfecta").make_settings())


def test_encoding_options_that_do_not_exist_are_refused(tmp_path):
    path = make_folder(tmp_path / "a")
    rewrite(path, encoding__options={"stake": 3})
    with pytest.raises(
        InvalidSettings, match=r"cannot play these rules \(.*unexpected keyword argument 'stake'"
    ):
        parse_agent(str(path), "racing-aces").make(tables().settings)


@pytest.mark.slow
def test_mutated_folders_are_refused_and_nothing_else_happens(tmp_path):
    """3,000 folders with bytes changed, cut out, doubled or put in; in every second one of the weights the
    hash is set right, so that what lies behind it is reached. Whatever happens is a RailbirdError, or an
    agent that decides legally.
    """
    random = np.random.default_rng(11)
    path = make_folder(tmp_path / "a", hidden=(3,))
    good = {name: (path / name).read_bytes() for name in ("agent.json", "policy.safetensors")}
    played = tables(lanes=2)
    refused = 0
    for number in range(3_000):
        name = ("agent.json", "policy.safetensors")[number % 2]
        mutated = mutate(random, good[name])
        for file, content in {**good, name: mutated}.items():
            (path / file).write_bytes(content)
        if number % 4 == 1:
            rewrite(path, weights={"bytes": len(mutated), "sha256": hashlib.sha256(mutated).hexdigest()})
        try:
            made = parse_agent(str(path), "racing-aces").make(played.settings)
        except RailbirdError:
            refused += 1
            continue
        decisions = played.blank()
        decisions[:, 0] = made.act(played.view(0), played.draws(0))
        assert not played.faults(decisions).any()
    assert refused > 1_500


def mutate(random, content):
    """The bytes with one to three of them changed, a stretch cut out or doubled, or a token put in."""
    content = bytearray(content)
    tokens = (
        b"null",
        b"-1",
        b"1e999",
        b"NaN",
        b"[]",
        b"{}",
        b'""',
        b"18446744073709551616",
        b"\x00" * 8,
        b'"F16"',
    )
    kind = random.integers(4)
    start = int(random.integers(len(content)))
    stop = min(len(content), start + int(random.integers(1, 40)))
    if kind == 0:
        for _ in range(int(random.integers(1, 4))):
            content[int(random.integers(len(content)))] = int(random.integers(256))
    elif kind == 1:
        del content[start:stop]
    elif kind == 2:
        content[start:start] = content[start:stop]
    else:
        content[start:stop] = tokens[int(random.integers(len(tokens)))]
    return bytes(content)


@pytest.mark.slow
def test_learned_agent_loads_neither_torch_nor_stable_baselines(tmp_path):
    path = make_folder(tmp_path / "a")
    code = (
        "import sys; from railbird.evaluation.tournament import TournamentSettings, run;"
        f"run(TournamentSettings.of('racing-aces', [{str(path)!r}], deals=2));"
        "heavy = {'torch', 'stable_baselines3', 'sb3_contrib', 'gymnasium'};"
        "print(sorted(heavy & sys.modules.keys()))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "[]"
