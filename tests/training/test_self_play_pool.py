"""The pool by itself: who is met how often, how far back that reaches, who leaves."""

import numpy as np
import pytest

from railbird.games.errors import BrokenFile, InvalidSettings, UnknownName
from railbird.training.pool import Kind, Member, Pool, f_hard, f_var
from railbird.training.pool_rivals import count_copies, share_kinds
from railbird.training.run_settings import make_run
from railbird.training.self_play_settings import SelfPlaySettings, named_agents


def nobody():
    raise AssertionError("nobody is seated here")


def pool_of(snapshots=(), named=("a", "b"), **settings):
    members = [Member("latest", Kind.LATEST, nobody)]
    members += [Member(name, Kind.NAMED, nobody) for name in named]
    pool = Pool(SelfPlaySettings(**settings), members)
    for name in snapshots:
        pool.add(Member(name, Kind.SNAPSHOT, nobody, f"hash of {name}"))
    return pool


def play(pool, number, won, drawn, lost):
    profits = np.repeat([1, 0, -1], [won, drawn, lost])
    pool.count(np.full(len(profits), number), profits)


def test_hard_and_var_are_what_the_paper_says():
    # (1 - 0.2)^2 = 0.64, (1 - 0.5)^2 = 0.25; 0.2 · 0.8 = 0.16, 0.5 · 0.5 = 0.25
    p = np.array([0.2, 0.5, 1.0])
    assert f_hard(p, 2.0) == pytest.approx([0.64, 0.25, 0.0])
    assert f_var(p) == pytest.approx([0.16, 0.25, 0.0])


def test_chances_go_by_the_games_and_one_of_two_unknown_ones():
    # a: (6 won + 2 drawn / 2 + 1) / (8 + 2) = 0.8; b: (0 + 1) / (8 + 2) = 0.1
    # hard: 0.2^2 = 0.04 and 0.9^2 = 0.81, of 0.85; var: 0.16 and 0.09, of 0.25
    for sampling, expected in (
        ("hard", [0.04 / 0.85, 0.81 / 0.85]),
        ("var", [0.64, 0.36]),
        ("uniform", [0.5, 0.5]),
    ):
        pool = pool_of(sampling=sampling)
        play(pool, 1, 6, 2, 0)
        play(pool, 2, 0, 0, 8)
        pool.renew()
        assert pool.chances()[1:] == pytest.approx(expected)
        assert pool.chances()[0] == 1  # of the seats of the latest self


def test_nothing_changes_between_renewals():
    pool = pool_of()
    before = pool.chances()
    play(pool, 1, 50, 0, 0)
    assert (pool.chances() == before).all()
    pool.renew()
    assert pool.chances()[1] < before[1]


def test_recent_games_push_older_ones_out_of_the_window():
    pool = pool_of(window=10)
    play(pool, 1, 10, 0, 0)
    pool.renew()
    play(pool, 1, 0, 0, 10)
    pool.renew()
    # 20 games with 10 points are scaled to 10 games with 5: (5 + 1) / (10 + 2)
    assert pool.members[1].chance == 0.5
    assert pool.members[1].win_rate == 0.5
    play(pool, 1, 0, 0, 10)
    pool.renew()
    assert pool.members[1].chance == pytest.approx((2.5 + 1) / 12)
    assert pool.members[1].win_rate == pytest.approx(10 / 30)


def test_draws_come_as_often_as_the_chances_say():
    pool = pool_of(["s"], named=("a", "b"), sampling="hard")
    play(pool, 1, 8, 0, 0)  # p = 0.9
    play(pool, 2, 0, 0, 8)  # p = 0.1: 0.01 and 0.81 of 0.82
    pool.renew()
    uniform = (np.arange(8_200) + 0.5) / 8_200
    drawn = pool.draw(np.full(8_200, Kind.NAMED), uniform)
    assert np.bincount(drawn, minlength=4).tolist() == [0, 100, 8_100, 0]
    assert pool.draw(np.array([Kind.LATEST, Kind.SNAPSHOT]), np.array([0.3, 0.999999])).tolist() == [0, 3]


def test_seat_of_a_snapshot_goes_to_the_latest_self_while_there_is_none():
    assert pool_of().draw(np.array([Kind.SNAPSHOT]), np.array([0.5])).tolist() == [0]


def test_weights_that_are_given_never_change():
    pool = pool_of(pool=("a", "b"), weights=(3.0, 1.0))
    play(pool, 1, 100, 0, 0)
    pool.renew()
    assert pool.chances()[1:].tolist() == [0.75, 0.25]


