"""The environments of Horse Race and of Scarne's Horse Race: a learner bets, or keeps the bank."""

from __future__ import annotations

from .single import SeatEnv
from .variants import BOOKMAKER, HORSE_RACE, SCARNE_HORSE_RACE
from .vector import SeatVectorEnv


class HorseRaceEnv(SeatEnv):
    """One bettor at a table of Horse Race, `railbird/HorseRace-v0`. Rule: RULES.md §3.

    Players:
        A learner and ``seats - 1`` agents who bet, against a house with unlimited chips for which the agent
        ``banker`` quotes the odds of every race. With ``bank="rotate"`` the players keep the bank in turn:
        then the learner quotes too, and an opponent is a pair, ``margin+kelly`` (one that is no pair quotes
        as ``banker`` does).

    Action:
        ``Discrete(1 + 4 * sizes)`` (``Discrete(1 + 4 * sizes + 33)`` where the bank rotates). Action 0 hands
        the ticket in; ``1 + suit * sizes + size`` writes the size-th stake on a suit that has none yet;
        behind those, where the learner quotes, the 33 board prices for the next suit in the order H, D, C, S.
        The last wager allowed, or the fourth price, hands the decision in. ``action="ticket"``:
        ``MultiDiscrete(encoding.nvec)``, for each suit 0 for none or the number of a stake size; a ticket the
        rules forbid as a whole counts as illegal.

    Observation:
        ``Box`` of float32, shares and odds as chances, so that it is the same for any bankroll. With six
        players (another number moves what stands behind ``bankrolls``)::

            0-3     rail        0..1   rail cards of H, D, C, S, each / cards on the rail
            4-7     quotes      0..1   1 / (1 + net odds) on H, D, C, S; 0 before they are known
            8-11    limits      0..1   most that may be staked on H, D, C, S / largest stake on offer, at most 1
            12-17   bankrolls   0..1   own chips, then each following player's (the house: from seat 0), b / (b + all brought in)
            18      house       -1..1   account of the house, signed, a / (|a| + chips brought in)
            19      race        0..1   races run / races of the game
            20      quoting     0..1   1 while the bank quotes, 0 while the others bet
            21      spent       0..1   cost of the ticket being written / own chips
            22-25   draft       0..1   stakes written on H, D, C, S / largest on offer; in a quote as in quotes
            26-29   last_winner 0..1   last race: 1 for the suit that won
            30-33   last_quotes 0..1   last race: 1 / (1 + net odds) on H, D, C, S
            34-37   last_money  0..1   last race: share of all chips staked that stood on H, D, C, S

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
        ``max_wager``, ``minimum``, ``track``); those of every environment (see `SeatEnv`); ``stakes``, the
        stake sizes on offer in minimum stakes; ``banker``, the agent that quotes for the house.

    Version history:
        v0: the first.
    """  # noqa: E501 - the index table stands as it is printed

    variant = HORSE_RACE


class HorseRaceVectorEnv(SeatVectorEnv):
    """Many tables with one learner each; all else is as in `HorseRaceEnv`."""

    variant = HORSE_RACE


class ScarneHorseRaceEnv(SeatEnv):
    """One bettor at a table of Scarne's Horse Race, where six cards bring a horse home, `railbird/ScarneHorseRace-v0`. Rule: RULES.md §3.

    Players:
        A learner and ``seats - 1`` agents who bet, against a house with unlimited chips for which the agent
        ``banker`` quotes the odds of every race. With ``bank="rotate"`` the players keep the bank in turn:
        then the learner quotes too, and an opponent is a pair, ``margin+kelly`` (one that is no pair quotes
        as ``banker`` does).

    Action:
        ``Discrete(1 + 4 * sizes)`` (``Discrete(1 + 4 * sizes + 33)`` where the bank rotates). Action 0 hands
        the ticket in; ``1 + suit * sizes + size`` writes the size-th stake on a suit that has none yet;
        behind those, where the learner quotes, the 33 board prices for the next suit in the order H, D, C, S.
        The last wager allowed, or the fourth price, hands the decision in. ``action="ticket"``:
        ``MultiDiscrete(encoding.nvec)``, for each suit 0 for none or the number of a stake size; a ticket the
        rules forbid as a whole counts as illegal.

    Observation:
        ``Box`` of float32, shares and odds as chances, so that it is the same for any bankroll. With six
        players (another number moves what stands behind ``bankrolls``)::

            0-3     rail        0..1   rail cards of H, D, C, S, each / cards on the rail
            4-7     quotes      0..1   1 / (1 + net odds) on H, D, C, S; 0 before they are known
            8-11    limits      0..1   most that may be staked on H, D, C, S / largest stake on offer, at most 1
            12-17   bankrolls   0..1   own chips, then each following player's (the house: from seat 0), b / (b + all brought in)
            18      house       -1..1   account of the house, signed, a / (|a| + chips brought in)
            19      race        0..1   races run / races of the game
            20      quoting     0..1   1 while the bank quotes, 0 while the others bet
            21      spent       0..1   cost of the ticket being written / own chips
            22-25   draft       0..1   stakes written on H, D, C, S / largest on offer; in a quote as in quotes
            26-29   last_winner 0..1   last race: 1 for the suit that won
            30-33   last_quotes 0..1   last race: 1 / (1 + net odds) on H, D, C, S
            34-37   last_money  0..1   last race: share of all chips staked that stood on H, D, C, S

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
        ``max_wager``, ``minimum``, ``track``); those of every environment (see `SeatEnv`); ``stakes``, the
        stake sizes on offer in minimum stakes; ``banker``, the agent that quotes for the house.

    Version history:
        v0: the first.
    """  # noqa: E501 - the index table stands as it is printed

    variant = SCARNE_HORSE_RACE


