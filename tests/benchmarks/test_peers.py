"""The comparison with peers: who is measured, environments, what is made of the rates."""

from __future__ import annotations

import json
from contextlib import nullcontext
from pathlib import Path

import pytest
from typer import Typer
from typer.testing import CliRunner

from railbird.benchmarks.measure import figure
from railbird.benchmarks.peers import __main__ as command
from railbird.benchmarks.peers import environments
from railbird.benchmarks.peers.catalogue import CONTESTANTS, OURS, PEERS, Contestant, Form, chosen
from railbird.benchmarks.peers.environments import NotInstalled, interpreter, last_word
from railbird.benchmarks.peers.processes import ProbeFailed, Team, python_here
from railbird.benchmarks.peers.report import short, spread, verdict
from railbird.benchmarks.peers.results import Findings, Record, Result
from railbird.games.errors import UnknownName


def silent(text: str) -> None:
    """Says nothing."""


def rated(contestant: Contestant, form: Form, *rates: float) -> Result:
    """A result with these rates by processor time, half of that by the wall."""
    return Record([(rate, rate / 2) for rate in rates]).result(contestant, form)


def peer(name: str, *forms: Form) -> Contestant:
    return Contestant(name, name, ("something",), forms, "a step")


# ---- who


def test_contestants_are_those_named_in_the_order_of_the_catalogue() -> None:
    assert [one.name for one in chosen(["games", "pgx"])] == ["pgx", "games"]
    assert chosen([]) == CONTESTANTS


def test_an_unknown_contestant_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(UnknownName, match=r"there is no contestant 'pgz'.*pgx"):
        chosen(["pgz"])


def test_only_ours_need_no_environment_and_every_peer_is_pinned() -> None:
    assert all(one.ours for one in OURS)
    assert all("==" in requirement for one in PEERS for requirement in one.requirements)
    assert not any(one.ours for one in PEERS)


# ---- environments


@pytest.fixture
def commands(monkeypatch) -> list[tuple[str, ...]]:
    """What would have been run; making an environment makes its folder."""
    run: list[tuple[str, ...]] = []

    def pretend(*command: str) -> None:
        run.append(command)
        if "venv" in command:
            Path(command[-1]).mkdir()

    monkeypatch.setattr(environments, "_run", pretend)
    return run


def test_an_environment_is_made_once_and_used_again(tmp_path, commands) -> None:
    first = interpreter(tmp_path / "deep" / "cards", ["cards==1", "numpy"])
    assert first == tmp_path / "deep" / "cards" / "bin" / "python"
    assert [command[1:3] for command in commands] == [("-m", "venv"), ("-m", "pip")]
    assert commands[1][-2:] == ("cards==1", "numpy")
    assert interpreter(tmp_path / "deep" / "cards", ["cards==1", "numpy"]) == first
    assert len(commands) == 2


def test_an_environment_of_other_requirements_is_made_anew(tmp_path, commands) -> None:
    interpreter(tmp_path / "cards", ["cards==1"])
    (tmp_path / "cards" / "old").touch()
    interpreter(tmp_path / "cards", ["cards==2"])
    assert len(commands) == 4
    assert not (tmp_path / "cards" / "old").exists()


def test_an_environment_that_was_not_finished_is_made_anew(tmp_path, commands, monkeypatch) -> None:
    def breaks_off(*command: str) -> None:
        commands.append(command)
        if "pip" in command:
            raise NotInstalled("no such thing")

    with monkeypatch.context() as patch:
        patch.setattr(environments, "_run", breaks_off)
        with pytest.raises(NotInstalled, match="no such thing"):
            interpreter(tmp_path / "cards", ["cards==1"])
    interpreter(tmp_path / "cards", ["cards==1"])
    assert [command[2] for command in commands] == ["venv", "pip", "venv", "pip"]


