"""The check of a user's agent: a sound one passes, and each way of being broken is found."""

import random
import sys
from pathlib import Path
from textwrap import dedent

import numpy as np
import pytest

from railbird.agents.check import check_agent, cost_per_decision
from railbird.agents.registry import parse_agent
from railbird.games.errors import UnknownName
from railbird.games.superfecta.settings import SuperfectaSettings

SOUND = '''
    """An agent of one's own."""

    import numpy as np

    from railbird.agents.contract import Agent
    from railbird.games.order_law import rail_index, win_table
    from railbird.games.track import SUPERFECTA


    class SecondBest(Agent):
        """Backs the second likeliest horse to win."""

        def act(self, view, draws):
            chances = win_table(SUPERFECTA)[rail_index(SUPERFECTA, view.rail)]  # (n, 4)
            second = np.argsort(-chances, axis=1, kind="stable")[:, 1]
            stake = self.settings.minimums[0]
            able = np.flatnonzero(view.bankroll >= stake)
            stakes = np.zeros((len(view.lane), 40), np.int16)
            stakes[able, second[able]] = stake
            return stakes
'''

BROKEN = '''
    import random
    import time

    import numpy as np

    from railbird.agents.contract import Agent


    def flat(view, line=0):
        stakes = np.zeros((len(view.lane), 40), np.int64)
        stakes[view.bankroll > 0, line] = 1
        return stakes


    class Negative(Agent):
        def act(self, view, draws):
            return -flat(view)


    class Huge(Agent):
        def act(self, view, draws):
            return flat(view) * 100_000


    class Half(Agent):
        def act(self, view, draws):
            return flat(view) / 2


    class NotANumber(Agent):
        def act(self, view, draws):
            return np.full((len(view.lane), 40), np.nan)


    class WrongShape(Agent):
        def act(self, view, draws):
            return flat(view)[0]


    class AList(Agent):
        def act(self, view, draws):
            return flat(view).tolist()


    class Silent(Agent):
        def act(self, view, draws):
            pass


    class RaisesLate(Agent):
        def act(self, view, draws):
            if (view.race == 2).any():
                raise KeyError("third race")
            return flat(view)


    class Quits(Agent):
        def act(self, view, draws):
            raise SystemExit(3)


    class BeginRaises(Agent):
        def begin(self, lanes):
            raise RuntimeError("not ready")

        def act(self, view, draws):
            return flat(view)


    class RandomModule(Agent):
        def act(self, view, draws):
            random.seed(1)
            return flat(view, random.randrange(1))


    class RandomNumpy(Agent):
        def act(self, view, draws):
            np.random.seed(1)
            return flat(view, np.random.randint(1))


    class RandomTorch(Agent):
        def act(self, view, draws):
            import torch

            torch.random.state = torch.random.state + 1
            return flat(view)


    class OwnEntropy(Agent):
        def act(self, view, draws):
            return flat(view, np.random.default_rng().integers(0, 40, len(view.lane)))


    class OwnGenerator(Agent):
        def __init__(self, settings):
            super().__init__(settings)
            self.generator = np.random.default_rng(0)

        def act(self, view, draws):
            return flat(view, self.generator.integers(0, 40, len(view.lane)))


    class LooksAround(Agent):
        def act(self, view, draws):
            return flat(view, int(view.rail[:, 0].max()))


    class CountsRows(Agent):
        def act(self, view, draws):
            return flat(view, np.arange(len(view.lane)))


    class RemembersByRow(Agent):
        """Backs line k where k is the number of decisions asked of this row of the view."""

        def __init__(self, settings):
            super().__init__(settings)
            self.asked = np.zeros(5000, np.int64)

        def begin(self, lanes):
            self.asked[: len(lanes)][lanes] = 0

        def act(self, view, draws):
            self.asked[: len(view.lane)] += 1
            return flat(view, self.asked[: len(view.lane)] % 40)


    class NeverForgets(Agent):
        def __init__(self, settings):
            super().__init__(settings)
            self.asked = np.zeros(5000, np.int64)

        def act(self, view, draws):
            self.asked[view.lane] += 1
            return flat(view, self.asked[view.lane] % 40)


    class ForgetsAll(NeverForgets):
        def begin(self, lanes):
            self.asked[:] = 0


    class Scribbles(Agent):
        def act(self, view, draws):
            view.bankrolls.flags.writeable = True
            view.bankrolls[:] += 1
            return flat(view)


    class ScribblesOnLanes(Agent):
        def begin(self, lanes):
            lanes[:] = False

        def act(self, view, draws):
            return flat(view)


    class Slow(Agent):
        def act(self, view, draws):
            time.sleep(0.0005 * len(view.lane))
            return flat(view)


    class Spender(Agent):
        def act(self, view, draws):
            return np.full((len(view.lane), 40), 5)


    class NeedsMore(Agent):
        def __init__(self, settings):
            super().__init__(settings)
            self.stable = settings.stable

        def act(self, view, draws):
            return flat(view)
'''


class FakeTorch:
    """Stands for torch, whose global generator is watched when it is loaded."""

    class random:  # noqa: N801 - named as in torch
        state = 0

        @classmethod
        def get_rng_state(cls):
            return np.array([cls.state])

        @classmethod
        def set_rng_state(cls, state):
            cls.state = int(state[0])

    equal = staticmethod(np.array_equal)


