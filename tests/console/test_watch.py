"""Watching: finite plain frames through a pipe, a moving picture on a terminal."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from railbird.console.watch import watch
from railbird.games.errors import InvalidSettings, UnknownName

AGENTS = ["favourite", "longshot"]


def piped(**options) -> str:
    out = io.StringIO()
    pauses: list[float] = []
    watch("superfecta", seed=7, agents=AGENTS, console=Console(file=out), pause=pauses.append, **options)
    assert pauses == []  # nobody waits for a pipe
    return out.getvalue()


def terminal(out: io.StringIO, **options) -> Console:
    return Console(file=out, force_terminal=True, width=110, height=60, _environ={"TERM": "xterm"}, **options)


def test_a_pipe_gets_every_card_once_and_no_control_codes() -> None:
    shown = piped()
    assert "\x1b" not in shown
    dealt = [line for line in shown.splitlines() if line.endswith("of 42 stock cards dealt")]
    assert dealt == [
        f"Superfecta · Race 1 of 12 · {card} of 42 stock cards dealt" for card in range(len(dealt))
    ]
    assert 18 <= len(dealt) <= 42  # two horses need seven cards each before the third is home
    assert shown.count("Order of finish") == 2  # the note and the grid of the last frame


def test_the_same_seed_shows_the_same_race_and_another_seed_another() -> None:
    out = io.StringIO()
    watch("superfecta", seed=8, agents=AGENTS, console=Console(file=out))
    assert piped() == piped()
    assert piped() != out.getvalue()


def test_races_are_shown_until_the_game_is_over() -> None:
    assert piped(races=2).count("· finished") == 2
    shown = piped(races=9, settings={"races": 2})
    assert shown.count("· finished") == 2
    assert "Superfecta · the game is over" in shown
    assert "Standings after 2 races" in shown


def test_agents_are_seated_again_where_they_are_too_few() -> None:
    shown = piped(seats=3)
    assert [name in shown for name in ("favourite ", "longshot ", "favourite#2 ", "longshot#2 ")] == [
        True,
        True,
        True,
        False,
    ]


def test_a_terminal_shows_each_frame_for_the_time_of_a_card() -> None:
    out, pauses = io.StringIO(), []
    watch("superfecta", seed=7, agents=AGENTS, speed=4, console=terminal(out), pause=pauses.append)
    frames = piped().count("stock cards dealt") + 1  # and the finish
    assert pauses == [0.25] * frames
    assert "\x1b[31m" in out.getvalue()


def test_no_color_takes_the_colours_away(monkeypatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    out = io.StringIO()
    watch("superfecta", seed=7, agents=AGENTS, console=terminal(out, no_color=True), pause=lambda _: None)
    assert "\x1b[31m" not in out.getvalue()


def test_ctrl_c_ends_with_the_standings() -> None:
    def interrupt(_: float) -> None:
        raise KeyboardInterrupt

    out = io.StringIO()
    watch("superfecta", seed=7, agents=AGENTS, console=terminal(out), pause=interrupt)
    assert "Standings after 1 race" in out.getvalue()


def test_bad_input_is_refused_by_name() -> None:
    with pytest.raises(InvalidSettings, match="speed is a number of cards a second above 0"):
        watch("superfecta", speed=0)
    with pytest.raises(InvalidSettings, match="races to show are 1 or more, not 0"):
        watch("superfecta", races=0)
    with pytest.raises(UnknownName, match="did you mean 'superfecta'"):
        watch("superfect")
    with pytest.raises(UnknownName, match="did you mean 'favourite'"):
        watch("superfecta", agents=["favorite"])
    with pytest.raises(UnknownName, match="no setting of superfecta 'horses'"):
        watch("superfecta", settings={"horses": 5})
    with pytest.raises(InvalidSettings, match="there are 3 agents for 2 seats"):
        watch("superfecta", agents=["random"] * 3, seats=2)
