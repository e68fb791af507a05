"""Watching agents play: a race in the terminal, card by card, with the live exact chances."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from rich.console import Console

from ..games.errors import InvalidSettings
from ..games.registry import load
from .screen import Screen, check_speed
from .sitting import Sitting, make_rules, seat_players, usual_agents

TABLE: Final = 6  # players that are shown when nobody says who or how many


def watch(
    game_name: str,
    seed: int = 0,
    races: int | None = None,
    seats: int | None = None,
    agents: Sequence[str] = (),
    settings: Mapping[str, Any] | None = None,
    speed: float = 3.0,
    console: Console | None = None,
    pause: Callable[[float], None] = time.sleep,
    banker: str = "",
    bettors: Sequence[str] = (),
    save: Path | None = None,
) -> None:
    """Shows the first races of a game between agents. A terminal shows a moving picture, a pipe every frame.

    Args:
        game_name: the game, as on the command line.
        seed: root seed of the game.
        races: races, or rounds of a game without any, to show, fewer where it is over before; None: one, or
            a few where a round is short.
        seats: players at the table; None: one for each agent written, else six as far as there are agents.
        agents: how they are written, such as ``kelly:fraction=0.25``; empty: agents of the zoo.
        settings: fields of the game's settings.
        speed: cards a second on a terminal.
        console: where to; None: standard output.
        pause: waits so many seconds.
        banker: who quotes for the house; empty: the game's own.
        bettors: the players, in a game whose agents quote; empty: the game's own.
        save: a new file for the replay.

    Raises:
        UnknownName: a game, agent or setting that does not exist.
        InvalidSettings: a value that is not allowed, or the file exists.
        RailbirdError: the file cannot be written.
    """
    spec = load(game_name)
    wanted = spec.watched if races is None else races
    if wanted < 1:
        raise InvalidSettings(f"{spec.round}s to show are 1 or more, not {wanted}")
    check_speed(speed)
    company = len(bettors if spec.players else agents or usual_agents(spec)[:TABLE])
    rules = make_rules(spec, seats, company, settings or {})
    players = seat_players(spec, rules, agents, banker, bettors)
    screen = Screen(console)
    with Sitting(spec, rules, seed, players, save=save) as sitting:
        try:
            while not sitting.over and sitting.rounds < wanted:
                ended = sitting.turn()
                for mishap in sitting.mishaps():
                    screen.say(mishap)
                if ended:
                    screen.film(list(sitting.replay()), speed, pause)
        except KeyboardInterrupt:  # seen enough
            screen.say()
    screen.show(sitting.standings())
