"""What holds for every bettor, banker and pair: legal, affordable, deterministic, alone in its lane."""

from collections.abc import Iterator, Sequence
from typing import TypeAlias

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from railbird.agents.registry import describe, parse_agent, zoo
from railbird.games.bookmaking.settings import BookmakerSettings
from railbird.games.bookmaking.state import Phase
from railbird.games.bookmaking.table import BookmakerTable
from railbird.games.horse_race.settings import HorseRaceSettings, ScarneHorseRaceSettings
from railbird.games.horse_race.table import HorseRace, ScarneHorseRace
from railbird.games.racing_aces.settings import RacingAcesSettings
from railbird.games.racing_aces.table import RacingAces

GAMES = {"horse-race": HorseRace, "scarne-horse-race": ScarneHorseRace, "racing-aces": RacingAces}
BETTORS = zoo("horse-race")
BANKERS = zoo("bookmaker")
ACES = zoo("racing-aces")
Decided: TypeAlias = dict[tuple[int, int, int], list[int]]  # lane number, seat, turn -> decision

bank = st.sampled_from([
    {"bank": "house", "bankroll": 0},
    {"bank": "house", "bankroll": 9},
    {"bank": "house", "bankroll": 1_000},
    {"bank": "rotate", "bankroll": 1},
    {"bank": "rotate", "bankroll": 120},
    {"bank": "rotate", "bankroll": 2**40},
])  # fmt: skip
horse_race = st.builds(
    lambda bank, **rules: HorseRaceSettings(**bank, **rules),
    bank=bank,
    seats=st.integers(2, 7),
    races=st.integers(1, 5),
    minimum=st.sampled_from([1, 7, 10]),
    cap=st.sampled_from([10, 95, 1_000, 32_767]),
    max_wager=st.sampled_from([64, 32_767]),
    rotate_every=st.integers(1, 3),
    track=st.sampled_from(["horse-race", "scarne"]),
)
racing_aces = st.builds(
    lambda bank, **rules: RacingAcesSettings(**bank, **rules),
    bank=bank,
    seats=st.integers(2, 7),
    races=st.integers(1, 5),
    max_wagers=st.integers(1, 4),
    stakes=st.sampled_from([(1,), (2, 5), (1, 2, 3, 50)]),
    rotate_every=st.integers(1, 3),
)


def agents_of(game: str, rules: BookmakerSettings, players: Sequence[str], bankers: Sequence[str]):
    """Agents for all seats; where the bank rotates and quotes, pairs, and the house's banker last."""
    turns = rules.quoted and rules.rotates
    texts = [f"{bankers[seat % len(bankers)]}+{name}" if turns else name for seat, name in enumerate(players)]
    made = [parse_agent(text, game).make(rules) for text in texts]
    if rules.quoted and not rules.rotates:
        made.append(parse_agent(bankers[0], "bookmaker").make(rules))
    return made


def turns(table: BookmakerTable, agents, calls: int = 1) -> Iterator[Decided]:
    """Plays to the end; each turn yields the decisions asked for, by lane number, seat and turn."""
    for agent in agents:
        agent.begin(np.ones(table.lanes, bool))
    lanes = np.arange(table.lanes)
    while not table.over.all():
        decisions, asked = table.blank(), {}
        for seat, agent in enumerate(agents):
            for call in range(calls):
                due = table.to_act[:, seat] & (lanes % calls == call)
                if due.any():
                    answer = agent.act(table.view(seat, due), table.draws(seat, due))
                    assert answer.shape == (due.sum(), 4)
                    decisions[due, seat] = answer
            for lane in np.flatnonzero(table.to_act[:, seat]):
                key = (int(table.state.number[lane]), seat, int(table.state.turn[lane]))
                asked[key] = decisions[lane, seat].tolist()
        bets = table.phase == Phase.BET
        paid = decisions[:, : table.settings.seats].sum(2)
        assert (paid[bets] <= np.maximum(table.state.bankrolls[bets, : table.settings.seats], 0)).all()
        table.submit(decisions)  # raises IllegalDecision if a decision breaks a rule
        yield asked
    assert table.state.refused.sum() == 0


def played(game: str, rules, players, bankers, numbers, calls=1, before=0) -> Decided:
    """All decisions of a game at the tables of these lane numbers, after so many games by the same agents."""
    table = GAMES[game](rules, 20, numbers)
    agents = agents_of(game, rules, players, bankers)
    for _ in range(before):
        table.start()
        for _ in turns(table, agents):
            pass
    table.state.episode[:] = 0
    table.start()
    return {key: decided for asked in turns(table, agents, calls) for key, decided in asked.items()}


