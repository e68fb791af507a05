"""Games of environments as replays: every variant, single and in lanes, copies, saved states."""

import copy
import json
import pickle

import numpy as np
import pytest
from gymnasium.wrappers import RecordEpisodeStatistics

from railbird.envs.recording import Recorder
from railbird.envs.sb3 import SeatVecEnv
from railbird.games.errors import InvalidSettings
from railbird.games.replay_reader import ReplayReader


def play_on(env, rng, legal_actions, seed=None):
    """Plays one episode and returns the learner's profit."""
    _, info = env.reset(seed=seed)
    profit, ended = info["profit"], False
    while not ended:
        action = legal_actions(info["action_mask"][None], rng)[0]
        _, _, ended, _, info = env.step(action)
        profit += info["profit"]
    return profit


def read(path):
    """A replay played to its end, and its last line."""
    with ReplayReader(path) as reader:
        for _ in reader.turns():
            pass
    return reader, json.loads(path.read_text().splitlines()[-1])


def test_every_game_is_written_as_the_learner_played_it(case, tmp_path, legal_actions):
    env, rng = case.make(**case.rotates), np.random.default_rng(3)
    with Recorder(env, tmp_path / "games") as recorder:
        profits = [play_on(env, rng, legal_actions, seed) for seed in (5, None, None, 2**100)]
    game = case.variant.game
    told = [(5, 0), (5, 1), (5, 2), (2**100, 0)]
    assert [path.name for path in recorder.files] == [f"{game}-{seed}-0-{of}.jsonl" for seed, of in told]
    for path, profit, (seed, episode) in zip(recorder.files, profits, told, strict=True):
        reader, last = read(path)
        start = reader.start
        assert (start.seed, start.lane, start.episode) == (seed, 0, episode)
        assert start.settings == env.table.options.settings
        assert start.players.index("learner") == start.eye
        assert reader.notice == "" and last["result"]["over"]
        assert reader.playback.totals[start.eye] == profit


def test_the_frames_are_those_the_environment_renders(short_case, tmp_path, legal_actions):
    env = short_case.make(render_mode="ansi")
    with Recorder(env, tmp_path) as recorder:
        play_on(env, np.random.default_rng(4), legal_actions, 9)
    from railbird.drawing import scene_text

    reader, _ = read(recorder.files[0])
    assert [scene_text(scene) + "\n" for scene in reader.playback.frames()] == env.render_race()


def test_a_lane_is_written_as_a_single_environment_with_its_number(short_case, tmp_path, legal_actions):
    lanes, rng = 4, np.random.default_rng(6)
    envs = short_case.make_vec(lanes, autoreset_mode="SameStep", lane=2)
    taken = [[] for _ in range(lanes)]
    with Recorder(envs, tmp_path / "lanes", lanes=(1, 3), episodes=2) as recorder:
        _, infos = envs.reset(seed=8)
        games = np.zeros(lanes, int)
        while games[[1, 3]].min() < 3:
            actions = legal_actions(infos["action_mask"], rng)
            for lane in np.flatnonzero(games < 2):
                taken[lane].append(actions[lane])
            _, _, ended, _, infos = envs.step(actions)
            games += ended
    assert len(recorder.files) == 4  # two games of each of the lanes asked for
    for number in (1, 3):
        env, script = short_case.make(lane=2 + number), iter(taken[number])
        with Recorder(env, tmp_path / f"alone-{number}") as alone:
            for seed in (8, None):
                env.reset(seed=seed)
                ended = False
                while not ended:
                    _, _, ended, _, _ = env.step(next(script))
        for path in alone.files:
            assert path.read_bytes() == (tmp_path / "lanes" / path.name).read_bytes()


def test_lanes_that_threads_step_are_recorded_too(tmp_path, short_of_id):
    case = short_of_id("railbird/Superfecta-v0")
    envs = case.make_vec(6, threads=2, autoreset_mode="SameStep")
    envs.reset(seed=4)  # the recorder comes later: it begins with the next episode
    with Recorder(envs, tmp_path, lanes=(5,)) as recorder:
        for _ in range(9):
            envs.step(np.zeros(6, np.int64))  # nobody bets: a race a step, four races a game
    assert [path.name for path in recorder.files] == [f"superfecta-4-5-{episode}.jsonl" for episode in (1, 2)]
    assert [read(path)[1]["result"]["turns"] for path in recorder.files] == [4, 1]


