"""Runs that begin by imitation: what is learned of whom, exact resume, and where it has no place."""

import os
import signal
import sys
from typing import Any

import numpy as np
import pytest
import torch

from railbird import cli
from railbird.envs.learner_table import LearnerTable
from railbird.envs.options import read_options
from railbird.evaluation.blocks import make_agent
from railbird.evaluation.episodes import play_episodes
from railbird.games.errors import InvalidSettings, UnknownName
from railbird.training.generators import kept_process
from railbird.training.imitation import LOT, Imitation, returns_to_go, take_statistics
from railbird.training.run_settings import make_run
from railbird.training.train import Session, train
from railbird.training.warm_start import WarmStart

TINY = {"suits": 2, "ranks": 4, "hand_size": 2, "target": 4, "max_turns": 20}  # seven cards
LONG = {"imitate_epochs": 10, "imitate_rate": 1e-2, "hidden": (32,)}
PLAIN = {"chances": False, "reward": "expected"}  # not as the recipe has it
TAUGHT = {**TINY, **PLAIN, "imitate": "likeliest", "imitate_deals": 1_200, **LONG}
FAVOURITE = {"imitate": "favourite", "imitate_deals": 1_500, **LONG}


class Steps:
    """What is read of steps: rewards, where episodes end, and features."""

    def __init__(self, rewards, ends, seen=()):
        self.reward, self.terminal = np.array(rewards, np.float64), np.array(ends, bool)
        self.observation = np.array(seen, np.float32)

    def __len__(self):
        return len(self.reward)


def test_returns_to_go_are_discounted_and_end_with_their_episode():
    steps: Any = Steps([1, 0, 2, 3, -1], [False, False, True, False, True])
    # 1 + (0 + 2/2)/2 = 1.5; 0 + 2/2 = 1; 2 | 3 - 1/2 = 2.5; -1
    assert returns_to_go(steps, 0.5).tolist() == [1.5, 1, 2, 2.5, -1]
    assert returns_to_go(steps, 1.0).tolist() == [3, 2, 2, 2, -1]
    assert returns_to_go(steps, 0.0).tolist() == [1, 0, 2, 3, -1]


def test_normalisation_begins_with_what_the_agent_saw_and_earned():
    class Kept:
        mean: Any = None
        var: Any = None
        count = 0.0

    kept = {"obs": Kept(), "ret": Kept()}
    steps: Any = Steps([0, 0, 0], [True] * 3, [[1, 5], [3, 5], [5, 5]])
    take_statistics(kept, steps, np.array([1.0, 2.0, 6.0]))
    assert kept["obs"].mean.tolist() == [3, 5]
    np.testing.assert_allclose(kept["obs"].var, [8 / 3, 0])  # (4 + 0 + 4) / 3
    assert kept["ret"].mean == 3
    assert kept["ret"].var == pytest.approx(14 / 3)  # (4 + 1 + 9) / 3
    assert (kept["obs"].count, kept["ret"].count) == (3, 3)


# ---- what is learned


def agreement(session, teacher, first=5_000, deals=300):
    """The share of the agent's actions, where there is a choice, that the policy finds likeliest, on deals
    that nobody has learned from; and the share of its choices that are legal.
    """
    run = session.run
    line_up = (teacher.text,) if run.self_play is not None else run.line_ups[0]
    options = read_options(run.variant, {**run.environment(line_up), "seat": 0, "lane": first})
    steps = play_episodes(
        LearnerTable(options, deals), make_agent(teacher, options.settings), teacher.text, 9
    )
    choice = steps.action_mask.sum(1) > 1
    seen = session.tables.normalizer.normalize_obs(steps.observation[choice])
    masks = {"action_masks": steps.action_mask[choice].astype(bool)} if run.learner.masked else {}
    chosen, _ = session.model.predict(seen, deterministic=True, **masks)
    legal = steps.action_mask[choice][np.arange(len(chosen)), chosen]
    return float((chosen == steps.action[choice]).mean()), float(legal.mean())


