"""What there is to see of Pasteboard Derby: the table before horses are named, and the race card by card.

The track lies face down until the race is over. Everybody sees the same, whoever looks. Every scene of a
table has the same grids with the same number of rows, so pictures of it have one size.

Rule: RULES.md §5.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from ..cards import SUIT_LETTERS, SUIT_SYMBOLS, card_text
from ..scene import CardRow, Course, Grid, Runner, Scene, card_sign, check_moment, listed, seat_text, several
from .progress import Moment, moments
from .race import COLUMN, HORSES, LINE, NOBODY, START, STOCK_CARDS, TRACK_CARDS
from .settings import PAYERS_FOR_TWO_PLACES
from .table import PasteboardDerby

TITLE: Final = "Pasteboard Derby"
BEYOND: Final = {"affinity": 3, "pips": 6}  # spaces in sight behind the first past the line
SHOWN: Final = 4  # dealt cards in sight: a round
FACE_DOWN: Final = (None,) * TRACK_CARDS


def frames(game: PasteboardDerby, lane: int) -> int:
    """Frames of the lane's last race, one before the first card and one after each.

    0 without one, and where it was run before the table was made from a view: its cards are not known.
    """
    return 0 if game.state.dealt_race[lane] < 0 else len(game.record(lane).cards) + 1


def rounds(game: PasteboardDerby, lane: int) -> int:
    """Races run in this game."""
    return int(game.state.turn[lane])


def drawn(game: PasteboardDerby, lane: int) -> dict[str, list[str]]:
    """The horses placed in the lane's last race, the track and the stock cards that were dealt."""
    state, record = game.state, game.record(lane)
    placed = (state.last_winner[lane], state.last_second[lane])
    return {
        "order": [SUIT_LETTERS[horse] for horse in placed if horse != NOBODY],
        "track": [card_text(card) for card in record.track.tolist()],
        "stock": [card_text(card) for card in record.cards.tolist()],
    }


def scene(game: PasteboardDerby, lane: int, frame: int | None, seat: int | None = None) -> Scene:
    """The table before horses are named (None), or its last race after ``frame`` cards.

    Raises:
        InvalidSettings: the lane has not been started, or there is no such frame or seat.
    """
    count = frames(game, lane)
    check_moment(game, lane, frame, seat, count)
    if frame is not None:
        return _race(game, lane, frame)
    if not game.over[lane]:
        return _open(game, lane)
    last = _race(game, lane, count - 1) if count else _open(game, lane)
    return replace(last, subtitle=f"The game is over after {several(rounds(game, lane), 'race')}")


def _open(game: PasteboardDerby, lane: int) -> Scene:
    """The table that waits for horses to be named."""
    state, settings = game.state, game.settings
    race = rounds(game, lane)
    payers = int(game.to_act[lane].sum())
    pot = int(state.bank[lane]) + payers * settings.ante
    places = "first and second pay" if _asked(game, payers) == 2 else "only the first pays"
    ante = several(settings.ante, "chip")
    return Scene(
        title=TITLE,
        subtitle=f"Race {race + 1:,} of {settings.races:,} · horses are named",
        cards=_cards((), 0),
        course=_course(game, [START] * HORSES, [""] * HORSES, FACE_DOWN),
        grids=(
            _bank(int(state.bank[lane]), payers, settings.ante, None),
            _horses(game, lane, [START] * HORSES, "Named in the last race" if race else "Horses"),
            _players(game, lane, settled=True, title="Players and the last race"),
        ),
        note=f"{_before(game, lane)}The ante is {ante}, {pot:,} can be won, {places}.",
    )


def _race(game: PasteboardDerby, lane: int, frame: int) -> Scene:
    """The last race after so many cards."""
    state, settings = game.state, game.settings
    record = game.record(lane)
    payers = int((state.last_named[lane] > 0).sum())
    story = moments(record, 1 if state.last_second[lane] == NOBODY else 2)
    now, over = story[frame], frame == len(record.cards)
    carried = int(state.last_bank[lane]) - payers * settings.ante
    stays = int(state.last_bank[lane] - state.last_payouts[lane].sum()) if over else None
    return Scene(
        title=TITLE,
        subtitle=f"Race {rounds(game, lane):,} of {settings.races:,} · "
        + ("finished" if over else now.stage),
        cards=_cards(record.cards[:frame].tolist(), frame),
        course=_course(
            game, now.positions, _notes(now), record.track.tolist() if over else FACE_DOWN, now.placed
        ),
        grids=(
            _bank(carried, payers, settings.ante, stays),
            _horses(game, lane, now.positions, "Horses"),
            _players(game, lane, settled=over, title="Players and their horses"),
        ),
        note=_settled_note(game, lane) if over else _card_note(now),
    )


def _asked(game: PasteboardDerby, payers: int) -> int:
    """The places that pay in a race with so many payers."""
    return game.settings.places if payers >= PAYERS_FOR_TWO_PLACES else 1


def _cards(dealt: Sequence[int], count: int) -> tuple[CardRow, ...]:
    """The cards of the last round and the stock, which is a new one whenever it has run out."""
    left = STOCK_CARDS - ((count - 1) % STOCK_CARDS + 1 if count else 0)
    return CardRow("Dealt", tuple(dealt[-SHOWN:])), CardRow(f"Stock {left}", (None,))


