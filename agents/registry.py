"""The agents by name. Importing this loads no game and no agent; making or describing one does.

An agent is written ``name``, ``name:key=value,key=value`` or, for a class of the user's own,
``package.module:Class`` with options behind another colon. The user's modules are looked for in the current
folder as well. The path of an agent folder is an agent too, as in ``runs/x/agent:sample=true``. Where players
keep the bank by turns and quote, ``banker+bettor`` is an agent that does both, as in
``margin:share=0.2+kelly``.

To add an agent: write its class in the game's folder, and a line in that folder's ``ZOO``. To add a game:
write the folder with a ``ZOO``, and a line in ``FOLDERS``.
"""

from __future__ import annotations

import inspect
import os
import re
import sys
import typing
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Final, TypeAlias

from ..games.errors import InvalidSettings, RailbirdError, UnknownName

if typing.TYPE_CHECKING:
    from .contract import Agent

FOLDERS: Final = {
    "superfecta": "superfecta",
    "horse-race": "horse_race",
    "scarne-horse-race": "horse_race",
    "bookmaker": "bookmaker",
    "racing-aces": "racing_aces",
    "pasteboard-derby": "pasteboard_derby",
    "save-the-bet": "save_the_bet",
}  # game -> folder of its zoo
BANKERS: Final = {"horse-race": "bookmaker", "scarne-horse-race": "bookmaker"}  # game -> the zoo that quotes
PLUS: Final = re.compile(r"\s*\+\s*(?=[^\W\d])")  # of a pair; the one in 1e+5 is followed by a digit
Value: TypeAlias = bool | int | float | Fraction | str
WORDS: Final = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
ALLOWED: Final = {
    bool: "true or false",
    int: "a whole number",
    float: "a number, such as 0.25",
    Fraction: "a fraction or a decimal, such as 1/5",
    str: "a word",
}  # type of an option -> what may be written


@dataclass(frozen=True, slots=True)
class AgentOption:
    """An option of an agent."""

    name: str
    kind: type[Any]  # bool, int, float, Fraction or str
    default: Any
    meaning: str  # from the class's docstring


@dataclass(frozen=True, slots=True)
class AgentCard:
    """An agent of the zoo, for people."""

    name: str
    idea: str
    source: str
    options: tuple[AgentOption, ...]


@dataclass(frozen=True, slots=True)
class AgentSpec:
    """An agent that can be made any number of times. Pickles as its text."""

    text: str  # canonical: options in the order of the constructor
    name: str  # the text without options
    game: str
    options: tuple[tuple[str, Value], ...]
    pair: tuple[AgentSpec, AgentSpec] | None = None  # the banker and the bettor it consists of

    def make(self, settings: Any) -> Agent[Any]:
        """A fresh agent for one seat of tables with these settings.

        Raises:
            InvalidSettings: an option is out of range, or the constructor fails.
        """
        if self.pair is not None:
            banker, bettor = (part.make(settings) for part in self.pair)
            both: type[Any] = import_module(".bookmaking.pair", __package__).Pair
            return typing.cast("Agent[Any]", both(settings, banker, bettor))
        made = _class_of(self.name, self.game)
        try:
            agent = made(settings, **dict(self.options))
        except RailbirdError as error:
            raise InvalidSettings(f"agent {self.text!r}: {error}") from error
        except Exception as error:
            raise InvalidSettings(
                f"agent {self.text!r} cannot be made: {type(error).__name__}: {error};"
                f" it is called as {made.__name__}(settings, option=value)"
            ) from error
        return typing.cast("Agent[Any]", agent)

    def __reduce__(self) -> tuple[Any, tuple[str, str]]:
        return parse_agent, (self.text, self.game)


def zoo(game: str) -> list[str]:
    """The names of a game's agents, in a fixed order.

    Raises:
        UnknownName: there is no such game.
    """
    return list(_zoo(game))


def describe(game: str) -> list[AgentCard]:
    """What each agent of a game's zoo, and each trained one that comes with the package, does, where that is
    from, and what can be set.

    Raises:
        UnknownName: there is no such game.
    """
    cards = []
    for name in _known(game):
        made = _class_of(name, game)
        cards.append(AgentCard(name, made.idea, made.source, options_of(made)))
    return cards


