"""Agents by name, with options, and of the user's own."""

import pickle
import subprocess
import sys
from fractions import Fraction
from textwrap import dedent
from typing import Any

import pytest

from railbird.agents.registry import describe, label, options_of, parse_agent, split_agents, zoo
from railbird.games.errors import InvalidSettings, UnknownName
from railbird.games.superfecta.settings import SuperfectaSettings

RULES = SuperfectaSettings()


def make(text, rules=RULES) -> Any:
    return parse_agent(text, "superfecta").make(rules)


@pytest.fixture
def own(tmp_path, monkeypatch):
    """Writes a module of the user's own into the current folder; the result is its name."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    loaded = set(sys.modules)

    def write(name, text):
        (tmp_path / f"{name}.py").write_text(dedent(text), encoding="utf-8")
        return name

    yield write
    for name in set(sys.modules) - loaded:
        del sys.modules[name]


def test_a_name_makes_an_agent_with_its_defaults():
    spec = parse_agent("random", "superfecta")
    assert (spec.text, spec.name, spec.game) == ("random", "random", "superfecta")
    assert make("random").probability == 0.1


def test_options_are_set_in_the_type_they_have():
    assert make("kelly:fraction=0.25").fraction == 0.25
    agent = make("dutch:units=5,horses=2", SuperfectaSettings(split="pro_rata"))
    assert (agent.horses, agent.units) == (2, 5)


def test_the_canonical_text_has_the_options_in_the_order_of_the_constructor():
    assert parse_agent(" dutch:units=5, horses=02 ", "superfecta").text == "dutch:horses=2,units=5"
    spec = parse_agent("value:weight=2,prior=.5", "superfecta")
    assert spec.text == "value:prior=0.5,weight=2.0"
    assert parse_agent(spec.text, "superfecta") == spec


def test_every_agent_made_is_a_new_one():
    spec = parse_agent("value", "superfecta")
    assert spec.make(RULES) is not spec.make(RULES)


@pytest.mark.parametrize("text", ["favourite", "box:horses=3"])
def test_a_spec_pickles_as_its_text(text):
    spec = parse_agent(text, "superfecta")
    assert pickle.loads(pickle.dumps(spec)) == spec
    assert len(pickle.dumps(spec)) < 150  # the names, no class and no array


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("favorite", "there is no agent for superfecta 'favorite'; did you mean 'favourite'?"),
        ("kely", "did you mean 'kelly'?"),
        ("kely:fraction=0.5", "there is no agent for superfecta 'kely'; did you mean 'kelly'?"),
        ("", "there is no agent for superfecta ''"),
    ],
)
def test_an_unknown_name_suggests_the_nearest(text, message):
    with pytest.raises(UnknownName) as caught:
        parse_agent(text, "superfecta")
    assert message in str(caught.value)


def test_an_unknown_game_suggests_the_nearest():
    for call in (
        lambda: zoo("superfeta"),
        lambda: describe("superfeta"),
        lambda: parse_agent("null", "superfeta"),
    ):
        with pytest.raises(UnknownName, match="there is no game 'superfeta'; did you mean 'superfecta'"):
            call()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("kelly:part=1", "has no option 'part'; its options: fraction (a number, such as 0.25)"),
        ("null:x=1", "has no option 'x'; its options: none"),
        ("kelly:fraction=much", "fraction is a number, such as 0.25, not 'much'"),
        ("box:horses=2.5", "horses is a whole number, not '2.5'"),
        ("box:horses=2,horses=3", "sets horses twice"),
        ("box:horses", "'horses' is no option; write key=value with one of: horses (a whole number)"),
        ("box:", "ends in a colon"),
    ],
)
def test_an_option_that_cannot_be_read_is_explained(text, message):
    with pytest.raises(InvalidSettings) as caught:
        parse_agent(text, "superfecta")
    assert message in str(caught.value)


def test_an_option_out_of_range_names_the_agent():
    with pytest.raises(
        InvalidSettings, match="agent 'box:horses=9': horses is a whole number from 2 to 4, not 9"
    ):
        parse_agent("box:horses=9", "superfecta").make(RULES)


def test_options_of_all_types_are_read():
    class Tuned:
        """An agent.

        Options:
            bold: whether it dares,
                and how.
            share: a part.
            word: a name.
        """

        def __init__(
            self, settings, *, bold: bool = False, share: Fraction = Fraction(1, 5), word: str = "a", count=3
        ):
            pass

    options = {option.name: option for option in options_of(Tuned)}
    assert [option.kind for option in options.values()] == [bool, Fraction, str, int]
    assert options["bold"].meaning == "whether it dares, and how."
    assert options["share"].meaning == "a part."
    assert options["count"].default == 3


def test_the_users_own_class_is_loaded_from_the_current_folder(own):
    own(
        "stable_one",
        """
        from fractions import Fraction
        class Mine:
            def __init__(self, settings, bold: bool = False, part: Fraction = Fraction(1, 2), word="x"):
                self.seen = (settings, bold, part, word)
            def act(self, view, draws):
                return None
        """,
    )
    spec = parse_agent("stable_one:Mine:part=1/5,bold=yes,word=y", "superfecta")
    assert (spec.name, spec.text) == ("stable_one:Mine", "stable_one:Mine:bold=true,part=1/5,word=y")
    agent = make(spec.text)
    assert agent.seen == (RULES, True, Fraction(1, 5), "y")
    assert agent.begin(None) is None  # there is none in the class
    assert parse_agent(spec.text, "superfecta") == spec
    with pytest.raises(InvalidSettings, match="bold is true or false, not 'perhaps'"):
        parse_agent("stable_one:Mine:bold=perhaps", "superfecta")


BROKEN = """
    import numpy as np
    from railbird.agents.contract import Agent
    class NoAct:
        pass
    class Unfinished(Agent):
        pass
    class Fails(Agent):
        def __init__(self, settings):
            raise ZeroDivisionError("no stable")
        def act(self, view, draws):
            return None
    class NoSettings:
        def act(self, view, draws):
            return None
    number = 7
