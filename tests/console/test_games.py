"""Watching and playing every game: who sits where, what is asked, mistakes, and every way to end."""

from __future__ import annotations

import io
import re
from typing import Any

import pytest
from rich.console import Console

from railbird.console.desk import Desk
from railbird.console.play import play
from railbird.console.screen import Screen
from railbird.console.sitting import Sitting, make_rules, seat_players
from railbird.console.watch import watch
from railbird.games.errors import InvalidSettings, UnknownName
from railbird.games.registry import load, names

BETTORS = ["favourite", "longshot"]
RIVALS = {
    "superfecta": ["box"],
    "horse-race": ["favourite"],
    "scarne-horse-race": ["favourite"],
    "bookmaker": ["favourite"],
    "racing-aces": ["favourite"],
    "pasteboard-derby": ["random"],
    "save-the-bet": ["likeliest"],
}  # a new game fails here until it has some


@pytest.fixture(params=names())
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def played(name: str, text: str, **options: Any) -> str:
    """What the console writes when a person's input is that text."""
    out = io.StringIO()
    options = {"seed": 7, "agents": RIVALS[name], **options}
    play(name, source=io.StringIO(text), console=Console(file=out), **options)
    return out.getvalue()


def watched(name: str, **options: Any) -> str:
    out = io.StringIO()
    watch(name, seed=7, console=Console(file=out), **options)
    return out.getvalue()


def answers(shown: str, word: str) -> list[str]:
    """The decisions that were handed in."""
    return [line.split(": ", 1)[1] for line in shown.splitlines() if line.startswith(f"Your {word}: ")]


def standings(shown: str) -> dict[str, str]:
    """The last column of the standings by player."""
    lines = shown[shown.rindex("Standings after") :].splitlines()[2:]
    rows = [re.match(r"\d+\.\s+(.*?)\s+([+-]?[\d,]+)$", line) for line in lines if line]
    return {row[1]: row[2] for row in rows if row is not None}


# ---- every game


def test_every_game_can_be_watched_to_its_end(name: str) -> None:
    settings = {"max_turns": 3} if name == "save-the-bet" else {"races": 2}
    shown = watched(name, races=99, agents=() if name == "bookmaker" else RIVALS[name], settings=settings)
    title = load(name).title
    assert f"{title} · the game is over" in shown
    assert "\x1b" not in shown
    assert f"Standings after {'3 turns' if name == 'save-the-bet' else '2 races'}" in shown


def test_every_game_can_be_watched_with_agents_of_its_own_choice(name: str) -> None:
    assert f"{load(name).title} · so far" in watched(name, races=1)


def test_the_end_of_the_input_ends_every_game_with_the_standings(name: str) -> None:
    shown = played(name, "")
    word = load(name).round
    assert f"Standings after 0 {word}s" in shown
    assert standings(shown)["you"] == "0"


def test_every_game_explains_what_it_cannot_read_and_asks_again(name: str) -> None:
    shown = played(name, "nonsense, 12 of it\nhelp\nquit\n")
    prompt = load(name).prompts[0 if name in ("superfecta", "bookmaker", "save-the-bet") else -1]
    assert shown.count("`help` says how to write.") == 1
    assert prompt.help in shown
    assert "`quit` ends the game." in shown
    assert answers(shown, prompt.word) == []


def test_no_game_prompts_a_pipe(name: str) -> None:
    assert not re.search(
        r"^(ticket|quote|bets?|horse|save|and)> ", played(name, "help\nquit\n"), re.MULTILINE
    )


def test_the_table_is_shown_again_when_asked(name: str) -> None:
    once, twice = played(name, "quit\n"), played(name, "table\nquit\n")
    table = once[: once.index("Standings after")]
    assert twice.count(table[: table.rindex(load(name).title)]) == 2


# ---- Horse Race


def test_bets_on_the_bookmakers_odds() -> None:
    shown = played("horse-race", "$10 h; 20 D\n$10 H\n\npass\n", settings={"races": 2}, banker="even-money")
    assert answers(shown, "bets") == ["$20 H; $20 D", "none, you sit this race out"]
    assert "The odds are quoted by house (even-money), bets are taken." in shown
    assert [line for line in shown.splitlines() if line.startswith("house (even-money)")]


def test_a_stake_that_is_no_multiple_or_above_the_chips_is_explained() -> None:
    shown = played("horse-race", "15 H\n40 H; 70 D\n40 H\n\n", settings={"races": 1, "bankroll": 100})
    assert "line 1: 15 chips on H; a stake is a multiple of 10 chips. Nothing was added to your bets" in shown
    # 40 + 70 = 110
    assert "your bets would cost 110 chips and you have 100; the table refuses it whole" in shown
    assert answers(shown, "bets") == ["$40 H"]


def test_a_broke_person_is_told_once_a_race_to_look_on() -> None:
    # 10 on hearts lose the first race of this deal; a race has two turns, the quote and the bets
    shown = played("horse-race", "10 H\n\n", settings={"races": 3, "bankroll": 10})
    assert shown.count("You have too few chips for the smallest bet and look on.") == 2
    assert "Standings after 3 races" in shown


