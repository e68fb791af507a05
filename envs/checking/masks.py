"""Actions: their masks in all places, illegal ones, and what a flat action spells.

Needs: N5 (one mask, every door, right dtype), N6 (always a legal action, illegal ones handled in one way),
N7 (flat, decodable actions).
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ...games.errors import IllegalDecision, InvalidSettings, UnknownName
from .copies import twin
from .doors import Doors
from .play import Player, masks_of
from .sameness import step_difference
from .verdicts import CheckFailed, NotApplicable

STEPS: Final = 100
NO_MASK: Final = "it has no action masks"
OUTSIDE: Final = (-1, 2**62, -(2**63))


def masks_agree(doors: Doors, steps: int = STEPS) -> str:
    """Every source of a mask says the same, in its own dtype: infos int8, `action_masks` bool."""
    told = []
    for kind, check in (("single", _single), ("vector", _vector), ("PettingZoo", _parallel)):
        try:
            check(doors, steps)
        except NotApplicable:
            continue
        told.append(kind)
    if not told:
        raise NotApplicable(NO_MASK)
    return f"infos (int8), observations and action_masks() (bool) agree: {', '.join(told)}"


def _single(doors: Doors, steps: int) -> None:
    env, player = doors.open_single(), Player(1)
    _, info = env.reset(seed=1)
    if masks_of(env) is None and "action_mask" not in info:
        raise NotApplicable(NO_MASK)
    for step in range(steps):
        masks = masks_of(env)
        if masks is None or "action_mask" not in info:
            has, lacks = ("info", "action_masks()") if masks is None else ("action_masks()", "info")
            raise CheckFailed(f"{has} has a mask and {lacks} has none", "tell it in both", f"step {step}")
        _right(info["action_mask"], masks, _choices(env.action_space), f"step {step}")
        _, _, ended, cut, info = env.step(player.action(env))
        if ended or cut:
            _, info = env.reset()


def _vector(doors: Doors, steps: int) -> None:
    envs, player = doors.open_vector(3), Player(1, lanes=3)
    _, infos = envs.reset(seed=1)
    choices = _choices(envs.single_action_space)
    for step in range(steps):
        if "action_mask" not in infos:
            raise CheckFailed("the infos of the vector environment lack 'action_mask'", "tell it there")
        told, method = infos["action_mask"], envs.action_masks()
        for lane in range(3):
            _right(told[lane], method[lane], choices, f"vector environment, step {step}, lane {lane}")
        _, _, _, _, infos = envs.step(player.actions(told))


def _parallel(doors: Doors, steps: int) -> None:
    env, player = doors.open_parallel(), Player(1)
    seen, infos = env.reset(seed=1)
    for step in range(steps):
        actions = {}
        for agent in env.agents:
            where, mask = f"PettingZoo, step {step}, {agent}", seen[agent]["action_mask"]
            _right(infos[agent]["action_mask"], mask == 1, _choices(env.action_space(agent)), where)
            if mask.dtype != np.int8:
                raise CheckFailed(f"the observed mask is {mask.dtype}", "make it int8", where)
            actions[agent] = int(player.actions(mask[np.newaxis])[0])
        seen, _, _, _, infos = env.step(actions)
        if not env.agents:
            seen, infos = env.reset()


def _choices(space: Any) -> int:
    """The length of a flat mask of an action space."""
    return int(space.n) if hasattr(space, "n") else int(space.nvec.sum())


def _right(told: Any, method: Any, choices: int, where: str) -> None:
    """Fails unless an info's mask and that of a method are right and equal, and something is legal."""
    for name, mask, dtype in (("info's mask", told, np.int8), ("action_masks()", method, np.bool_)):
        if not isinstance(mask, np.ndarray) or (mask.dtype, mask.shape) != (np.dtype(dtype), (choices,)):
            came = f"{getattr(mask, 'dtype', type(mask).__name__)} of shape {np.shape(mask)}"
            due = f"{np.dtype(dtype)} of shape ({choices},)"
            raise CheckFailed(f"{name} is {came}", f"make it {due}", where)
    if not np.array_equal(told == 1, method):
        action = int(np.flatnonzero((told == 1) != method)[0])
        raise CheckFailed(
            f"action {action} is {'' if method[action] else 'il'}legal by action_masks() and"
            f" {'' if told[action] == 1 else 'il'}legal by the info",
            "let both come from one mask of the state as it now is",
            where,
        )
    if not method.any():
        raise CheckFailed(
            "no action is legal", "let passing (action 0) be legal where nothing else is", where
        )