"""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nowhere_at_all:Mine", "there is no module 'nowhere_at_all' in "),
        (
            "stable_two:Missing",
            "has no class 'Missing'; it has the agents: Agent, Unfinished, Fails, NoSettings",
        ),
        ("stable_two:number", "number of module 'stable_two'"),
        ("stable_two:NoAct", "is no agent; an agent is a class with a method act(self, view, draws)"),
        ("stable_two:Unfinished", "leaves out act; write what is missing"),
        ("stable_two.py:Fails", "there is no module 'stable_two.py'"),
        ("my stable:Fails", "'my stable' is no module; write package.module:Class"),
        ("stable_syntax:Mine", "module 'stable_syntax' cannot be loaded: SyntaxError"),
        ("stable_needs:Mine", "module 'stable_needs' cannot be loaded: No module named 'not_installed_here'"),
    ],
)
def test_what_is_wrong_with_a_users_class_is_said(own, text, message):
    own("stable_two", BROKEN)
    own("stable_syntax", "def (:\n")
    own("stable_needs", "import not_installed_here\n")
    with pytest.raises(InvalidSettings) as caught:
        parse_agent(text, "superfecta")
    assert message in str(caught.value)


def test_a_constructor_that_fails_is_explained(own):
    own("stable_three", BROKEN)
    with pytest.raises(
        InvalidSettings, match="cannot be made: ZeroDivisionError: no stable; it is called as Fails"
    ):
        parse_agent("stable_three:Fails", "superfecta").make(RULES)
    with pytest.raises(
        InvalidSettings, match=r"cannot be made: TypeError: NoSettings\(\) takes no arguments"
    ):
        parse_agent("stable_three:NoSettings", "superfecta").make(RULES)


def test_a_list_of_agents_is_parted_at_commas_outside_options():
    text = "null, box:horses=3,dutch:horses=2,units=5,my.stable:Mine:a=1,b=2,random,"
    assert split_agents(text) == [
        "null",
        "box:horses=3",
        "dutch:horses=2,units=5",
        "my.stable:Mine:a=1,b=2",
        "random",
    ]


def test_the_same_name_given_twice_is_numbered():
    assert label(["random", "null", "random", "random"]) == ["random", "null", "random#2", "random#3"]


def test_finding_an_agent_loads_neither_games_nor_numba():
    code = (
        "import sys; from railbird.agents.registry import parse_agent, zoo;"
        "zoo('superfecta'); parse_agent('value', 'superfecta');"
        "heavy = ('numba', 'numpy', 'railbird.games.superfecta', 'railbird.agents.contract');"
        "print([name for name in heavy if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
