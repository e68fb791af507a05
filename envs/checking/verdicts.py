"""What a check says: that all is well, what is wrong, or that there is nothing to check."""

from __future__ import annotations

import traceback
import warnings
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any


class Verdict(StrEnum):
    """How a check came out."""

    OK = "ok"
    FAILED = "failed"
    NOT_APPLICABLE = "not applicable"


class CheckFailed(AssertionError):
    """An environment does not do what is asked of it; the message is one line.

    Args:
        reason: what was seen and what was due.
        remedy: what to do about it.
        where: in which episode, step or lane, if that matters.
    """

    def __init__(self, reason: str, remedy: str, where: str = "") -> None:
        place = f" ({where})" if where else ""
        super().__init__(" ".join(f"{reason}{place}; {remedy}".split()))


class NotApplicable(Exception):
    """There is nothing to check, and why."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    item: str
    verdict: Verdict
    text: str  # what was seen, in one line

    def __str__(self) -> str:
        sign = {Verdict.OK: "ok    ", Verdict.FAILED: "FAILED", Verdict.NOT_APPLICABLE: "–     "}
        why = "not applicable: " if self.verdict is Verdict.NOT_APPLICABLE else ""
        return f"{sign[self.verdict]} {self.item}: {why}{self.text}"


@dataclass(frozen=True, slots=True)
class EnvReport:
    """What was found about an environment."""

    env: str
    findings: tuple[Finding, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong with it."""
        return all(finding.verdict is not Verdict.FAILED for finding in self.findings)

    @property
    def conclusion(self) -> str:
        """The verdict in one line."""
        failed = sum(finding.verdict is Verdict.FAILED for finding in self.findings)
        return f"{self.env} keeps the contract" if self.ok else f"{self.env} fails {failed} checks"

    def __str__(self) -> str:
        """The findings, a line each, and the verdict."""
        return "\n".join([*map(str, self.findings), self.conclusion])

    def as_json(self) -> dict[str, Any]:
        """The same as JSON data."""
        return {"env": self.env, "ok": self.ok, "findings": [asdict(finding) for finding in self.findings]}


def find(item: str, check: Callable[[], str]) -> Finding:
    """Carries out a check; whatever it raises, and every warning, is a finding."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            text = check()
        except NotApplicable as why:
            return Finding(item, Verdict.NOT_APPLICABLE, str(why))
        except CheckFailed as failed:
            return Finding(item, Verdict.FAILED, str(failed))
        except Exception as error:
            return Finding(item, Verdict.FAILED, raised(error))
    told = _warned(caught)
    return Finding(item, Verdict.FAILED, told) if told else Finding(item, Verdict.OK, text)


def raised(error: BaseException) -> str:
    """An error in one line, with the place it came from."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    told = " ".join(str(error).split()) or "no message"
    return f"raised {type(error).__name__}: {told} ({Path(last.filename).name}, line {last.lineno})"


def _warned(caught: Sequence[warnings.WarningMessage]) -> str:
    """The first warning and the number of others, empty where there was none."""
    if not caught:
        return ""
    first = " ".join(str(caught[0].message).replace("\x1b[33m", "").replace("\x1b[0m", "").split())
    more = f" (and {len(caught) - 1} more)" if len(caught) > 1 else ""
    return f"warns: {first}{more}"
