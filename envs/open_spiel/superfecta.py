"""Superfecta in OpenSpiel, ``railbird_superfecta``. Rule: RULES.md §1 and §2.

Players: 2 to 12. All hand in tickets at once: seat 0 writes first, and nobody sees what others write.

Chance: the rail, by how many cards of each suit it shows (84 outcomes), and the order of finish (24), with
the exact chances of `railbird.games.order_law`. Cards of a suit are alike.

Returns: chips won. What is left in the pools after the last race is divided, so in the equal split the
returns add up to ``carried`` if every minimum bet and carried pool is a multiple of 1, 2, … seats: then
nothing is ever indivisible, and the game is zero-sum or constant-sum. Otherwise it is general-sum.

Actions: those of the other doors: a ticket is written wager by wager and handed in with 0. With ``tickets``,
texts parted by |, a whole ticket is one action: 0 for none, 1 for the first, …

Parameters: ``seats``, ``races``, ``bankroll``, ``minimum_bet`` (of all pools), ``split``, ``rate``,
``breakage`` (0: the split's own); ``rail``, of the first race, such as HHDDCS (empty: dealt); ``carried``,
the chips that lie in the pools before the first race, as in "0 0 24", which all seats have lost equally
before; ``tickets``.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from math import lcm
from typing import Final

import numpy as np

from ...games.cards import SUIT_LETTERS
from ...games.errors import InvalidSettings
from ...games.kernels import Chips, Features, Rows
from ...games.order_law import ORDERS, order_law, parse_rail, rail_probability, rails
from ...games.race import DECK
from ...games.streams import Draws
from ...games.superfecta.encoding import SuperfectaEncoding
from ...games.superfecta.lines import LINES
from ...games.superfecta.settings import SuperfectaSettings
from ...games.superfecta.table import Superfecta
from ...games.superfecta.tickets import print_ticket
from ...games.track import SUPERFECTA
from .catalogue import Catalogue
from .games import Params, Size, TableGame, game_type
from .laws import Chances

PARAMS: Final[Params] = {
    "seats": 2, "races": 1, "bankroll": 100, "minimum_bet": 1, "split": "equal", "rate": 0.0, "breakage": 0,
    "rail": "", "carried": "0 0 0", "tickets": "",
}  # fmt: skip
NAMES: Final = ("railbird_superfecta", "Railbird: Superfecta")
SUPERFECTA_TYPE: Final = game_type(*NAMES, (2, 12), PARAMS, None)
RAILS: Final = rails(SUPERFECTA)


class SuperfectaGame(TableGame):
    """Superfecta; see the module.

    Raises:
        InvalidSettings: a parameter is out of range.
        BadTicket: a ticket cannot be read.
    """

    def __init__(self, params: Params | None = None) -> None:
        params = PARAMS | (params or {})
        settings = SuperfectaSettings(
            seats=params["seats"],
            races=params["races"],
            bankroll=params["bankroll"],
            minimum_bets=(params["minimum_bet"],) * 3,
            split=params["split"],
            rate=params["rate"],
            breakage=params["breakage"] or None,
        )
        carried = _carried(params["carried"], settings)
        encoding = (
            Catalogue(settings, params["tickets"]) if params["tickets"] else SuperfectaEncoding(settings)
        )
        table = Superfecta(settings)
        table.start()
        law = SuperfectaLaw(
            settings, encoding, parse_rail(params["rail"], SUPERFECTA) if params["rail"] else None, carried
        )
        seats, races, chips = settings.seats, settings.races, settings.chips
        total = _total(settings, carried)
        most = 1 if params["tickets"] else LINES + 1
        size = Size(
            outcomes=len(RAILS),
            actions=seats * races * most,
            deals=2 * races,
            turns=races,
            lowest=-chips,
            highest=seats * chips,
            total=total,
        )
        kind = game_type(*NAMES, (2, 12), PARAMS, total)
        super().__init__(kind, params, law, table, size)


class SuperfectaLaw:
    """The chance of Superfecta; see `railbird.envs.open_spiel.laws.Law`.

    Args:
        settings: the rules.
        encoding: how tickets are written.
        rail: of the first race; None: dealt.
        carried: (3,) chips in the pools before the first race.
    """

    def __init__(
        self,
        settings: SuperfectaSettings,
        encoding: SuperfectaEncoding | Catalogue,
        rail: tuple[int, int, int, int] | None,
        carried: tuple[int, int, int],
    ) -> None:
        self.settings, self.encoding, self.rail, self.carried = settings, encoding, rail, carried
        self.recorded = settings.seats * LINES

    def to_deal(self, table: Superfecta, dealt: tuple[int, ...]) -> Chances:
        if dealt or (self.rail and table.state.turn[0] == 0):
            return ()
        return tuple((number, float(chance)) for number, chance in enumerate(rail_probability(SUPERFECTA)))

    def lay(self, table: Superfecta, dealt: tuple[int, ...]) -> Superfecta:
        rail = RAILS[dealt[0]] if dealt else self.rail
        assert rail is not None
        cards = np.concatenate([DECK[12 * suit : 12 * suit + shown] for suit, shown in enumerate(rail)])
        view = replace(table.view(0), rail_cards=cards[None], rail=np.array([rail], np.int8))
        if table.state.turn[0] == 0:
            lost = sum(self.carried) // self.settings.seats
            view = replace(view, pools=np.array([self.carried]), bankrolls=view.bankrolls - lost)
        return Superfecta.from_view(self.settings, view)

    def to_turn(self, table: Superfecta) -> Chances:
        law = order_law(SUPERFECTA, table.state.rail[0].tolist())
        return tuple((order, float(chance)) for order, chance in enumerate(law) if chance)

    def cause(self, table: Superfecta) -> Hashable:
        return int(table.state.turn[0]), table.state.rail[0].tobytes()

    def came(self, table: Superfecta) -> Rows:
        return table.state.last_order.astype(np.int64)

    def resample(self, table: Superfecta, seat: int, draws: Draws) -> Superfecta:
        return table  # nothing is hidden but the tickets that are being written

    def seen(self, table: Superfecta, seat: int) -> str:
        view = table.view(seat)
        rail = "".join(SUIT_LETTERS[suit] * view.rail[0, suit] for suit in range(4))
        parts = [f"rail {rail}, pools {_chips(view.pools[0])}, chips {_chips(view.bankrolls[0])}"]
        if view.last_order[0] >= 0:
            held = [
                print_ticket(view.last_stakes[0, i]).replace("\n", "; ") for i in range(self.settings.seats)
            ]
            parts.append(f"last {self.turn_text(int(view.last_order[0]))}, tickets {' / '.join(held)}")
        return f"race {view.race[0]}: " + ", ".join(parts)

    def record(self, table: Superfecta) -> Features:
        """The last tickets, seat by seat: chips on each line as a share of the chips a player brings."""
        stakes: Features = table.state.last_stakes[0].ravel().astype(np.float32)
        return stakes / np.float32(max(1, self.settings.chips))

    def deal_text(self, outcome: int, dealt: tuple[int, ...]) -> str:
        return "rail " + "".join(SUIT_LETTERS[suit] * count for suit, count in enumerate(RAILS[outcome]))

    def turn_text(self, outcome: int) -> str:
        return "order " + "/".join(SUIT_LETTERS[suit] for suit in ORDERS[outcome])


def _carried(text: str, settings: SuperfectaSettings) -> tuple[int, int, int]:
    """The chips in the pools before the first race."""
    words = str(text).split()
    most = settings.chips * settings.seats
    if len(words) != 3 or not all(word.isdecimal() for word in words):
        raise InvalidSettings(f"carried is three whole numbers (WIN, EXA, SFC), as in '0 0 24', not {text!r}")
    win, exacta, superfecta = map(int, words)
    total = win + exacta + superfecta
    if total % settings.seats or total > most:
        raise InvalidSettings(
            f"carried chips are a multiple of {settings.seats} seats in all, at most {most}, not {total}"
        )
    return win, exacta, superfecta


def _total(settings: SuperfectaSettings, carried: tuple[int, int, int]) -> int | None:
    """What all seats win together, None where that depends on the game."""
    parts = lcm(*range(1, settings.seats + 1))
    whole = all(chips % parts == 0 for chips in (*settings.minimums, *carried))
    return sum(carried) if settings.split == "equal" and whole else None


def _chips(amounts: Chips) -> str:
    return " ".join(map(str, amounts.tolist()))
