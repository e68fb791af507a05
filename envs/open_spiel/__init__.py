"""The OpenSpiel door: Save The Bet and Superfecta as `pyspiel` games with explicit chance.

Importing this registers them: ``pyspiel.load_game("railbird_save_the_bet(max_turns=1)")``. It needs
OpenSpiel, the extra ``open-spiel``. The rules are the tables of `railbird.games`, played one lane at a time;
what is added is the chance of each card or order of finish, and that decisions made at once are written one
after the other.
"""

from __future__ import annotations

import pyspiel

from .save_the_bet import SAVE_THE_BET_TYPE, SaveTheBetGame
from .superfecta import SUPERFECTA_TYPE, SuperfectaGame

__all__ = ["SaveTheBetGame", "SuperfectaGame"]

pyspiel.register_game(SAVE_THE_BET_TYPE, SaveTheBetGame)
pyspiel.register_game(SUPERFECTA_TYPE, SuperfectaGame)
