"""Opponents from a pool at real tables: games end with those who began them and count once."""

import json
from functools import partial

import numpy as np
import pytest

from railbird.agents.registry import parse_agent
from railbird.envs.learner_table import LearnerTable
from railbird.envs.options import read_options
from railbird.envs.variants import variant_of
from railbird.games.errors import BrokenFile, IllegalDecision, RailbirdError
from railbird.training.pool import Kind, Member, Pool
from railbird.training.pool_rivals import PoolRivals, Results
from railbird.training.self_play_settings import SelfPlaySettings

SHORT = {"suits": 2, "ranks": 5, "hand_size": 2, "target": 5, "max_turns": 20}  # Save The Bet with 9 cards
POOLS = {"save-the-bet": (SHORT, ("random", "hoarder", "likeliest")),
         "superfecta": ({"seats": 4, "races": 3}, ("random", "follower", "box")),
         "horse-race": ({"seats": 3, "races": 2}, ("random", "hunch", "favourite"))}  # fmt: skip


def seated(game, lanes=12, seat="rotate", names=None):
    """A table with a pool, and the pool."""
    rules, zoo = POOLS[game]
    names = names or zoo
    table = LearnerTable(read_options(variant_of(game), rules | {"seat": seat}), lanes)
    settings = table.options.settings
    made = [Member(name, Kind.NAMED, partial(parse_agent(name, game).make, settings)) for name in names]
    latest = Member("latest", Kind.LATEST, made[0].make)
    pool = Pool(
        SelfPlaySettings(pool=tuple(names), sampling="uniform", latest_share=0),
        [latest, *made],
    )
    table.rivals = PoolRivals(table.options, table.game, pool, seed=5)
    results = Results(table, pool)
    table.watchers.append(results)
    return table, pool, results


def go_on(table, rng, steps):
    """Plays at random; yields who sat where before each step, and what it brought."""
    for _ in range(steps):
        masks = table.masks()
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
        before = table.rivals.seated.copy()
        outcome = table.step(actions)
        yield before, outcome
        table.reset(outcome.ended)


@pytest.mark.parametrize("game", POOLS)
@pytest.mark.parametrize("seat", ["rotate", 0, 1])
def test_every_game_counts_once_for_who_was_in_it(game, seat):
    table, pool, _ = seated(game, seat=seat)
    table.reset(seeds=3)
    earned, games = np.zeros(table.lanes, np.int64), np.zeros((4, 3), np.int64)  # members; won, drawn, lost
    for before, outcome in go_on(table, np.random.default_rng(1), 120):
        assert (table.rivals.seated == before).all()  # nobody leaves a game that goes on
        earned += outcome.profits
        for lane in np.flatnonzero(outcome.ended):
            result = 1 - int(np.sign(earned[lane]))
            for member in set(before[lane].tolist()):
                games[member, result] += 1
            earned[lane] = 0
    assert games.sum() > 20
    for member, (won, drawn, lost) in zip(pool.members, games.tolist(), strict=True):
        assert (member.won, member.drawn, member.games) == (won, drawn, won + drawn + lost)


@pytest.mark.parametrize("game", POOLS)
def test_each_member_is_asked_once_a_turn_for_all_its_tables(game, monkeypatch):
    table, _, _ = seated(game, lanes=64)
    asked, turns = [], []
    answer, decide = PoolRivals._answer, PoolRivals.decide

    def noted(self, who, *rest):
        asked.append(who)
        return answer(self, who, *rest)

    def counted(self, *arguments):
        asked.clear()
        decide(self, *arguments)
        turns.append(list(asked))

    monkeypatch.setattr(PoolRivals, "_answer", noted)
    monkeypatch.setattr(PoolRivals, "decide", counted)
    table.reset(seeds=3)
    list(go_on(table, np.random.default_rng(1), 20))
    assert all(len(set(turn)) == len(turn) for turn in turns)
    assert max(len(turn) for turn in turns) <= 3 * table.rivals.seated.shape[1]
    if game == "save-the-bet":
        assert max(len(turn) for turn in turns) == 3  # three members, 64 tables