def somebody_always_has_an_action(doors: Doors, bankrolls: tuple[int, ...] = (0, 1, 2)) -> str:
    """The mask is never empty, with however few chips; by default and with whole tickets."""
    env = doors.open_single()
    if masks_of_started(env) is None:
        raise NotApplicable(NO_MASK)
    played = 0
    ways: list[dict[str, Any]] = [{}, {"action": "ticket"}, *({"bankroll": chips} for chips in bankrolls)]
    for more in ways:
        try:
            env = doors.open_single(**more)
        except (InvalidSettings, UnknownName, TypeError):
            continue  # the rules forbid it, or there is no such setting
        player = Player(2)
        env.reset(seed=1)
        for step in range(60):
            masks = masks_of(env)
            assert masks is not None
            _some_in_each_part(env, masks, f"step {step}, settings {more}")
            _, _, ended, cut, _ = env.step(player.action(env))
            if ended or cut:
                env.reset()
        played += 1
    return f"an action is always legal, in {played} ways to play"


def masks_of_started(env: Any) -> Any:
    """The masks of an environment after a reset."""
    env.reset(seed=1)
    return masks_of(env)


def _some_in_each_part(env: Any, masks: Any, where: str) -> None:
    """Fails where no choice is legal, in any part of a whole ticket."""
    space = env.action_space
    parts = np.split(masks, np.cumsum(space.nvec)[:-1]) if hasattr(space, "nvec") else [masks]
    if not all(part.any() for part in parts):
        raise CheckFailed(
            "no action is legal", "let passing (action 0) be legal where nothing else is", where
        )


def idle_seats_have_action_0(doors: Doors, steps: int = STEPS) -> str:
    """At an open table who has nothing to decide has action 0 alone, and so has who has handed in."""
    env, player = doors.open_parallel(), Player(3)
    seen, _ = env.reset(seed=1)
    idle = 0
    for step in range(steps):
        actions = {}
        for agent, place in zip(env.possible_agents, env.table.places, strict=True):
            mask = seen[agent]["action_mask"]
            if not place.asked and np.flatnonzero(mask).tolist() != [0]:
                raise CheckFailed(
                    f"{agent} has nothing to decide and the legal actions {np.flatnonzero(mask).tolist()}",
                    "let 0 be an idle seat's only legal action",
                    f"step {step}",
                )
            idle += not place.asked
            actions[agent] = int(player.actions(mask[np.newaxis])[0])
        seen = env.step(actions)[0]
        if not env.agents:
            seen, _ = env.reset()
    return f"action 0 is the only one of an idle seat ({idle} times)"


def illegal_actions_are_told(doors: Doors, steps: int = 12) -> str:
    """An illegal action does what the lowest legal one does and says so; or raises and changes nothing."""
    env = doors.open_single()
    if masks_of_started(env) is None or not hasattr(env.action_space, "n"):
        raise NotApplicable("it has no flat actions with masks")
    raises = not doors.takes(illegal="pass") or _raises_by_default(doors)
    env, player, outside, tried = doors.open_single(), Player(4), list(OUTSIDE), 0
    env.reset(seed=1)
    for step in range(steps):
        masks = masks_of(env)
        assert masks is not None
        for illegal in (*np.flatnonzero(~masks)[-1:].tolist(), *outside):
            if not raises:
                _passes(env, masks, illegal, f"step {step}, action {illegal}")
            tried += 1
        outside = []  # once is enough
        _, _, ended, cut, info = env.step(player.action(env))
        if info.get("illegal_action"):
            raise CheckFailed("a legal action is told to be illegal", "tell it truly", f"step {step}")
        if ended or cut:
            env.reset()
    _raise(doors)
    return f"{tried} illegal actions passed and said so, or raised and changed nothing"


