"""The environments of Save The Bet: two players, hidden hands, cards as stakes."""

from __future__ import annotations

from .single import SeatEnv
from .variants import SAVE_THE_BET
from .vector import SeatVectorEnv


class SaveTheBetEnv(SeatEnv):
    """One player of Save The Bet, `railbird/SaveTheBet-v0`. Rule: RULES.md §6.

    Players:
        A learner and one agent. The learner sits in either ``seat``; the same seed deals the same cards to
        each of them, whichever it is.

    Action:
        ``Discrete(53)``: 1 to 52 are the cards in suit-then-rank order, ace first (the ace of spades is never
        legal). A bet is written card by card in ascending order, all of one suit, so each set has one
        spelling, and 0 lays it down. A save is one card of the gamble's suit, or 0 for none. With an empty
        hand 0 bets nothing. Sets of cards have no ``action="ticket"``.

    Observation:
        ``Box`` of 267 float32, all within 0..1::

            0-51    hand        0..1   own cards in hand, those being written included
            52-103  other       0..1   cards known to be in the other's hand or bet
            104-155 returned    0..1   cards known to be back in the stack
            156-207 bet         0..1   own bet, or the cards of it written so far
            208-259 gamble      0..1   the gamble, once it is shown
            260-264 counts      0..1   cards in hand (own, other's), bet (own, other's) and in the stack, each / 51
            265     saving      0..1   1 when a save is asked for, 0 for a bet
            266     turn        0..1   whole turns played / turns until the game is a draw

        ``chances=True`` adds 270 numbers, what counting cards says of the bets in hand and of every action.
        They follow from the features above and only spare a learner the counting. A chance is that of the
        next gamble, nothing read into the other's play, a save from the hand reckoned in; when a save is
        asked for, ``wins`` is 1 or 0 and ``best`` is said of the next turn, as if the gamble shown were out
        of the stack. Features of actions that are not legal are 0::

            267-271 best        0..1   chance that the best bet in hand wins, the best without its cards, and so on
            272-324 wins        0..1   by action: chance that the bet wins as it lies (0) or with this card
            325-377 behind      0..1   by action: how much less that is than by the best action
            378-430 costs_1     -1..1   by action: what writing the card costs the first of `best`
            431-483 costs_2     -1..1   by action: what it costs the second and third, on average
            484-536 costs_4     -1..1   by action: what it costs the fourth and fifth, on average

    Reward:
        +1 for a game won, −1 for a game lost, 0 for a draw by ``max_turns`` and in every other step.
        ``reward="expected"`` is the same: what cards are worth is no fact of the rules, so the gamble's luck
        stays in it. ``reward="adjusted"`` is the luck-adjusted profit of tournaments: also, when the bets are
        shown, how much worse the gamble was for the learner than one drawn by lot, by a fixed value of the
        numbers of cards in hand (within −1..1). ``info["profit"]`` is +1, −1 or 0 under all of them.

    End:
        When a player holds the ``target`` number of cards at the end of a turn, or after ``max_turns`` turns.
        ``terminated`` is True once; ``truncated`` never.

    Illegal actions:
        ``illegal="pass"``: 0 takes the place of an action the mask forbids, so a bet is laid down as it is
        written; where nothing is written yet it is the lowest card in hand. ``info["illegal_action"]`` is
        True. ``illegal="raise"``: `IllegalDecision`, and nothing has changed.

    Settings:
        Those of the game (`SaveTheBetSettings`: ``suits``, ``ranks``, ``missing_ace``, ``hand_size``,
        ``target``, ``max_turns``, ``wins_by``, ``draw_returns``); ``chances``, whether the observation counts
        cards, too; those of every environment (see `SeatEnv`) but ``banker``.

    Version history:
        v0: the first.
    """  # noqa: E501 - the index table stands as it is printed

    variant = SAVE_THE_BET


class SaveTheBetVectorEnv(SeatVectorEnv):
    """Many tables with one learner each; all else is as in `SaveTheBetEnv`."""

    variant = SAVE_THE_BET