def test_the_odds_of_the_rail_can_be_asked_for() -> None:
    shown = played("horse-race", "odds\npass\nquit\n")
    assert "Board prices" in shown and "Fair odds" in shown
    assert "Published odds" in played("racing-aces", "odds\nquit\n")


def test_a_person_quotes_when_it_keeps_the_bank() -> None:
    settings = {"races": 2, "bank": "rotate", "rotate_every": 1}
    shown = played("horse-race", "\npass\nH 3/1 D 3/1\nh 3/1 d 3/1 c 3/1 s 3/1\n$10 H\n\n", settings=settings)
    assert shown.count("You cannot pass here. A quote gives each suit its odds") == 2
    assert "line 1: no odds for C, S; quote all of H, D, C and S" in shown
    assert answers(shown, "quote") == ["H 3/1 D 3/1 C 3/1 S 3/1"]
    assert answers(shown, "bets") == ["$10 H"]  # the bank has moved on to the rival, which quotes
    assert set(standings(shown)) == {"you", "margin+favourite"}
    assert sum(int(profit) for profit in standings(shown).values()) == 0


def test_a_closed_suit_is_explained_in_the_words_of_the_table() -> None:
    settings = {"races": 1, "bank": "rotate", "bankroll": 10}
    shown = played("horse-race", "10 H\n", settings=settings, seat=1, agents=["fair+favourite"])
    # rail 2,2,1,1: hearts win 0.1892, so 4/1 is fair, and 10 would win 40 of a bank of 10
    assert "10 chips on H; the suit is closed, the bank cannot cover 10 at 4/1. Nothing was added" in shown


def test_the_bookmaker_is_the_house_and_quotes_against_players() -> None:
    shown = played("bookmaker", "H 1/1 D 1/1 C 1/1 S 1/1\n", settings={"races": 1, "seats": 2})
    assert answers(shown, "quote") == ["H 1/1 D 1/1 C 1/1 S 1/1"]
    assert set(standings(shown)) == {"favourite", "favourite#2", "you"}
    assert sum(int(profit) for profit in standings(shown).values()) == 0


# ---- Pasteboard Derby


def test_a_horse_is_named_by_its_suit() -> None:
    shown = played("pasteboard-derby", "\npass\nX\nodds\nd\n♠\n", settings={"races": 2})
    assert shown.count("You cannot pass here. Name one horse by its suit") == 2
    assert "'X' is no horse; name one of H, D, C and S. `help` says how to write." in shown
    assert "This game has no rail to read odds from" in shown
    assert answers(shown, "horse") == ["D", "S"]
    assert set(standings(shown)) == {"you", "random", "random#2"}  # the fewest that may play


def test_who_cannot_pay_the_ante_looks_on() -> None:
    # Twelve players have an ante each; hearts lose the first race of this deal and three others are left.
    settings = {"races": 4, "bankroll": 2, "seats": 12}
    shown = played("pasteboard-derby", "H\n", settings=settings, seed=2)
    assert answers(shown, "horse") == ["H"]
    assert shown.count("You have too few chips for the smallest bet and look on.") == 3
    assert "Standings after 4 races" in shown


# ---- Racing Aces


def test_one_chip_on_one_suit_against_the_house() -> None:
    shown = played("racing-aces", "2 H\n1 H; 1 D\n1 H\n\npass\n", settings={"races": 2}, agents=())
    assert "line 1: 2 chips on H; a stake is 1 chip. Nothing was added to your bets" in shown
    assert "line 2: one suit too many; at most 1 is allowed in a race" in shown
    assert answers(shown, "bets") == ["$1 H", "none, you sit this race out"]
    assert set(standings(shown)) == {"you", "house"}


# ---- Save The Bet


def hand(shown: str) -> list[str]:
    """The person's cards in the first table that was shown, as they are written."""
    line = next(line for line in shown.splitlines() if line.startswith("you · 6 in hand: "))
    return line.split(": ")[1].translate(str.maketrans("♥♦♣♠", "HDCS")).split()


def test_a_bet_a_save_and_their_mistakes() -> None:
    mine = hand(played("save-the-bet", ""))
    other = next(card for card in ("2H", "3H", "4H", "5H", "6H", "7H", "8H") if card not in mine)
    shown = played("save-the-bet", f"\n{other}\n{mine[0]} {mine[-1]}\n1Z\n{mine[0]}\n\nquit\n")
    assert "-; a player with cards in hand bets one or more; allowed are cards of one suit of" in shown
    assert f"{other}; only cards in hand are played" in shown
    assert "'1Z' is no card" in shown
    assert answers(shown, "bet") == [mine[0]]
    assert answers(shown, "save") == ["none"]
    assert "the bets are revealed" in shown


def test_the_rivals_hand_is_never_shown_while_the_game_lasts() -> None:
    mine = hand(played("save-the-bet", ""))
    shown = played("save-the-bet", f"{mine[0]}\n\nquit\n")
    theirs = [line for line in shown.splitlines() if re.match(r"likeliest · \d+ in hand", line)]
    assert len(theirs) == 4  # before the bet, the save, at the reveal, before the next bet
    assert theirs[0].count("##") == 6
    assert all("##" in line for line in theirs)


