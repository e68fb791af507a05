"""Imports go one way, games first and the command line last, and nothing heavy is loaded before it is needed.

The rule is DESIGN's layout: a module imports from its own package and from those left of it. Imports inside
functions and under TYPE_CHECKING count too: who knows whom does not depend on when. A name handed to
`importlib.import_module` as a string is not seen.
"""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
LAYERS = ("games", "agents", "drawing", "envs", "evaluation", "training", "console", "commands", "cli")
ORDER = " <- ".join(LAYERS)
# `__main__` starts the command line; benchmarks measure everything and only the command line knows of them.
PLACES = {name: place for place, name in enumerate((*LAYERS, "__main__", "benchmarks"))}
OUTSIDE_OF_GAMES = sys.stdlib_module_names | {"numba", "numpy"}
APART = {"tests", "docs", "examples", "build", "dist"}  # folders that are no part of the package
HEAVY = {"altair", "duckdb", "gymnasium", "numba", "scipy", "torch"}


@dataclass(frozen=True, slots=True)
class Import:
    """One imported module or name as it is written in a file."""

    file: Path  # relative to the root of the package
    line: int
    level: int  # leading dots, 0 for an absolute import
    name: str  # all that follows the dots
    at_once: bool  # whether it is carried out when the file is loaded

    @property
    def layer(self) -> str:
        """The folder below the root that holds the file, or the file's own name where it lies in the root."""
        return self.file.parts[0].removesuffix(".py")

    @property
    def target(self) -> tuple[str, ...] | None:
        """What a relative import names, counted from the root; None when its dots lead out of the package."""
        climbed = self.level - 1
        folders = self.file.parent.parts
        if climbed > len(folders):
            return None
        return (*folders[: len(folders) - climbed], *self.name.split("."))

    def fault(self, text: str) -> str:
        """The fault with the place it is at."""
        return f"{self.file.as_posix()}:{self.line} {text}"


def modules(root: Path) -> list[Path]:
    """The package's own files below a root, relative to it."""
    parts = [part for part in root.iterdir() if part.name not in APART and not part.name.startswith(".")]
    files = [file for part in parts for file in (part.rglob("*.py") if part.is_dir() else [part])]
    return sorted(file.relative_to(root) for file in files if file.suffix == ".py")


def imports(root: Path, file: Path) -> list[Import]:
    """All imports in a file, wherever they stand."""
    tree = ast.parse((root / file).read_text(encoding="utf-8"))
    return [
        Import(file, node.lineno, level, name, at_once)
        for node, at_once in statements(tree, at_once=True)
        for level, name in names(node)
    ]


