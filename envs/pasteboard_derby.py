"""The environments of Pasteboard Derby: name a horse, and hope for little company."""

from __future__ import annotations

from .single import SeatEnv
from .variants import PASTEBOARD_DERBY
from .vector import SeatVectorEnv


class PasteboardDerbyEnv(SeatEnv):
    """One player at a table of Pasteboard Derby, `railbird/PasteboardDerby-v0`. Rule: RULES.md §5.

    Players:
        A learner and ``seats - 1`` agents, all with the same chips. Horses are named at once and unseen.

    Action:
        ``Discrete(5)``: 1 to 4 name H, D, C or S and run the race; 0 is legal only where there is nothing to
        decide. There are no whole tickets: an action is one already.

    Observation:
        ``Box`` of float32, all within 0..1. With six seats (another number moves what stands behind
        ``bankrolls``)::

            0       race        0..1   races run / races of the game
            1       bank        0..1   chips carried in the bank as a share of all chips at the table
            2-7     bankrolls   0..1   own chips, then each following seat's, as a share of all chips at the table
            8-13    payers      0..1   1 for a seat that pays the ante in this race, own first
            14-17   winner      0..1   last race: 1 for the horse of H, D, C, S that won; 0 before the first
            18-21   second      0..1   last race: 1 for the second horse; 0 where it was for first only
            22-45   named       0..1   last race: 1 for the horse each seat named, own seat first
            46-69   habits      0..1   share of the races run in which each seat named each horse
            70-73   company     0..1   last race: share of the other seats that named each horse

    Reward:
        ``reward="cash"``: the change of the learner's chips. ``reward="expected"``: the exact expectation of
        that change given the closed bets, free of the race's luck. ``info["profit"]`` is the change in chips
        under both. Writing a decision pays 0. A share of the bank at the end of the game is in the last
        step's.

    End:
        After the last race, with fewer than three players who can pay the ante, or in the step in which the
        learner can no longer pay it: the others then play the game out and its share of the bank is in that
        step's reward. ``terminated`` is True once; ``truncated`` never.

    Illegal actions:
        ``illegal="pass"``: 0 takes the place of an action the mask forbids, or the lowest legal one where 0
        is not legal, and ``info["illegal_action"]`` is True. ``illegal="raise"``: `IllegalDecision`, and
        nothing has changed.

    Settings:
        Those of the game (``seats``, ``races``, ``bankroll``, ``ante``, ``advance``, ``places``); those of
        every environment (see `SeatEnv`).

    Version history:
        v0: the first.
    """  # noqa: E501 - the index table stands as it is printed

    variant = PASTEBOARD_DERBY


class PasteboardDerbyVectorEnv(SeatVectorEnv):
    """Many tables with one learner each; all else is as in `PasteboardDerbyEnv`."""

    variant = PASTEBOARD_DERBY
