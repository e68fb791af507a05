"""The settings of Save The Bet. Rule: RULES.md §6."""

from __future__ import annotations

from dataclasses import dataclass

from ..cards import RANKS
from ..checks import one_of, whole
from ..errors import InvalidSettings

WINS_BY = ("suit_or_value", "value")
DRAW_RETURNS = ("own", "swap")
LONGEST = 100_000  # turns


@dataclass(frozen=True, slots=True)
class SaveTheBetSettings:
    """The rules a table of Save The Bet is played by. Small decks make games that can be solved completely.

    Raises:
        InvalidSettings: a value is out of range, the deck has an even number of cards, or it has too few for
            these hands and this target.
    """

    suits: int = 4
    """Suits in the deck, 1–4, in the order hearts, diamonds, clubs, spades."""
    ranks: int = 13
    """Cards of each suit, 1–13, from the ace (1), two, three … up to the king (13)."""
    missing_ace: bool = True
    """Whether the ace of the last suit (of spades in a full deck) is left out."""
    hand_size: int = 6
    """Cards dealt to each player."""
    target: int = 26
    """A player who holds so many cards at the end of a turn has won; at most half the deck, rounded up."""
    max_turns: int = 200
    """After so many turns the game is a draw, 1–100,000."""
    wins_by: str = "suit_or_value"
    """What wins a bet: "suit_or_value" or "value" alone."""
    draw_returns: str = "own"
    """On a draw each player takes back the cards it bet ("own") or takes the other's ("swap")."""

    def __post_init__(self) -> None:
        whole("suits", self.suits, 1, 4)
        whole("ranks", self.ranks, 1, RANKS)
        if not isinstance(self.missing_ace, bool):
            raise InvalidSettings(f"missing_ace is True or False, not {self.missing_ace!r}")
        cards = self.cards
        if cards % 2 == 0 or cards < 3:
            less = ", less one ace" if self.missing_ace else ""
            raise InvalidSettings(
                f"the deck is an odd number of cards, at least 3, not {cards} (suits × ranks{less});"
                " change suits, ranks or missing_ace"
            )
        most = (cards - 1) // 2  # the other player's cards and one for the stack are left over
        whole(f"hand_size of a deck of {cards} cards", self.hand_size, 1, most)
        # Both players one card short of the target must leave a card in the stack.
        whole(f"target of a deck of {cards} cards", self.target, self.hand_size + 1, most + 1)
        whole("max_turns", self.max_turns, 1, LONGEST)
        one_of("wins_by", self.wins_by, WINS_BY)
        one_of("draw_returns", self.draw_returns, DRAW_RETURNS)

    @property
    def seats(self) -> int:
        """Players at the table: always two."""
        return 2

    @property
    def cards(self) -> int:
        """Cards in the deck."""
        return self.suits * self.ranks - int(self.missing_ace)

    @property
    def deck(self) -> int:
        """The deck as a set of cards: bit ``1 << code`` for each card."""
        one_suit = (1 << self.ranks) - 1
        whole_deck = sum(one_suit << (RANKS * suit) for suit in range(self.suits))
        return whole_deck & ~(int(self.missing_ace) << (RANKS * (self.suits - 1)))