def test_who_is_beaten_most_leaves_a_full_pool_and_never_the_newest():
    pool = Pool(SelfPlaySettings(snapshots=2), [Member("latest", Kind.LATEST, nobody)])
    for name in ("s1", "s2"):
        pool.add(Member(name, Kind.SNAPSHOT, nobody))
    play(pool, 1, 1, 0, 9)
    play(pool, 2, 9, 0, 1)
    pool.renew()
    pool.add(Member("s3", Kind.SNAPSHOT, nobody))
    assert [member.name for member in pool.members if member.active] == ["latest", "s1", "s3"]
    play(pool, 3, 10, 0, 0)
    pool.renew()
    pool.add(Member("s4", Kind.SNAPSHOT, nobody))  # s3 is the easiest now
    assert [member.name for member in pool.members if member.active] == ["latest", "s1", "s4"]
    assert pool.chances()[[2, 3]].tolist() == [0, 0]
    assert pool.members[2].games == 10  # what was played stays known


def test_saved_pool_goes_on_as_it_was():
    pool = pool_of(["s1", "s2"], window=7)
    for number, results in ((1, (3, 1, 2)), (3, (0, 5, 9)), (4, (2, 2, 2))):
        play(pool, number, *results)
    pool.renew()
    play(pool, 1, 1, 0, 0)  # not counted into p yet
    again = pool_of(window=7)
    again.load(pool.save(), lambda it: Member(it["name"], Kind.SNAPSHOT, nobody, it["sha256"], it["step"]))
    assert again.save() == pool.save()
    pool.renew()
    again.renew()
    assert (again.chances() == pool.chances()).all()


def test_pool_of_other_members_is_refused():
    saved = pool_of(named=("a", "b")).save()
    with pytest.raises(BrokenFile, match="the pool has changed since it was saved: b, c"):
        pool_of(named=("a", "c")).load(saved, nobody)


def test_seats_are_shared_out_exactly_and_in_a_drawn_order():
    # of 10 cells 0.4, 0.3 and 0.3 are 4, 3 and 3
    kinds = share_kinds(10, (0.4, 0.3, 0.3), 1)
    assert np.bincount(kinds).tolist() == [4, 3, 3]
    assert kinds.tolist() != sorted(kinds.tolist())
    assert share_kinds(10, (0.4, 0.3, 0.3), 2).tolist() != kinds.tolist()
    assert np.bincount(share_kinds(7, (0, 0, 1), 1), minlength=3).tolist() == [0, 0, 7]


def test_instances_of_a_row_are_counted_from_the_left():
    assert count_copies(np.array([[5, 3, 5, 5], [1, 2, 3, 4]])).tolist() == [[0, 0, 1, 2], [0, 0, 0, 0]]


def test_heuristics_are_the_zoo_and_what_is_named_twice_sits_once():
    rules = make_run("save-the-bet").make_rules()
    settings = SelfPlaySettings.of("heuristics,snapshots,hoarder,hoarder:margin=3", {})
    named = [agent.text for agent in named_agents(settings, "save-the-bet", rules, "")]
    assert named[:3] == ["random", "shortest", "face-card"]
    assert named[-1] == "hoarder:margin=3"
    assert named.count("hoarder") == 1
    assert "tree" not in named  # a hundred times slower than the slowest of the others


@pytest.mark.parametrize(
    ("game", "asked", "message"),
    [
        ("bookmaker", {}, "the learner of bookmaker keeps the bank and meets bettors, never itself"),
        ("racing-aces", {}, "the learner sits alone; self-play takes a table of two seats or more"),
        ("save-the-bet", {"pool": "hoardr"}, "did you mean 'hoarder'"),
        (
            "save-the-bet",
            {"settings": {"sampling": "soft"}},
            "sampling is hard or var or uniform, not 'soft'",
        ),
        ("save-the-bet", {"settings": {"windw": 3}}, "did you mean 'window'"),
        (
            "save-the-bet",
            {"pool": "hoarder", "settings": {"latest_share": 0, "heuristic_share": 0}},
            "nobody would be met: give a share above 0 to somebody in the pool",
        ),
    ],
)
def test_pool_that_cannot_be_is_refused(game, asked, message):
    with pytest.raises((InvalidSettings, UnknownName), match=message):
        make_run(game, self_play=True, **asked)


def test_pool_without_self_play_is_refused():
    with pytest.raises(
        InvalidSettings, match="a pool, hoarder, is for self-play; ask for it with --self-play"
    ):
        make_run("save-the-bet", pool="hoarder")


def test_weights_are_one_for_each_and_not_all_zero():
    with pytest.raises(InvalidSettings, match="weights are 2 numbers of 0 or more, not all 0"):
        SelfPlaySettings(pool=("a", "b"), weights=(0.0, 0.0))
