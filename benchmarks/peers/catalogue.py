"""Who is measured: six libraries with card games, and ours."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from ...games.errors import UnknownName


@dataclass(frozen=True, slots=True)
class Form:
    """One game as it is stepped in one way."""

    key: str  # of the probe's FORMS
    title: str
    per_call: bool = True  # False: one call plays many steps, so nobody could decide between them


@dataclass(frozen=True, slots=True)
class Contestant:
    """A library, measured by one probe in one environment."""

    name: str  # for --only
    module: str  # in `probes`
    requirements: tuple[str, ...]  # for pip; none: it is ours and runs in this environment
    forms: tuple[Form, ...]
    inside: str  # what the clock runs for

    @property
    def ours(self) -> bool:
        """Whether it is Railbird itself."""
        return not self.requirements


OUR_GAMES: Final = {
    "superfecta": "Superfecta",
    "racing-aces": "Racing Aces (1 player)",
    "racing-aces-six": "Racing Aces (6 players)",
    "horse-race": "Horse Race",
    "pasteboard-derby": "Pasteboard Derby",
    "save-the-bet": "Save The Bet",
}
PEERS: Final = (
    Contestant(
        "gymnasium",
        "gymnasium_blackjack",
        ("gymnasium==1.4.0", "numpy==2.4.6"),
        (Form("blackjack", "Blackjack, SyncVectorEnv"),),
        "step of 64 lanes with observations, infos and same-step autoreset; actions drawn before",
    ),
    Contestant(
        "rlcard",
        "rlcard_leduc",
        ("rlcard==1.2.0", "numpy==2.4.6"),
        (Form("leduc", "Leduc"),),
        "reset and step with the state it returns; choosing by numbers drawn before",
    ),
    Contestant(
        "pettingzoo",
        "pettingzoo_leduc",
        ("pettingzoo[classic]==1.27.0", "rlcard==1.2.0", "numpy==2.4.6"),
        (Form("leduc", "Leduc, AEC"),),
        "reset, agent_iter, last (observation and mask) and step; choosing by numbers drawn before",
    ),
    Contestant(
        "openspiel",
        "openspiel_poker",
        ("open-spiel==2.0.2", "numpy==2.4.6"),
        (Form("leduc", "Leduc"), Form("kuhn", "Kuhn")),
        "new states, legal_actions, apply_action and the cards, nothing observed; choosing by numbers drawn"
        " before",
    ),
    Contestant(
        "pgx",
        "pgx_poker",
        ("pgx==2.6.0", "jax[cpu]==0.10.2", "numpy==2.4.6"),
        (
            Form("leduc_called", "Leduc, a jitted call a step"),
            Form("leduc_scanned", "Leduc, 64 steps in a scan", per_call=False),
            Form("kuhn_called", "Kuhn, a jitted call a step"),
            Form("kuhn_scanned", "Kuhn, 64 steps in a scan", per_call=False),
        ),
        "step of 4,096 lanes with observations, masks and auto_reset, waited for once in 64 steps;"
        " choosing by numbers and dealing by keys drawn before",
    ),
    Contestant(
        "envpool",
        "envpool_blackjack",
        ("envpool==1.2.5", "numpy==2.4.6"),
        (Form("blackjack", "Blackjack, 1 thread"),),
        "step of 512 lanes with observations, infos and resets, which do not count; actions drawn before",
    ),
)
OURS: Final = (
    Contestant(
        "games",
        "railbird_games",
        (),
        tuple(
            Form(f"{key}_{way}", f"{title}, {told}")
            for key, title in OUR_GAMES.items()
            for way, told in (("played", "game"), ("observed", "game, observed"))
        ),
        "a turn of all seats at 4,096 tables: legality, race, pools, payouts, restarts and the count of seats"
        " asked; whole tickets drawn before, bets of cards by numbers drawn before; 'observed': also an"
        " observation for every seat each turn (Save The Bet: and a mask, card by card, a card counts)",
    ),
    Contestant(
        "environments",
        "railbird_vector",
        (),
        tuple(
            Form(key, f"{title}, vector env") for key, title in OUR_GAMES.items() if key != "racing-aces-six"
        ),
        "step of 4,096 lanes with observations, masks, infos and same-step autoreset, the agents at the other"
        " seats too, which bet at random and do not count; choosing by numbers drawn before",
    ),
)
CONTESTANTS: Final = PEERS + OURS


def chosen(only: Iterable[str]) -> tuple[Contestant, ...]:
    """The contestants of these names; all where none is named.

    Raises:
        UnknownName: there is no such contestant.
    """
    known = {contestant.name: contestant for contestant in CONTESTANTS}
    names = list(only)
    for name in names:
        if name not in known:
            raise UnknownName("contestant", name, known)
    return tuple(contestant for contestant in CONTESTANTS if not names or contestant.name in names)
