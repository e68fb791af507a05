"""What there is to see of Save The Bet: hands, bets, the gamble, and the last turn as it was revealed.

A seat sees its own cards and what its view holds of the other's. A spectator sees what both know: cards that
have been shown and taken since, and numbers of cards; when the game is over, both hands.

Rule: RULES.md §6.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from ..cards import CARDS, SUIT_SYMBOLS, card_text
from ..kernels import Floats
from ..scene import CardRow, Grid, Scene, card_sign, check_moment, listed, seat_text, several
from .odds import write_odds
from .reveal import Turn, last_turn, worth
from .sets import VALUE, cards_in
from .state import NO_CARD, Phase
from .table import SaveTheBet

TITLE: Final = "Save The Bet"
FRAMES: Final = ("the bets are down", "the gamble is up", "the saves are shown", "the bets are revealed")
SAVES_SHOWN: Final = 2  # the frame in which saves lie on the table
REVEALED: Final = 3  # the frame in which all bets are face up
VALUES: Final = range(1, 11)
NONE: Final = "–"


def frames(game: SaveTheBet, lane: int) -> int:
    """Frames of the lane's last whole turn: bets, gamble, saves, reveal; 0 before the first is over."""
    return 0 if game.state.last_gamble[lane] == NO_CARD else len(FRAMES)


def rounds(game: SaveTheBet, lane: int) -> int:
    """Whole turns played in this game."""
    return int(game.state.turn[lane]) >> 1


def drawn(game: SaveTheBet, lane: int) -> dict[str, list[str]]:
    """The gamble of the lane's last whole turn, how each bet came out, and how many cards each then holds."""
    turn = last_turn(game.state, game.settings, lane)
    assert turn is not None, "a whole turn has been played"
    held = [str(count) for count in _holdings(game, lane)]
    return {"gamble": [card_text(turn.gamble)], "bets": list(turn.ways), "held": held}


def scene(game: SaveTheBet, lane: int, frame: int | None, seat: int | None = None) -> Scene:
    """The table as it stands (None), or a frame of the last whole turn, as a seat or a spectator sees it.

    Raises:
        InvalidSettings: the lane has not been started, or there is no such frame or seat.
    """
    check_moment(game, lane, frame, seat, frames(game, lane))
    if frame is None:
        return _now(game, lane, seat)
    turn = last_turn(game.state, game.settings, lane)
    assert turn is not None, "a turn with frames has been played"
    return _then(game, lane, turn, frame, seat)


def _now(game: SaveTheBet, lane: int, seat: int | None) -> Scene:
    """The table that waits for bets or saves, or that is over."""
    state, phase = game.state, Phase(int(game.phase[lane]))
    rows = {player: _hand(game, lane, player, seat) for player in (0, 1)}
    gamble = int(state.gamble[lane])
    bets = [_cards(int(state.bets[lane, player]), _open(game, lane, player, seat)) for player in (0, 1)]
    top = 0 if seat is None else 1 - seat
    turn = last_turn(state, game.settings, lane)
    stages = {Phase.BET: "both bet", Phase.SAVE: "the gamble is up, saves are asked", Phase.OVER: "over"}
    return Scene(
        title=TITLE,
        subtitle=_subtitle(game, rounds(game, lane) + (phase != Phase.OVER), stages[phase]),
        grids=(
            _players(game, lane, turn, turn is not None, _holdings(game, lane)),
            _known(_public(game, lane), int(state.returned[lane]), bool(state.bets[lane].any())),
            _chances(_odds(game, lane, seat)),
        ),
        note=_now_note(game, lane, turn, phase),
        table=_table(top, rows, int(state.stack[lane]).bit_count(), gamble, bets),
    )


def _then(game: SaveTheBet, lane: int, turn: Turn, frame: int, seat: int | None) -> Scene:
    """A frame of the last whole turn."""
    state, saved = game.state, frame >= SAVES_SHOWN
    public = [public & ~gained for public, gained in zip(_public(game, lane), turn.gained, strict=True)]
    rows, bets, held = {}, [], _holdings(game, lane)
    for player in (0, 1):
        held[player] -= 0 if frame == REVEALED else turn.change(player)
        seen, kept = _open(game, lane, player, seat), turn.kept(player, saved)
        rows[player] = _cards(kept, seen, public[player] & kept)
        bets.append(_cards(turn.bets[player], seen or frame == REVEALED))
    # The gamble of a turn with one winner has left the stack; it and those turned up since lay there before.
    stack = int(state.stack[lane]).bit_count() + (state.gamble[lane] != NO_CARD)
    back = turn.won[0] == turn.won[1]
    return Scene(
        title=TITLE,
        subtitle=_subtitle(game, rounds(game, lane), FRAMES[frame]),
        grids=(
            _players(game, lane, turn, frame == REVEALED, held),
            _known(public, int(state.returned[lane]) & ~(1 << turn.gamble)),
        ),
        note=_told(game, lane, turn, frame),
        table=_table(
            0 if seat is None else 1 - seat, rows, stack - back + (frame == 0),
            turn.gamble if frame else NO_CARD, bets, turn.saves if saved else (0, 0),
        ),
    )  # fmt: skip