@pytest.fixture
def check(tmp_path, monkeypatch):
    """Checks a class of the modules above; the result is the report."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    Path("own_sound.py").write_text(dedent(SOUND), encoding="utf-8")
    Path("own_broken.py").write_text(dedent(BROKEN), encoding="utf-8")

    def run(text, races=3, **rules):
        return check_agent(text, "superfecta", races=races, **rules)

    return run


def failed(report):
    """The items that failed, with what was seen."""
    return {finding.item: finding.text for finding in report.findings if not finding.ok}


@pytest.mark.parametrize("split", ["equal", "pro_rata"])
def test_a_twenty_line_agent_passes(check, split):
    report = check("own_sound:SecondBest", split=split)
    assert report.ok, str(report)
    assert str(report).endswith("own_sound:SecondBest is fit to play superfecta")


@pytest.mark.parametrize(
    ("name", "item", "seen"),
    [
        ("Negative", "legal", "a stake is never negative"),
        ("Huge", "legal", "answers 100000; whole numbers from -32,768 to 32,767 are due"),
        ("Half", "legal", "answers 0.5; whole numbers"),
        ("NotANumber", "legal", "answers nan; whole numbers"),
        ("WrongShape", "legal", "answers an array of shape (40,); (8, 40) is due"),
        ("AList", "legal", "answers a list; an array of whole numbers of shape (8, 40) is due"),
        ("Silent", "legal", "answers a NoneType; an array"),
        (
            "RaisesLate",
            "plays",
            "lane 0, game 1, turn 3: act raised KeyError: 'third race' (own_broken.py, line ",
        ),
        ("Quits", "plays", "lane 0, game 1, turn 1: act raised SystemExit: 3"),
        ("BeginRaises", "plays", "lane 0, game 1, turn 1: begin raised RuntimeError: not ready"),
        ("RandomModule", "random numbers", "uses the global generator of the module random"),
        ("RandomNumpy", "random numbers", "uses the global generator np.random"),
        ("RandomTorch", "random numbers", "uses the global generator of torch"),
        ("OwnEntropy", "deterministic", "played again"),
        ("OwnGenerator", "isolated", "alone"),
        ("LooksAround", "isolated", "decided ["),
        ("CountsRows", "isolated", "lane 3, game 1, turn 1: decided [$1 WIN S], alone [$1 WIN H]"),
        ("RemembersByRow", "isolated", "when its lanes are asked in two calls"),
        ("NeverForgets", "isolated", "without the game before"),
        ("ForgetsAll", "isolated", "when lanes start at different times"),
        ("Scribbles", "arguments", "act writes into view.bankrolls"),
        ("ScribblesOnLanes", "arguments", "begin writes into the mask of lanes"),
        ("NeedsMore", "made", "AttributeError: 'SuperfectaSettings' object has no attribute 'stable'"),
    ],
)
def test_each_fault_is_found_and_said(check, monkeypatch, name, item, seen):
    if name == "RandomTorch":
        monkeypatch.setitem(sys.modules, "torch", FakeTorch)
    report = check(f"own_broken:{name}")
    assert not report.ok
    assert seen in failed(report)[item], str(report)
    assert str(report).endswith(f"own_broken:{name} is not fit to play yet superfecta")


@pytest.mark.parametrize("name", ["RandomModule", "RandomNumpy", "LooksAround", "NeverForgets", "Scribbles"])
def test_a_fault_is_found_where_it_is_and_not_elsewhere(check, name):
    expected = {
        "RandomModule": ["random numbers"],
        "RandomNumpy": ["random numbers"],
        "LooksAround": ["isolated"],
        "NeverForgets": ["isolated"],
        "Scribbles": ["arguments"],
    }
    assert list(failed(check(f"own_broken:{name}"))) == expected[name]


def test_a_slow_agent_fails_with_its_time(check):
    report = check("own_broken:Slow", races=1)
    assert list(failed(report)) == ["fast"]
    spent = float(failed(report)["fast"].split()[0].replace(",", ""))
    assert spent > 500  # µs: it sleeps that long for each row


def test_tickets_beyond_the_chips_are_mentioned_but_legal(check):
    report = check("own_broken:Spender", bankroll=100)  # 200 chips a ticket
    legal = next(finding for finding in report.findings if finding.item == "legal")
    # 8 lanes, 2 games, 3 races each, all refused
    assert legal.ok and "48 tickets cost more than its chips and were refused" in legal.text


def test_the_global_generators_are_left_as_they_were(check):
    random.seed(5)
    np.random.seed(5)  # noqa: NPY002 - what the agent would spoil
    expected = (random.random(), np.random.random())  # noqa: NPY002
    random.seed(5)
    np.random.seed(5)  # noqa: NPY002
    check("own_broken:RandomModule")
    check("own_broken:RandomNumpy")
    assert (random.random(), np.random.random()) == expected  # noqa: NPY002


def test_a_wrong_question_raises(check):
    with pytest.raises(UnknownName, match="did you mean 'value'"):
        check("valve")
    with pytest.raises(UnknownName, match="setting of superfecta 'colour'"):
        check("null", colour="red")


def test_the_cost_is_that_of_the_agent_alone():
    # Null does next to nothing: with the table around it a decision would take a microsecond or more
    assert 0 < cost_per_decision(parse_agent("null", "superfecta"), SuperfectaSettings()) < 0.5