def parse_agent(text: str, game: str) -> AgentSpec:
    """The agent a text names.

    Raises:
        UnknownName: there is no such game or agent; the nearest is suggested.
        InvalidSettings: the text cannot be read, there is no such option, its value is not allowed, or a
            user's class or an agent folder cannot be found or is none.
        BrokenFile: an agent folder is damaged or of another game.
    """
    text = text.strip()
    learned = is_learned(text, game)
    if game in BANKERS and PLUS.search(text) and not learned:
        return _parse_pair(text, game)
    name, _, rest = text.partition(":")
    if name not in _zoo(game) and not learned:  # module:Class or module:Class:options
        own, _, rest = rest.partition(":")
        if not own or "=" in own:
            raise _unknown(name, game)
        name = f"{name}:{own}"
    if not rest and ":" not in name and not learned:
        if text.endswith(":"):
            raise InvalidSettings(f"agent {text!r} ends in a colon; options are written {name}:key=value")
        return AgentSpec(name, name, game, ())
    made = _class_of(name, game)
    options = _parse_options(text, rest, options_of(made))
    written = ",".join(f"{key}={_write(value)}" for key, value in options)
    return AgentSpec(f"{name}:{written}" if written else name, name, game, options)


def _parse_pair(text: str, game: str) -> AgentSpec:
    """The pair of a banker and a bettor of a game."""
    parts = PLUS.split(text)
    if len(parts) != 2 or not parts[0]:
        raise InvalidSettings(f"agent {text!r} is no pair; a pair is banker+bettor, as in margin+kelly")
    banker, bettor = parse_agent(parts[0], BANKERS[game]), parse_agent(parts[1], game)
    return AgentSpec(
        f"{banker.text}+{bettor.text}", f"{banker.name}+{bettor.name}", game, (), (banker, bettor)
    )


def split_agents(text: str) -> list[str]:
    """The agents of a list written with commas, empty parts passed over.

    What has a ``=`` before any colon is an option of the agent before it: ``"dutch:horses=2,units=5,random"``
    names two agents.
    """
    found: list[str] = []
    for part in (part.strip() for part in text.split(",")):
        if found and "=" in part.partition(":")[0]:
            found[-1] += f",{part}"
        elif part:
            found.append(part)
    return found


def label(texts: Sequence[str]) -> list[str]:
    """Names that tell the players apart: of those written alike the second is ``random#2``, and so on."""
    seen: Counter[str] = Counter()
    labels = []
    for text in texts:
        seen[text] += 1
        labels.append(text if seen[text] == 1 else f"{text}#{seen[text]}")
    return labels


def options_of(made: type[Any]) -> tuple[AgentOption, ...]:
    """The options of an agent's class: its constructor's arguments after the settings."""
    constructor = made.__init__
    arguments = list(inspect.signature(constructor).parameters.values())[2:]  # self, settings
    hints = _annotations(constructor)
    meanings = _meanings(made)
    found = []
    for argument in arguments:
        if argument.kind in (argument.VAR_POSITIONAL, argument.VAR_KEYWORD):
            continue
        default = None if argument.default is argument.empty else argument.default
        kind = hints.get(argument.name, type(default))
        found.append(
            AgentOption(
                argument.name, kind if kind in ALLOWED else str, default, meanings.get(argument.name, "")
            )
        )
    return tuple(found)


def _annotations(constructor: Any) -> dict[str, Any]:
    """The types of a constructor's arguments, none where they are written in names that mean nothing here."""
    try:
        return typing.get_type_hints(constructor)
    except (NameError, TypeError, AttributeError):
        return {}


def _meanings(made: type[Any]) -> dict[str, str]:
    """The lines of the docstring's ``Options:`` section by option; deeper lines carry on the one before."""
    lines = inspect.cleandoc(made.__doc__ or "").splitlines()
    found: dict[str, str] = {}
    name = ""
    for line in lines[lines.index("Options:") + 1 :] if "Options:" in lines else []:
        if not line.startswith("    "):
            break
        if line.startswith("     ") and name:
            found[name] += f" {line.strip()}"
        else:
            name, _, meaning = (part.strip() for part in line.partition(":"))
            found[name] = meaning
    return found


def _parse_options(text: str, rest: str, known: Sequence[AgentOption]) -> tuple[tuple[str, Value], ...]:
    """The options written behind an agent's name, in the order of the constructor."""
    values: dict[str, Value] = {}
    by_name = {option.name: option for option in known}
    allowed = ", ".join(f"{option.name} ({ALLOWED[option.kind]})" for option in known) or "none"
    for part in rest.split(",") if rest else []:
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or not key or not value:
            raise InvalidSettings(
                f"agent {text!r}: {part!r} is no option; write key=value with one of: {allowed}"
            )
        if key not in by_name:
            raise InvalidSettings(f"agent {text!r} has no option {key!r}; its options: {allowed}")
        if key in values:
            raise InvalidSettings(f"agent {text!r} sets {key} twice; write it once")
        kind = by_name[key].kind
        read = _read(value, kind)
        if read is None:
            raise InvalidSettings(f"agent {text!r}: {key} is {ALLOWED[kind]}, not {value!r}")
        values[key] = read
    return tuple((name, values[name]) for name in by_name if name in values)