def begun(run, folder, *companions):
    """A session before its first action."""
    with kept_process(1):
        return Session(run, folder, None, None, companions)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "algo", "settings", "asked"),
    [
        ("save-the-bet", "maskable-ppo", TAUGHT, {}),
        ("save-the-bet", "maskable-ppo", TAUGHT | {"chances": True}, {"self_play": True}),
        ("save-the-bet", "a2c", TAUGHT, {}),
        ("racing-aces", "maskable-ppo", FAVOURITE, {}),
        ("racing-aces", "ppo", FAVOURITE, {"opponents": "zoo"}),
    ],
)
def test_a_run_begins_with_what_the_agent_does(small_run, tmp_path, game, algo, settings, asked):
    run = small_run(game, algo, settings=settings, **asked)
    before, _ = agreement(begun(run, tmp_path / "fresh"), run.teacher)
    session = begun(run, tmp_path / "taught", Imitation(run))
    after, legal = agreement(session, run.teacher)
    assert after > max(0.85, before + 0.15)
    assert legal > 0.97  # also by who is not told what is legal
    assert session.step == 0  # imitation is no step of training


@pytest.mark.slow
def test_the_values_begin_as_what_the_agent_earned(small_run, tmp_path):
    run = small_run("save-the-bet", settings=TAUGHT | {"normalize_rewards": False})
    off = []
    for name, companions in (("fresh", ()), ("taught", (Imitation(run),))):
        session = begun(run, tmp_path / name, *companions)
        options = read_options(run.variant, {**run.environment(run.line_ups[0]), "seat": 0, "lane": 5_000})
        agent = make_agent(run.teacher, options.settings)
        steps = play_episodes(LearnerTable(options, 300), agent, "likeliest", 9)
        seen = session.tables.normalizer.normalize_obs(steps.observation)
        policy: Any = session.model.policy
        with torch.no_grad():
            values = policy.predict_values(torch.from_numpy(seen.astype(np.float32))).numpy().ravel()
        off.append(((returns_to_go(steps, run.learner.gamma) - values) ** 2).mean())
    spread = returns_to_go(steps, run.learner.gamma).var()
    assert off[1] < off[0]
    assert off[1] < 0.95 * spread  # better than one number for all


@pytest.mark.slow
def test_every_line_up_and_every_seat_are_learned_from(small_run):
    run = small_run(opponents="zoo", settings={"seats": 3, "imitate": "favourite", "imitate_deals": 2 * LOT})
    line_ups = run.line_ups
    assert len(line_ups) > 1
    imitation = Imitation(run)
    lots = [imitation._play(first, LOT) for first in (0, LOT)]
    for number, steps in enumerate(lots):
        assert np.unique(steps.deal).tolist() == list(range(number * LOT, (number + 1) * LOT))
        assert (steps.seat == number).all()
        # the first deals of the lot are those among the first line-up
        options = read_options(
            run.variant, {**run.environment(line_ups[0]), "seat": number, "lane": number * LOT}
        )
        agent = make_agent(run.teacher, options.settings)
        alone = play_episodes(LearnerTable(options, 4), agent, "favourite", 2**65 + run.seed)
        np.testing.assert_array_equal(steps.observation[: len(alone)], alone.observation)
        options = read_options(
            run.variant, {**run.environment(line_ups[-1]), "seat": number, "lane": (number + 1) * LOT - 1}
        )
        agent = make_agent(run.teacher, options.settings)
        alone = play_episodes(LearnerTable(options, 1), agent, "favourite", 2**65 + run.seed)
        np.testing.assert_array_equal(steps.observation[-len(alone) :], alone.observation)


@pytest.mark.slow
def test_who_watches_is_told_how_far_it_is(small_run, tmp_path):
    run, told = small_run("save-the-bet", settings=TAUGHT), []
    with kept_process(1):
        Session(
            run, tmp_path, None, lambda entry, steps: told.append((entry.metrics, steps)), [Imitation(run)]
        )
    # 512 deals a lot, of 1,200
    shares = [512 / 1_200, 1_024 / 1_200, 1.0]
    assert told == [({"imitated": share}, 256) for share in shares]


# ---- breaking off


def ends_of(folder):
    """The bytes of an agent."""
    return [(folder / "agent" / name).read_bytes() for name in ("agent.json", "policy.safetensors")]


