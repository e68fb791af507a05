"""Whether an environment keeps the contract: the logic of ``railbird check-env``.

One place for what is asked of an environment: the command carries out all checks that apply to one
environment, the tests carry them out on every environment and on copies broken on purpose. A check takes an
environment by its doors (`Doors`), returns what was seen in one line, and raises `CheckFailed` with the
reason, the place and what to do, or `NotApplicable`.
"""

from __future__ import annotations

from typing import Any

from .verdicts import CheckFailed, EnvReport, Finding, NotApplicable, Verdict

__all__ = ["CheckFailed", "EnvReport", "Finding", "NotApplicable", "Verdict", "check_env"]


def check_env(name: str, **settings: Any) -> EnvReport:
    """Carries out every check that applies to an environment.

    Args:
        name: a game, an id, or a user's own as ``module:Id`` or ``module:Class`` (see `doors.open_doors`).
        settings: given to the environment whenever it is made.

    Raises:
        UnknownName: there is no such environment or setting.
        InvalidSettings: a setting is not allowed, or a user's environment cannot be loaded.
    """
    from .checks import carry_out
    from .doors import open_doors

    return carry_out(open_doors(name, **settings))