def test_the_installers_last_error_is_told_not_its_last_line() -> None:
    said = "Looking\nERROR: no versions\nERROR: No matching distribution found for x\n[notice] new pip\n\n"
    assert last_word(said) == "ERROR: No matching distribution found for x"
    assert last_word("Looking\nkilled\n") == "killed"
    assert last_word("") == "nothing was said"


@pytest.mark.slow
def test_what_pip_cannot_install_is_told_in_one_line(tmp_path) -> None:
    with pytest.raises(NotInstalled, match=r"^ERROR: Invalid requirement: .*no version") as caught:
        interpreter(tmp_path / "cards", ["cards==no version"])
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "cards" / "complete").exists()


# ---- results


def test_the_fastest_peer_is_one_stepped_once_per_call() -> None:
    called, scanned, ours = Form("called", "Poker"), Form("scanned", "Poker", per_call=False), Form("x", "X")
    findings = Findings(
        [
            rated(peer("slow", called), called, 100.0),
            rated(peer("quick", called), called, 300.0, 100.0, 200.0),  # median 200
            rated(peer("quick", scanned), scanned, 900.0),
            rated(OURS[0], ours, 500.0),
        ]
    )
    best = findings.fastest_peer
    assert best is not None and best.name == "quick.called"
    assert [findings.ratio(one) for one in findings.results] == [0.5, 1.0, 4.5, 2.5]
    assert findings.slower == []


def test_ours_that_a_peer_beats_are_told_with_their_profile() -> None:
    poker, fast, slow = Form("poker", "Poker"), Form("fast", "Fast game"), Form("slow", "Slow game")
    findings = Findings(
        [
            rated(peer("quick", poker), poker, 2e6),
            rated(peer("idle", poker), poker, 1e6),
            rated(OURS[0], fast, 3e6),
            rated(OURS[0], slow, 1.5e6),
        ],
        profiles={"games.slow": [{"share": 0.75, "function": "deal", "file": "games/race.py"}]},
    )
    assert verdict(findings) == [
        "1 of 2 of ours are faster than the fastest peer (quick, Poker: 2.00 M).",
        "Slow game: 1.50 M, not faster than quick, Poker. Its time goes to:",
        "  75.0%  deal (games/race.py)",
    ]


def test_a_draw_is_not_faster() -> None:
    poker = Form("poker", "Poker")
    findings = Findings([rated(peer("quick", poker), poker, 2e6), rated(OURS[0], poker, 2e6)])
    assert [one.name for one in findings.slower] == ["games.poker"]


def test_without_peers_there_is_no_verdict() -> None:
    findings = Findings([rated(OURS[0], Form("x", "X"), 1.0)])
    assert verdict(findings) == []
    assert findings.summary()["figures"]["games.x"]["over_fastest_peer"] is None


def test_two_cores_stand_beside_one_where_there_are_two() -> None:
    form = Form("x", "X")
    alone = Record([(10.0, 4.0)]).result(OURS[0], form)
    both = Record([(10.0, 4.0)], [(20.0, 8.0), (18.0, 6.0), (19.0, 9.0)]).result(OURS[0], form)
    assert alone.two_cores is None
    assert both.two_cores is not None and both.two_cores_wall is not None
    assert (both.two_cores.low, both.two_cores.value, both.two_cores.high) == (18.0, 19.0, 20.0)
    assert both.two_cores_wall.value == 8.0
    assert both.one_core_wall.value == 4.0


@pytest.mark.parametrize(
    ("rate", "text"), [(12_345_678.0, "12.35 M"), (999_960.0, "1000.0 k"), (8_100.0, "8.1 k")]
)
def test_rates_are_told_in_thousands_and_millions(rate: float, text: str) -> None:
    assert short(rate) == text


def test_a_spread_is_the_median_and_the_range() -> None:
    assert spread(figure("x", [3e6, 1e6, 2e6], "")) == "2.00 M (1.00 M–3.00 M)"


# ---- the run