def _raises_by_default(doors: Doors) -> bool:
    return doors.settings.get("illegal") == "raise"


def _passes(env: Any, masks: Any, illegal: int, where: str) -> None:
    """Fails unless an illegal action does what the lowest legal one does, and says so."""
    spoilt, other = twin(env), twin(env)
    told, passed = spoilt.step(illegal), other.step(int(masks.argmax()))
    if told[4].get("illegal_action") is not True:
        raise CheckFailed(
            f"an illegal action is replaced silently: info['illegal_action'] is"
            f" {told[4].get('illegal_action')}",
            "set it to True",
            where,
        )
    alike = [*told[:4], {**told[4], "illegal_action": False}]
    differs = step_difference(alike, [*passed[:4], {**passed[4], "illegal_action": False}])
    if differs:
        raise CheckFailed(
            f"an illegal action does not do what the lowest legal one does: {differs}",
            "let it pass and move no money",
            where,
        )


def _raise(doors: Doors) -> None:
    """Fails unless, with ``illegal="raise"``, an illegal action raises and changes nothing."""
    if not doors.takes(illegal="raise"):
        return
    env = doors.open_single(illegal="raise")
    env.reset(seed=1)
    masks = masks_of(env)
    assert masks is not None
    for illegal in (*np.flatnonzero(~masks)[:2].tolist(), OUTSIDE[0]):
        other = twin(env)
        try:
            other.step(illegal)
        except IllegalDecision:
            differs = step_difference(other.step(int(masks.argmax())), twin(env).step(int(masks.argmax())))
            if not differs:
                continue
            raise CheckFailed(
                f"a refused action has changed the game: {differs}", "raise before playing"
            ) from None
        raise CheckFailed(
            f"action {illegal} is illegal and nothing is raised", "raise IllegalDecision", "illegal='raise'"
        )


def actions_round_trip(doors: Doors) -> str:
    """One flat `Discrete`; `decode` and `encode` are inverse over all of it, every text is another."""
    env = doors.open_single(**({"action": "wager"} if doors.takes(action="wager") else {}))
    try:
        encoding = env.get_wrapper_attr("encoding")
    except AttributeError:
        raise NotApplicable("it has no encoding to decode actions with") from None
    if not hasattr(env.action_space, "n"):
        raise CheckFailed(f"the actions are {env.action_space}", "make them one Discrete")
    count = int(env.action_space.n)
    if count != encoding.actions:
        raise CheckFailed(f"the space has {count} actions, the encoding {encoding.actions}", "let them agree")
    texts: dict[str, int] = {}
    for action in range(count):
        parts = encoding.decode(action)
        again = encoding.encode(*parts)
        if again != action:
            raise CheckFailed(
                f"action {action} decodes to {parts}, which encodes to {again}", "let encode undo decode"
            )
        text = encoding.action_text(action)
        if text in texts:
            raise CheckFailed(
                f"actions {texts[text]} and {action} are both called {text!r}", "give each its own text"
            )
        texts[text] = action
    return f"decode and encode are inverse over all {count} actions, each with its own text"


def masks_allow_what_is_played(doors: Doors, steps: int = STEPS) -> str:
    """What the mask allows is accepted: with ``illegal="raise"`` legal play never raises."""
    if not doors.takes(illegal="raise"):
        raise NotApplicable("it has no setting 'illegal'")
    env, player = doors.open_single(illegal="raise"), Player(6)
    env.reset(seed=2)
    for step in range(steps):
        try:
            _, _, ended, cut, _ = env.step(player.action(env))
        except IllegalDecision as error:
            raise CheckFailed(
                f"an action that the mask allows is refused: {error}",
                "let mask and rules agree",
                f"step {step}",
            ) from error
        if ended or cut:
            env.reset()
    return f"{steps} actions that the masks allow are accepted"