def test_wrapped_and_stable_baselines_environments_are_recorded(tmp_path, short_of_id, legal_actions):
    case = short_of_id("railbird/RacingAces-v0")
    wrapped = RecordEpisodeStatistics(case.make())
    with Recorder(wrapped, tmp_path / "wrapped") as one:
        play_on(wrapped, np.random.default_rng(1), legal_actions, 3)
    envs = SeatVecEnv(case.variant, 2, **case.settings)
    envs.seed(3)
    with Recorder(envs, tmp_path / "sb3", lanes=(1,), episodes=1) as other:
        envs.reset()
        for _ in range(9):
            envs.step(np.zeros(2, np.int64))
    assert [read(recorder.files[0])[0].notice for recorder in (one, other)] == ["", ""]


def test_a_game_that_is_left_is_whole_and_not_over(tmp_path, short_of_id):
    env = short_of_id("railbird/Superfecta-v0").make()
    with Recorder(env, tmp_path) as recorder:
        env.reset(seed=1)
        env.step(0)
        env.reset()  # the first game is left here, the second at the end
    for path, turns in zip(recorder.files, (1, 0), strict=True):
        reader, last = read(path)
        assert reader.notice == ""
        assert not last["result"]["over"] and last["result"]["turns"] == turns
    env.step(0)  # nobody listens any more
    assert len(recorder.files) == 2


def test_copies_play_on_without_being_recorded(tmp_path, short_of_id):
    env = short_of_id("railbird/Superfecta-v0").make()
    with Recorder(env, tmp_path) as recorder:
        env.reset(seed=1)
        for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
            other.step(0)
            other.reset()
        env.step(0)
    assert len(recorder.files) == 1
    assert read(recorder.files[0])[1]["result"]["turns"] == 1


def test_a_game_put_into_another_state_ends_its_file_with_a_warning(tmp_path, short_of_id):
    env = short_of_id("railbird/Superfecta-v0").make()
    with Recorder(env, tmp_path) as recorder:
        env.reset(seed=1)
        before = env.get_state()
        env.step(0)
        env.set_state(before)
        with pytest.warns(UserWarning, match="lane 0 was put into another state; .* ends before that"):
            env.step(0)
    reader, _ = read(recorder.files[0])
    assert int(reader.playback.game.state.turn[0]) == 1
    assert "is cut off" in reader.notice


def test_a_state_whose_root_seed_nobody_knows_is_told(tmp_path, short_of_id):
    case = short_of_id("railbird/Superfecta-v0")
    other, env = case.make(), case.make()
    other.reset(seed=6)
    env.set_state(other.get_state())
    with Recorder(env, tmp_path) as recorder:
        with pytest.warns(
            UserWarning, match="the root seed of lane 0 came with a saved state; reset it with"
        ):
            env.reset()
        assert recorder.files == []
        env.reset(seed=6)
        assert len(recorder.files) == 1


def test_what_cannot_be_recorded_is_refused(tmp_path, short_of_id):
    env = short_of_id("railbird/Superfecta-v0").make()
    with pytest.raises(InvalidSettings, match="only environments of Railbird with one learner a table"):
        Recorder(object(), tmp_path)
    with pytest.raises(InvalidSettings, match="a lane to record is a whole number from 0 to 0, not 1"):
        Recorder(env, tmp_path, lanes=(1,))
    with pytest.raises(InvalidSettings, match="episodes is a whole number from 1"):
        Recorder(env, tmp_path, episodes=0)
    (tmp_path / "file").write_text("")
    with pytest.raises(InvalidSettings, match=r"cannot write to .*; choose another folder"):
        Recorder(env, tmp_path / "file" / "folder")
    with Recorder(env, tmp_path):
        env.reset(seed=2)
        with pytest.raises(InvalidSettings, match=r"superfecta-2-0-0.jsonl exists; remove it"):
            env.reset(seed=2)
