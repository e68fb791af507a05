"""The PettingZoo door: any game as a `ParallelEnv` in which every seat is an agent of the environment."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from gymnasium import logger, spaces
from pettingzoo import ParallelEnv

from ..games.checks import one_of, whole
from ..games.errors import BrokenFile, IllegalDecision
from ..games.registry import load
from ..games.scene import named
from .options import RENDER_MODES
from .rendering import Frame
from .seats import Place, Played, SeatsTable
from .seats_options import read_seats
from .single import RENDER_FPS, new_root, observation_space
from .variants import Variant

HUMAN: Final = "human"
MODES: Final = (HUMAN, *RENDER_MODES)
MOST_CYCLES: Final = 2**62
Observation = dict[str, Any]


class SeatsParallelEnv(ParallelEnv[str, Observation, int]):  # type: ignore[misc]  # PettingZoo has no types
    """One table, every seat an agent.

    Agents:
        ``player_0``, ``player_1``, … by seat. In bookmaker the house that quotes is an agent too, behind the
        players: ``house_0``. Elsewhere a house has nothing to decide, or (horse-race, scarne-horse-race) the
        agent named by ``banker`` quotes for it. All agents stay until the game is over.

    Action:
        The flat actions of the single environments, `railbird/HorseRace-v0` for a player and
        `railbird/Bookmaker-v0` for the house: one wager, price, horse or card a step. The turn is played in
        the step in which the last seat that must act has handed in; until then those who have handed in, like
        broke seats and all others with nothing to decide, have action 0 as their only legal one.

    Observation:
        ``observation``: the vector of the single environments, what this seat may know and what it has
        written; ``action_mask``: int8, 1 where an action is legal, also in the info. Nobody sees what others
        are writing, only that the turn is not played yet.

    Reward:
        The change of each seat's bankroll in the step that plays the turn, the final division included;
        with ``reward="expected"`` its exact expectation given the closed bets, with ``reward="adjusted"``
        the luck-adjusted profit of tournaments (see `SeatEnv`); 0 in the other steps. ``info["profit"]`` is
        the change in chips under all of them.

    End:
        `terminations` are all True when the game is over; `truncations` when ``max_cycles`` steps have been
        made before that. What was being written then is lost.

    Illegal actions:
        As in the single environments: ``illegal="pass"`` (0 or the lowest legal action takes its place, and
        ``info["illegal_action"]`` is True) or ``illegal="raise"``.

    Args:
        variant: the environment whose game it is.
        settings: the game's rules; ``stakes``, the stake sizes on offer, where there are any; ``banker``;
            ``reward``; ``illegal``; ``lane``, the number by which chance is named beside the seed;
            ``max_cycles``, None for no limit; ``render_mode``, "ansi", "rgb_array" or "human" (text on
            standard output at every step).

    A copy, by `copy.deepcopy` or pickle, plays the same future, coming deals included.
    """

    def __init__(self, variant: Variant, **settings: Any) -> None:
        options = read_seats(variant, settings, others=("max_cycles", "render_mode"))
        mode, cycles = settings.get("render_mode"), settings.get("max_cycles")
        self.render_mode = None if mode is None else one_of("render_mode", mode, MODES)
        self.max_cycles = None if cycles is None else whole("max_cycles", cycles, 1, MOST_CYCLES)
        self.metadata = {
            "name": f"{variant.game.replace('-', '_')}_{variant.id.rpartition('-')[2]}",  # superfecta_v0
            "render_modes": list(MODES),
            "render_fps": RENDER_FPS,
            "is_parallelizable": True,
        }
        self.table = SeatsTable(options)
        self.agents: list[str] = []
        self.possible_agents = [place.name for place in self.table.places]
        self.root_seed: int | None = None
        self._cycles = 0
        self._spaces = {place.name: _spaces(place) for place in self.table.places}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """``Dict(observation, action_mask)``, the same object at each call."""
        return self._spaces[agent][0]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """``Discrete``, the same object at each call."""
        return self._spaces[agent][1]

    def encoding(self, agent: str) -> Any:
        """What an agent sees and does: `decode` explains an action, `layout` an observation."""
        return self._place(agent).actions.encoding

    def reset(
        self, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begins an episode: with a seed the first of that root seed, without one the next of the same root.

        The first reset without a seed takes its root from the operating system; `root_seed` tells it.
        PettingZoo hands ``options`` to every layer of wrappers; there are none here, so they are not read.
        """
        if seed is None and not self.table.started:
            seed = new_root()
        self.table.reset(seed)
        self.root_seed = self.root_seed if seed is None else seed
        self.agents = self.possible_agents[:]
        self._cycles = 0
        return self._after(Played.nothing(len(self.agents)))

    def step(
        self, actions: Mapping[str, Any]
    ) -> tuple[
        dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]
    ]:
        """Takes one action of every agent.

        Raises:
            IllegalDecision: no episode is being played, an agent's action is missing, or what
                `SeatsTable.step` raises; nothing has changed.
        """
        if not self.agents:
            raise IllegalDecision("the episode is over or has not begun; reset it first")
        missing = [agent for agent in self.agents if agent not in actions]
        if missing:
            raise IllegalDecision(f"every agent acts in every step, if only with 0; missing: {missing}")
        played = self.table.step([actions[agent] for agent in self.possible_agents])
        self._cycles += 1
        over = self.table.over
        spent = not over and self.max_cycles is not None and self._cycles >= self.max_cycles
        observations, infos = self._after(played)
        rewards = dict(zip(self.possible_agents, played.rewards.tolist(), strict=True))
        if over or spent:
            self.agents = []
        return (
            observations,
            rewards,
            dict.fromkeys(self.possible_agents, over),
            dict.fromkeys(self.possible_agents, spent),
            infos,
        )

    def _after(self, played: Played) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """What every agent sees and is told after a step."""
        observations, infos = {}, {}
        for row, place in enumerate(self.table.places):
            mask = place.legal.copy()
            observations[place.name] = {"observation": place.observe(), "action_mask": mask}
            infos[place.name] = {
                "action_mask": mask.copy(),
                "illegal_action": bool(played.illegal[row]),
                "profit": int(played.profits[row]),
            }
        if self.render_mode == HUMAN:
            self.render()
        return observations, infos

    def _place(self, agent: str) -> Place:
        return self.table.places[self.possible_agents.index(agent)]

    def render(self) -> Frame | None:
        """The table as a spectator sees it, as text or as a picture (height, width, 3) uint8; None, with
        Gymnasium's usual warning, where the environment has no render mode.
        """
        if self.render_mode is None:
            logger.warn(
                "nothing is shown without a render mode; make the environment with render_mode='ansi'"
            )
            return None
        from ..drawing import picture, scene_text  # only who renders pays for loading them

        scene = load(self.table.options.game).scene(self.table.game, 0, None, None)
        scene = named(scene, self.table.names)
        if self.render_mode == "rgb_array":
            return picture(scene)
        text = scene_text(scene) + "\n"
        if self.render_mode == "ansi":
            return text
        sys.stdout.write(text)
        return None

    def close(self) -> None:
        """Nothing is held that must be given back."""

    def get_state(self) -> dict[str, Any]:
        """The whole environment as JSON data: game, chance to come, half-written tickets, banker's memory.

        Raises:
            RailbirdError: the banker remembers something that cannot be written down (copy and pickle can).
        """
        own = {"playing": bool(self.agents), "cycles": self._cycles, "root_seed": self.root_seed}
        return self.table.save() | own

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Goes on from a state that an environment of the same settings wrote.

        Raises:
            BrokenFile: it is of other settings or cannot be read; nothing has changed.
        """
        playing, cycles, root = (state.get(name) for name in ("playing", "cycles", "root_seed"))
        if not (isinstance(playing, bool) and isinstance(cycles, int) and isinstance(root, int | None)):
            raise BrokenFile("a saved state says if it is being played, its cycles and its root seed")
        self.table.load(state)
        self.agents = self.possible_agents[:] if playing else []
        self._cycles, self.root_seed = cycles, root


def _spaces(place: Place) -> tuple[spaces.Space[Any], spaces.Space[Any]]:
    """An agent's observations and actions."""
    choices = place.actions.choices
    seen = spaces.Dict(
        {
            "observation": observation_space(place.actions.encoding),
            "action_mask": spaces.Box(0, 1, (choices,), np.int8),
        }
    )
    return seen, place.actions.space
