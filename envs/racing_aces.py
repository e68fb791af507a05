"""The environments of Racing Aces: one decision a race at published odds."""

from __future__ import annotations

from .single import SeatEnv
from .variants import RACING_ACES
from .vector import SeatVectorEnv


class RacingAcesEnv(SeatEnv):
    """One bettor at a table of Racing Aces, `railbird/RacingAces-v0`. Rule: RULES.md §4.

    Players:
        A learner, alone with a house with unlimited chips unless ``seats`` says otherwise; the odds are
        published. With ``bank="rotate"`` (two players or more) the players keep the bank in turn, and who
        keeps it is asked nothing in that race. Tickets are written at once and unseen.

    Action:
        ``Discrete(1 + 4 * sizes)``, by default ``Discrete(5)``: 0 bets nothing, 1 to 4 stake one chip on H,
        D, C or S, and either runs the race. In general ``1 + suit * sizes + size`` writes the size-th of the
        ``stakes`` on a suit that has none yet, 0 hands the ticket in, and so does the last of
        ``max_wagers``. The mask allows stakes within the suit's limit and the learner's chips.

        ``action="ticket"``: ``MultiDiscrete([1 + sizes] * 4)``, for each suit 0 for none or the number 1,
        2, … of a stake. The mask is flat. Wagers on more suits than ``max_wagers`` are illegal; a ticket of
        legal choices that costs more than the learner has is refused by the table: it counts as an empty one
        and the chips are kept.

    Observation:
        ``Box`` of float32; money is given as shares and odds as the chances they are fair at, so that no
        scale is that of a bankroll. With one player (another number moves what stands behind ``bankrolls``; a
        rotating bank has ``bank``, 1 for the seat that keeps it, in place of ``house``)::

            0-3     rail        0..1   rail cards of H, D, C, S, each / cards on the rail
            4-7     quotes      0..1   1 / (1 + net odds) on H, D, C, S; 0 before they are known
            8-11    limits      0..1   most that may be staked on H, D, C, S / largest stake on offer, at most 1
            12      bankrolls   0..1   own chips, then each following player's (the house: from seat 0), b / (b + all brought in)
            13      house       -1..1   account of the house, signed, a / (|a| + chips brought in)
            14      race        0..1   races run / races of the game
            15      spent       0..1   cost of the ticket being written / own chips
            16-19   draft       0..1   stakes written on H, D, C, S / largest on offer; in a quote as in quotes
            20-23   last_winner 0..1   last race: 1 for the suit that won
            24-27   last_quotes 0..1   last race: 1 / (1 + net odds) on H, D, C, S
            28-31   last_money  0..1   last race: share of all chips staked that stood on H, D, C, S

    Reward:
        ``reward="cash"``: the change of the learner's chips. ``reward="expected"``: the exact expectation of
        that change given the closed bets, free of the race's luck; ``reward="adjusted"`` is the same here.
        ``info["profit"]`` is the change in chips under all of them. Writing a decision pays 0. What a race
        brings in which the learner keeps the bank is in the reward of its last bet before, or of its first
        one if the game begins with that race.

    End:
        After the last race, or in the step in which the learner can no longer pay for the smallest stake
        (where the bank rotates, to which it may come again: has no chip left). ``terminated`` is True once;
        ``truncated`` never.

    Illegal actions:
        ``illegal="pass"``: 0 takes the place of an action the mask forbids, so what has been written is
        handed in (with ``action="ticket"`` an empty ticket), and ``info["illegal_action"]`` is True.
        ``illegal="raise"``: `IllegalDecision`, and nothing has changed.

    Settings:
        Those of the game (`RacingAcesSettings`: ``seats``, ``races``, ``bankroll``, ``bank``,
        ``rotate_every``, ``cap``, ``max_wager``, ``max_wagers``, ``stakes``); those of every environment (see
        `SeatEnv`) but ``banker``.

    Version history:
        v0: the first.
    """  # noqa: E501 - the index table stands as it is printed

    variant = RACING_ACES


class RacingAcesVectorEnv(SeatVectorEnv):
    """Many tables with one learner each; all else is as in `RacingAcesEnv`."""

    variant = RACING_ACES
