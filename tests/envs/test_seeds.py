"""Chance in the environments: a pure function of seed, lane and episode, whoever else plays or draws."""

from __future__ import annotations

from typing import Any

import gymnasium as gym

from railbird.envs.checking import lanes, randomness
from railbird.envs.checking.doors import doors_of
from railbird.envs.checking.play import scripted

make: Any = gym.make  # our environments have more than its type says
make_vec: Any = gym.make_vec


def play(env, episodes, action_of, lane=0):
    """Everything one lane of a vector environment sees and earns in its first episodes."""
    seen, _ = env.reset(seed=9)
    story = [seen[lane]]
    step = 0
    while episodes:
        seen, rewards, ended, _, _ = env.step(action_of(env.action_masks(), step))
        story += [seen[lane], rewards[lane]]
        episodes -= bool(ended[lane])
        step += 1
    return story


def test_lane_0_is_the_same_for_any_number_of_lanes(case):
    lanes.lane_0_is_the_same_for_any_number(doors_of(case))


def test_the_first_lane_of_a_vector_environment_may_have_any_number(short_case, assert_same):
    wide, offset = short_case.make_vec(4), short_case.make_vec(2, lane=2)
    assert_same(play(wide, 8, scripted, lane=3), play(offset, 8, scripted, lane=1))


def test_actions_in_lane_0_do_not_alter_lane_1(case):
    lanes.lanes_are_isolated(doors_of(case))


def deals(env, seed, episodes=4):
    """The keys of every lane's chance in the first episodes of a seed: from them the cards are drawn."""
    keys = []
    for episode in range(episodes):
        env.reset(seed=seed if episode == 0 else None)
        keys += env.unwrapped.table.game.state.key.tolist()
    return keys


def test_neighbouring_seeds_of_superfecta_share_no_rail():
    env = make_vec("railbird/Superfecta-v0", 64)
    rails = set()
    for seed in range(4):
        for episode in range(4):
            env.reset(seed=seed if episode == 0 else None)
            rails |= set(map(tuple, env.table.game.state.rail_cards.tolist()))
    # 1,024 rails of 48!/42! = 8.8e9: the chance of any two being equal is 6e-5
    assert len(rails) == 4 * 4 * 64


def test_neighbouring_seeds_share_no_deal(variant):
    env = make_vec(variant.id, 16)
    assert len({key for seed in range(4) for key in deals(env, seed)}) == 4 * 4 * 16


def test_a_reset_without_a_seed_plays_the_next_episode_of_the_root(short_case, assert_same):
    one, other = short_case.make_vec(2), short_case.make_vec(2)
    env = short_case.make()
    assert deals(env, 5) == deals(env, 5)
    assert len(set(deals(env, 5))) == 4
    assert env.table.game.state.episode.tolist() == [3]
    assert_same(play(one, 6, scripted), play(other, 6, scripted))


def test_without_any_seed_the_root_is_new_and_can_be_asked(variant):
    one, other, again = (make(variant.id).unwrapped for _ in range(3))
    first = deals(one, None)
    assert first != deals(other, None)
    assert first == deals(again, one.np_random_seed)


def test_lanes_without_a_seed_share_a_new_root_and_play_apart(variant):
    env = make_vec(variant.id, 8)
    assert len(set(deals(env, None))) == 4 * 8
    other = make_vec(variant.id, 8)
    assert deals(other, env.np_random_seed) == deals(env, env.np_random_seed)
    assert len(set(env.table.game.state.root.tolist())) == 1


def test_a_list_of_seeds_seeds_lane_by_lane(variant):
    env = make_vec(variant.id, 3)
    env.reset(seed=[1, 2, None])
    state = env.table.game.state
    roots = state.root.tolist()
    env.reset(seed=[None, 2, None])
    assert state.root.tolist() == roots
    assert state.episode.tolist() == [1, 0, 1]  # lane 1 began its root again


def test_the_seat_rotates_with_the_episode(seated_case):
    env = seated_case.make(seat="rotate")
    players = env.table.game.settings.seats
    taken = []
    for episode in range(players + 1):
        env.reset(seed=3 if episode == 0 else None)
        taken.append(int(env.table.seat[0]))
    assert taken == [*range(players), 0]


def test_the_seat_of_a_house_stays(house_case):
    env = house_case.make()
    for seed in (1, None):
        env.reset(seed=seed)
        assert env.table.seat.tolist() == [env.table.game.settings.seats]


def test_global_generators_are_neither_read_nor_written(short_case):
    randomness.global_generators_are_left_alone(doors_of(short_case), steps=30)
