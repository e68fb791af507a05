"""Backers that name the horse of the greatest exact worth and differ in what they expect of the others."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ...games.errors import InvalidSettings
from ...games.kernels import Flags, Floats
from ...games.pasteboard_derby.settings import PasteboardDerbySettings
from ...games.pasteboard_derby.state import PasteboardDerbyView
from .backer import EVEN, Backer, habits, rivals, times_named
from .worth import Pricer


class LevelOne(Backer):
    """Replies best to level 0, a table at which everybody names its last horse again.

    With one place that is the horse fewest of the others named in the last race. In the first race nothing is
    expected and it draws, as it does among equally good horses.
    """

    idea: ClassVar[str] = "Expects everybody to repeat its last horse and names the best one beside those."
    source: ClassVar[str] = "level-k thinking (Stahl and Wilson 1995; Nagel 1995)"

    def __init__(self, settings: PasteboardDerbySettings) -> None:
        super().__init__(settings)
        self._pricer = Pricer(settings)

    def liking(self, view: PasteboardDerbyView) -> Floats:
        return self._pricer.worth(view, habits(times_named(view, "last")))


class LevelTwo(Backer):
    """Replies best to a table at which everybody else is `LevelOne`, its draws among equals included."""

    idea: ClassVar[str] = "Expects everybody to play level-1 and names the best horse beside those."
    source: ClassVar[str] = "level-k thinking (Stahl and Wilson 1995; Nagel 1995)"

    def __init__(self, settings: PasteboardDerbySettings) -> None:
        super().__init__(settings)
        self._pricer = Pricer(settings)

    def liking(self, view: PasteboardDerbyView) -> Floats:
        past: Flags = view.last_winner >= 0  # before that level 1 draws evenly: see `equilibrium`
        repeated = habits(times_named(view, "last"))
        forecast = self._pricer.replies(view, repeated, rivals(view) & past[:, None])
        forecast[~past] = EVEN
        return self._pricer.worth(view, forecast)


class Avoider(Backer):
    """Names the horse of the least expected company, weighed by what company costs.

    Each other seat is forecast from its own earlier races: a horse it named k times in n races it names with
    chance (k + prior/4) / (n + prior). What a horse is worth beside such company is exact (`worth`).
    Seats that forecast alike move alike: at a large table several avoiders meet on the horse they took for
    the emptiest.

    Options:
        prior: races that an even guess of each seat counts for, above 0.
    """

    idea: ClassVar[str] = "Forecasts each seat from its own habits and names the horse that shares least."
    source: ClassVar[str] = "fictitious play (Brown 1951) against each seat by itself"

    def __init__(self, settings: PasteboardDerbySettings, *, prior: float = 1.0) -> None:
        super().__init__(settings)
        if not 0 < prior < np.inf:
            raise InvalidSettings(f"prior is a number of races above 0, not {prior!r}")
        self.prior = float(prior)
        self._pricer = Pricer(settings)

    def liking(self, view: PasteboardDerbyView) -> Floats:
        return self._pricer.worth(view, habits(times_named(view, "all"), self.prior))