def _open(game: SaveTheBet, lane: int, player: int, seat: int | None) -> bool:
    """Whether who looks sees all cards of a player."""
    return seat == player or (seat is None and bool(game.over[lane]))


def _public(game: SaveTheBet, lane: int) -> list[int]:
    """The cards of each player that everybody knows of, in hand or bet."""
    return [int(cards) for cards in game.state.public[lane]]


def _holdings(game: SaveTheBet, lane: int) -> list[int]:
    """How many cards each player has, with those bet."""
    state = game.state
    return [int(state.hands[lane, player] | state.bets[lane, player]).bit_count() for player in (0, 1)]


def _cards(cards: int, seen: bool, known: int = 0) -> tuple[int | None, ...]:
    """Cards face up where they are seen or ``known``, the others face down behind them."""
    shown = cards_in(cards if seen else known)
    return (*shown, *(None,) * (cards.bit_count() - len(shown)))


def _hand(game: SaveTheBet, lane: int, player: int, seat: int | None) -> tuple[int | None, ...]:
    """A hand. Of cards that lie face down nobody knows which of the public ones are among them."""
    state = game.state
    known = 0 if state.bets[lane, player] else int(state.public[lane, player])
    return _cards(int(state.hands[lane, player]), _open(game, lane, player, seat), known)


def _table(
    top: int,
    hands: dict[int, tuple[int | None, ...]],
    stack: int,
    gamble: int,
    bets: list[tuple[int | None, ...]],
    saves: tuple[int, int] = (0, 0),
) -> tuple[tuple[CardRow, ...], ...]:
    """One hand, what lies between the players, the other hand."""
    between = [
        CardRow(f"Stack {stack}", (None,) if stack else ()),
        CardRow("Gamble", () if gamble == NO_CARD else (gamble,)),
    ]
    for player in (top, 1 - top):
        between.append(CardRow(f"{seat_text(player)} bet", bets[player]))
        if saves[player]:
            between.append(CardRow("saved", tuple(cards_in(saves[player]))))
    upper, lower = (
        CardRow(f"{seat_text(player)} · {len(hands[player])} in hand", hands[player])
        for player in (top, 1 - top)
    )
    return (upper,), tuple(between), (lower,)


def _players(game: SaveTheBet, lane: int, turn: Turn | None, shown: bool, held: list[int]) -> Grid:
    """A row for each player: cards in hand, and what it bet, saved and won in the last turn."""
    rows = []
    for player in (0, 1):
        told: tuple[str, ...] = ("",) * 5
        if turn is not None and shown:
            bet, saved = turn.bets[player], turn.saves[player]
            total = (
                f"{worth(bet)} + {worth(saved)} = {worth(bet) + worth(saved)}" if saved else f"{worth(bet)}"
            )
            change = turn.change(player)
            told = (_signs(bet), _signs(saved), total, turn.ways[player], f"{change:+}" if change else "0")
        rows.append((seat_text(player), f"{held[player]} of {game.settings.target}", *told))
    columns = ("Player", "Holds", "Bet", "Save", "Sum", "Result", "Cards")
    number = rounds(game, lane)
    title = f"Players and turn {number:,}" if number else "Players"
    return Grid(title, columns, tuple(rows), left=(0, 2, 3, 5), wide=True)


def _known(public: list[int], returned: int, bet: bool = False) -> Grid:
    """The cards whose place everybody knows; where bets lie face down they may be among them."""
    where = "in hand or bet" if bet else "in hand"
    rows = [(f"{seat_text(player)}, {where}", _signs(public[player])) for player in (0, 1)]
    return Grid(
        "Cards everybody knows of",
        ("Where", "Cards"),
        (*rows, ("in the stack", _signs(returned))),
        left=(0, 1),
        wide=True,
    )