def _read(value: str, kind: type[Any]) -> Value | None:
    """The value a text spells, None where it spells none."""
    if kind is bool:
        return WORDS.get(value.lower())
    try:
        read: Value = kind(value)
    except (ValueError, ZeroDivisionError):
        return None
    return read


def _write(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _zoo(game: str) -> Mapping[str, str]:
    """A game's agents: name -> ``module:Class``, the module as seen from its folder, ``.other.module`` being
    one of a neighbour.
    """
    if game not in FOLDERS:
        raise UnknownName("game", game, FOLDERS)
    table: Mapping[str, str] = import_module(f".{FOLDERS[game]}", __package__).ZOO
    return table


def is_learned(text: str, game: str) -> bool:
    """Whether an agent's text names a learned one: by the path of its folder, or one that comes with us."""
    return _folder_of(text.partition(":")[0], game) is not None


def _folder_of(name: str, game: str) -> Path | None:
    """The folder of a learned agent."""
    if not name or name in _zoo(game):
        return None
    from .learned.folder import find_agent, pretrained

    return pretrained(game).get(name) or find_agent(name)


def _known(game: str) -> list[str]:
    """The names of all agents of a game."""
    from .learned.folder import pretrained

    return [*_zoo(game), *pretrained(game)]


def _unknown(name: str, game: str) -> RailbirdError:
    """The error for a name nobody has."""
    if name.endswith(".zip"):
        return InvalidSettings(
            f"{name} can run code when it is loaded; if you trust it, make it an agent folder:"
            f" railbird convert {name} {game} --trust"
        )
    if os.sep in name:
        return InvalidSettings(f"there is no agent folder {name!r}; it holds an agent.json, made by training")
    return UnknownName(f"agent for {game}", name, _known(game))


def _class_of(name: str, game: str) -> type[Any]:
    """The class behind an agent's name, an agent folder or a user's ``module:Class``."""
    table = _zoo(game)
    folder = _folder_of(name, game)
    if folder is not None:
        from .learned.policy import agent_class

        return agent_class(folder, game)
    if name in table:
        module, _, own = table[name].partition(":")
        made: type[Any] = getattr(import_module(f".{module}", f"{__package__}.{FOLDERS[game]}"), own)
        return made
    module, _, own = name.partition(":")
    return _user_class(module, own)


@cache
def _user_class(module_name: str, class_name: str) -> type[Any]:
    """A class of the user's own, with a ``begin``.

    Raises:
        InvalidSettings: the module cannot be loaded, has no such class, or the class is no agent.
    """
    module = user_module(module_name)
    where = f"module {module_name!r} ({getattr(module, '__file__', 'built in')})"
    made = getattr(module, class_name, None)
    if made is None:
        classes = [
            name for name, value in vars(module).items() if inspect.isclass(value) and hasattr(value, "act")
        ]
        raise InvalidSettings(
            f"{where} has no class {class_name!r}; it has the agents: {', '.join(classes) or 'none'}"
        )
    if not inspect.isclass(made) or not callable(getattr(made, "act", None)):
        raise InvalidSettings(
            f"{class_name} of {where} is no agent; an agent is a class with a method act(self, view, draws)"
        )
    missing: frozenset[str] = getattr(made, "__abstractmethods__", frozenset())
    if missing:
        raise InvalidSettings(
            f"{class_name} of {where} leaves out {', '.join(sorted(missing))}; write what is missing"
        )
    if hasattr(made, "begin"):
        return made
    return type(class_name, (made,), {"begin": _remember_nothing, "__doc__": made.__doc__})


def user_module(name: str) -> ModuleType:
    """A module of the user's own, looked for in the current folder as well.

    Raises:
        InvalidSettings: there is none of that name, or it cannot be loaded.
    """
    if not all(part.isidentifier() for part in name.split(".")):
        raise InvalidSettings(f"{name!r} is no module; write package.module:Class, without the .py")
    here = os.getcwd()  # noqa: PTH109 - sys.path holds texts
    if here not in sys.path:
        sys.path.append(here)  # last, so that a file there cannot hide an installed module
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name and (name == error.name or name.startswith(f"{error.name}.")):
            raise InvalidSettings(
                f"there is no module {name!r} in {here} or among the installed ones;"
                " run from the folder it is in"
            ) from error
        raise InvalidSettings(f"module {name!r} cannot be loaded: {error}") from error
    except Exception as error:
        raise InvalidSettings(f"module {name!r} cannot be loaded: {type(error).__name__}: {error}") from error


def _remember_nothing(self: Any, lanes: Any) -> None:
    """The ``begin`` of a user's class that has none."""
