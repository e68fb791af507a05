"""Save The Bet: two players with hidden hands bet on the next card of the stack. Rule: RULES.md §6."""

from __future__ import annotations

from typing import Final

from ..spec import GameSpec, Prompt
from .bets import parse_bet, print_bet
from .encoding import SaveTheBetEncoding
from .scene import drawn, frames, rounds, scene
from .settings import SaveTheBetSettings
from .table import SaveTheBet

BET: Final = Prompt(
    word="bet",
    help=(
        "A bet is one or more cards of one suit from your hand, on one line: 5H 2H. It wins if its suit is\n"
        "the gamble's, or its sum the gamble's value; J, Q, K and A are worth 1."
    ),
    parse=parse_bet,
    text=print_bet,
    nothing="none, your hand is empty",
)
SAVE: Final = Prompt(
    word="save",
    help=(
        "A save is one card of the gamble's suit from your hand, such as 6C. It is shown, and added to the\n"
        "sum of your bet; an empty line saves nothing."
    ),
    parse=parse_bet,
    text=print_bet,
    nothing="none",
)
SPEC: Final = GameSpec(
    name="save-the-bet",
    title="Save The Bet",
    settings=SaveTheBetSettings,
    game=SaveTheBet,
    encoding=SaveTheBetEncoding,
    encoding_options=("chances",),
    scene=scene,
    frames=frames,
    rounds=rounds,
    drawn=drawn,
    prompts=(BET, SAVE),
    round="turn",
    score="points",
    contest=True,
    watched=5,
)
