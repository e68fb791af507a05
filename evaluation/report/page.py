"""The report's page: which parts a tournament has, and the file that holds them all."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import vl_convert
from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from ...games.errors import RailbirdError
from ...games.registry import load
from ..blocks import Plan
from ..results import TournamentResult
from ..wording import again, meaning
from .charts import Spec, charts_of
from .films import films_of
from .listings import (
    Listing,
    bankroll_listing,
    comparison_listing,
    fault_listing,
    leaderboard_listing,
    rating_listings,
    regret_listing,
    score_listing,
    settings_listings,
)


@dataclass(frozen=True, slots=True)
class Picture:
    """A place for a chart."""

    name: str
    about: str


@dataclass(frozen=True, slots=True)
class Part:
    """A section of the page."""

    id: str
    title: str
    about: str = ""
    charts: tuple[Picture, ...] = ()
    tables: tuple[Listing, ...] = ()
    command: str = ""


CAPTIONS: Final = {
    "leaderboard": "Profit without luck and its 95 % interval; the hollow point is cash, with the same mean.",
    "ratings": "Ratings by who finished ahead of whom, and their 95 % intervals.",
    "fans": "Choose an agent: the median of its bankrolls, and where half and 90 % of them lie."
    " Thin lines: the medians of all.",
    "seats": "Profit by agent and seat.",
    "cross": "Row against column; the little window under the pointer has the interval.",
    "calibration": "Each point is a range of implied chances. On the broken line the money was right;"
    " below it the lines got too much of it.",
    "pools": "Chips staked, with the middle 90 % of games, and chips carried in.",
    "regrets": "What the best ticket against the others' closed tickets is expected to earn more.",
}


def write_report(path: Path, result: TournamentResult, plan: Plan) -> None:
    """Writes the page of a finished tournament; games to be watched are played again from the plan.

    The same bytes for the same result.

    Raises:
        RailbirdError: the file cannot be written.
    """
    text = page_of(result, films_of(plan))
    unfinished = path.with_name(f"{path.name}.unfinished")
    try:
        unfinished.write_text(text, encoding="utf-8")
        unfinished.replace(path)
    except OSError as error:
        unfinished.unlink(missing_ok=True)
        raise RailbirdError(f"{path} cannot be written: {error.strerror}; the results are safe") from error


def page_of(result: TournamentResult, films: dict[str, Any]) -> str:
    """The page as text."""
    spec = load(result.settings["game"])
    charts = charts_of(result)
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    return environment.from_string(_source("page.html")).render(
        title=spec.title,
        round=spec.round,
        version=result.version,
        sentences=meaning(result),
        contents=parts_of(result, charts, films),
        style=Markup(_source("page.css")),
        script=Markup(_source("page.js")),
        bundle=Markup(_bundle()),
        specs=_embedded(charts),
        films=_embedded(films),
    )


def parts_of(result: TournamentResult, charts: dict[str, Spec], films: dict[str, Any]) -> list[Part]:
    """The sections that have something to show."""

    def pictures(*names: str) -> tuple[Picture, ...]:
        return tuple(Picture(name, CAPTIONS[name]) for name in names if name in charts)

    contest = load(result.settings["game"]).contest
    against = "Row against column" if contest else "In each other's place"
    parts = [
        Part("leaderboard", "Leaderboard", "", pictures("leaderboard"), (leaderboard_listing(result),)),
        Part(
            "fans",
            "Bankrolls",
            "What became of the money over the races of a game.",
            pictures("fans"),
            bankroll_listing(result),
        ),
        Part("cross", against, "", pictures("cross"), comparison_listing(result)),
        Part("seats", "Seats", "Where an agent sits should matter little.", pictures("seats")),
        Part(
            "market",
            "The market",
            "What the money in the pools knew, and what it left to be had.",
            pictures("calibration", "pools", "regrets"),
            (*score_listing(result), *regret_listing(result)),
        ),
        Part("ratings", "Ratings", "Secondary to money.", pictures("ratings"), rating_listings(result)),
    ]
    if films["films"]:
        parts.append(
            Part("films", "Games to watch", "A sample of the deals, card by card, with the live chances.")
        )
    parts.append(Part("faults", "Faults", tables=fault_listing(result)))
    return [
        *(part for part in parts if part.charts or part.tables or part.id == "films"),
        Part(
            "settings",
            "Settings",
            "This command gives the same result, to the last digit, on any machine with these versions.",
            tables=settings_listings(result),
            command=again(result),
        ),
    ]


def _embedded(data: Any) -> Markup:
    """JSON that can stand inside a script element."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029"))


@cache
def _source(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


@cache
def _bundle() -> str:
    """Vega, Vega-Lite and Vega-Embed, in one script that sets ``vegaEmbed``."""
    script: str = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
    return f"(() => {{{script}\n}})();".replace("</script", "<\\/script")  # its names are its own
