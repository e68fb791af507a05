"""Whether an environment keeps the contract, printed check by check."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any

from ..envs.checking import EnvReport
from ..envs.checking.checks import findings
from ..envs.checking.doors import open_doors
from .screen import Screen


def check(name: str, rules: Mapping[str, Any] | None = None, as_json: bool = False) -> bool:
    """Prints what is found about an environment, a line a check as it is made, and the verdict; whether it
    keeps the contract.

    Raises:
        UnknownName, InvalidSettings: what `envs.checking.doors.open_doors` raises.
    """
    doors = open_doors(name, **(rules or {}))
    screen, found = Screen(), []
    for finding in findings(doors):
        found.append(finding)
        if not as_json:
            screen.say(str(finding))
            sys.stdout.flush()
    report = EnvReport(doors.name, tuple(found))
    if as_json:
        sys.stdout.write(json.dumps(report.as_json(), indent=2) + "\n")
    else:
        screen.say(report.conclusion)
    return report.ok
