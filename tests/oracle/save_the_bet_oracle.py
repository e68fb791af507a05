"""Save The Bet, turn by turn, in the plainest words: the independent check of the fast game.

Rule: RULES.md §6. The first deal is a list: the first `hand_size` cards are seat 0's hand, the next seat 1's,
the rest the stack, top card first. Later shuffles come from a callable that is given the stack, the gamble in
it, in ascending card order, and returns the new order, top card first.

Reading: all bets and saves are turned up at the reveal, so every card in play is publicly known afterwards,
wherever it goes.
Reading: a seat without a bet is not asked for a save; its answer has to be None.
Reading: when one player wins, the stack keeps its order: only a draw and a blank shuffle it, and they do so
before the held cards are counted, even in the turn that ends the game.
Reading: the winner of a turn against an empty hand takes its own cards back and the gamble. On a blank the
player with the empty hand receives the other's bet and gives nothing.
Reading: the held cards are counted before the turns: who holds `target` cards in turn `max_turns` has won.
Reading: a smaller deck takes the first suits and the first ranks, aces included, and may leave out one card.
The stack cannot run out if the deck has at least 2 * target - 1 cards, so fewer are a settings error.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction

ACE_OF_SPADES = 39  # card = 13 * suit + rank, rank 0 is the ace
Reshuffle = Callable[[list[int]], Sequence[int]]


def suit_of(card: int) -> int:
    """The suit of a card: H=0, D=1, C=2, S=3."""
    return card // 13


def value_of(card: int) -> int:
    """2 to 10 as printed; ace, jack, queen and king are worth 1."""
    rank = card % 13
    return rank + 1 if 1 <= rank <= 9 else 1


@dataclass(frozen=True)
class Settings:
    """The rules of one game."""

    hand_size: int = 6
    target: int = 26
    max_turns: int = 200
    wins_by: str = "suit_or_value"
    draw_returns: str = "own"
    suits: int = 4
    ranks: int = 13
    excluded: int | None = ACE_OF_SPADES

    def __post_init__(self) -> None:
        if self.wins_by not in ("suit_or_value", "value"):
            raise ValueError("wins_by is 'suit_or_value' or 'value'")
        if self.draw_returns not in ("own", "swap"):
            raise ValueError("draw_returns is 'own' or 'swap'")
        if not 1 <= self.hand_size < self.target:
            raise ValueError("a hand begins with at least one card and fewer than the target")
        if len(self.cards()) < 2 * self.target - 1:
            raise ValueError("with so few cards the stack could run out before somebody has won")
        if self.max_turns < 1:
            raise ValueError("a game has at least one turn")

    def cards(self) -> list[int]:
        """All cards of the game, ascending."""
        deck = [13 * suit + rank for suit in range(self.suits) for rank in range(self.ranks)]
        return [card for card in deck if card != self.excluded]


def bet_wins(bet: Collection[int], save: int | None, gamble: int, wins_by: str) -> bool:
    """Whether this bet, with the saved card added to its value, is won against the gamble."""
    if not bet:
        return False
    suit = suit_of(next(iter(bet)))  # of the original bet; all its cards share it
    value = sum(value_of(card) for card in bet)
    if save is not None:
        value += value_of(save)
    if value == value_of(gamble):
        return True
    return wins_by == "suit_or_value" and suit == suit_of(gamble)


@dataclass(frozen=True)
class Turn:
    """One finished turn. `outcome` is "seat 0", "seat 1", "draw" or "blank"; the rest is after the turn."""

    number: int  # from 1
    bets: tuple[frozenset[int], frozenset[int]]
    gamble: int
    saves: tuple[int | None, int | None]
    won: tuple[bool, bool]
    outcome: str
    hands: tuple[frozenset[int], frozenset[int]]
    known: tuple[frozenset[int], frozenset[int]]
    known_in_stack: frozenset[int]
    stack_size: int
    over: bool
    winner: int | None


@dataclass(frozen=True)
class Knowledge:
    """What one seat knows exactly. The `unseen` cards are the other's `other_unknown` and the stack's."""

    hand: frozenset[int]
    own_bet: frozenset[int]
    other_known: frozenset[int]  # in the other's hand or bet
    other_unknown: int
    stack_known: frozenset[int]
    stack_unknown: int
    unseen: frozenset[int]

    def chance_in_stack(self, card: int) -> Fraction:
        """The counting odds that the card is in the stack."""
        if card in self.stack_known:
            return Fraction(1)
        if card not in self.unseen:
            return Fraction(0)
        return Fraction(self.stack_unknown, len(self.unseen))

    def chance_of_gamble(self, card: int) -> Fraction:
        """The counting odds that the card is on top of the stack: every place in it is as likely."""
        return self.chance_in_stack(card) / (len(self.stack_known) + self.stack_unknown)

    def chance_with_other(self, card: int) -> Fraction:
        """The counting odds that the other has the card, in hand or in its bet."""
        if card in self.other_known:
            return Fraction(1)
        if card not in self.unseen:
            return Fraction(0)
        return Fraction(self.other_unknown, len(self.unseen))


class SaveTheBet:
    """One game: `bet`, then `save`, turn after turn until `over`."""

    def __init__(self, settings: Settings, deal: Sequence[int], reshuffle: Reshuffle) -> None:
        if sorted(deal) != settings.cards():
            raise ValueError("the first deal has to hold every card of the game once")
        size = settings.hand_size
        self.settings = settings
        self.reshuffle = reshuffle
        self.hands = [set(deal[:size]), set(deal[size : 2 * size])]  # without the cards bet this turn
        self.stack = list(deal[2 * size :])  # top card first
        self.known: list[set[int]] = [set(), set()]  # public cards each seat has, in hand or in its bet
        self.known_in_stack: set[int] = set()
        self.bets: list[set[int]] = [set(), set()]
        self.gamble: int | None = None  # face up between the bet and the reveal
        self.turn = 0  # turns finished
        self.over = False
        self.winner: int | None = None

    @property
    def phase(self) -> str:
        """ "bet", "save" or "over"."""
        if self.over:
            return "over"
        return "bet" if self.gamble is None else "save"

    def to_act(self) -> tuple[bool, bool]:
        """Who is asked now: both for a bet, every seat that has bet for a save."""
        if self.phase == "save":
            return bool(self.bets[0]), bool(self.bets[1])
        return (self.phase == "bet",) * 2

    def bet(self, bet_0: Collection[int], bet_1: Collection[int]) -> int:
        """Place both bets and turn up the gamble, which is returned."""
        if self.phase != "bet":
            raise ValueError(f"no bet is wanted: the phase is {self.phase}")
        for seat, bet in enumerate((bet_0, bet_1)):
            self._check_bet(seat, bet)
        for seat, bet in enumerate((bet_0, bet_1)):
            self.bets[seat] = set(bet)
            self.hands[seat] -= self.bets[seat]
        self.gamble = self.stack.pop(0)
        self.known_in_stack.discard(self.gamble)
        self.check_cards()
        return self.gamble

    def _check_bet(self, seat: int, bet: Collection[int]) -> None:
        if len(set(bet)) != len(bet):
            raise ValueError(f"seat {seat} bets a card twice")
        if not set(bet) <= self.hands[seat]:
            raise ValueError(f"seat {seat} bets a card it does not hold")
        if self.hands[seat] and not bet:
            raise ValueError(f"seat {seat} holds cards and has to bet at least one")
        if len({suit_of(card) for card in bet}) > 1:
            raise ValueError(f"seat {seat}: the cards of a bet share a suit")

    def legal_saves(self, seat: int) -> list[int]:
        """The cards this seat could add, ascending; "no save" is always possible."""
        if self.gamble is None or not self.bets[seat]:
            return []
        return sorted(card for card in self.hands[seat] if suit_of(card) == suit_of(self.gamble))

    def save(self, save_0: int | None, save_1: int | None) -> Turn:
        """Add the saved cards, reveal, and finish the turn."""
        if self.gamble is None:
            raise ValueError(f"no save is wanted: the phase is {self.phase}")
        saves = (save_0, save_1)
        for seat, save in enumerate(saves):
            if save is not None and save not in self.legal_saves(seat):
                raise ValueError(f"seat {seat} can save {self.legal_saves(seat)} or None, not {save}")
        gamble = self.gamble
        bets = (frozenset(self.bets[0]), frozenset(self.bets[1]))
        in_play: list[set[int]] = [set(), set()]
        for seat, save in enumerate(saves):
            in_play[seat] = self.bets[seat] | (set() if save is None else {save})
            self.hands[seat] -= in_play[seat]
            self.known[seat] -= in_play[seat]
            self.bets[seat] = set()
        self.gamble = None
        won = (
            bet_wins(bets[0], save_0, gamble, self.settings.wins_by),
            bet_wins(bets[1], save_1, gamble, self.settings.wins_by),
        )
        outcome = self._move_cards(in_play, gamble, won)
        self.check_cards()
        self._count()
        return Turn(
            number=self.turn,
            bets=bets,
            gamble=gamble,
            saves=saves,
            won=won,
            outcome=outcome,
            hands=(frozenset(self.hands[0]), frozenset(self.hands[1])),
            known=(frozenset(self.known[0]), frozenset(self.known[1])),
            known_in_stack=frozenset(self.known_in_stack),
            stack_size=len(self.stack),
            over=self.over,
            winner=self.winner,
        )

    def _move_cards(self, in_play: list[set[int]], gamble: int, won: tuple[bool, bool]) -> str:
        if won[0] != won[1]:
            seat = 0 if won[0] else 1
            self._take(seat, in_play[0] | in_play[1] | {gamble})
            return f"seat {seat}"
        draw = won[0]
        own = draw and self.settings.draw_returns == "own"
        for seat in (0, 1):
            self._take(seat, in_play[seat] if own else in_play[1 - seat])
        stack = sorted([*self.stack, gamble])
        shuffled = list(self.reshuffle(list(stack)))
        if sorted(shuffled) != stack:
            raise ValueError("the shuffled stack has to hold the cards it was given")
        self.stack = shuffled
        self.known_in_stack.add(gamble)
        return "draw" if draw else "blank"

    def _take(self, seat: int, cards: set[int]) -> None:
        self.hands[seat] |= cards
        self.known[seat] |= cards

    def _count(self) -> None:
        self.turn += 1
        for seat in (0, 1):
            if len(self.hands[seat]) >= self.settings.target:
                assert self.winner is None, "only one player can reach the target"
                self.winner = seat
                self.over = True
        if self.turn == self.settings.max_turns:
            self.over = True

    def check_cards(self) -> None:
        """Every card is in one place, public knowledge is true, and the game can go on."""
        face_up = [] if self.gamble is None else [self.gamble]
        places = [*self.hands[0], *self.hands[1], *self.bets[0], *self.bets[1], *face_up, *self.stack]
        assert sorted(places) == self.settings.cards(), "every card is in exactly one place"
        for seat in (0, 1):
            assert self.known[seat] <= self.hands[seat] | self.bets[seat]
        assert self.known_in_stack <= set(self.stack)
        assert self.hands[0] | self.bets[0] or self.hands[1] | self.bets[1], "both hands are never empty"

    def knowledge(self, seat: int) -> Knowledge:
        """What the seat knows exactly now, in either phase."""
        other = 1 - seat
        seen = self.hands[seat] | self.bets[seat] | self.known[other] | self.known_in_stack
        if self.gamble is not None:
            seen = seen | {self.gamble}
        knowledge = Knowledge(
            hand=frozenset(self.hands[seat]),
            own_bet=frozenset(self.bets[seat]),
            other_known=frozenset(self.known[other]),
            other_unknown=len(self.hands[other]) + len(self.bets[other]) - len(self.known[other]),
            stack_known=frozenset(self.known_in_stack),
            stack_unknown=len(self.stack) - len(self.known_in_stack),
            unseen=frozenset(set(self.settings.cards()) - seen),
        )
        assert knowledge.other_unknown + knowledge.stack_unknown == len(knowledge.unseen)
        return knowledge
