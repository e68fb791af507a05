"""The environments of Horse Race and of Scarne's Horse Race: a learner bets, or keeps the bank."""

from __future__ import annotations

from .single import SeatEnv
from .variants import BOOKMAKER, HORSE_RACE, SCARNE_HORSE_RACE
from .vector import SeatVectorEnv


class HorseRaceEnv(SeatEnv):
    """One bettor at a table of Horse Race, `railbird/HorseRace-v0`. Rule: RULES.md §3.

    Players:
        A learner and ``seats - 1`` agents, all with the same chips, bet against a house with unlimited chips
        for which the agent ``banker`` quotes the odds of every race. With ``bank="rotate"`` the players keep
        the bank in turn: then the learner quotes too, and an opponent is a pair, ``margin+kelly`` (one that
        is no pair quotes as ``banker`` does). Tickets are written at once and unseen.

    Action:
        ``Discrete(1 + 4 * sizes)``. Action 0 hands the ticket in; ``1 + suit * sizes + size`` writes the
        size-th stake on a suit that has none yet. The mask allows stakes within the suit's limit and the
        learner's chips; a wager on the fourth suit hands the ticket in. Where the bank rotates,
        ``Discrete(1 + 4 * sizes + 33)``: the last 33 are the board prices from 1/2 to 150/1, and while the
        learner quotes they alone are legal, each for the next suit in the order H, D, C, S; the fourth hands
        the quote in.

        ``action="ticket"``: ``MultiDiscrete([1 + sizes] * 4)``, for each suit 0 for none or the number 1,
        2, … of a stake size. Where the bank rotates, ``MultiDiscrete([33] * 4)``: while the learner quotes
        the number of each suit's board price, 0 for 1/2. The mask is flat. A ticket of legal choices that
        costs more than the learner has is refused by the table: it counts as an empty one and the chips are
        kept.

    Observation:
        ``Box`` of float32; money is given as shares and odds as the chances they are fair at, so that no
        scale is that of a bankroll. With six players (another number moves what stands behind ``bankrolls``;
        a rotating bank has ``bank``, 1 for the seat that keeps it, in place of ``house``)::

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
        that change given the closed bets, free of the race's luck; ``reward="adjusted"`` is the same here.
        ``info["profit"]`` is the change in chips under all of them. Writing a decision pays 0.

    End:
        After the last race, or in the step in which the learner can no longer pay for the smallest stake
        (where the bank rotates, to which it may come again: has no chip left). ``terminated`` is True once;
        ``truncated`` never.

    Illegal actions:
        ``illegal="pass"``: 0 takes the place of an action the mask forbids, or 1/2, the lowest price, where a
        price is due, and ``info["illegal_action"]`` is True; with ``action="ticket"`` an empty ticket, or a
        quote of 1/2 on every suit. ``illegal="raise"``: `IllegalDecision`, and nothing has changed.

    Settings:
        Those of the game (`HorseRaceSettings`: ``seats``, ``races``, ``bankroll``, ``bank``,
        ``rotate_every``, ``cap``, ``max_wager``, ``minimum``, ``track``); ``stakes``, the stake sizes on
        offer in minimum stakes, ascending; those of every environment (see `SeatEnv`).

    Version history:
        v0: the first.
    """  # noqa: E501 - the index table stands as it is printed

    variant = HORSE_RACE


class HorseRaceVectorEnv(SeatVectorEnv):
    """Many tables with one learner each; all else is as in `HorseRaceEnv`."""

    variant = HORSE_RACE


