"""N13: exact, conserved money: integers from end to end, and the books balance at every moment."""

from __future__ import annotations

import numpy as np
import pytest

from railbird.envs.checking import money


def test_the_books_balance_at_every_moment(any_doors):
    money.nobody_owes(any_doors)


@pytest.mark.slow
def test_the_books_balance_for_long(any_doors):
    money.nobody_owes(any_doors, steps=2_000)


# ---- each seen failing


def meddling(base, meddle):
    """A step after which something has happened to the state."""

    def step(self, action):
        told = base.step(self, action)
        meddle(self.table.game.state)
        return told

    return {"step": step}


@pytest.mark.parametrize(
    ("name", "meddle", "message"),
    [
        (
            "Superfecta",
            lambda state: state.bankrolls.__setitem__((0, 2), state.bankrolls[0, 2] + 1),
            r"36 chips were brought and there are \d+ in bankrolls \+ \d+ pools \+ 0 takeout .* = 37",
        ),
        (
            "Superfecta",
            lambda state: state.undivided.__setitem__(0, 1),
            "36 chips were brought .* 1 undivided = 37",
        ),
        ("HorseRace", lambda state: state.bankrolls.__setitem__((0, 0), 7), "120 chips were brought"),
        ("PasteboardDerby", lambda state: state.bank.__setitem__(0, 0), "20 chips were brought .* 0 bank"),
        (
            "RacingAces",
            lambda state: state.bankrolls.__setitem__(0, [-1, 3, 4]),
            "a player has -1 chips .*; refuse what cannot be paid",
        ),
        (
            "Superfecta",
            lambda state: setattr(state, "bankrolls", state.bankrolls.astype(np.float64)),
            "bankrolls is float64 .*; count money in int64",
        ),
        (
            "SaveTheBet",
            lambda state: state.stack.__ior__(state.hands[:, 0]),
            "a card is in two places or in none .*; move every card once",
        ),
        (
            "SaveTheBet",
            lambda state: state.profit.__setitem__(0, [1, 0]),
            "what one wins the other does not lose .*; pay",
        ),
    ],
)
def test_books_that_do_not_balance_are_found(case_of, broken, fails, name, meddle, message):
    members = meddling(type(case_of(name).make()), meddle)
    fails(money.nobody_owes, broken(name, single=members), message)
