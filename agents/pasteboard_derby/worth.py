"""What naming each horse is worth against others of whom it is known how likely they name what.

The others choose independently, seat j horse h with chance p_jh. The chance that k_H, k_D, k_C, k_S of them
are on the four horses (a multinomial law with its own chances for each seat) is built up seat by seat. For
each such company and each first and second horse the bank is settled as the rules do, in whole chips.

Naming a horse is worth the chips paid out for it and the seat's part of those that stay in the bank: a horse
nobody else names wins a bank that would have been carried. All chips come back to the players, so among
equals a chip that is carried is worth 1/payers to each payer, and after the last race 1/seats to each seat.

With no second place, and chips that could be split, this is (bank / 4) · (E[1 / (1 + K)] - part · P(K = 0))
for K others on the horse, and what does not depend on the choice. Rule: RULES.md §5.
"""

from __future__ import annotations

import numpy as np

from ...games.kernels import Flags, Floats, inline_kernel, kernel
from ...games.pasteboard_derby.law import pair_chances
from ...games.pasteboard_derby.race import HORSES
from ...games.pasteboard_derby.settings import PAYERS_FOR_TWO_PLACES, PasteboardDerbySettings
from ...games.pasteboard_derby.state import PasteboardDerbyView
from .backer import SAME


class Pricer:
    """Values horses for one agent; holds the room its kernels work in.

    Args:
        settings: the rules of the table.
    """

    def __init__(self, settings: PasteboardDerbySettings) -> None:
        seats = settings.seats
        self.settings = settings
        self._chances = pair_chances(settings.advance)
        self._law = np.zeros((seats, seats, seats))
        self._paid = np.zeros((seats + 1, seats + 1))
        self._stays = np.zeros((seats + 1, seats + 1))

    def worth(self, view: PasteboardDerbyView, forecast: Floats) -> Floats:
        """(n, 4) expected chips of naming each horse, the ante not taken off; 0 for seats that cannot pay.

        Args:
            view: the tables.
            forecast: (n, seats, 4), the chance with which each seat names each horse. Rows of the looking
                seat and of seats that cannot pay are not read.
        """
        out = np.zeros((len(view.lane), HORSES))
        settings = self.settings
        write_worth(
            out, self._law, self._paid, self._stays, forecast, view.seat, view.payers, view.bank, view.race,
            self._chances, settings.ante, settings.races, settings.places,
        )  # fmt: skip
        return out

    def replies(self, view: PasteboardDerbyView, forecast: Floats, rivals: Flags) -> Floats:
        """(n, seats, 4) the chance with which each rival names each horse if it replies best to ``forecast``.

        Equally good horses are equally likely. Rows of other seats are 0.
        """
        out = np.zeros(forecast.shape)
        settings = self.settings
        write_replies(
            out, self._law, self._paid, self._stays, forecast, rivals, view.payers, view.bank, view.race,
            self._chances, settings.ante, settings.races, settings.places,
        )  # fmt: skip
        return out


@kernel
def fill_shares(  # type: ignore[no-untyped-def]
    paid, stays, payers, carried, race, ante, races, places
):
    """Fills, by backers of the winner and of the second, what each of the winner's is paid and the looking
    seat's part of what stays, both (seats + 1, seats + 1); returns what a backer of the second gets back.
    """
    seats = paid.shape[0] - 1
    back = ante if places > 1 and payers >= PAYERS_FOR_TWO_PLACES else 0
    bank = carried + payers * ante
    part = 1.0 / (seats if race + 1 >= races else payers)
    for on_first in range(payers + 1):
        for on_second in range(payers + 1 - on_first):
            left = bank - on_second * back
            each = left // on_first if on_first > 0 else np.int64(0)
            paid[on_first, on_second] = each
            stays[on_first, on_second] = part * (left - each * on_first)
    return back


