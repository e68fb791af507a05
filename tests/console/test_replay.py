"""Replays in the terminal: the frames that were watched, options, and files that are not whole."""

import io
import json
import sys
from pathlib import Path

import pytest
from rich.console import Console

from railbird.cli import main
from railbird.console.play import play
from railbird.console.replay import replay
from railbird.console.watch import watch
from railbird.games.errors import BrokenFile, InvalidSettings, RailbirdError
from railbird.games.registry import names


def watched(path, game="superfecta", **options) -> str:
    out = io.StringIO()
    watch(game, seed=7, console=Console(file=out), save=path, **options)
    return out.getvalue()


def replayed(path, **options) -> str:
    out, pauses = io.StringIO(), []
    replay(path, console=Console(file=out), pause=pauses.append, **options)
    assert pauses == []  # nobody waits for a pipe
    return out.getvalue()


@pytest.fixture
def game_file(tmp_path):
    """Two races of Superfecta."""
    path = tmp_path / "game.jsonl"
    watched(path, agents=["favourite", "longshot"], races=2)
    return path


def run(monkeypatch, *arguments):
    """The exit code of the command line; None where all went well."""
    monkeypatch.setattr(sys, "argv", ["railbird", *map(str, arguments)])
    with pytest.raises(SystemExit) as stopped:
        main()
    return stopped.value.code


@pytest.mark.parametrize("game", names())
def test_a_replay_shows_what_was_watched_to_the_last_sign(game, tmp_path):
    shown = watched(tmp_path / "game.jsonl", game, races=2)
    assert shown.count("Standings") == 1
    assert replayed(tmp_path / "game.jsonl") == shown


def test_a_game_watched_to_its_end_is_over_in_its_replay(tmp_path):
    shown = watched(tmp_path / "game", agents=["box", "random"], races=9, settings={"races": 2})
    assert replayed(tmp_path / "game") == shown
    assert "Superfecta · the game is over" in shown


def test_a_terminal_shows_each_frame_again_for_the_time_of_a_card(game_file):
    def terminal():
        environment = {"TERM": "xterm"}
        return Console(file=io.StringIO(), force_terminal=True, width=110, height=60, _environ=environment)

    before, after, paused, again = terminal(), terminal(), [], []
    watch("superfecta", 7, 2, agents=["favourite", "longshot"], speed=4, console=before, pause=paused.append)
    replay(game_file, speed=4, console=after, pause=again.append)
    assert again == paused and set(again) == {0.25}
    assert after.file.getvalue() == before.file.getvalue()


