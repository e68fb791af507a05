"""The environments of Pasteboard Derby: name a horse, and hope for little company."""

from __future__ import annotations

from .single import SeatEnv
from .variants import PASTEBOARD_DERBY
from .vector import SeatVectorEnv


class PasteboardDerbyEnv(SeatEnv):
    """One player at a table of Pasteboard Derby, `railbird/PasteboardDerby-v0`. Rule: RULES.md §5.

    Players:
        A learner and ``seats - 1`` agents, all with the same chips. Who can pay the ante of a race pays it
        and names a horse; horses are named at once and unseen.

    Action:
        ``Discrete(5)``: 1 to 4 name H, D, C or S and the race is run; 0 is legal only where the game is over.
        A horse is a whole decision, so there is no ``action="ticket"``.

    Observation:
        ``Box`` of float32, all within 0..1; money is given as shares, so that its scale is that of no
        bankroll. With six seats (another number moves what stands from ``payers`` on)::

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
        ``reward="cash"``: the change of the learner's chips in a race, the ante included; its part of the
        bank when the game ends is in the last step's. ``reward="expected"``: the exact expectation of that
        change given the horses named, free of the race's luck. ``reward="adjusted"``: that less the luck of
        what the race leaves in the bank, the luck-adjusted profit of tournaments. ``info["profit"]`` is the
        change in chips under all of them.

    End:
        After the last race, with fewer than three players who can pay the ante, or in the step in which the
        learner can no longer pay it: the others then play the game out and its part of the bank is in that
        step's reward. ``terminated`` is True once; ``truncated`` never.

    Illegal actions:
        ``illegal="pass"``: 1, hearts, takes the place of an action the mask forbids and
        ``info["illegal_action"]`` is True. ``illegal="raise"``: `IllegalDecision`, and nothing has changed.

    Settings:
        Those of the game (`PasteboardDerbySettings`: ``seats``, ``races``, ``bankroll``, ``ante``,
        ``advance``, ``places``); those of every environment (see `SeatEnv`) but ``banker``.

    Version history:
        v0: the first.
    """  # noqa: E501 - the index table stands as it is printed

    variant = PASTEBOARD_DERBY


class PasteboardDerbyVectorEnv(SeatVectorEnv):
    """Many tables with one learner each; all else is as in `PasteboardDerbyEnv`."""

    variant = PASTEBOARD_DERBY