def test_who_decides_does_not_depend_on_the_lanes_beside():
    """The games of lane 7 are the same alone and among twelve, if its seat is of the same kind."""
    whole, _, _ = seated("save-the-bet")
    rules, _ = POOLS["save-the-bet"]
    alone, pool, _ = seated("save-the-bet", lanes=1)
    alone = LearnerTable(read_options(variant_of("save-the-bet"), rules | {"lane": 7, "seat": "rotate"}), 1)
    alone.rivals = PoolRivals(alone.options, alone.game, pool, seed=5)
    for table in (whole, alone):
        table.reset(seeds=3)
    rng = np.random.default_rng(2)
    ends = 0
    for _ in range(150):
        assert whole.rivals.seated[7] == alone.rivals.seated[0]
        assert (whole.observe()[7] == alone.observe()[0]).all()
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in whole.masks()])
        told, own = whole.step(actions), alone.step(actions[7:8])
        assert told.profits[7] == own.profits[0]
        ends += int(own.ended[0])
        whole.reset(told.ended)
        alone.reset(own.ended)
    assert ends > 3


@pytest.mark.parametrize("game", POOLS)
def test_saved_tables_go_on_as_they_were(game):
    table, pool, results = seated(game)
    table.reset(seeds=3)
    list(go_on(table, np.random.default_rng(1), 30))
    saved = json.loads(json.dumps([table.save(), pool.save(), results.running.tolist()]))
    again, copied, counted = seated(game)
    copied.load(saved[1], None)
    again.load(saved[0])
    counted.running[:] = saved[2]
    assert again.save() == saved[0]  # the hunches too
    first = [
        (before, told.profits, told.ended) for before, told in go_on(table, np.random.default_rng(2), 80)
    ]
    second = [
        (before, told.profits, told.ended) for before, told in go_on(again, np.random.default_rng(2), 80)
    ]
    for one, two in zip(first, second, strict=True):
        assert all((mine == own).all() for mine, own in zip(one, two, strict=True))
    assert pool.save() == copied.save()
    assert table.save() == again.save()


def test_member_that_left_the_pool_plays_its_games_to_the_end():
    table, pool, _ = seated("save-the-bet", lanes=48)
    table.reset(seeds=3)
    here = pool.members[2]
    here.active = False
    pool.renew()
    lanes = (table.rivals.seated == 2).any(axis=1)
    assert lanes.sum() > 5
    sitting = [int(lanes.sum())]
    for before, _ in go_on(table, np.random.default_rng(1), 400):
        sitting.append(int((before == 2).sum()))
    assert sitting == sorted(sitting, reverse=True)  # no new games
    assert sitting[-1] == 0
    assert here.games == lanes.sum()
    assert (2, 0) not in table.rivals._playing


def test_opponents_of_other_tables_are_refused():
    table, _, _ = seated("save-the-bet")
    table.reset(seeds=3)
    with pytest.raises(BrokenFile, match="a saved pool sits at other tables"):
        seated("save-the-bet", lanes=5)[0].rivals.recalled(table.rivals.memory())


class Broken:
    """Raises, or decides what nobody may."""

    def __init__(self, settings, decided):
        self.decided = decided

    def begin(self, lanes):
        pass

    def act(self, view, draws):
        if self.decided is None:
            raise ZeroDivisionError("no")
        return np.full((len(draws), 1), self.decided, np.uint64)


@pytest.mark.parametrize(
    ("decided", "error", "message"),
    [
        (None, RailbirdError, "opponent 'hoarder' raised ZeroDivisionError: no"),
        (2**60, IllegalDecision, "opponent 'hoarder' decided illegally: lane"),
    ],
)
def test_error_names_the_member(decided, error, message):
    table, pool, _ = seated("save-the-bet", names=("hoarder",))
    pool.members[1].make = lambda: Broken(None, decided)
    table.reset(seeds=3)
    with pytest.raises(error, match=message):
        list(go_on(table, np.random.default_rng(1), 20))
