"""Recorded games: every frame again from rules, seed and decisions; files cut off, altered or hostile."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from railbird import __version__
from railbird.games.errors import BrokenFile, IllegalDecision, InvalidSettings, RailbirdError
from railbird.games.registry import load, names
from railbird.games.replay import Clerk, Playback, Start, plain_settings, show_rounds
from railbird.games.replay_reader import LONGEST_LINE, ReplayReader
from railbird.games.replay_writer import ReplayWriter

OTHERWISE: dict[str, tuple[str, dict[str, Any]]] = {
    "pro rata": ("superfecta", {"split": "pro_rata", "rate": "1/6", "seats": 3, "races": 3, "bankroll": 500}),
    "quoting in turn": ("horse-race", {"bank": "rotate", "seats": 3, "races": 4, "rotate_every": 1}),
    "two wagers": ("racing-aces", {"seats": 2, "max_wagers": 2, "stakes": (1, 4), "bankroll": 9}),
    "few chips": ("pasteboard-derby", {"seats": 4, "bankroll": 3, "races": 6}),
    "few cards": ("save-the-bet", {"suits": 2, "ranks": 3, "hand_size": 1, "target": 3, "max_turns": 9}),
}
CASES = {**{name: (name, {}) for name in names()}, **OTHERWISE}


def begin(case, seed=11, lane=3, episode=2):
    """Where a game begins, and a batch of five lanes in which it does."""
    name, rules = CASES[case]
    spec = load(name)
    start = Start(name, spec.make_settings(**rules), seed, lane, episode)
    game = spec.game(start.settings, seed, 5)
    for _ in range(episode + 1):
        game.start()
    return start, game


def decide(spec, game, rng):
    """Legal decisions (lanes, seats, …), drawn at random: horses, quotes, cards or a wager or two."""
    decisions = game.fallback()
    for lane, seat in np.argwhere(game.to_act & ~game.over[:, None]):
        word = spec.prompts[int(game.phase[lane])].word
        for _ in range(4):
            trial, choice = decisions.copy(), trial_decision(spec, game, int(lane), int(seat), word, rng)
            trial[lane, seat] = choice
            if not game.faults(trial)[lane, seat]:
                decisions = trial
                break
    return decisions


def trial_decision(spec, game, lane, seat, word, rng):
    """A decision that the rules may forbid."""
    settings, nothing = game.settings, game.fallback()[lane, seat]
    if word == "quote":
        return rng.integers(0, 33, 4).astype(np.int16)
    if word == "horse":
        return rng.integers(1, 5, 1).astype(np.int8)
    if word in ("bet", "save"):
        hand = [card for card in range(52) if int(game.state.hands[lane, seat]) >> card & 1]
        return np.array([1 << rng.choice(hand)], np.uint64) if hand and rng.random() < 0.8 else nothing
    stakes = nothing.copy()
    sizes = list(getattr(settings, "stakes", ())) or [settings.minimums[0]]
    for line in rng.choice(len(stakes), 2, replace=False):
        stakes[line] = rng.choice(sizes[:3])
    return stakes


def recorded(case, tmp_path, name="game.jsonl"):
    """The file of a game in lane 3 of a batch, its turns, the scenes of its rounds and its profits."""
    start, game = begin(case)
    spec, rng = load(start.game), np.random.default_rng(1)
    path = tmp_path / name
    turns, rounds, total = [], [], np.zeros(game.seats, np.int64)
    with ReplayWriter(path, start, game, row=3) as writer:
        while not game.over[3]:
            decisions, before = decide(spec, game, rng), spec.rounds(game, 3)
            game.submit(decisions)
            writer.turn(decisions[3])
            turns.append(decisions[3])
            total += game.profit[3]
            if spec.rounds(game, 3) > before:
                rounds.append(
                    tuple(spec.scene(game, 3, frame, None) for frame in range(spec.frames(game, 3)))
                )
        writer.finish()
    return path, start, turns, rounds, total


def read(path):
    """A replay played to its end."""
    with ReplayReader(path) as reader:
        turns = [turn.decisions for turn in reader.turns()]
    return reader, turns


def lines_of(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def put(path, lines):
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


@pytest.mark.parametrize("case", CASES)
def test_a_recorded_game_is_the_game(case, tmp_path):
    path, start, turns, rounds, total = recorded(case, tmp_path)
    reader, again = read(path)
    assert reader.notice == ""
    assert len(again) == len(turns) > 0
    for played, found, line in zip(turns, again, lines_of(path)[1:-1], strict=True):
        asked = [text is not None for text in line["decisions"]]
        np.testing.assert_array_equal(found[asked], played[asked])
    assert reader.playback.totals.tolist() == total.tolist()
    shown = list(show_rounds(start, again))
    assert [one.scenes for one in shown] == rounds
    assert [one.number for one in shown] == list(range(1, len(rounds) + 1))
    # what belongs to the rounds adds up to all, but for a turn left over behind the last round
    assert np.sum([one.profit for one in shown], axis=0).tolist() == total.tolist()


@pytest.mark.parametrize("case", CASES)
def test_a_file_written_from_what_was_read_is_the_same_file(case, tmp_path):
    path, start, *_ = recorded(case, tmp_path)
    reader, again = read(path)
    playback = Playback(reader.start)
    copy = tmp_path / "copy.jsonl"
    with ReplayWriter(copy, reader.start, playback.game) as writer:
        for decisions in again:
            playback.turn(decisions)
            writer.turn(decisions)
        writer.finish()
    assert copy.read_bytes() == path.read_bytes()
    assert reader.start.settings == start.settings


def passing(tmp_path, races=2):
    """A game of Superfecta for two in which nobody bets."""
    spec = load("superfecta")
    start = Start("superfecta", spec.make_settings(seats=2, races=races), 7, players=("ann", "bob"), eye=1)
    playback, path = Playback(start), tmp_path / "passing.jsonl"
    with ReplayWriter(path, start, playback.game) as writer:
        for _ in range(races):
            playback.turn(playback.game.blank()[0])
            writer.turn(playback.game.blank()[0])
        writer.finish()
    return path


def test_what_a_file_says(tmp_path):
    path = passing(tmp_path, races=1)
    head, turn, end = lines_of(path)
    assert head == {
        "format": "railbird-replay", "version": 1, "railbird": __version__, "game": "superfecta",
        "settings": {
            "seats": 2, "races": 1, "bankroll": 100, "minimum_bets": [1, 1, 1], "split": "equal", "rate": "0",
            "breakage": 1, "minimum_dividend": None, "max_wager": 32767,
        },
        "seed": 7, "lane": 0, "episode": 0, "players": ["ann", "bob"], "eye": 1,
    }  # fmt: skip
    drawn = turn.pop("drawn")
    assert turn == {
        "turn": 1, "phase": "ticket", "decisions": ["", ""], "profit": [0, 0], "bankrolls": [100, 100],
        "round": 1,
    }  # fmt: skip
    assert sorted(drawn["order"]) == ["C", "D", "H", "S"]
    assert len(drawn["rail"]) == 6
    # three horses are home, so each of them has seven cards of the stock and the last one ends it
    counts = {suit: sum(card[-1] == suit for card in drawn["stock"]) for suit in "HDCS"}
    assert [counts[suit] >= 7 for suit in drawn["order"]] == [True, True, True, False]
    assert drawn["stock"][-1][-1] == drawn["order"][2] and counts[drawn["order"][2]] == 7
    assert end["result"] == {"over": True, "turns": 1, "rounds": 1, "profit": [0, 0]}


def test_decisions_are_written_as_people_write_them_and_only_of_seats_that_are_asked(tmp_path):
    path, *_ = recorded("quoting in turn", tmp_path)
    quote, bets = lines_of(path)[1:3]
    assert (quote["phase"], bets["phase"]) == ("quote", "bets")
    assert [text is None for text in quote["decisions"]] == [False, True, True]  # seat 0 keeps the bank
    assert [text is None for text in bets["decisions"]] == [True, False, False]
    assert quote["decisions"][0].split()[::2] == ["H", "D", "C", "S"]
    assert "round" not in quote and bets["round"] == 1


def test_every_turn_is_in_the_file_as_soon_as_it_is_written(tmp_path):
    start, game = begin("superfecta", lane=0, episode=0)
    path = tmp_path / "killed.jsonl"
    writer = ReplayWriter(path, start, game)
    for turn in range(1, 4):
        game.submit(game.blank())
        writer.turn(game.blank()[0])
        assert path.read_bytes().count(b"\n") == 1 + turn  # nothing waits to be flushed
    writer.close()  # as if it had been killed
    reader, turns = read(path)
    assert len(turns) == 3
    assert reader.notice == f"{path} is cut off; what is whole was shown."


def test_a_file_cut_off_anywhere_is_shown_as_far_as_it_is_whole(tmp_path):
    content = passing(tmp_path).read_bytes()
    ends = [place for place, byte in enumerate(content) if byte == ord("\n")]
    cut = tmp_path / "cut.jsonl"
    for size in {*range(0, len(content), 53), *ends, *(end + 1 for end in ends)}:
        cut.write_bytes(content[:size])
        whole = content[:size].count(b"\n")
        if whole == 0:
            with pytest.raises(BrokenFile, match=r"cut.jsonl, line 1 is not whole; there is nothing to show"):
                ReplayReader(cut)
            continue
        reader, turns = read(cut)
        assert len(turns) == min(whole - 1, 2)
        torn = size not in (end + 1 for end in ends)
        told = f"line {whole + 1} of {cut} is cut off" if torn else f"{cut} is cut off"
        assert reader.notice == ("" if whole == 4 else f"{told}; what is whole was shown.")


def change(line, *way, to):
    """Lines with another value at a place of one of them."""

    def changed(lines):
        place = lines[line]
        for step in way[:-1]:
            place = place[step]
        place[way[-1]] = to
        return lines

    return changed


def drop(line, name):
    return lambda lines: [
        {key: value for key, value in each.items() if (number, key) != (line, name)}
        for number, each in enumerate(lines)
    ]


@pytest.mark.parametrize(
    ("alter", "message"),
    [
        (change(0, "format", to="replay"), r"line 1, format is \"replay\", not 'railbird-replay'"),
        (change(0, "version", to=2), "line 1, version is 2; this Railbird reads version 1"),
        (change(0, "game", to="superfect"), "line 1, game: there is no game 'superfect'; did you mean"),
        (change(0, "settings", to=[]), r"line 1, settings are an object, not \[\]"),
        (drop(0, "seed"), "line 1, seed is missing"),
        (change(0, "settings", "seats", to=13), "line 1, settings: seats is a whole number from 2 to 12"),
        (change(0, "settings", "seats", to=True), "line 1, settings: seats is a whole number"),
        (change(0, "settings", "rate", to={"a": 1}), "line 1, settings: rate is a number from 0 to 1"),
        (change(0, "settings", "horses", to=5), "line 1, settings: there is no setting of .* 'horses'"),
        (change(0, "seed", to=-1), "line 1: a root seed is an integer of 0 or more, not -1"),
        (change(0, "seed", to="7"), "line 1: a root seed is an integer of 0 or more, not '7'"),
        (change(0, "lane", to=2**70), "line 1: lane is a whole number"),
        (change(0, "episode", to=1.5), "line 1: episode is a whole number"),
        (change(0, "players", to=["ann"]), "line 1: players are 2 names, one a seat, not 1"),
        (change(0, "players", 1, to="b\x1b[2J"), r"line 1, players\[1\] is \"b\\u001b\[2J\", not a"),
        (change(0, "eye", to=2), "line 1: eye .* from 0 to 1, not 2"),
        (change(0, "more", to=1), "line 1, more does not belong there"),
        (change(1, "turn", to=2), "line 2, turn is 2, the rules give 1"),
        (change(1, "phase", to="bets"), 'line 2, phase is "bets", the rules give "ticket"'),
        (drop(1, "decisions"), "line 2, decisions are 2 texts, one a seat, not null"),
        (change(1, "decisions", 1, to=None), r"line 2, decisions\[1\] is null, though that seat is asked"),
        (change(1, "decisions", 1, to=3), r"line 2, decisions\[1\] is 3, not a line of plain text"),
        (change(1, "decisions", 0, to="$1 EXA D"), r"line 2, decisions\[0\]: line 1: EXA names 2 horse"),
        (change(1, "decisions", 0, to="1 win h"), r'decisions\[0\] is "1 win h", the rules give "\$1 WIN H"'),
        (change(2, "profit", 1, to=5), r"line 3, profit\[1\] is 5, the rules give 0"),
        (change(2, "profit", 1, to=False), r"line 3, profit\[1\] is false, the rules give 0"),
        (change(2, "bankrolls", to=[1]), r"line 3, bankrolls is \[1\], the rules give \[100, 100\]"),
        (change(2, "drawn", "rail", 0, to="AS"), r'line 3, drawn.rail\[0\] is "AS", the rules give'),
        (drop(2, "round"), "line 3, round is null, the rules give 2"),
        (change(2, "more", to=1), "line 3, more does not belong there"),
        (change(2, "notices", to=["\n"]), r"line 3, notices\[0\] is .*, not a line of plain text"),
        (lambda lines: [*lines[:2], *lines[1:]], "line 3, turn is 1, the rules give 2"),
        (lambda lines: [*lines[:3], lines[2], lines[3]], "line 4 is a turn, though the game is over"),
        (lambda lines: [lines[0], *lines[2:]], "line 2, turn is 2, the rules give 1"),
        (lambda lines: [*lines[:2], 5], "line 3 is no JSON object"),
        (lambda lines: [*lines, lines[3]], "line 5 comes after the result"),
        (change(3, "result", "profit", 0, to=1), r"line 4, result.profit\[0\] is 1, the rules give 0"),
        (change(3, "result", "over", to=False), "line 4, result.over is false, the rules give true"),
        (change(3, "sha256", to="0"), "line 4, sha256 is not the hash of the lines before it"),
        (drop(3, "sha256"), "line 4, sha256 is missing"),
        (change(0, "players", 0, to="eve"), "line 4, sha256 is not the hash of the lines before it; one"),
    ],
)  # fmt: skip
def test_what_is_not_so_is_named_by_line_and_field(alter, message, tmp_path):
    path = passing(tmp_path)
    put(path, alter(lines_of(path)))
    with pytest.raises(BrokenFile, match=message) as raised:
        read(path)
    assert str(raised.value).startswith(f"{path}, line ")
    assert str(raised.value).isprintable()


def test_a_decision_the_rules_forbid_is_named(tmp_path):
    path, *_ = recorded("few cards", tmp_path)
    lines = lines_of(path)
    held = lines[1]["decisions"][0]
    lines[1]["decisions"][0] = next(card for card in ("AH", "2H", "3H", "2D", "3D") if card != held)
    with pytest.raises(BrokenFile, match=r"line 2, decisions\[0\]: .* only cards in hand are played"):
        read(put(path, lines))


def test_another_version_that_gives_other_results_is_told(tmp_path):
    path = passing(tmp_path)
    lines = lines_of(path)
    lines[0]["railbird"], lines[1]["profit"] = "0.0.1", [1, -1]
    with pytest.raises(
        BrokenFile, match=rf"the rules give 0 \(written by railbird 0.0.1, this is {__version__}\)"
    ):
        read(put(path, lines))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "line 1 is not whole"),
        (b"\xff\xfe\n", "line 1 is no JSON"),
        (b"railbird\n", "line 1 is no JSON"),
        (b"[" * 100_000 + b"\n", "line 1 is no JSON"),
        (b"[]\n", "line 1 is no JSON object"),
        (b'{"a": ' + b"1" * 5_000 + b"}\n", "line 1 is no JSON"),
        (b" " * LONGEST_LINE, "line 1 is longer than 1,048,576 bytes"),
    ],
)
def test_what_is_no_replay_is_refused(content, message, tmp_path):
    path = tmp_path / "other"
    path.write_bytes(content)
    with pytest.raises(BrokenFile, match=message):
        ReplayReader(path)


def test_a_file_that_cannot_be_read_is_said_to_be_so(tmp_path):
    with pytest.raises(InvalidSettings, match=r"cannot read .*nothing: No such file .*; name a replay"):
        ReplayReader(tmp_path / "nothing")
    with pytest.raises(InvalidSettings, match="Is a directory"):
        ReplayReader(tmp_path)


def test_a_file_that_exists_is_left_alone(tmp_path):
    start, game = begin("superfecta", lane=0, episode=0)
    path = tmp_path / "mine"
    path.write_text("precious")
    with pytest.raises(InvalidSettings, match=r"mine exists; remove it, or choose another file"):
        ReplayWriter(path, start, game)
    with pytest.raises(InvalidSettings, match="exists"):
        ReplayWriter(tmp_path, start, game)
    with pytest.raises(InvalidSettings, match=r"cannot write .*: No such file or directory"):
        ReplayWriter(tmp_path / "none" / "file", start, game)
    assert path.read_text() == "precious"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_a_full_disk_is_one_clear_error():
    start, game = begin("superfecta", lane=0, episode=0)
    with pytest.raises(
        RailbirdError, match="cannot write /dev/full: No space left on device; the replay ends"
    ):
        ReplayWriter(Path("/dev/full"), start, game)


def test_a_turn_that_was_interrupted_leaves_a_file_that_is_cut_off(tmp_path, monkeypatch):
    start, game = begin("superfecta", lane=0, episode=0)
    path = tmp_path / "interrupted.jsonl"
    writer = ReplayWriter(path, start, game)
    game.submit(game.blank())
    writer.turn(game.blank()[0])

    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(Clerk, "outcome", interrupt)
    game.submit(game.blank())
    with pytest.raises(KeyboardInterrupt):
        writer.turn(game.blank()[0])
    monkeypatch.undo()
    writer.finish()
    reader, turns = read(path)
    assert len(turns) == 1
    assert "is cut off" in reader.notice


def test_names_and_notices_that_a_terminal_would_obey_are_written_without(tmp_path):
    spec = load("superfecta")
    start = Start("superfecta", spec.make_settings(seats=2), 1, players=("a\x1b", "b"))
    playback, path = Playback(start), tmp_path / "file"
    with ReplayWriter(path, start, playback.game) as writer:
        playback.turn(playback.game.blank()[0])
        writer.turn(playback.game.blank()[0], ["bell\a"])
        writer.finish()
    with ReplayReader(path) as reader:
        assert reader.start.players == ("a�", "b")
        assert [turn.notices for turn in reader.turns()] == [("bell�",)]


def test_who_looks_sees_what_that_seat_may_see(tmp_path):
    path, *_ = recorded("save-the-bet", tmp_path)
    for eye in (None, 0, 1):
        with ReplayReader(path, eye) as reader:
            next(turn for turn in reader.turns() if turn.round_over)
            spec, game = reader.playback.spec, reader.playback.game
            names = tuple(f"seat {seat}" for seat in range(2))
            assert reader.start.players == names
            assert reader.playback.frames() == tuple(spec.scene(game, 0, frame, eye) for frame in range(4))
    with pytest.raises(InvalidSettings, match=r"eye .* is a whole number from 0 to 1, not 2"):
        ReplayReader(path, 2)


def test_turns_that_break_the_rules_are_not_shown():
    start = Start("superfecta", load("superfecta").make_settings(seats=2, races=1), 1)
    nothing = np.zeros((2, 40), np.int16)
    assert len(list(show_rounds(start, [nothing]))) == 1
    with pytest.raises(IllegalDecision, match="a stake is never negative"):
        list(show_rounds(start, [nothing - 1]))
    with pytest.raises(IllegalDecision, match="is over"):
        list(show_rounds(start, [nothing, nothing]))


def test_fractions_and_lists_of_the_settings_are_plain():
    settings = load("superfecta").make_settings(split="pro_rata", rate=Fraction(1, 3))
    plain = plain_settings(settings)
    assert plain["rate"] == "1/3"
    assert plain["minimum_bets"] == [100, 100, 100]
    assert json.loads(json.dumps(plain)) == plain
