"""The environments of Racing Aces: one decision a race at published odds."""

from __future__ import annotations

from .single import SeatEnv
from .variants import RACING_ACES
from .vector import SeatVectorEnv


class RacingAcesEnv(SeatEnv):
    """One bettor at a table of Racing Aces, `railbird/RacingAces-v0`. Rule: RULES.md §4.

    Players:
        A learner, alone with a house with unlimited chips unless ``seats`` says otherwise; the odds are
        published. With ``bank="rotate"`` (two players or more) the players keep the bank in turn.

    Action:
        ``Discrete(1 + 4 * sizes)``, by default ``Discrete(5)``: 0 bets nothing, 1 to 4 stake one chip on H,
        D, C or S, and either runs the race. With ``max_wagers`` above 1 wagers are written one by one and 0
        hands the ticket in. ``action="ticket"``: ``MultiDiscrete(encoding.nvec)``.

    Observation:
        ``Box`` of float32, shares and odds as chances, so that it is the same for any bankroll. With one
        player (another number moves what stands behind ``bankrolls``)::

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
        that change given the closed bets, free of the race's luck. ``info["profit"]`` is the change in chips
        under both. Writing a decision pays 0.

    End:
        After the last race, or in the step in which the learner can no longer pay for the smallest stake.
        ``terminated`` is True once; ``truncated`` never.

    Illegal actions:
        ``illegal="pass"``: 0 takes the place of an action the mask forbids, or the lowest legal one where 0
        is not legal, and ``info["illegal_action"]`` is True. ``illegal="raise"``: `IllegalDecision`, and
        nothing has changed.

    Settings:
        Those of the game (``seats``, ``races``, ``bankroll``, ``bank``, ``rotate_every``, ``cap``,
        ``max_wager``, ``max_wagers``, ``stakes``); those of every environment (see `SeatEnv`).

    Version history:
        v0: the first.
    """  # noqa: E501 - the index table stands as it is printed

    variant = RACING_ACES


class RacingAcesVectorEnv(SeatVectorEnv):
    """Many tables with one learner each; all else is as in `RacingAcesEnv`."""

    variant = RACING_ACES