def statements(node: ast.AST, at_once: bool) -> Iterator[tuple[ast.Import | ast.ImportFrom, bool]]:
    """The import statements below a node, and whether each is carried out on loading."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import | ast.ImportFrom):
            yield child, at_once
        else:
            yield from statements(child, at_once and not puts_off(child))


def puts_off(node: ast.AST) -> bool:
    """Whether what stands inside is not carried out when the file is loaded."""
    if isinstance(node, ast.If):
        return ast.unparse(node.test).endswith("TYPE_CHECKING")
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)


def names(node: ast.Import | ast.ImportFrom) -> list[tuple[int, str]]:
    """The dots and the dotted name of everything that one statement imports."""
    if isinstance(node, ast.Import):
        return [(0, alias.name) for alias in node.names]
    before = f"{node.module}." if node.module else ""
    return [(node.level, before + alias.name) for alias in node.names]


def direction_faults(root: Path) -> list[str]:
    """Every import below a root that goes against the direction, one line each; empty where all is well."""
    files = modules(root)
    own = {file.parts[0].removesuffix(".py") for file in files} - {"__init__"}
    faults = [
        f"{file.as_posix()} has no place in {ORDER}"
        for file in files
        if file.parts[0].removesuffix(".py") not in (*PLACES, "__init__")
    ]
    for file in files if not faults else []:
        faults += [taken.fault(text) for taken in imports(root, file) for text in judge(taken, own)]
    return faults


def judge(taken: Import, own: set[str]) -> list[str]:
    """What is wrong with one import; at most one thing."""
    if taken.level == 0:
        return judge_absolute(taken, own)
    target = taken.target
    if target is None:
        return ["imports from above the package"]
    if taken.layer == "__init__":
        return ["is the root and loads a module of the package at once"] if taken.at_once else []
    if target[0] == "__version__":
        return []
    if target[0] not in PLACES:
        return [f"takes {target[0]} from the root, which hands out what lies to the right too"]
    if target[0] == "benchmarks" and taken.layer == "cli":
        return ["imports the benchmarks before they are asked for"] if taken.at_once else []
    if PLACES[target[0]] > PLACES[taken.layer]:
        return [f"imports {target[0]}, which is not to its left in {ORDER}"]
    return []


def judge_absolute(taken: Import, own: set[str]) -> list[str]:
    """What is wrong with an import that has no dots."""
    package = taken.name.split(".")[0]
    if package == "railbird":
        return [] if taken.layer == "benchmarks" else ["imports railbird by name, ours are relative"]
    if package in own:
        return [f"imports {package} by its bare name, ours are relative"]
    if taken.layer == "games" and package not in OUTSIDE_OF_GAMES:
        return [f"imports {package}; games know only numpy, numba and the standard library"]
    if taken.layer == "__init__" and taken.at_once and package not in sys.stdlib_module_names:
        return [f"is the root and loads {package} at once"]
    return []


PROBE = """
import json, sys
try:
    {code}
finally:
    print(json.dumps(list(sys.modules)), file=sys.stderr)
