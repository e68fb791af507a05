"""Whole Superfecta tickets by number: boxes, wheels and keys as a window clerk would write them.

Rule: RULES.md §2. With so few horses the patterns of a tote are these, told by horses a, b, c, d:

====================  ==================================================================  =====
``WIN a``             a first                                                             1
``EXA a/b``           a first, b second                                                   1
``EXA box a,b``       the horses named take the first two places, in any order            2–12
``EXA wheel a/all``   a first, any other second                                           3
``EXA key a/b,c``     a first, b or c second                                              2
``SFC a/b/c/d``       the whole order                                                     1
``SFC box a,b``       the horses named are in front of the others, all in any order       4–24
``SFC wheel a/all``   a first, the others in any order                                    6
``SFC key a/b/all``   a first, b second, the others in any order                          2
====================  ==================================================================  =====

The last column counts the lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Final

import numpy as np

from ...games.cards import SUIT_LETTERS
from ...games.checks import one_of, whole
from ...games.errors import InvalidSettings
from ...games.kernels import Chips, Counts, Rows, Stakes
from ...games.order_law import ORDERS
from ...games.superfecta.lines import HORSES, LINE_OF, LINES, POOL_OF
from ...games.superfecta.settings import SuperfectaSettings

KINDS: Final = ("WIN", "EXA", "EXA box", "EXA wheel", "EXA key", "SFC", "SFC box", "SFC wheel", "SFC key")
HORSE_NAMES: Final = ("rank", "suit")
RUNNERS: Final = range(4)
DIGITS: Final = 4 ** np.arange(3, -1, -1)  # (4,): suits of an order as the digits of one number
ORDER_NUMBER: Final = np.zeros(256, np.int64)  # the number 0-23 of the order with these digits
ORDER_NUMBER[ORDERS.astype(np.int64) @ DIGITS] = np.arange(24)


@dataclass(frozen=True, slots=True)
class Pattern:
    """The lines of a ticket by its horses, numbered 0–3 by rank or suit."""

    kind: str
    horses: str  # as in the table above, with {0} to {3} for the horses' names
    lines: tuple[int, ...]  # ascending


class Catalogue:
    """All tickets on offer, each at every stake level; action 0 is the empty one.

    Action ``1 + pattern * sizes + size`` writes the size-th stake on every line of a pattern.

    Args:
        settings: the rules of the table.
        kinds: which patterns are on offer, some of `KINDS`; None: all.
        stakes: chips on each line in minimum bets, ascending.
        horses: "rank", horses are named 1 to 4 from the one with the fewest cards on the rail, whose chance
            to win is the greatest, equals in the order H, D, C, S; or "suit".

    Raises:
        InvalidSettings: an unknown kind or naming, or stakes that are not ascending or exceed the largest
            wager.
    """

    def __init__(
        self, settings: SuperfectaSettings, kinds: Sequence[str] | None, stakes: Sequence[int], horses: str
    ) -> None:
        named = KINDS if kinds is None else [one_of("a kind of ticket", kind, KINDS) for kind in kinds]
        if not named:
            raise InvalidSettings(f"kinds are some of {', '.join(map(repr, KINDS))}, at least one")
        self.horses = one_of("horses", horses, HORSE_NAMES)
        self.stakes = _checked(stakes, settings)
        self.patterns = tuple(pattern for pattern in all_patterns() if pattern.kind in named)
        self.actions = 1 + len(self.patterns) * len(self.stakes)
        self._least = np.array(settings.minimums, np.int64)[POOL_OF]  # (40,)
        by_number = self._by_number()
        self.costs: Chips = by_number.sum(1)  # (actions,)
        orders = ORDERS if self.horses == "rank" else ORDERS[:1]
        self._tickets: Stakes = np.stack([by_number[:, _renamed(order)] for order in orders]).astype(np.int16)

    def _by_number(self) -> Chips:
        """(actions, 40) int64: chips on each line, horses being numbered by the order of the lines."""
        out = np.zeros((self.actions, LINES), np.int64)
        for place, pattern in enumerate(self.patterns):
            for number, size in enumerate(self.stakes):
                lines = list(pattern.lines)
                out[1 + place * len(self.stakes) + number, lines] = self._least[lines] * size
        return out

    def tickets(self, actions: Rows, rails: Counts) -> Stakes:
        """(n, 40) int16: the stakes these actions (n,) write at rails (n, 4) of H, D, C, S."""
        orders = 0 * actions if self.horses == "suit" else order_by_rank(rails)
        written: Stakes = self._tickets[orders, actions]
        return written

    def action_text(self, action: int) -> str:
        """An action in words: ``"pass"`` or ``"$1 EXA box 1,2"``, horses by rank or suit letter."""
        whole("action", action, 0, self.actions - 1)
        if action == 0:
            return "pass"
        place, size = divmod(int(action) - 1, len(self.stakes))
        pattern = self.patterns[place]
        names = "1234" if self.horses == "rank" else SUIT_LETTERS
        chips = int(self._least[pattern.lines[0]]) * self.stakes[size]
        return f"${chips} {pattern.kind} {pattern.horses.format(*names)}"

    def table(self) -> str:
        """Every action as text, a line each: its number, the ticket, how many lines it has and its cost."""
        rows = ["  0  pass"]
        for action in range(1, self.actions):
            lines = len(self.patterns[(action - 1) // len(self.stakes)].lines)
            words = f"{lines} line{'s' if lines > 1 else ''}, costs {int(self.costs[action])}"
            rows.append(f"{action:>3}  {self.action_text(action):<22}  {words}")
        return "\n".join(rows)


def order_by_rank(rails: Counts) -> Rows:
    """(n,) int64: the number 0–23 of the order that lists the suits of rails (n, 4), likeliest winner first.

    The fewer cards of a suit lie on the rail the more are to come, and the greater is its chance to win.
    """
    suits = np.argsort(rails, axis=1, kind="stable")  # (n, 4), equals in the order of suits
    numbers: Rows = ORDER_NUMBER[suits @ DIGITS]
    return numbers


def all_patterns() -> Iterator[Pattern]:
    """Every pattern, in the order of `KINDS` and then of the horses' numbers."""
    boxes = [box for count in (2, 3, 4) for box in combinations(RUNNERS, count)]
    for horse in RUNNERS:
        yield Pattern("WIN", _names([horse]), _led_by(1, [horse]))
    for pool, length in (("EXA", 2), ("SFC", 4)):
        for order in permutations(RUNNERS, length):
            yield Pattern(pool, _names(order, "/"), (LINE_OF[order],))
        for box in boxes:
            fronts = permutations(box, min(length, len(box)))
            yield Pattern(f"{pool} box", _names(box, ","), _led_by(length, *fronts))
        for horse in RUNNERS:
            yield Pattern(f"{pool} wheel", f"{_names([horse])}/all", _led_by(length, [horse]))
        if pool == "EXA":
            for horse in RUNNERS:
                for others in combinations([other for other in RUNNERS if other != horse], 2):
                    seconds = [(horse, second) for second in others]
                    words = f"{_names([horse])}/{_names(others, ',')}"
                    yield Pattern("EXA key", words, _led_by(length, *seconds))
        else:
            for pair in permutations(RUNNERS, 2):
                yield Pattern("SFC key", f"{_names(pair, '/')}/all", _led_by(length, pair))


