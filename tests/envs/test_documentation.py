"""The documentation says what the code does."""

from __future__ import annotations

import inspect
import re
import textwrap
from importlib import import_module
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest

import railbird
from railbird.envs.documentation import observations_page
from railbird.envs.options import DOOR
from railbird.envs.single import SeatEnv
from railbird.envs.variants import VARIANTS
from railbird.games.errors import UnknownName

make: Any = gym.make  # our environments have more than its type says

ROOT = Path(railbird.__file__).parent
HEADINGS = (
    "Players", "Action", "Observation", "Reward", "End", "Illegal actions", "Settings", "Version history"
)  # fmt: skip


def class_of(variant):
    module, name = variant.entry_point.split(":")
    return getattr(import_module(module), name)


def documentation(thing):
    """What `help` shows of a class."""
    text = inspect.getdoc(thing)
    assert text is not None
    return text


def sections(variant):
    """The text under each heading of a variant's docstring."""
    heads = "|".join(HEADINGS)
    parts = re.split(rf"^({heads}):$", documentation(class_of(variant)), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def settings_of(variant):
    """The names of all settings an environment reads."""
    with pytest.raises(UnknownName) as unknown:
        class_of(variant)(no_such_setting=1)
    return unknown.value.known


def test_the_documentation_has_every_heading_in_order(variant):
    assert tuple(sections(variant)) == HEADINGS


def test_the_documentation_has_the_index_table(variant):
    table = make(variant.id).unwrapped.encoding.layout.table()
    assert textwrap.indent(table, " " * 8) in sections(variant)["Observation"]


def test_the_documentation_has_the_index_table_of_counted_cards():
    (variant,) = [variant for variant in VARIANTS if variant.game == "save-the-bet"]
    table = make(variant.id, chances=True).unwrapped.encoding.layout.table()
    more = "\n".join(table.splitlines()[8:])  # behind the plain blocks
    assert more.startswith("267-271 best")
    assert textwrap.indent(more, " " * 8) in sections(variant)["Observation"]
    assert more in (ROOT / "docs" / "observations.md").read_text()


def test_the_documentation_names_the_id_and_the_number_of_actions(variant):
    assert f"`{variant.id}`" in documentation(class_of(variant))
    env = make(variant.id).unwrapped
    first, *_ = re.findall(r"``Discrete\(([^`]*)\)``", sections(variant)["Action"])
    sizes = len(getattr(env.encoding, "stakes", ()))
    assert eval(first, {"sizes": sizes}) == env.action_space.n  # a sum such as 1 + 4 * sizes


def test_the_documentation_tells_the_parts_of_a_whole_ticket(ticket_case):
    env = ticket_case.make(action="ticket")
    first, *_ = re.findall(r"``MultiDiscrete\(([^`]*)\)``", sections(ticket_case.variant)["Action"])
    sizes = len(env.encoding.stakes)
    assert eval(first, {"sizes": sizes}) == env.action_space.nvec.tolist()  # such as [1 + sizes] * 4


def test_the_documentation_tells_that_there_are_no_whole_tickets(ticketless_case):
    said = " ".join(sections(ticketless_case.variant)["Action"].split())
    assert 'no ``action="ticket"``' in said


def test_the_documentation_names_the_settings_of_its_own(variant):
    named, _, shared = sections(variant)["Settings"].partition("those of every environment")
    assert set(re.findall(r"``(\w+)``", named)) == set(settings_of(variant)) - set(DOOR)
    assert "see `SeatEnv`" in " ".join(shared.split())


def test_the_documentation_names_the_shared_settings_it_lacks(variant):
    _, _, shared = sections(variant)["Settings"].partition("those of every environment")
    assert set(re.findall(r"``(\w+)``", shared)) == set(DOOR) - set(settings_of(variant))


def test_the_shared_settings_are_documented_once():
    told = documentation(SeatEnv).partition("\nSettings of every environment:\n")[2]
    assert set(re.findall(r"^    ``(\w+)``:", told, re.MULTILINE)) == set(DOOR)


def test_a_vector_environment_points_to_the_single_one(variant):
    module = import_module(variant.entry_point.split(":")[0])
    assert f"`{variant.env}`" in documentation(getattr(module, variant.vector_env))


def test_the_page_of_observations_is_the_one_the_code_makes():
    page = (ROOT / "docs" / "observations.md").read_text()
    assert page == observations_page(), "run: python -m railbird.envs.documentation > docs/observations.md"
