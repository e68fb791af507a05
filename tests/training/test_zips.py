"""Models that Stable-Baselines3 saved become agent folders, if their zip is trusted."""

import pytest

import railbird.envs
from railbird.agents.learned.folder import read_agent
from railbird.agents.registry import parse_agent
from railbird.games.errors import BrokenFile, InvalidSettings
from railbird.training.models import class_of
from railbird.training.run_settings import make_run
from railbird.training.zips import convert


@pytest.fixture
def zipped(tmp_path):
    venv = railbird.envs.sb3_vec_env("racing-aces", 4)
    model = class_of("maskable-ppo")(
        "MlpPolicy", venv, n_steps=8, batch_size=32, seed=1, device="cpu", policy_kwargs={"net_arch": [7]}
    )
    model.learn(32)
    model.save(tmp_path / "model.zip")
    return tmp_path / "model.zip"


def test_zip_is_not_loaded_unless_it_is_trusted(tmp_path):
    # a file that is no zip at all: it has not been looked into
    (tmp_path / "model.zip").write_bytes(b"cos\nsystem\n")
    with pytest.raises(InvalidSettings, match=r"model\.zip can run code when it is loaded; say --trust"):
        convert(tmp_path / "model.zip", make_run("racing-aces"), tmp_path / "agent")
    with pytest.raises(BrokenFile, match=r"model\.zip is no zip of Stable-Baselines3"):
        convert(tmp_path / "model.zip", make_run("racing-aces"), tmp_path / "agent", trusted=True)


def test_trusted_zip_becomes_an_agent(zipped, tmp_path):
    path = convert(zipped, make_run("racing-aces"), tmp_path / "agent", trusted=True)
    assert read_agent(path).facts.hidden == (7,)
    assert read_agent(path).facts.clip is None
    parse_agent(str(path), "racing-aces").make(make_run("racing-aces").make_rules())


def test_zip_of_another_table_is_refused(zipped, tmp_path):
    message = r"was trained for observations \(\d+,\) and 5 actions, not \(99,\) and 41 as at this table"
    with pytest.raises(InvalidSettings, match=message):
        convert(zipped, make_run("superfecta", "maskable-ppo"), tmp_path / "agent", trusted=True)
    with pytest.raises(BrokenFile, match="cannot be loaded as dqn"):
        convert(zipped, make_run("racing-aces", "dqn"), tmp_path / "agent", trusted=True)


def test_zip_among_the_agents_is_told_how_to_become_one():
    with pytest.raises(InvalidSettings, match=r"railbird convert runs/model\.zip superfecta --trust"):
        parse_agent("runs/model.zip", "superfecta")
