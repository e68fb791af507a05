"""What was measured, and whether ours are faster."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from ..measure import Figure, figure
from .catalogue import Contestant, Form


@dataclass(frozen=True, slots=True)
class Result:
    """One form of one contestant, all repetitions: decisions a second."""

    contestant: Contestant
    form: Form
    one_core: Figure  # by processor time
    one_core_wall: Figure
    two_cores: Figure | None  # two processes at once, added up, by processor time
    two_cores_wall: Figure | None

    @property
    def name(self) -> str:
        """Contestant and form, for JSON."""
        return f"{self.contestant.name}.{self.form.key}"


@dataclass(slots=True)
class Record:
    """The repetitions of one form while they come in: pairs of (by processor time, by wall time)."""

    one_core: list[tuple[float, float]] = field(default_factory=list)
    two_cores: list[tuple[float, float]] = field(default_factory=list)

    def result(self, contestant: Contestant, form: Form) -> Result:
        """Medians and ranges."""
        name = f"{contestant.name}.{form.key}"
        figures = [
            figure(name, [pair[clock] for pair in pairs], "decisions/s") if pairs else None
            for pairs in (self.one_core, self.two_cores)
            for clock in (0, 1)
        ]
        assert figures[0] is not None and figures[1] is not None
        return Result(contestant, form, figures[0], figures[1], figures[2], figures[3])


@dataclass(slots=True)
class Findings:
    """All of a run."""

    results: list[Result] = field(default_factory=list)
    versions: dict[str, dict[str, str]] = field(default_factory=dict)  # contestant: distribution: version
    missing: dict[str, str] = field(default_factory=dict)  # contestant: why it was not measured
    profiles: dict[str, list[dict[str, Any]]] = field(default_factory=dict)  # of ours that are slower

    @property
    def fastest_peer(self) -> Result | None:
        """The fastest peer that is stepped once per call."""
        return max(self._peers, key=lambda one: one.one_core.value, default=None)

    @property
    def _peers(self) -> list[Result]:
        return [one for one in self.results if one.form.per_call and not one.contestant.ours]

    def ratio(self, result: Result) -> float | None:
        """Its median over that of the fastest peer, by processor time on one core."""
        best = self.fastest_peer
        return None if best is None else result.one_core.value / best.one_core.value

    def ahead_of(self, result: Result) -> list[Result]:
        """The peers stepped once per call that it is not faster than."""
        return [one for one in self._peers if one.one_core.value >= result.one_core.value]

    @property
    def slower(self) -> list[Result]:
        """Ours that are not faster than every peer stepped once per call."""
        return [one for one in self.results if one.contestant.ours and self.ahead_of(one)]

    def summary(self) -> dict[str, Any]:
        """Everything as JSON data."""
        return {
            "figures": {
                one.name: {
                    "title": one.form.title,
                    "per_call": one.form.per_call,
                    "inside_the_clock": one.contestant.inside,
                    "one_core": _told(one.one_core),
                    "one_core_wall": _told(one.one_core_wall),
                    "two_cores": _told(one.two_cores),
                    "two_cores_wall": _told(one.two_cores_wall),
                    "over_fastest_peer": self.ratio(one),
                }
                for one in self.results
            },
            "versions": self.versions,
            "missing": self.missing,
            "fastest_peer": None if self.fastest_peer is None else self.fastest_peer.name,
            "slower": {one.name: [peer.name for peer in self.ahead_of(one)] for one in self.slower},
            "profiles": self.profiles,
        }


def _told(found: Figure | None) -> dict[str, float] | None:
    if found is None:
        return None
    told = asdict(found)
    return {key: told[key] for key in ("value", "low", "high")}