"""


def loaded_after(code: str) -> set[str]:
    """The top-level modules a fresh interpreter holds after a line of code that may end in an exit."""
    command = [sys.executable, "-c", PROBE.format(code=code)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return {name.split(".")[0] for name in json.loads(done.stderr.splitlines()[-1])}


def test_imports_go_one_way() -> None:
    assert direction_faults(ROOT) == []


def test_the_oracles_know_nothing_of_the_package() -> None:
    oracles = ROOT / "tests" / "oracle"
    allowed = sys.stdlib_module_names | {"numpy"} | {file.stem for file in oracles.glob("*.py")}
    found = [taken for file in oracles.glob("*.py") for taken in imports(oracles, file.relative_to(oracles))]
    assert [taken.fault(taken.name) for taken in found if taken.name.split(".")[0] not in allowed] == []


def plant(root: Path, files: dict[str, str]) -> Path:
    """A toy tree."""
    for name, text in files.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return root


def test_a_tree_that_keeps_the_direction_has_no_faults(tmp_path: Path) -> None:
    kept = {
        "__init__.py": "import importlib\ndef __getattr__(name):\n    from .envs import door\n",
        "__main__.py": "from .cli import main\n",
        "games/cards.py": "import math\nimport numba.core\nfrom numpy.typing import NDArray\n",
        "games/superfecta/table.py": "from . import lines\nfrom ..cards import suit\n",
        "agents/superfecta/box.py": "from ...games.superfecta import table\nfrom ..seats import seat\n",
        "envs/door.py": "import gymnasium\nfrom .. import agents, games\n",
        "evaluation/report.py": "from .. import __version__\nfrom ..drawing.rail import picture\n",
        "cli.py": "import typer\nfrom . import evaluation\ndef bench():\n    from .benchmarks import speed\n",
        "benchmarks/speed.py": "import railbird\nfrom .. import cli\nfrom railbird.envs import door\n",
        "tests/test_x.py": "import railbird, games\n",
        ".venv/lib/x.py": "import railbird\n",
    }
    assert direction_faults(plant(tmp_path, kept)) == []


@pytest.mark.parametrize(
    ("file", "text", "fault"),
    [
        ("games/cards.py", "from ..agents import box\n", "games/cards.py:1 imports agents"),
        ("games/cards.py", "\ndef f():\n    from ..envs.door import x\n", "games/cards.py:3 imports envs"),
        ("games/cards.py", "if TYPE_CHECKING:\n    from .. import cli\n", "games/cards.py:2 imports cli"),
        ("games/a/cards.py", "from ...agents import box\n", "games/a/cards.py:1 imports agents"),
        ("games/a/__init__.py", "from ...agents import box\n", "games/a/__init__.py:1 imports agents"),
        ("games/cards.py", "from .. import games, drawing\n", "games/cards.py:1 imports drawing"),
        ("agents/__init__.py", "from ..drawing import rail\n", "agents/__init__.py:1 imports drawing"),
        ("drawing/rail.py", "from ..envs import door\n", "drawing/rail.py:1 imports envs"),
        ("envs/door.py", "from ..evaluation import report\n", "envs/door.py:1 imports evaluation"),
        ("evaluation/report.py", "from ..training import run\n", "evaluation/report.py:1 imports training"),
        ("training/run.py", "from ..console import bar\n", "training/run.py:1 imports console"),
        ("console/bar.py", "from ..cli import app\n", "console/bar.py:1 imports cli"),
        ("console/bar.py", "from ..commands import x\n", "console/bar.py:1 imports commands"),
        ("commands/x.py", "from ..cli import app\n", "commands/x.py:1 imports cli"),
        (
            "console/bar.py",
            "def f():\n    from ..benchmarks import g\n",
            "console/bar.py:2 imports benchmarks",
        ),
        ("cli.py", "from .benchmarks import speed\n", "cli.py:1 imports the benchmarks before"),
        ("cli.py", "from .__main__ import x\n", "cli.py:1 imports __main__"),
        ("cli.py", "from railbird import envs\n", "cli.py:1 imports railbird by name"),
        ("envs/door.py", "import railbird.games\n", "envs/door.py:1 imports railbird by name"),
        ("envs/door.py", "import envs.door\n", "envs/door.py:1 imports envs by its bare name"),
        (
            "envs/door.py",
            "from .. import SuperfectaEnv\n",
            "envs/door.py:1 takes SuperfectaEnv from the root",
        ),
        ("envs/door.py", "from ...other import x\n", "envs/door.py:1 imports from above the package"),
        ("games/cards.py", "import gymnasium\n", "games/cards.py:1 imports gymnasium; games know only"),
        (
            "games/cards.py",
            "def f():\n    import torch.nn\n",
            "games/cards.py:2 imports torch; games know only",
        ),
        ("__init__.py", "from .games import cards\n", "__init__.py:1 is the root and loads a module"),
        (
            "__init__.py",
            "try:\n    import numpy\nexcept E:\n    pass\n",
            "__init__.py:2 is the root and loads numpy",
        ),
        ("utils/x.py", "", "utils/x.py has no place in games <- agents"),
        ("extra.py", "", "extra.py has no place in games <- agents"),
    ],
)
def test_an_import_against_the_direction_is_found(tmp_path: Path, file: str, text: str, fault: str) -> None:
    found = direction_faults(plant(tmp_path, {file: text}))
    assert len(found) == 1
    assert found[0].startswith(fault)


def test_importing_the_package_loads_nothing_heavy() -> None:
    loaded = loaded_after("import railbird")
    assert "railbird" in loaded
    assert not loaded & HEAVY


def test_asking_for_help_loads_nothing_heavy() -> None:
    loaded = loaded_after(
        "import runpy; sys.argv = ['railbird', '--help']; runpy.run_module('railbird', run_name='__main__')"
    )
    assert "typer" in loaded
    assert not loaded & HEAVY


def test_the_probe_sees_what_is_loaded() -> None:
    assert "duckdb" in loaded_after("import duckdb")
