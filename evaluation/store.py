"""A tournament's folder: ``result.json`` and ``deals.csv``, a line for each deal and agent.

Files are written beside their place and renamed into it, ``result.json`` last, so a folder either holds a
whole result or none. A folder with another result is never written to.

Columns of ``deals.csv``: deal, agent; then, summed over the agent's tables of that deal, cash, adjusted and
staked (chips), ruined (games), refused (tickets), faults (decisions); then the agent's cash and adjusted
profit in the deal's context, empty where the deal has none.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from .. import __version__
from ..games.errors import BrokenFile, InvalidSettings
from .blocks import BlockResult, Plan
from .results import TournamentResult, figure

COLUMNS = (
    "deal", "agent", "cash", "adjusted", "staked", "ruined", "refused", "faults",
    "context_cash", "context_adjusted",
)  # fmt: skip


class Store:
    """Writes one tournament into a folder; used in a ``with``, which clears away what was not finished.

    Raises:
        InvalidSettings: the folder cannot be written to, or holds another tournament.
        BrokenFile: its ``result.json`` cannot be read.
    """

    def __init__(self, folder: Path, settings: dict[str, Any], plan: Plan) -> None:
        self.folder = folder
        self.labels = [_quoted(label) for label in plan.labels]
        self._result = folder / "result.json"
        self._deals = folder / "deals.csv"
        self._check_former(settings, plan.seed)
        self._part = folder / f".deals.csv.{os.getpid()}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._part.write_text(",".join(COLUMNS) + "\n", encoding="utf-8")
        except OSError as error:
            raise InvalidSettings(
                f"cannot write to {folder}: {error.strerror}; choose another folder"
            ) from error

    def _check_former(self, settings: dict[str, Any], seed: int) -> None:
        """Refuses a folder whose result was asked for with other settings."""
        if not self._result.exists():
            return
        try:
            former = json.loads(self._result.read_text(encoding="utf-8"))
            found = {**former["settings"], "seed": former["seed"], "version": former["version"]}
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise BrokenFile(f"{self._result} is no result of a tournament; choose another folder") from error
        asked = {**settings, "seed": seed, "version": __version__}
        for name in asked:
            if found.get(name) != asked[name]:
                raise InvalidSettings(
                    f"{self.folder} holds a tournament with {name} {found.get(name)!r}, not {asked[name]!r};"
                    " choose another folder"
                )

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *error: object) -> None:
        self._part.unlink(missing_ok=True)

    def add(self, block: BlockResult) -> None:
        """Writes the deals of the next block."""
        context = {int(deal): row for row, deal in enumerate(block.contexts)}
        lines = []
        for row, deal in enumerate(block.deals):
            for entry, label in enumerate(self.labels):
                place = (row, entry)
                counts = (block.staked, block.ruined, block.refused, block.faults)
                earned = (block.cash[place], figure(block.adjusted[place]))
                tried: tuple[Any, Any] = ("", "")
                if int(deal) in context:
                    place = (context[int(deal)], entry)
                    tried = (block.swapped_cash[place], figure(block.swapped_adjusted[place]))
                lines.append(
                    ",".join(map(str, (deal, label, *earned, *(count[place] for count in counts), *tried)))
                    + "\n"
                )
        with self._part.open("a", encoding="utf-8") as file:
            file.writelines(lines)

    def finish(self, result: TournamentResult) -> None:
        """Puts both files in their place.

        Raises:
            InvalidSettings: the folder holds a different result of the same settings (an agent's code has
                changed); it stays as it is.
        """
        text = result.to_json() + "\n"
        if self._result.exists() and self._result.read_text(encoding="utf-8") != text:
            raise InvalidSettings(
                f"{self.folder} holds a different result of the same settings: an agent has changed since;"
                " choose another folder"
            )
        self._part.replace(self._deals)
        part = self.folder / f".result.json.{os.getpid()}"
        part.write_text(text, encoding="utf-8")
        part.replace(self._result)


def _quoted(label: str) -> str:
    """A label as CSV has it: ``"kelly:fraction=0.25,cap=3"`` in quotes, since it has a comma."""
    return '"' + label.replace('"', '""') + '"' if set(label) & set(',"\n') else label