def test_suits_are_letters_where_the_screen_has_no_signs() -> None:
    out = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    play("save-the-bet", seed=7, agents=["likeliest"], source=io.StringIO(""), console=Console(file=out))
    out.seek(0)
    assert re.search(r"you - 6 in hand: (\S+[HDCS] ?){6}", out.read())


def test_a_person_with_an_empty_hand_bets_nothing() -> None:
    spec, out = load("save-the-bet"), io.StringIO()
    rules = spec.make_settings()
    sitting = Sitting(spec, rules, 1, seat_players(spec, rules, ["random"]), eye=0)
    state = sitting.game.state
    state.stack[0] |= state.hands[0, 0]
    state.hands[0, 0] = 0
    decision = Desk(sitting, 0, Screen(Console(file=out)), io.StringIO("\n")).decision()
    assert decision.tolist() == [0]
    assert answers(out.getvalue(), "bet") == ["none, your hand is empty"]


def test_a_pipe_keeps_the_cards_on_the_table_in_every_frame() -> None:
    shown = watched("save-the-bet", races=1, agents=["likeliest", "random"])
    assert shown.count("Turn 1 of at most 200") == 4  # bets, gamble, saves, reveal
    assert shown.count("likeliest bet: ") == 4
    assert shown.count("Cards everybody knows of") == 2  # in the first and the last
    assert "Player     Points" in shown


# ---- who sits where


def test_a_house_is_seated_with_a_banker_and_told_by_name() -> None:
    spec = load("horse-race")
    rules = make_rules(spec, None, 2, {})
    assert rules.seats == 2
    assert [player.name for player in seat_players(spec, rules, BETTORS)] == [*BETTORS, "house (margin)"]
    named = seat_players(spec, rules, BETTORS, banker="fair")
    assert named[-1].name == "house (fair)"


def test_players_who_keep_the_bank_by_turns_quote_as_the_banker_does() -> None:
    spec = load("horse-race")
    rules = make_rules(spec, None, 2, {"bank": "rotate"})
    names = [player.name for player in seat_players(spec, rules, BETTORS, banker="fair")]
    assert names == ["fair+favourite", "fair+longshot"]


def test_a_bookmaker_sits_behind_the_players() -> None:
    spec = load("bookmaker")
    rules = make_rules(spec, None, 2, {})
    names = [player.name for player in seat_players(spec, rules, ["fair"], bettors=BETTORS)]
    assert names == [*BETTORS, "fair"]
    assert seat_players(spec, make_rules(spec, 6, 0, {}))[-1].name == "margin"


def test_too_few_agents_are_seated_again_at_the_smallest_table_that_may_play() -> None:
    spec = load("pasteboard-derby")
    rules = make_rules(spec, None, 1, {})
    assert [player.name for player in seat_players(spec, rules, ["loyal"])] == ["loyal", "loyal#2", "loyal#3"]
    with pytest.raises(InvalidSettings, match="seats is a whole number from 3 to 12, not 13"):
        make_rules(spec, None, 13, {})
    with pytest.raises(InvalidSettings, match="ante is a whole number"):
        make_rules(spec, None, 2, {"ante": 0})


@pytest.mark.parametrize(
    ("name", "options", "error"),
    [
        ("superfecta", {"banker": "fair"}, "nobody quotes in superfecta; leave the banker 'fair' out"),
        ("racing-aces", {"banker": "fair"}, "nobody quotes in racing-aces"),
        ("horse-race", {"bettors": ["kelly"]}, "the agents of horse-race are its players"),
        ("bookmaker", {"banker": "fair"}, "the agents of bookmaker are bankers; name them as agents"),
        ("bookmaker", {"agents": ["fair", "margin"]}, "there are 2 agents for 1 seats"),
        ("bookmaker", {"bettors": ["kelly"] * 3, "seats": 2}, "there are 3 agents for 2 seats"),
        ("bookmaker", {"settings": {"bank": "rotate"}}, "in bookmaker the house keeps the bank"),
        ("save-the-bet", {"agents": ["likeliest"] * 3}, "there are 3 agents for 2 seats"),
    ],
)
def test_somebody_without_a_seat_is_refused(name: str, options: dict[str, Any], error: str) -> None:
    with pytest.raises(InvalidSettings, match=error):
        watch(name, console=Console(file=io.StringIO()), **options)


def test_unknown_names_are_refused_with_the_nearest() -> None:
    with pytest.raises(UnknownName, match="did you mean 'margin'"):
        watched("horse-race", banker="margn")
    with pytest.raises(UnknownName, match="no setting of save-the-bet 'seats'"):
        watched("save-the-bet", seats=2)
    with pytest.raises(InvalidSettings, match="in bookmaker you are the house; leave the seat out"):
        played("bookmaker", "", seat=1)
    with pytest.raises(InvalidSettings, match="turns to show are 1 or more, not 0"):
        watched("save-the-bet", races=0)
