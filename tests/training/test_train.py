"""Training runs, a few hundred steps each: exact resume, the agent they leave, errors that cost nothing."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from typing import Any

import numpy as np
import pytest
import torch

from railbird.agents.learned.folder import read_agent
from railbird.agents.registry import parse_agent
from railbird.games.errors import BrokenFile, InvalidSettings, RailbirdError
from railbird.training import durable
from railbird.training.checkpoints import Checkpoints
from railbird.training.models import make_model
from railbird.training.scoring import score_folder
from railbird.training.tables import TrainingTables, share_out
from railbird.training.train import Paused, Session, train

pytestmark = pytest.mark.slow


def tensors_of(folder):
    """The last checkpoint of a run, but for the time it took."""
    last = sorted((folder / "checkpoints").iterdir())[-1]
    state = json.loads((last / "state.json").read_text())
    del state["seconds"]
    return last.name, (last / "state.safetensors").read_bytes(), state


def stop_at(monkeypatch, step):
    """Breaks a run off in the middle of things, as kill -9 does, once it has gone so far."""

    class Killed(Exception):
        pass

    note = Session.note

    def dying(self, at_once=False):
        if self.step >= step:
            raise Killed
        note(self, at_once)

    monkeypatch.setattr(Session, "note", dying)
    return Killed


@pytest.mark.parametrize("algo", ["maskable-ppo", "ppo", "a2c", "dqn", "recurrent-ppo", "sac"])
def test_run_that_was_broken_off_ends_as_one_that_was_not(small_run, tmp_path, monkeypatch, algo):
    run = small_run(algo=algo, steps=512)
    train(run, tmp_path / "whole")
    with monkeypatch.context() as patch, pytest.raises(stop_at(patch, 384)):
        train(run, tmp_path / "parts")
    assert len(list((tmp_path / "parts" / "checkpoints").iterdir())) == 2  # of steps 128 and 256
    train(run, tmp_path / "parts")
    assert tensors_of(tmp_path / "whole") == tensors_of(tmp_path / "parts")
    for name in ("policy.safetensors", "agent.json"):
        assert (tmp_path / "whole/agent" / name).read_bytes() == (
            tmp_path / "parts/agent" / name
        ).read_bytes()
    steps = [line.split(",")[0] for line in (tmp_path / "parts/progress.csv").read_text().splitlines()]
    assert steps == sorted(set(steps), key=steps.index)
    assert steps[-1] == "512"


def test_half_written_tickets_and_rivals_memories_are_resumed_too(small_run, tmp_path, monkeypatch):
    # Superfecta: after 24 actions of 16 tables tickets are half written; followers remember past races
    run = small_run("superfecta", steps=512, opponents="follower,chaser,box,random", settings={"seats": 5})
    train(run, tmp_path / "whole")
    with monkeypatch.context() as patch, pytest.raises(stop_at(patch, 384)):
        train(run, tmp_path / "parts")
    train(run, tmp_path / "parts")
    assert tensors_of(tmp_path / "whole") == tensors_of(tmp_path / "parts")


def test_several_line_ups_are_resumed_too(small_run, tmp_path, monkeypatch):
    run = small_run("racing-aces", steps=384, opponents="zoo", settings={"seats": 5})
    assert len(run.line_ups) == 2
    train(run, tmp_path / "whole")
    with monkeypatch.context() as patch, pytest.raises(stop_at(patch, 256)):
        train(run, tmp_path / "parts")
    train(run, tmp_path / "parts")
    assert tensors_of(tmp_path / "whole") == tensors_of(tmp_path / "parts")


class Diary:
    """A companion that counts updates."""

    name = "diary"

    def __init__(self):
        self.steps = []

    def begin(self, session):
        assert session.step == 0

    def note(self, session):
        return {}

    def between_updates(self, session):
        self.steps.append(session.step)

    def save(self):
        return {"steps": self.steps}

    def load(self, saved, session):
        self.steps = list(saved["steps"])


def test_companion_of_a_run_is_told_saved_and_resumed(small_run, tmp_path, monkeypatch):
    run = small_run(steps=512)
    whole, first, second = Diary(), Diary(), Diary()
    train(run, tmp_path / "whole", companions=[whole])
    assert whole.steps == [0, 128, 256, 384]  # before each of four updates
    with monkeypatch.context() as patch, pytest.raises(stop_at(patch, 384)):
        train(run, tmp_path / "parts", companions=[first])
    train(run, tmp_path / "parts", companions=[second])
    assert first.steps == [0, 128, 256]  # of which 256 came behind the checkpoint
    assert second.steps == whole.steps


def test_killed_process_is_gone_on_with(tmp_path):
    command = [
        sys.executable, "-m", "railbird", "train", "racing-aces", "--steps", "20480",
        "--checkpoint-every", "4096", "--set", "lanes=64", "--set", "batch_size=512", "--deals", "40",
        "--json",
    ]  # fmt: skip
    whole = subprocess.run(
        [*command, "--out", tmp_path / "whole"], capture_output=True, text=True, check=True
    )
    process = subprocess.Popen([*command, "--out", tmp_path / "parts"])
    while not list(tmp_path.glob("parts/checkpoints/0*")):
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    parts = subprocess.run(
        [*command, "--out", tmp_path / "parts"], capture_output=True, text=True, check=True
    )
    told = [json.loads(text) for text in (whole.stdout, parts.stdout)]
    for score in told:
        del score["agent"]  # its path
    assert told[0] == told[1]
    assert tensors_of(tmp_path / "whole") == tensors_of(tmp_path / "parts")


def test_interrupt_saves_and_says_how_to_go_on(tmp_path):
    command = [
        sys.executable, "-m", "railbird", "train", "racing-aces", "--steps", "100000000",
        "--set", "lanes=64", "--set", "batch_size=512", "--out", tmp_path / "run",
    ]  # fmt: skip
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    log = tmp_path / "run" / "progress.csv"
    while not (log.exists() and log.read_text().count("\n") > 2):
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=120)
    assert process.returncode == 130
    assert f"saved in {tmp_path / 'run'}; the same command goes on from there" in told
    (saved,) = (tmp_path / "run" / "checkpoints").iterdir()
    assert int(saved.name) == int(log.read_text().splitlines()[-1].split(",")[0])


def test_first_interrupt_waits_for_the_update_and_the_second_does_not(small_run, tmp_path, monkeypatch):
    steps = []
    note = Session.note

    def interrupted(self, at_once=False):
        note(self, at_once)
        steps.append(self.step)
        os.kill(os.getpid(), signal.SIGINT)
        if len(steps) == 2:
            os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(Session, "note", interrupted)
    run = small_run(steps=1_024, checkpoint_every=1_000)
    with pytest.raises(Paused):
        train(run, tmp_path / "run")
    assert [int(path.name) for path in (tmp_path / "run/checkpoints").iterdir()] == steps == [128]
    with pytest.raises(KeyboardInterrupt):
        train(run, tmp_path / "run")
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.parametrize("algo", ["maskable-ppo", "ppo", "a2c", "dqn", "recurrent-ppo"])
@pytest.mark.parametrize("game", ["racing-aces", "superfecta", "bookmaker", "save-the-bet"])
def test_agent_decides_as_the_model_it_was_exported_from(small_run, tmp_path, game, algo):
    """On real observations, deterministic: the same action wherever the best is better than the second by
    more than float32 rounds.
    """
    run = small_run(game, algo, steps=256)
    trained = train(run, tmp_path / "run")
    folder = read_agent(trained.agent)
    session = Session(run, tmp_path / "run", Checkpoints(tmp_path / "run/checkpoints").last())
    venv, model = session.tables.venv, session.model
    session.tables.normalizer.training = False  # as the agent has it
    venv.seed(77)
    seen: Any = venv.reset()
    memory = np.zeros((2, run.learner.lanes, folder.facts.memory), np.float32)
    starts, state, compared = np.ones(run.learner.lanes, bool), None, 0
    for _ in range(40):
        raw = session.tables.seats.table.observe()
        mask = session.tables.seats.action_masks()
        asked = {"action_masks": mask} if algo == "maskable-ppo" else {}
        chosen, state = model.predict(seen, state=state, episode_start=starts, deterministic=True, **asked)
        memory[:, starts] = 0
        scores = folder.network.scores(raw, tuple(memory) if folder.facts.memory else None)
        allowed = np.where(mask, scores, -np.inf) if algo == "maskable-ppo" else scores
        ordered = np.sort(allowed, axis=1)
        clear = ordered[:, -1] - ordered[:, -2] > 1e-4
        assert np.array_equal(allowed.argmax(axis=1)[clear], chosen[clear])
        compared += int(clear.sum())
        seen, _, starts, _ = venv.step(chosen)
    assert compared > 40 * run.learner.lanes * 0.8


@pytest.mark.parametrize("game", ["racing-aces", "superfecta", "horse-race"])
def test_agent_stakes_the_shares_that_its_model_says(small_run, tmp_path, game):
    """On real observations: the same tickets, but for shares that lie where rounding to chips begins."""
    run = small_run(game, "sac", settings={"most": "1/4"})
    agent = parse_agent(str(train(run, tmp_path / "run").agent), game).make(run.make_rules())
    session = Session(run, tmp_path / "run", Checkpoints(tmp_path / "run/checkpoints").last())
    venv, table = session.tables.venv, session.tables.seats.table
    session.tables.normalizer.training = False
    venv.seed(77)
    seen: Any = venv.reset()
    same, staked = [], 0
    for _ in range(20):
        chosen, _ = session.model.predict(seen, deterministic=True)
        view = table.game.view(table.seat)
        decided = agent.act(view, table.game.draws(table.seat))
        draft = table.encoding.begin(view)
        table.actions.mask(view, draft)
        table.actions.write(draft, table.actions.read(chosen, table.lanes), np.ones(table.lanes, bool))
        same.append((table.encoding.decision(draft) == decided).mean())
        staked += int(decided.sum())
        seen = venv.step(chosen)[0]
    assert np.mean(same) > 0.99
    assert staked > 0


def test_lines_up_of_several_rivals_train_on_shares_too(small_run, tmp_path):
    run = small_run("racing-aces", "sac", opponents="zoo", settings={"seats": 5})
    assert train(run, tmp_path / "run").score.faults == 0


def test_shares_are_for_who_writes_tickets(small_run, tmp_path):
    with pytest.raises(
        InvalidSettings, match="StakeFractions is for bettors; this learner at bookmaker quotes"
    ):
        train(small_run("bookmaker", "sac"), tmp_path / "a")
    with pytest.raises(
        InvalidSettings, match="StakeFractions is for games with tickets; save-the-bet has none"
    ):
        train(small_run("save-the-bet", "sac"), tmp_path / "b")


def test_agent_that_says_shares_has_no_chances_to_draw_from(small_run, tmp_path):
    trained = train(small_run(algo="sac"), tmp_path / "run")
    agent = parse_agent(f"{trained.agent}:sample=true", "racing-aces")
    with pytest.raises(InvalidSettings, match="its policy says shares, not chances of actions: leave sample"):
        agent.make(small_run().make_rules())


@pytest.mark.parametrize("algo", ["maskable-ppo", "recurrent-ppo", "dqn", "sac"])
def test_score_at_the_end_is_what_eval_says(small_run, tmp_path, algo):
    trained = train(small_run(algo=algo), tmp_path / "run")
    again = score_folder(str(tmp_path / "run"), deals=40)
    assert trained.score.to_json() == again.to_json()
    assert (tmp_path / "run/score.json").read_text() == again.to_json() + "\n"


def test_what_a_finished_run_is_asked_again_is_the_same(small_run, tmp_path):
    run = small_run()
    first, second = train(run, tmp_path / "run"), train(run, tmp_path / "run")
    assert first.score == second.score


def test_finished_run_goes_on_when_more_steps_are_asked_for(small_run, tmp_path):
    train(small_run(steps=512), tmp_path / "whole")
    train(small_run(steps=256), tmp_path / "parts")
    train(small_run(steps=512), tmp_path / "parts")
    assert tensors_of(tmp_path / "whole") == tensors_of(tmp_path / "parts")
    with pytest.raises(InvalidSettings, match="holds a run of 512 steps, not 256; ask for no fewer"):
        train(small_run(steps=256), tmp_path / "parts")


def test_folder_of_another_run_is_refused(small_run, tmp_path):
    train(small_run(), tmp_path / "run")
    with pytest.raises(InvalidSettings, match="holds a run with seed 1, not 2; choose another folder"):
        train(small_run(seed=2), tmp_path / "run")
    with pytest.raises(InvalidSettings, match=r"holds a run with gamma 0\.9, not 0\.8; choose another"):
        train(small_run(settings={"gamma": 0.8}), tmp_path / "run")


def test_settings_of_a_run_that_cannot_be_read_are_refused(small_run, tmp_path):
    (tmp_path / "run.json").write_text("{")
    with pytest.raises(BrokenFile, match=r"run\.json cannot be read; choose another folder"):
        train(small_run(), tmp_path)
    (tmp_path / "run.json").write_text('{"format": 9, "steps": 1}')
    with pytest.raises(BrokenFile, match=r"run\.json has format 9, not 1"):
        train(small_run(), tmp_path)


def test_damaged_checkpoint_stops_the_run_and_the_one_before_goes_on(small_run, tmp_path):
    run = small_run(steps=384)
    train(run, tmp_path / "whole")
    train(run, tmp_path / "run")
    last = sorted((tmp_path / "run/checkpoints").iterdir())[-1]
    (last / "state.safetensors").write_bytes(b"no")
    with pytest.raises(BrokenFile, match="go on from the one at step 256"):
        train(run, tmp_path / "run")
    for file in last.iterdir():
        file.unlink()
    last.rmdir()
    train(run, tmp_path / "run")
    assert tensors_of(tmp_path / "whole") == tensors_of(tmp_path / "run")


def test_full_disk_stops_the_run_and_costs_nothing(small_run, tmp_path, monkeypatch):
    run = small_run(steps=512)
    train(run, tmp_path / "whole")
    written = []
    flush = durable._flush

    def full(path, content):
        if path.name == "state.safetensors":
            written.append(path)
            if len(written) == 3:
                raise OSError(28, "No space left on device")
        flush(path, content)

    with monkeypatch.context() as patch:
        patch.setattr(durable, "_flush", full)
        with pytest.raises(RailbirdError, match=r"cannot write .*000384: No space left on device; what was"):
            train(run, tmp_path / "run")
    train(run, tmp_path / "run")
    assert tensors_of(tmp_path / "whole") == tensors_of(tmp_path / "run")


def test_place_that_cannot_be_written_to_is_named(small_run, tmp_path):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(RailbirdError, match=r"cannot write .*file/run/run\.json"):
        train(small_run(), tmp_path / "file" / "run")


def test_networks_that_diverge_are_told_in_one_line(small_run, tmp_path):
    run = small_run(steps=4_096, settings={"learning_rate": 10.0, "max_grad_norm": 1e9, "hidden": (64, 64)})
    model = make_model(run.learner, TrainingTables(run).venv, 1)
    assert torch.isfinite(next(iter(model.policy.parameters()))).all()
    session = Session(run, tmp_path, None)
    with torch.no_grad():
        next(iter(session.model.policy.parameters())).fill_(float("nan"))
    with pytest.raises(RailbirdError, match=r"the networks diverged after .* steps"):
        session.learn()


def test_global_generators_are_left_as_they_were(small_run, tmp_path):
    random.seed(5)
    np.random.seed(5)  # noqa: NPY002 - the global generator is what is tested
    torch.manual_seed(5)
    before = random.random(), np.random.random(), torch.rand(1).item()  # noqa: NPY002
    random.seed(5)
    np.random.seed(5)  # noqa: NPY002
    torch.manual_seed(5)
    threads = torch.get_num_threads()
    train(small_run(), tmp_path / "run")
    assert (random.random(), np.random.random(), torch.rand(1).item()) == before  # noqa: NPY002
    assert torch.get_num_threads() == threads


def test_two_seeds_train_two_agents(small_run, tmp_path):
    weights = [
        (train(small_run(seed=seed), tmp_path / str(seed)).agent / "policy.safetensors").read_bytes()
        for seed in (1, 2)
    ]
    assert weights[0] != weights[1]


def test_lanes_are_shared_out_evenly():
    assert share_out(10, 4).tolist() == [3, 3, 2, 2]
    assert share_out(2, 2).tolist() == [1, 1]


def test_racing_aces_is_learned_in_seconds(tmp_path):
    """80,000 actions: better than what bets at random by a wide margin, and in profit for sure."""
    from railbird.training.run_settings import make_run

    train(make_run("racing-aces", steps=120_000, deals=500), tmp_path / "run")
    score = score_folder(str(tmp_path / "run"), deals=1_000, against=["random", "null"])
    low, _ = score.interval
    assert low is not None and low > 0.05  # of 0.0719 there are
    assert {pair.rival: pair.verdict for pair in score.comparisons} == {"random": "better", "null": "better"}
    assert score.faults == 0


def test_trained_agent_plays_ten_thousand_games_without_a_fault(small_run, tmp_path):
    trained = train(small_run("horse-race", steps=512), tmp_path / "run")
    for options in ("", ":sample=true"):
        score = score_folder(f"{trained.agent}{options}", deals=10_000)
        assert score.faults == 0
    assert parse_agent(f"{trained.agent}:sample=true", "horse-race").options == (("sample", True),)
