"""The agents of a game as a list, and whether an agent is fit to play."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from ..agents.check import check_agent, cost_per_decision
from ..agents.registry import AgentCard, describe, parse_agent
from ..games.registry import load


def show_agents(game: str, as_json: bool = False, console: Console | None = None) -> None:
    """Lists the agents of a game with their idea, source, settings and measured cost of a decision.

    Raises:
        UnknownName: there is no such game.
    """
    cards = describe(game)
    costs = [cost_per_decision(parse_agent(card.name, game), load(game).make_settings()) for card in cards]
    if as_json:
        listed = [
            {
                "name": card.name,
                "idea": card.idea,
                "source": card.source,
                "settings": [
                    asdict(option) | {"kind": option.kind.__name__, "default": str(option.default)}
                    for option in card.options
                ],
                "microseconds": round(cost, 3),
            }
            for card, cost in zip(cards, costs, strict=True)
        ]
        sys.stdout.write(json.dumps(listed, indent=2) + "\n")
        return
    console = console or Console()
    console.print(_table(game, cards, costs))
    first = next((card for card in cards if card.options), None)
    if first is not None:
        option = first.options[0]
        console.print(
            f"\nSettings are written {first.name}:{option.name}={option.default}; an agent of your own is"
            " module:Class.",
            highlight=False,
        )


def _table(game: str, cards: list[AgentCard], costs: list[float]) -> Table:
    table = Table(title=f"Agents for {load(game).title}", title_justify="left", show_lines=False, box=None)
    table.add_column("agent", style="bold", no_wrap=True)
    table.add_column("idea, source, settings")
    table.add_column("µs", justify="right", no_wrap=True)
    for card, cost in zip(cards, costs, strict=True):
        settings = "".join(
            f"\n{escape(option.name)}={option.default}: {escape(option.meaning)}" for option in card.options
        )
        table.add_row(
            card.name, f"{escape(card.idea)} [dim]{escape(card.source)}[/]{settings}", f"{cost:.2f}"
        )
    return table


def check(agent: str, game: str, rules: Mapping[str, Any] | None = None) -> bool:
    """Prints what was found about an agent, a line each, and the verdict; whether it is fit to play.

    Raises:
        UnknownName, InvalidSettings: what `check_agent` raises.
    """
    report = check_agent(agent, game, **(rules or {}))
    sys.stdout.write(f"{report}\n")
    return report.ok