def test_what_went_wrong_with_an_agent_is_told_again(tmp_path, monkeypatch):
    (tmp_path / "bad_replayed.py").write_text(
        "class Bad:\n"
        "    def __init__(self, settings): pass\n"
        "    def act(self, view, draws): raise RuntimeError('no idea')\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    shown = watched(tmp_path / "game", agents=["bad_replayed:Bad", "box"], races=2)
    assert "raised RuntimeError: no idea" in shown
    assert replayed(tmp_path / "game") == shown


def played(path, text, game="superfecta", **options) -> str:
    out = io.StringIO()
    play(game, 7, source=io.StringIO(text), console=Console(file=out), save=path, **options)
    return out.getvalue()


def test_a_game_that_was_played_is_shown_with_the_tickets_and_the_standings(tmp_path):
    path = tmp_path / "game"
    shown = played(path, "$1 EXA D/C; $2 WIN D\n\npass\n", agents=["favourite", "box"])
    again = replayed(path)
    assert "$2 WIN D; $1 EXA D/C" in again
    assert again.count("· finished") == shown.count("· finished") == 2
    assert shown[shown.index("Standings") :] == again[again.index("Standings") :]


def test_a_hidden_hand_is_shown_to_who_saw_it_then_and_not_to_others(tmp_path):
    path = tmp_path / "game"
    shown = played(
        path, "help\n" * 3, "save-the-bet"
    )  # leaves at once: the hand was seen before the first bet
    assert "you · 6 in hand: ##" not in shown
    path.unlink()
    hand = next(line for line in shown.splitlines() if line.startswith("you · 6 in hand"))
    card = hand.split(":")[1].split()[0].translate(str.maketrans("♥♦♣♠", "HDCS"))
    played(path, f"{card}\npass\n", "save-the-bet")
    mine, others = replayed(path), replayed(path, seat=1)
    assert any(line.startswith("you · 5 in hand") and "##" not in line for line in mine.splitlines())
    assert all("##" in line for line in others.splitlines() if line.startswith("you · 5 in hand"))


def test_one_race_and_one_frame_of_it_can_be_shown(game_file):
    whole = replayed(game_file)
    second = replayed(game_file, race=2)
    assert second == whole[whole.index("Superfecta · Race 2") : whole.index("Superfecta · so far")]
    third = replayed(game_file, race=2, frame=3)
    assert third.splitlines()[0] == "Superfecta · Race 2 of 12 · 3 of 42 stock cards dealt"
    assert third.count("stock cards dealt") == 1


def test_what_is_not_there_is_refused(game_file, tmp_path):
    with pytest.raises(InvalidSettings, match="races of this replay are 1 to 2, not 3"):
        replayed(game_file, race=3)
    with pytest.raises(InvalidSettings, match="frame is a whole number from 0 to "):
        replayed(game_file, race=1, frame=99)
    with pytest.raises(InvalidSettings, match="a frame is one of a race; name the race as well"):
        replayed(game_file, frame=1)
    with pytest.raises(InvalidSettings, match="speed is a number of cards a second above 0"):
        replayed(game_file, speed=0)
    with pytest.raises(InvalidSettings, match=r"eye .* from 0 to 1, not 5"):
        replayed(game_file, seat=5)
    with pytest.raises(InvalidSettings, match="cannot read"):
        replayed(tmp_path / "nothing")


def test_what_is_whole_of_a_file_is_shown_with_a_notice(game_file, capsys):
    whole = replayed(game_file)
    content = game_file.read_bytes()
    game_file.write_bytes(content[: content.index(b'{"turn": 2') + 40])
    shown = replayed(game_file)
    assert shown.splitlines()[:20] == whole.splitlines()[:20]
    assert "Race 1 of 12 · finished" in shown and "Race 2" not in shown
    assert "Standings after 1 race" in shown
    told = f"railbird: line 3 of {game_file} is cut off; what is whole was shown.\n"
    assert capsys.readouterr().err == told


def test_frames_are_shown_up_to_the_line_that_is_not_so(game_file):
    lines = [json.loads(line) for line in game_file.read_text().splitlines()]
    lines[2]["profit"][0] += 1
    game_file.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    out = io.StringIO()
    with pytest.raises(BrokenFile, match=r"line 3, profit\[0\] is .*, the rules give "):
        replay(game_file, console=Console(file=out))
    assert "Race 1 of 12 · finished" in out.getvalue()


def test_ctrl_c_ends_with_the_standings_and_a_whole_file(tmp_path):
    def interrupt(_):
        raise KeyboardInterrupt

    def terminal():
        return Console(file=io.StringIO(), force_terminal=True, width=110, _environ={"TERM": "xterm"})

    path, console = tmp_path / "game", terminal()
    watch("superfecta", agents=["box", "random"], races=3, console=console, pause=interrupt, save=path)
    shown = replayed(path)
    assert "Standings after 1 race" in shown
    assert '"result"' in path.read_text().splitlines()[-1]
    console = terminal()
    replay(path, console=console, pause=interrupt)
    assert "Standings after 1 race" in console.file.getvalue()


def test_the_command_line_writes_and_shows_replays(tmp_path, monkeypatch, capsys):
    path = tmp_path / "game.jsonl"
    assert run(monkeypatch, "watch", "racing-aces", "--seed", 3, "--races", 2, "--save", path) is None
    shown = capsys.readouterr().out
    assert run(monkeypatch, "replay", path, "--speed", 5) is None
    assert capsys.readouterr().out == shown
    assert run(monkeypatch, "replay", path, "--race", 2, "--frame", 0, "--seat", 0) is None
    assert capsys.readouterr().out.count("Race 2 of") == 1
    assert run(monkeypatch, "replay", path, "--json") is None
    told = json.loads(capsys.readouterr().out)
    assert {name: told[name] for name in ("game", "seed", "lane", "episode", "turns", "rounds", "over")} == {
        "game": "racing-aces", "seed": 3, "lane": 0, "episode": 0, "turns": 2, "rounds": 2, "over": False,
    }  # fmt: skip
    assert told["whole"] and sum(told["profit"]) == 0  # the house wins what the players lose
    assert len(told["players"]) == len(told["profit"])


@pytest.mark.parametrize("command", ["watch", "play"])
def test_a_file_that_exists_and_a_full_disk_are_one_line(command, tmp_path, monkeypatch, capsys):
    path = tmp_path / "mine"
    path.write_text("precious")
    monkeypatch.setattr(sys, "stdin", io.StringIO("pass\n"))
    assert run(monkeypatch, command, "superfecta", "--seed", 1, "--save", path) == 2
    assert capsys.readouterr().err == f"railbird: {path} exists; remove it, or choose another file\n"
    assert path.read_text() == "precious"
    if Path("/dev/full").exists():
        assert run(monkeypatch, command, "superfecta", "--seed", 1, "--save", "/dev/full") == 2
        error = capsys.readouterr().err
        assert error.startswith("railbird: cannot write /dev/full: No space left on device")
        assert error.count("\n") == 1


def test_a_disk_that_fills_up_in_between_ends_the_game_and_keeps_what_is_whole(tmp_path, monkeypatch):
    path = tmp_path / "game"
    opened = Path.open

    class Filling:
        """A file that takes two lines."""

        def __init__(self, file):
            self.file, self.lines = file, 0

        def write(self, content):
            self.lines += 1
            if self.lines > 2:
                raise OSError(28, "No space left on device")
            return self.file.write(content)

        def __getattr__(self, name):
            return getattr(self.file, name)

    monkeypatch.setattr(Path, "open", lambda *given, **more: Filling(opened(*given, **more)))
    with pytest.raises(
        RailbirdError, match=r"cannot write .*: No space left on device; the replay ends there"
    ):
        watched(path, agents=["box", "random"], races=5)
    monkeypatch.undo()
    assert "Standings after 1 race" in replayed(path)
