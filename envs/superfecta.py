"""The environments of Superfecta: one seat learns, agents play the others."""

from __future__ import annotations

from .single import SeatEnv
from .variants import SUPERFECTA
from .vector import SeatVectorEnv


class SuperfectaEnv(SeatEnv):
    """One learner at a table of Superfecta, `railbird/Superfecta-v0`. Rule: RULES.md §2.

    Players:
        A learner and ``seats - 1`` agents, all with the same chips. Tickets are written at once and unseen.

    Action:
        ``action="wager"``: ``Discrete(1 + 40 * sizes)``. Action 0 hands the ticket in and the race is run;
        ``1 + line * sizes + size`` writes the size-th stake on a line that has none yet. Lines: WIN 0-3,
        EXA 4-15, SFC 16-39, each in lexicographic order of H, D, C, S. `encoding.decode` and
        `encoding.encode` translate. ``info["action_mask"]`` (int8) and `action_masks()` (bool) mark what is
        legal: handing in, and every affordable stake on a line without one.

        ``action="ticket"``: ``MultiDiscrete([1 + sizes] * 40)``, a whole ticket a step: on each line 0 for
        no wager or the number 1, 2, … of a stake size. The mask is flat, ``40 * (1 + sizes)``: a choice is
        legal if it could be paid for alone. A ticket of legal choices that costs more than the learner has
        is refused by the table: it counts as an empty one and the chips are kept.

    Observation:
        ``Box`` of float32, all within 0..1; money is given as shares, so that its scale is that of no
        bankroll. With six seats (another number moves what stands behind ``bankrolls``)::

            0-3     rail        0..1   rail cards of H, D, C, S, each / 6
            4-6     pools       0..1   chips carried in WIN, EXA, SFC as a share of all chips at the table
            7-12    bankrolls   0..1   own chips, then each following seat's, as a share of all chips at the table
            13      race        0..1   races run / races of the game
            14      spent       0..1   cost of the ticket being written / own chips
            15-54   draft       0..1   stake written on each line / largest stake on offer there
            55-58   last_order  0..1   last race: 1, 2/3, 1/3, 0 for the suit that came 1st to 4th; 0 before
            59-98   coverage    0..1   last race: share of the other players holding the line (equal split), or of the others' money in its pool (pro rata)

    Reward:
        ``reward="cash"``: the change of the learner's bankroll in chips, so 0 for writing a wager; the final
        division of the pools is in the last step's. ``reward="expected"``: the exact expectation of that
        change given all tickets of the race, free of the race's luck. ``reward="adjusted"``: that less the
        luck of what the race leaves in the pools, the luck-adjusted profit of tournaments.
        ``info["profit"]`` is the change in chips under all of them.

    End:
        After the last race, or in the step in which the learner can no longer pay for the smallest bet: the
        others then play the game out and the final division is in that step's reward. ``terminated`` is True
        once; ``truncated`` never.

    Illegal actions:
        ``illegal="pass"``: 0 takes the place of an action the mask forbids, so what has been written is
        handed in (with ``action="ticket"`` an empty ticket), and ``info["illegal_action"]`` is True.
        ``illegal="raise"``: `IllegalDecision`, and nothing has changed.

    Settings:
        Those of the game (`SuperfectaSettings`: ``seats``, ``races``, ``bankroll``, ``minimum_bets``,
        ``split``, ``rate``, ``breakage``, ``minimum_dividend``, ``max_wager``); ``stakes``, the stake sizes
        on offer in minimum bets, ascending; those of every environment (see `SeatEnv`) but ``banker``.

    Version history:
        v0: the first.
    """  # noqa: E501 - the index table stands as it is printed

    variant = SUPERFECTA


class SuperfectaVectorEnv(SeatVectorEnv):
    """Many tables of Superfecta with one learner each; all else is as in `SuperfectaEnv`."""

    variant = SUPERFECTA