@pytest.mark.parametrize("name", BETTORS)
@settings(max_examples=20)
@given(rules=horse_race, seed=st.integers(0, 2**32), company=st.sampled_from(BETTORS), quote=st.data())
def test_every_ticket_and_quote_of_horse_race_is_legal_and_paid_for(name, rules, seed, company, quote):
    bankers = quote.draw(st.permutations(BANKERS))
    players = [name, *([company, "random:probability=0.7", name] * 3)][: rules.seats]
    table = HorseRace(rules, seed, 5)
    table.start()
    assert sum(len(asked) for asked in turns(table, agents_of("horse-race", rules, players, bankers))) > 0


@pytest.mark.parametrize("name", ACES)
@settings(max_examples=20)
@given(rules=racing_aces, seed=st.integers(0, 2**32), company=st.sampled_from(ACES))
def test_every_ticket_of_racing_aces_is_legal_and_paid_for(name, rules, seed, company):
    players = [name, *([company, "random:probability=0.7", name] * 3)][: rules.seats]
    table = RacingAces(rules, seed, 5)
    table.start()
    assert sum(len(asked) for asked in turns(table, agents_of("racing-aces", rules, players, []))) > 0


@pytest.mark.parametrize("name", BETTORS)
@settings(max_examples=20)
@given(data=st.data(), rules=horse_race)
def test_every_ticket_at_any_odds_is_legal_and_paid_for(name, data, rules):
    # quotes no banker of the zoo would make, bankrolls that differ
    table = HorseRace(rules, data.draw(st.integers(0, 2**32)), 5)
    table.start()
    chips = st.integers(0, 5_000)
    for lane in range(5):
        for seat in range(rules.seats):
            table.state.bankrolls[lane, seat] = data.draw(chips)
    quotes = table.blank()
    quotes[:] = np.array(data.draw(st.lists(st.integers(0, 32), min_size=20, max_size=20))).reshape(5, 1, 4)
    table.submit(quotes)
    agents = agents_of("horse-race", rules, [name] * rules.seats, BANKERS)
    decisions = table.blank()
    for seat in range(rules.seats):
        agents[seat].begin(np.ones(5, bool))
        decisions[:, seat] = agents[seat].act(table.view(seat), table.draws(seat))
    table.submit(decisions)
    assert not table.refused.any()


CASES = [
    ("horse-race", HorseRaceSettings(seats=3, races=5)),
    ("horse-race", HorseRaceSettings(seats=3, races=7, bank="rotate", rotate_every=2)),
    ("scarne-horse-race", ScarneHorseRaceSettings(seats=3, races=5, bankroll=60)),
    ("racing-aces", RacingAcesSettings(seats=3, races=5, max_wagers=4)),
    ("racing-aces", RacingAcesSettings(seats=3, races=5, bank="rotate", stakes=(1, 2, 9))),
]


@pytest.mark.parametrize(("game", "rules"), CASES, ids=lambda case: getattr(case, "bank", case))
def test_decisions_do_not_depend_on_the_company_of_other_lanes(game, rules):
    every = tuple(range(8))
    for place, name in enumerate(zoo(game)):
        players = [name, "chaser", name]
        bankers = BANKERS[place % len(BANKERS) :] + BANKERS[: place % len(BANKERS)]
        base = played(game, rules, players, bankers, every)
        for other in (
            played(game, rules, players, bankers, every),
            played(game, rules, players, bankers, (3,)),
            played(game, rules, players, bankers, (6, 1, 4)),
            played(game, rules, players, bankers, every, calls=2),
            played(game, rules, players, bankers, every, before=1),
        ):
            assert other
            assert other == {key: base[key] for key in other}, name


@pytest.mark.parametrize("name", BANKERS)
def test_every_banker_decides_alone(name):
    rules = HorseRaceSettings(seats=5, races=6)
    players = ["favourite", "hunch", "random", "biased", "chaser"]
    base = played("horse-race", rules, players, [name], tuple(range(8)))
    for numbers in ((5,), (7, 0, 2)):
        other = played("horse-race", rules, players, [name], numbers)
        assert other == {key: base[key] for key in other}
    again = played("horse-race", rules, players, [name], tuple(range(8)), before=1)
    assert again == base


def test_zoos_have_what_is_promised():
    assert BETTORS == [
        "null", "random", "favourite", "longshot", "value", "kelly", "biased", "hunch", "chaser"
    ]  # fmt: skip
    assert zoo("scarne-horse-race") == BETTORS
    assert BANKERS == ["fair", "margin", "even-money", "published", "balanced", "profit"]
    assert ACES == ["null", "random", "favourite", "optimal", "cover", "kelly", "biased", "chaser"]


@pytest.mark.parametrize(
    "card",
    [*describe("horse-race"), *describe("bookmaker"), *describe("racing-aces")],
    ids=lambda card: card.name,
)
def test_every_agent_is_described(card):
    assert card.idea.endswith(".")
    assert card.idea.count(". ") == 0  # one sentence
    assert card.source
    for option in card.options:
        assert option.meaning.endswith(".")
        assert option.default is not None