def _course(
    game: PasteboardDerby,
    positions: Sequence[int],
    notes: Sequence[str],
    track: Sequence[int | None],
    placed: Sequence[int] = (),
) -> Course:
    """The horses in the order they are dealt to; the first space lies under the first track card."""
    runners = [
        Runner(horse, positions[horse] - START, notes[horse], home=horse in placed)
        for horse in COLUMN.tolist()
    ]
    return Course(
        LINE - START,
        tuple(runners),
        CardRow("Track", tuple(track)),
        rail_at=0,
        beyond=BEYOND[game.settings.advance],
    )


def _notes(now: Moment) -> list[str]:
    """What is said beside each horse: its place, else where it is and whether it runs off."""
    notes = []
    for horse in range(HORSES):
        where = f"at {now.positions[horse]}"
        if horse in now.placed:
            notes.append(f"{('1st', '2nd')[now.placed.index(horse)]}, {where}")
        elif now.run_off and horse in now.running:
            notes.append(f"{where}, runs off")
        else:
            notes.append(where)
    return notes


def _bank(carried: int, payers: int, ante: int, stays: int | None) -> Grid:
    """What is to be won, and what of it stays once the race is settled."""
    rows = (
        ("Carried", f"{carried:,}"),
        (f"{payers} × {ante:,}", f"{payers * ante:,}"),
        ("To be won", f"{carried + payers * ante:,}"),
        ("Stays", "" if stays is None else f"{stays:,}"),
    )
    return Grid("The bank", ("", "Chips"), rows)


def _horses(game: PasteboardDerby, lane: int, positions: Sequence[int], title: str) -> Grid:
    """Where the horses are, how many named each in the last race and how many in all races."""
    state, rows = game.state, []
    for horse in COLUMN.tolist():
        backers = int((state.last_named[lane] == horse + 1).sum())
        in_all = int(state.tally[lane, :, horse].sum())
        rows.append((SUIT_SYMBOLS[horse], f"{positions[horse]}", f"{backers}", f"{in_all:,}"))
    return Grid(title, ("Horse", "At", "Backers", "In all races"), tuple(rows))


def _players(game: PasteboardDerby, lane: int, settled: bool, title: str) -> Grid:
    """A row for each seat: its chips, the last race, and how often it has named each horse."""
    state, run = game.state, rounds(game, lane) > 0
    rows = []
    for seat in range(game.seats):
        named, profit = int(state.last_named[lane, seat]), int(state.profit[lane, seat])
        cost = game.settings.ante if named else 0
        chips = int(state.bankrolls[lane, seat])
        money = (f"{cost:,}", f"{int(state.last_payouts[lane, seat]):,}", f"{profit:+,}" if profit else "0")
        if not settled:  # the ante is paid, the payout is not known
            chips -= profit + cost
            money = (f"{cost:,}", "", "")
        horse = SUIT_SYMBOLS[named - 1] if named else "sat out"
        habits = (f"{int(count)}" for count in state.tally[lane, seat, COLUMN])
        rows.append((seat_text(seat), f"{chips:,}", *((horse, *money) if run else ("",) * 4), *habits))
    columns = (
        "Player",
        "Chips",
        "Horse",
        "Ante",
        "Payout",
        "Profit",
        *(f"{SUIT_SYMBOLS[h]} named" for h in COLUMN),
    )
    return Grid(title, columns, tuple(rows), left=(0, 2), wide=True)


def _before(game: PasteboardDerby, lane: int) -> str:
    """How the last race ended, as the beginning of a note."""
    winner, second = int(game.state.last_winner[lane]), int(game.state.last_second[lane])
    if winner == NOBODY:
        return ""
    behind = "" if second == NOBODY else f" before {SUIT_SYMBOLS[second]}"
    return f"{SUIT_SYMBOLS[winner]} won race {rounds(game, lane):,}{behind}. "


def _card_note(now: Moment) -> str:
    """What the last card did, and what the round it ended has decided."""
    if now.card is None:
        return "The horses are named, the track lies face down, the race begins."
    horse = SUIT_SYMBOLS[now.horse]
    text = (
        f"{card_sign(now.card)} moves {horse} {several(now.steps, 'space')}, to {now.positions[now.horse]}."
    )
    if not now.round_over:
        return text
    if now.placed_now:
        ways = [f"{SUIT_SYMBOLS[h]} is {('first', 'second')[now.placed.index(h)]}" for h in now.placed_now]
        text += f" {listed(ways)}."
    if now.level:
        text += f" {listed(SUIT_SYMBOLS[h] for h in now.level)} are level and run off."
    return text


def _settled_note(game: PasteboardDerby, lane: int) -> str:
    """Who is paid, and the final division where the game is over."""
    state = game.state
    winner = int(state.last_winner[lane])
    backers = [seat for seat in range(game.seats) if state.last_named[lane, seat] == winner + 1]
    text = _before(game, lane)
    if backers:
        text += f"{listed(map(seat_text, backers))} named it."
    else:
        text += "Nobody named it and the bank stays."
    stayed = int(state.last_bank[lane] - state.last_payouts[lane].sum())
    if game.over[lane] and stayed:
        text += f" The bank's last chips ({stayed:,}) are divided: {stayed // game.seats:,} to each player"
        text += f", {stayed % game.seats} to nobody." if stayed % game.seats else "."
    return text
