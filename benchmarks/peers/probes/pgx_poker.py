"""Pgx's Leduc hold'em and Kuhn poker, a large batch in compiled code."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import pgx
from pgx.experimental import auto_reset

from .dice import ROUNDS

PACKAGES = ("pgx", "jax", "numpy")
LANES = 4096


def prepared(name: str) -> tuple[Any, Any, tuple[Any, Any]]:
    """The first states, a step of all of them, and the numbers a pass uses: per step a number for each action
    and a key for each lane.
    """
    env = pgx.make(name)
    step = jax.vmap(auto_reset(env.step, env.init))
    begin, noise, keys = jax.random.split(jax.random.PRNGKey(0), 3)
    states = jax.jit(jax.vmap(env.init))(jax.random.split(begin, LANES))
    numbers = jax.random.uniform(noise, (ROUNDS, LANES, env.num_actions), minval=0.1)
    dealt = jax.random.split(keys, ROUNDS * LANES).reshape(ROUNDS, LANES, -1)

    def stepped(states: Any, drawn: tuple[Any, Any]) -> tuple[Any, None]:
        numbers, keys = drawn
        actions = jnp.argmax(states.legal_action_mask * numbers, axis=1)
        return step(states, actions, keys), None

    return states, stepped, (numbers, dealt)


def called(name: str) -> Callable[[], float]:
    """One compiled call for each step of the batch."""
    states, stepped, (numbers, keys) = prepared(name)
    step = jax.jit(lambda states, drawn: stepped(states, drawn)[0])
    rounds = [(numbers[turn], keys[turn]) for turn in range(ROUNDS)]

    def work() -> float:
        nonlocal states
        for drawn in rounds:
            states = step(states, drawn)
        jax.block_until_ready(states)
        return float(ROUNDS * LANES)

    return work


def scanned(name: str) -> Callable[[], float]:
    """One compiled call for all steps of a pass."""
    states, stepped, drawn = prepared(name)
    steps = jax.jit(lambda states, drawn: jax.lax.scan(stepped, states, drawn)[0])

    def work() -> float:
        nonlocal states
        states = jax.block_until_ready(steps(states, drawn))
        return float(ROUNDS * LANES)

    return work


FORMS = {
    f"{short}_{way.__name__}": partial(way, name)
    for short, name in (("leduc", "leduc_holdem"), ("kuhn", "kuhn_poker"))
    for way in (called, scanned)
}