class ScarneHorseRaceVectorEnv(SeatVectorEnv):
    """Many tables with one learner each; all else is as in `ScarneHorseRaceEnv`."""

    variant = SCARNE_HORSE_RACE


class BookmakerEnv(SeatEnv):
    """The bookmaker of a table of Horse Race, `railbird/Bookmaker-v0`. Rule: RULES.md §3.

    Players:
        A learner who keeps the bank of a house with unlimited chips, and ``seats`` agents who bet
        (``opponents``).

    Action:
        ``Discrete(34)``: a quote is written suit by suit in the order H, D, C, S, action ``1 + price`` being
        one of the 33 board prices from 1/2 to 150/1; the fourth hands it in. Action 0 is legal only where
        there is nothing to quote. ``action="ticket"``: ``MultiDiscrete([33] * 4)``, the whole quote.

    Observation:
        ``Box`` of float32, shares and odds as chances, so that it is the same for any bankroll. With six
        players (another number moves what stands behind ``bankrolls``)::

            0-3     rail        0..1   rail cards of H, D, C, S, each / cards on the rail
            4-7     quotes      0..1   1 / (1 + net odds) on H, D, C, S; 0 before they are known
            8-11    limits      0..1   most that may be staked on H, D, C, S / largest stake on offer, at most 1
            12-17   bankrolls   0..1   own chips, then each following player's (the house: from seat 0), b / (b + all brought in)
            18      house       -1..1   account of the house, signed, a / (|a| + chips brought in)
            19      race        0..1   races run / races of the game
            20      quoting     0..1   1 while the bank quotes, 0 while the others bet
            21      spent       0..1   cost of the ticket being written / own chips
            22-25   draft       0..1   stakes written on H, D, C, S / largest on offer; in a quote as in quotes
            26-29   last_winner 0..1   last race: 1 for the suit that won
            30-33   last_quotes 0..1   last race: 1 / (1 + net odds) on H, D, C, S
            34-37   last_money  0..1   last race: share of all chips staked that stood on H, D, C, S

    Reward:
        ``reward="cash"``: the change of the house's account. ``reward="expected"``: the exact expectation of
        that change given the closed bets, free of the race's luck. ``info["profit"]`` is the change in chips
        under both. Writing a decision pays 0.

    End:
        After the last race. ``terminated`` is True once; ``truncated`` never.

    Illegal actions:
        ``illegal="pass"``: 0 takes the place of an action the mask forbids, or the lowest legal one where 0
        is not legal, and ``info["illegal_action"]`` is True. ``illegal="raise"``: `IllegalDecision`, and
        nothing has changed.

    Settings:
        Those of the game (``seats``, ``races``, ``bankroll``, ``bank``, ``rotate_every``, ``cap``,
        ``max_wager``, ``minimum``, ``track``); those of every environment (see `SeatEnv`).

    Version history:
        v0: the first.
    """  # noqa: E501 - the index table stands as it is printed

    variant = BOOKMAKER


class BookmakerVectorEnv(SeatVectorEnv):
    """Many tables with one learner each; all else is as in `BookmakerEnv`."""

    variant = BOOKMAKER