class Fake:
    """Processes that answer at once: 100 decisions a second each, until one breaks."""

    def __init__(self, contestant: Contestant, *others: object) -> None:
        self.contestant, self.probes, self.versions = contestant, [0, 1], {"cards": "1"}
        self.measured: list[tuple[str, int]] = []

    def get_ready(self) -> None:
        if self.contestant.name == "unready":
            raise ProbeFailed("ImportError: no cards")

    def measure(self, form: str, processes: int) -> tuple[float, float]:
        self.measured.append((form, processes))
        LOG.append(f"{self.contestant.name} {processes}")
        if self.contestant.name == "breaks" and len(self.measured) == 3:
            raise ProbeFailed("Killed")
        return 100.0 * processes, 50.0 * processes

    def profile(self, form: str) -> list[dict[str, object]]:
        return [{"share": 1.0, "function": form, "file": "x"}]


LOG: list[str] = []


@pytest.fixture
def faked(monkeypatch) -> None:
    def install(folder: Path, requirements: tuple[str, ...]) -> Path:
        if folder.name == "absent":
            raise NotInstalled("ERROR: No matching distribution found for absent")
        return folder

    LOG.clear()
    monkeypatch.setattr(command, "interpreter", install)
    monkeypatch.setattr(command, "Team", lambda *given: nullcontext(Fake(*given)))


def test_what_cannot_be_measured_is_told_and_the_run_goes_on(faked, tmp_path) -> None:
    form = Form("x", "X")
    field = tuple(peer(name, form) for name in ("absent", "unready", "breaks", "works"))
    findings = command.compare(field, tmp_path, [0, 1], 3, 1.0, silent)
    assert findings.missing == {
        "absent": "ERROR: No matching distribution found for absent",
        "unready": "ImportError: no cards",
        "breaks": "Killed",
    }
    assert [one.name for one in findings.results] == ["works.x"]
    assert [line for line in LOG if line.startswith("breaks")] == ["breaks 1", "breaks 2", "breaks 1"]
    assert findings.results[0].one_core.value == 100.0
    assert findings.results[0].two_cores is not None and findings.results[0].two_cores.value == 200.0


def test_rounds_are_interleaved(faked, tmp_path) -> None:
    form = Form("x", "X")
    command.compare((peer("a", form), peer("b", form)), tmp_path, [0, 1], 2, 1.0, silent)
    assert LOG == ["a 1", "a 2", "b 1", "b 2"] * 2


def test_ours_that_are_slower_are_profiled(faked, tmp_path) -> None:
    form = Form("x", "X")
    ours = Contestant("games", "railbird_games", (), (form,), "a turn")
    findings = command.compare((peer("a", form), ours), tmp_path, [0, 1], 1, 1.0, silent)
    assert findings.profiles == {"games.x": [{"share": 1.0, "function": "x", "file": "x"}]}


def test_an_unknown_contestant_is_an_error_of_one_line() -> None:
    done = CliRunner().invoke(application(), ["--only", "pgz"])
    assert done.exit_code == 2
    assert done.stderr.startswith("error: there is no contestant 'pgz'")


def application() -> Typer:
    """The command as the command line has it."""
    app = Typer()
    app.command()(command.run)
    return app


@pytest.mark.slow
def test_a_probe_that_ends_says_why() -> None:
    absent = Contestant("absent", "absent", (), (), "")
    with Team(absent, python_here(), [0], 1.0) as team, pytest.raises(ProbeFailed, match="No module named"):
        team.get_ready()


@pytest.mark.slow
def test_our_games_are_measured_on_every_core_there_is(capfd) -> None:
    done = CliRunner().invoke(
        application(), ["--only", "games", "--repeat", "1", "--seconds", "0.01", "--json"]
    )
    found = json.loads(done.stdout)
    assert found["missing"] == {}
    assert set(found["figures"]) == {f"games.{form.key}" for form in OURS[0].forms}
    assert all(one["one_core"]["low"] > 0 for one in found["figures"].values())
    assert found["versions"]["games"]["railbird"] == found["machine"]["railbird"]
