"""What the tests of the doors share: every variant with short settings, legal play, simple rivals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import pytest

from railbird.agents.contract import Agent
from railbird.envs.checking.cases import BY_ID, CASES, SHORT, SHORT_CASES, Case
from railbird.envs.checking.sameness import difference
from railbird.envs.variants import VARIANTS, Variant
from railbird.games.contract import house_seat
from railbird.games.errors import RailbirdError
from railbird.games.registry import load


def has_tickets(variant: Variant) -> bool:
    """Whether a whole decision of the variant's game can be one action."""
    spec = load(variant.game)
    return hasattr(spec.encoding(spec.make_settings()), "nvec")


def has_chips(variant: Variant) -> bool:
    """Whether the variant's game is about money."""
    return "bankroll" in {setting.name for setting in fields(load(variant.game).settings)}


def is_house(variant: Variant) -> bool:
    """Whether the variant's learner always is the house."""
    return bool(load(variant.game).players)


def may_start_broke(variant: Variant) -> bool:
    """Whether the rules let the variant's learner begin without a chip."""
    try:
        load(variant.game).make_settings(bankroll=0)
    except RailbirdError:
        return False
    return not is_house(variant)


def over(cases: dict[str, Case]) -> Any:
    """A fixture of these cases, one test for each."""

    @pytest.fixture(params=cases.values(), ids=list(cases))
    def one(request: pytest.FixtureRequest) -> Case:
        found: Case = request.param
        return found

    return one


def of_variants(wanted: Callable[[Variant], bool]) -> Any:
    """A fixture of the short cases of variants that have something."""
    return over({name: case for name, case in SHORT_CASES.items() if wanted(case.variant)})


case = over(CASES)  # every variant with its short settings, and every further way to play
short_case = over(SHORT_CASES)
ticket_case = of_variants(has_tickets)
ticketless_case = of_variants(lambda variant: not has_tickets(variant))
seated_case = of_variants(lambda variant: not is_house(variant))
broke_case = of_variants(may_start_broke)
house_case = of_variants(is_house)
chip_case = over({name: case for name, case in CASES.items() if has_chips(case.variant)})


@pytest.fixture
def short_of_id() -> Callable[[str], Case]:
    """The short case of one id."""
    return SHORT_CASES.__getitem__


@pytest.fixture(params=VARIANTS, ids=lambda variant: variant.id)
def variant(request: pytest.FixtureRequest) -> Any:
    return request.param


@pytest.fixture
def short(variant: Any) -> dict[str, Any]:
    """Settings under which the variant's games are short."""
    return dict(SHORT.get(variant.id, {}))


class Plain(Agent[Any]):
    """Takes the lowest legal action of its game until its decision is handed in: where it can, it passes."""

    idea = source = "a test"

    def __init__(self, settings: Any, game: str) -> None:
        super().__init__(settings)
        self.encoding = load(game).encoding(settings)

    def act(self, view: Any, draws: Any) -> Any:
        return self.plainly(view)

    def plainly(self, view: Any) -> Any:
        """(n, …): the lowest legal actions as decisions."""
        draft = self.encoding.begin(view)
        writing = np.ones(len(view.lane), bool)
        while writing.any():
            actions = self.encoding.mask(view, draft).argmax(1)
            writing &= ~self.encoding.write(draft, actions, writing)
        return self.encoding.decision(draft)


@dataclass(frozen=True)
class Seated:
    """An agent for one seat, given to an environment in place of a name."""

    text: str
    made: Callable[[Any], Agent[Any]]

    @property
    def name(self) -> str:
        return self.text

    def make(self, settings: Any) -> Agent[Any]:
        return self.made(settings)


@pytest.fixture
def rival() -> Callable[..., Seated]:
    """A rival in the games of an id that plays plainly, or as the methods given by name say."""

    def seated(variant_id: str, text: str = "rival", **methods: Any) -> Seated:
        spec = load(BY_ID[variant_id].game)
        kind = type("Rival", (Plain,), methods)
        return Seated(text, lambda settings: kind(settings, spec.players or spec.name))

    return seated


@pytest.fixture
def on_line(rival: Callable[..., Seated]) -> Callable[..., Seated]:
    """A rival at Superfecta that stakes so many chips on a line, race after race, if it has them or not."""

    def seated(line: int, chips: int = 1) -> Seated:
        def act(self: Any, view: Any, draws: Any) -> Any:
            stakes = np.zeros((len(view.lane), 40), np.int16)
            stakes[:, line] = chips
            return stakes

        return rival("railbird/Superfecta-v0", f"line-{line}", act=act)

    return seated


@pytest.fixture
def brought() -> Callable[[Any], Any]:
    """(lanes,): the chips each learner of an environment began its episode with; a house has none."""

    def chips(env: Any) -> Any:
        options, seat = env.table.options, env.table.seat
        fresh = load(options.game).game(options.settings, 0, 1)
        fresh.start()
        return np.where(seat == house_seat(options.settings), 0, fresh.state.bankrolls[0, 0])

    return chips


@pytest.fixture
def legal_actions() -> Callable[..., Any]:
    """Legal actions drawn from masks (n, choices), handing in more often than not doing so would."""

    def draw(masks: Any, rng: np.random.Generator, done: float = 0.3) -> Any:
        legal = [np.flatnonzero(mask) for mask in masks]
        chosen = [actions[int(rng.random() * len(actions))] for actions in legal]  # quicker than rng.choice
        return np.where((rng.random(len(masks)) < done) & (masks[:, 0] == 1), 0, chosen)

    return draw


@pytest.fixture
def assert_same() -> Callable[..., None]:
    """Equality to the last bit of whatever an environment returns: types, keys, dtypes, shapes and values."""

    def same(one: Any, other: Any, where: str = "") -> None:
        told = difference(one, other)
        assert not told, f"{where}: {told}"

    return same