def _odds(game: SaveTheBet, lane: int, seat: int | None) -> Floats:
    """(52,) float64: the counting odds of the gamble for who looks."""
    state, settings = game.state, game.settings
    public, returned = _public(game, lane), int(state.returned[lane])
    own = 0 if seat is None else int(state.hands[lane, seat] | state.bets[lane, seat])
    gamble = int(state.gamble[lane])
    turned = 0 if gamble == NO_CARD else 1 << gamble
    unknown = settings.deck & ~(own | public[0] | public[1] | returned | turned)
    out = np.zeros((1, CARDS))
    write_odds(
        out, np.array([unknown], np.uint64), state.returned[lane : lane + 1], state.gamble[lane : lane + 1],
        game.phase[lane : lane + 1], np.array([int(state.stack[lane]).bit_count()]),
    )  # fmt: skip
    row: Floats = out[0]
    return row


def _chances(odds: Floats) -> Grid:
    """Counting odds by suit and value, in per cent."""
    by_suit = odds.reshape(len(SUIT_SYMBOLS), -1)  # (52,) -> (suits, ranks)
    values = VALUE.reshape(by_suit.shape)
    table = np.array(
        [[row[value == v].sum() for v in VALUES] for row, value in zip(by_suit, values, strict=True)]
    )
    rows = [
        (name, *(f"{100 * chance:.1f}" if chance else "" for chance in (*row, row.sum())))
        for name, row in zip((*SUIT_SYMBOLS, "any"), (*table, table.sum(axis=0)), strict=True)
    ]
    columns = ("Suit", "1 (A J Q K)", *(str(value) for value in VALUES[1:]), "any")
    return Grid("Chances of the gamble by counting, %", columns, tuple(rows))


def _signs(cards: int) -> str:
    return " ".join(map(card_sign, cards_in(cards))) or NONE


def _subtitle(game: SaveTheBet, number: int, stage: str) -> str:
    return f"Turn {number:,} of at most {game.settings.max_turns:,} · {stage}"


def _now_note(game: SaveTheBet, lane: int, turn: Turn | None, phase: Phase) -> str:
    """What is asked, and how the turn before ended."""
    if phase == Phase.SAVE:
        card = int(game.state.gamble[lane])
        return f"The gamble is {card_sign(card)}, worth {int(VALUE[card])}. A card of its suit may be saved."
    before = "" if turn is None else _outcome(turn)
    if phase == Phase.BET:
        return f"{before} One or more cards of one suit are bet.".strip()
    return f"{before}{_end(game, lane)}".strip()


def _end(game: SaveTheBet, lane: int) -> str:
    """How the game ended, behind the last turn's outcome."""
    winners = [player for player in (0, 1) if game.profit[lane, player] > 0]
    if winners:
        held = several(_holdings(game, lane)[winners[0]], "card")
        return f" {seat_text(winners[0])} won the game with {held}."
    return f" The game is a draw after {several(rounds(game, lane), 'turn')}."


def _told(game: SaveTheBet, lane: int, turn: Turn, frame: int) -> str:
    """What a frame of the last turn shows."""
    if frame == REVEALED:
        return _outcome(turn) + (_end(game, lane) if game.over[lane] else "")
    if frame == SAVES_SHOWN:
        saved = [
            f"{_signs(turn.saves[player])} by {seat_text(player)}" for player in (0, 1) if turn.saves[player]
        ]
        return f"Saved: {listed(saved)}." if saved else "Nothing was saved."
    if frame:
        return f"The gamble is {card_sign(turn.gamble)}, worth {int(VALUE[turn.gamble])}."
    bets = [f"{several(turn.bets[player].bit_count(), 'card')} by {seat_text(player)}" for player in (0, 1)]
    return f"Bet face down: {listed(bets)}."


def _outcome(turn: Turn) -> str:
    """How a turn ended."""
    if turn.won[0] != turn.won[1]:
        winner = 0 if turn.won[0] else 1
        way = turn.ways[winner].removeprefix("won ")
        cards = several(turn.gained[winner].bit_count(), "card")
        return f"{seat_text(winner)} won {way} and took {cards}."
    if not turn.won[0]:
        return "Blank: each took what the other had bet and saved, the gamble went back."
    swapped = turn.gained[0] != (turn.bets[0] | turn.saves[0])
    took = "what the other had played" if swapped else "back its own"
    return f"Both bets were won: each took {took}, the gamble went back."