def _names(horses: Sequence[int], between: str = "") -> str:
    """The horses' places to be filled with their names: ``"{0}/{2}"``."""
    return between.join(f"{{{horse}}}" for horse in horses)


def _led_by(length: int, *fronts: Sequence[int]) -> tuple[int, ...]:
    """The lines of a pool, which name so many horses, that begin with one of these."""
    found = {tuple(front) for front in fronts}
    return tuple(
        line
        for line, named in enumerate(HORSES)
        if len(named) == length and any(named[: len(front)] == front for front in found)
    )


def _renamed(order: Counts) -> list[int]:
    """(40,): for each line by suits the line by ranks that it is where ``order`` (4,) lists the suits."""
    by_rank = [0] * LINES
    for line, named in enumerate(HORSES):
        by_rank[LINE_OF[tuple(int(order[rank]) for rank in named)]] = line
    return by_rank


def _checked(stakes: Sequence[int], settings: SuperfectaSettings) -> tuple[int, ...]:
    most = settings.max_wager // max(settings.minimums)
    sizes = tuple(whole("a stake level in minimum bets", size, 1, most) for size in stakes)
    if not sizes or list(sizes) != sorted(set(sizes)):
        raise InvalidSettings(
            f"stake levels are ascending sizes in minimum bets, at least one, not {stakes!r}"
        )
    return sizes
