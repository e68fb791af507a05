"""Playing through a pipe: tickets, mistakes, commands, and every way to end."""

from __future__ import annotations

import io

import numpy as np
import pytest
from rich.console import Console

from railbird.agents.contract import Agent
from railbird.console.play import play
from railbird.console.sitting import Player, Sitting
from railbird.games.errors import BadTicket, InvalidSettings
from railbird.games.registry import load


def played(text: str, **options) -> str:
    """What the console writes when a person's input is that text."""
    out = io.StringIO()
    options = {"seed": 7, "agents": ["favourite", "box"], "settings": {"races": 2}, **options}
    play("superfecta", source=io.StringIO(text), console=Console(file=out), **options)
    return out.getvalue()


def tickets(shown: str) -> list[str]:
    return [
        line.removeprefix("Your ticket: ") for line in shown.splitlines() if line.startswith("Your ticket")
    ]


def test_wagers_on_one_line_and_on_several_make_a_ticket() -> None:
    shown = played("$1 exa d/c; 2 win d\n$1 WIN D\n\npass\n")
    assert tickets(shown) == ["$3 WIN D; $1 EXA D/C", "none, you sit this race out"]
    assert "Superfecta · the game is over" in shown


def test_the_table_and_the_result_are_shown_with_names() -> None:
    shown = played("$1 WIN D\n\n")
    assert "Superfecta · Race 1 of 2 · open for tickets" in shown
    assert "Superfecta · Race 1 of 2 · finished" in shown
    mine = [line.split() for line in shown.splitlines() if line.startswith("you ")]
    assert ["you", "100"] in mine  # before
    assert mine[1][2:6] == ["$1", "WIN", "D", "1"]  # ticket and cost


def test_a_bad_line_is_explained_and_asked_again() -> None:
    shown = played("$1 WIN H\n$1 EXA D\n$1 EXA D/S\n\n")
    assert "line 2: EXA names 2 horse(s), not 1. Nothing was added to your ticket" in shown
    assert tickets(shown) == ["$1 WIN H; $1 EXA D/S"]


def test_a_ticket_dearer_than_the_chips_is_explained_and_not_handed_in() -> None:
    shown = played("$60 WIN H\n$41 WIN D\n$40 WIN D\n\n")
    # 60 + 41 = 101 > 100, 60 + 40 = 100
    assert "your ticket would cost 101 chips and you have 100; the table refuses it whole" in shown
    assert tickets(shown) == ["$60 WIN H; $40 WIN D"]


def test_a_ticket_can_be_started_again() -> None:
    assert tickets(played("$60 WIN H\nclear\n$1 WIN D\n\n")) == ["$1 WIN D"]


def test_help_and_odds_answer_and_ask_on() -> None:
    shown = played("help\nodds\npass\n")
    assert "$1 EXA D/C (first and second)" in shown
    assert "An empty line hands the ticket in" in shown
    assert "Exact chances of all lines" in shown
    assert tickets(shown) == ["none, you sit this race out"]


def test_the_end_of_the_input_ends_with_the_standings() -> None:
    shown = played("pass\n")
    assert tickets(shown) == ["none, you sit this race out"]
    assert "Standings after 1 race" in shown
    assert "Standings after 0 races" in played("")


def test_a_ticket_begun_at_the_end_of_the_input_is_handed_in() -> None:
    shown = played("pass\n$1 WIN S")
    assert tickets(shown)[1:] == ["$1 WIN S"]
    assert "Standings after 2 races" in shown


def test_quit_leaves_at_once_with_the_standings() -> None:
    shown = played("$1 WIN S\nquit\npass\n")
    assert tickets(shown) == []
    assert "Standings after 0 races" in shown


def test_a_pipe_gets_no_prompts_and_no_control_codes() -> None:
    shown = played("$1 WIN S\n\npass\n")
    assert "ticket>" not in shown
    assert "\x1b" not in shown


def test_a_broke_person_looks_on_without_being_asked() -> None:
    # hearts lose this race
    shown = played("$100 WIN H\n\n", settings={"races": 3})
    assert shown.count("You have too few chips for the smallest bet and look on.") == 2
    assert "Standings after 3 races" in shown


def test_the_standings_add_up_what_each_race_brought() -> None:
    shown = played("$99 WIN H\n\nquit\n")  # hearts lose this race
    rows = [line.split() for line in shown.splitlines()[shown.splitlines().index("Standings after 1 race") :]]
    profits = {row[1]: int(row[2]) for row in rows if len(row) == 3 and row[0].endswith(".")}
    assert profits["you"] == -99
    assert rows[-2][1] == "you"  # last of the three


def test_a_new_seed_is_told_and_deals_the_same_cards_again() -> None:
    first = played("pass\n", seed=None)
    told = first.splitlines()[0]
    seed = int(told.removeprefix("Seed ").split(":")[0])
    assert first == f"{told}\n\n{played('pass' + chr(10), seed=seed)}"


def test_ctrl_c_ends_with_the_standings(monkeypatch) -> None:
    def interrupt(*_: object) -> str:
        raise KeyboardInterrupt

    out, source = io.StringIO(), io.StringIO()
    monkeypatch.setattr(source, "readline", interrupt)
    play("superfecta", agents=["favourite"], source=source, console=Console(file=out))
    assert "Standings after 0 races" in out.getvalue()


def test_input_that_is_no_text_is_an_error_in_words() -> None:
    source = io.TextIOWrapper(io.BytesIO(b"\xff\xfe\n"), encoding="utf-8")
    with pytest.raises(BadTicket, match="the input is no text"):
        play("superfecta", agents=["favourite"], source=source, console=Console(file=io.StringIO()))


def test_the_person_sits_where_asked() -> None:
    shown = played("pass\n", seat=2)
    names = [line.split()[0] for line in shown.splitlines() if line.endswith(" 100")]
    assert names[:3] == ["favourite", "box", "you"]
    with pytest.raises(InvalidSettings, match="seat is a whole number from 0 to 2, not 3"):
        played("", seat=3)


def test_a_terminal_is_prompted_and_sees_the_race_run() -> None:
    class Keyboard(io.StringIO):
        def isatty(self) -> bool:
            return True

    out, pauses = io.StringIO(), []
    console = Console(file=out, force_terminal=True, width=110, height=60, _environ={"TERM": "xterm"})
    play(
        "superfecta", seed=7, agents=["box"], speed=2, source=Keyboard("$1 WIN S\n\n"), console=console,
        pause=pauses.append,
    )  # fmt: skip
    assert "ticket> " in out.getvalue() and "and> " in out.getvalue()
    assert len(pauses) >= 19 and set(pauses) == {0.5}


class Broken(Agent[object]):
    idea = source = "fails"

    def act(self, view, draws):
        raise RuntimeError("no idea")


class Silent(Agent[object]):
    idea = source = "never bets"

    def act(self, view, draws):
        return np.zeros((1, 40), np.int16)


def test_an_agent_that_fails_has_the_empty_ticket_and_is_told_once() -> None:
    spec = load("superfecta")
    rules = spec.make_settings(seats=2, races=3)
    sitting = Sitting(spec, rules, 1, [Player("broken", Broken(rules)), Player("silent", Silent(rules))])
    assert sitting.turn()
    told = sitting.mishaps()
    assert len(told) == 1
    assert told[0].startswith("broken raised RuntimeError: no idea")
    assert told[0].endswith("the table decides for it.")
    sitting.turn()
    assert sitting.mishaps() == []
    assert sitting.rounds == 2