@pytest.mark.slow
@pytest.mark.parametrize("killed_at", ["imitation", 64, 384])
def test_run_that_was_broken_off_ends_as_one_that_was_not(small_run, tmp_path, monkeypatch, killed_at):
    run = small_run("save-the-bet", steps=512, settings=TAUGHT | {"n_steps": 4})
    train(run, tmp_path / "whole")

    class Killed(Exception):
        pass

    note, tell, play, begins = Session.note, Imitation._tell, Imitation._play, []

    def dying(self, at_once=False):
        if self.step >= killed_at:
            raise Killed
        note(self, at_once)

    def dying_soon(self, session, share):
        if share > 0.8:
            raise Killed
        tell(self, session, share)

    soon = killed_at == "imitation"
    with monkeypatch.context() as patch:
        patch.setattr(*((Imitation, "_tell", dying_soon) if soon else (Session, "note", dying)))
        with pytest.raises(Killed):
            train(run, tmp_path / "parts")
    saved = list((tmp_path / "parts").glob("checkpoints/0*"))
    assert bool(saved) == (killed_at == 384)

    def counted(self, *lot):
        begins.append(lot)
        return play(self, *lot)

    monkeypatch.setattr(Imitation, "_play", counted)
    train(run, tmp_path / "parts")
    assert bool(begins) == (killed_at != 384)  # nothing is imitated twice
    assert ends_of(tmp_path / "whole") == ends_of(tmp_path / "parts")


@pytest.mark.slow
def test_interrupt_before_the_first_checkpoint_says_that_the_run_begins_anew(tmp_path, monkeypatch, capsys):
    out = tmp_path / "run"
    options = [f"{name}={value}" for name, value in {**TINY, "imitate": "likeliest", "lanes": 16}.items()]
    command = ["railbird", "train", "save-the-bet", "--steps", "256", "--out", str(out)]
    monkeypatch.setattr(sys, "argv", [*command, *(part for text in options for part in ("--set", text))])

    def interrupted(self, session, share):
        os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(Imitation, "_tell", interrupted)
    with pytest.raises(SystemExit) as left:
        cli.main()
    assert left.value.code == 130
    told = capsys.readouterr().err
    assert told.startswith(f"railbird: there is no checkpoint in {out} yet; the same command begins anew\n")
    assert not (out / "checkpoints").exists()


# ---- where it has no place


@pytest.mark.slow
def test_a_run_that_starts_where_another_ended_imitates_nobody(small_run, tmp_path, monkeypatch):
    run = small_run("save-the-bet", settings=TAUGHT)
    agent = train(run, tmp_path / "first").agent

    def asked(self, session):
        raise AssertionError("it imitates")

    monkeypatch.setattr(Imitation, "begin", asked)
    trained = train(run, tmp_path / "second", companions=[WarmStart(agent)])
    assert trained.agent.is_dir()
    with pytest.raises(AssertionError, match="it imitates"):
        train(run, tmp_path / "third")


@pytest.mark.parametrize(
    ("asked", "kind", "message"),
    [
        (
            {"game": "save-the-bet", "settings": {"imitate": "likelyest"}},
            UnknownName, "there is no agent for save-the-bet 'likelyest'; did you mean 'likeliest'",
        ),
        (
            {"game": "horse-race", "settings": {"imitate": "favourite"}},
            InvalidSettings, "whole tickets and recurrent-ppo learn from nobody; leave imitate empty",
        ),
        (
            {"game": "superfecta", "algo": "ppo", "settings": {"imitate": "box", "action": "ticket"}},
            InvalidSettings, "whole tickets and recurrent-ppo learn from nobody",
        ),
        (
            {"game": "save-the-bet", "algo": "recurrent-ppo", "settings": {"imitate": "likeliest"}},
            InvalidSettings, "or action at 'wager' and take maskable-ppo, ppo or a2c",
        ),
        (
            {"game": "save-the-bet", "algo": "dqn", "settings": {"imitate": "likeliest"}},
            UnknownName, "no setting of dqn or save-the-bet 'imitate'",
        ),
        (
            {"game": "save-the-bet", "settings": {"imitate": "likeliest", "imitate_deals": 0}},
            InvalidSettings, "imitate_deals is a whole number from 1|imitate_deals is a number from 1",
        ),
    ],
)  # fmt: skip
def test_runs_that_cannot_imitate_are_refused(asked, kind, message):
    with pytest.raises(kind, match=message):
        make_run(**asked)


def test_nobody_is_imitated_unless_somebody_is_named():
    assert make_run("save-the-bet", "ppo").teacher is None
    assert make_run("save-the-bet", settings={"imitate": ""}).teacher is None
    teacher: Any = make_run("save-the-bet", settings={"imitate": "likeliest"}).teacher
    assert teacher.text == "likeliest"