class ScarneHorseRaceEnv(SeatEnv):
    """One bettor at a table of Scarne's Horse Race, `railbird/ScarneHorseRace-v0`. Rule: RULES.md §3.

    It is Horse Race on a shorter track: six cards bring a horse home.

    Players:
        A learner and ``seats - 1`` agents, all with the same chips, bet against a house with unlimited chips
        for which the agent ``banker`` quotes the odds of every race. With ``bank="rotate"`` the players keep
        the bank in turn: then the learner quotes too, and an opponent is a pair, ``margin+kelly`` (one that
        is no pair quotes as ``banker`` does). Tickets are written at once and unseen.

    Action:
        ``Discrete(1 + 4 * sizes)``. Action 0 hands the ticket in; ``1 + suit * sizes + size`` writes the
        size-th stake on a suit that has none yet. The mask allows stakes within the suit's limit and the
        learner's chips; a wager on the fourth suit hands the ticket in. Where the bank rotates,
        ``Discrete(1 + 4 * sizes + 33)``: the last 33 are the board prices from 1/2 to 150/1, and while the
        learner quotes they alone are legal, each for the next suit in the order H, D, C, S; the fourth hands
        the quote in.

        ``action="ticket"``: ``MultiDiscrete([1 + sizes] * 4)``, for each suit 0 for none or the number 1,
        2, … of a stake size. Where the bank rotates, ``MultiDiscrete([33] * 4)``: while the learner quotes
        the number of each suit's board price, 0 for 1/2. The mask is flat. A ticket of legal choices that
        costs more than the learner has is refused by the table: it counts as an empty one and the chips are
        kept.

    Observation:
        ``Box`` of float32; money is given as shares and odds as the chances they are fair at, so that no
        scale is that of a bankroll. With six players (another number moves what stands behind ``bankrolls``;
        a rotating bank has ``bank``, 1 for the seat that keeps it, in place of ``house``)::

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
        that change given the closed bets, free of the race's luck; ``reward="adjusted"`` is the same here.
        ``info["profit"]`` is the change in chips under all of them. Writing a decision pays 0.

    End:
        After the last race, or in the step in which the learner can no longer pay for the smallest stake
        (where the bank rotates, to which it may come again: has no chip left). ``terminated`` is True once;
        ``truncated`` never.

    Illegal actions:
        ``illegal="pass"``: 0 takes the place of an action the mask forbids, or 1/2, the lowest price, where a
        price is due, and ``info["illegal_action"]`` is True; with ``action="ticket"`` an empty ticket, or a
        quote of 1/2 on every suit. ``illegal="raise"``: `IllegalDecision`, and nothing has changed.

    Settings:
        Those of the game (`ScarneHorseRaceSettings`: ``seats``, ``races``, ``bankroll``, ``bank``,
        ``rotate_every``, ``cap``, ``max_wager``, ``minimum``, ``track``); ``stakes``, the stake sizes on
        offer in minimum stakes, ascending; those of every environment (see `SeatEnv`).

    Version history:
        v0: the first.
    """  # noqa: E501 - the index table stands as it is printed

    variant = SCARNE_HORSE_RACE


class ScarneHorseRaceVectorEnv(SeatVectorEnv):
    """Many tables with one learner each; all else is as in `ScarneHorseRaceEnv`."""

    variant = SCARNE_HORSE_RACE


class BookmakerEnv(SeatEnv):
    """The bookmaker at a table of Horse Race, `railbird/Bookmaker-v0`. Rule: RULES.md §3.

    Players:
        A learner that keeps the bank for a house with unlimited chips, and ``seats`` agents, all with the
        same chips, that bet. The learner's seat is the one behind theirs.

    Action:
        ``Discrete(34)``: a quote is written suit by suit in the order H, D, C, S, action ``1 + price`` being
        one of the 33 board prices from 1/2 to 150/1; the fourth hands it in and the race is run. Action 0 is
        legal only where the game is over. ``action="ticket"``: ``MultiDiscrete([33] * 4)``, the number of
        each suit's board price, 0 for 1/2.

    Observation:
        ``Box`` of float32; money is given as shares and odds as the chances they are fair at, so that no
        scale is that of a bankroll. With six players (another number moves what stands behind
        ``bankrolls``)::

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
        that change given the closed bets, free of the race's luck; ``reward="adjusted"`` is the same here.
        ``info["profit"]`` is the change in chips under all of them. Writing a decision pays 0.

    End:
        After the last race. ``terminated`` is True once; ``truncated`` never.

    Illegal actions:
        ``illegal="pass"``: 1/2, the lowest price, takes the place of an action the mask forbids (with
        ``action="ticket"``, 1/2 on every suit) and ``info["illegal_action"]`` is True. ``illegal="raise"``:
        `IllegalDecision`, and nothing has changed.

    Settings:
        Those of the game (`HorseRaceSettings`: ``seats``, ``races``, ``bankroll``, ``bank``, which stays
        "house", ``rotate_every``, which then says nothing, ``cap``, ``max_wager``, ``minimum``, ``track``);
        those of every environment (see `SeatEnv`) but ``banker`` and ``seat``.

    Version history:
        v0: the first.
    """  # noqa: E501 - the index table stands as it is printed

    variant = BOOKMAKER


class BookmakerVectorEnv(SeatVectorEnv):
    """Many tables with one learner each; all else is as in `BookmakerEnv`."""

    variant = BOOKMAKER