@kernel
def fill_law(law, forecast, payers, own):  # type: ignore[no-untyped-def]
    """Fills law (seats, seats, seats) with the chance of so many others on H, D and C, the rest of them on S;
    returns how many others there are. Only places whose sum is at most that number are written.
    """
    others = np.int64(-1)  # the looking seat pays as well
    for seat in range(payers.shape[0]):
        others += payers[seat]
    for h in range(others + 1):
        for d in range(others + 1 - h):
            for c in range(others + 1 - h - d):
                law[h, d, c] = 0.0
    law[0, 0, 0] = 1.0
    counted = np.int64(0)
    for seat in range(payers.shape[0]):
        if seat == own or not payers[seat]:
            continue
        counted += 1
        # from high to low, so that what is read has not been overwritten
        for h in range(counted, -1, -1):
            for d in range(counted - h, -1, -1):
                for c in range(counted - h - d, -1, -1):
                    chance = law[h, d, c] * forecast[seat, 3]
                    if h > 0:
                        chance += law[h - 1, d, c] * forecast[seat, 0]
                    if d > 0:
                        chance += law[h, d - 1, c] * forecast[seat, 1]
                    if c > 0:
                        chance += law[h, d, c - 1] * forecast[seat, 2]
                    law[h, d, c] = chance
    return others


@inline_kernel
def add_worth(out, company, chance, paid, stays, back, pairs):  # type: ignore[no-untyped-def]
    """Adds to out (4,) what each horse is worth beside company (4,), times the chance of that company."""
    for horse in range(HORSES):
        company[horse] += 1
        worth = 0.0
        for first in range(HORSES):
            for second in range(HORSES):
                if second == first:
                    continue
                on_first, on_second = company[first], company[second]
                got = stays[on_first, on_second]
                if horse == first:
                    got += paid[on_first, on_second]
                elif horse == second:
                    got += back
                worth += pairs[first, second] * got
        company[horse] -= 1
        out[horse] += chance * worth


@kernel
def price_seat(out, law, company, forecast, payers, own, paid, stays, back, pairs):  # type: ignore[no-untyped-def]
    """Fills out (4,) with what each horse is worth to the seat ``own``, which pays."""
    others = fill_law(law, forecast, payers, own)
    out[:] = 0.0
    for h in range(others + 1):
        for d in range(others + 1 - h):
            for c in range(others + 1 - h - d):
                if law[h, d, c] > 0.0:
                    company[0], company[1], company[2], company[3] = h, d, c, others - h - d - c
                    add_worth(out, company, law[h, d, c], paid, stays, back, pairs)


@kernel
def write_worth(  # type: ignore[no-untyped-def]
    out, law, paid, stays, forecast, seat, payers, bank, race, pairs, ante, races, places
):
    """Fills out (n, 4), the rows of seats that pay."""
    company = np.zeros(HORSES, np.int64)
    for i in range(out.shape[0]):
        if payers[i, seat[i]]:
            back = fill_shares(paid, stays, payers[i].sum(), bank[i], race[i], ante, races, places)
            price_seat(out[i], law, company, forecast[i], payers[i], seat[i], paid, stays, back, pairs)


@kernel
def write_replies(  # type: ignore[no-untyped-def]
    out, law, paid, stays, forecast, rivals, payers, bank, race, pairs, ante, races, places
):
    """Fills out (n, seats, 4), the rows of rivals, with the chances of their best replies."""
    company = np.zeros(HORSES, np.int64)
    worth = np.zeros(HORSES)
    for i in range(out.shape[0]):
        paying = payers[i].sum()
        if paying == 0:  # the game is over
            continue
        back = fill_shares(paid, stays, paying, bank[i], race[i], ante, races, places)
        for rival in range(out.shape[1]):
            if rivals[i, rival]:
                price_seat(worth, law, company, forecast[i], payers[i], rival, paid, stays, back, pairs)
                floor = np.max(worth) * (1.0 - SAME)
                equals = np.int64(0)
                for horse in range(HORSES):
                    equals += worth[horse] >= floor
                for horse in range(HORSES):
                    if worth[horse] >= floor:
                        out[i, rival, horse] = 1.0 / equals
