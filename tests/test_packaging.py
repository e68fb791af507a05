"""What is installed is what lies in the folders: packages, licence, version, typing marker."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
import tomllib
import zipfile
from email.message import Message
from email.parser import Parser
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
DATA = ("py.typed", "evaluation/report/page.*", "agents/pretrained/*/*")  # files that are no modules
APART = {"tests", "docs", "examples", "build", "dist"}  # folders that are no part of the package


def modules(root: Path) -> set[str]:
    """The package's own files below a root, relative to it, with forward slashes."""
    parts = [part for part in root.iterdir() if part.name not in APART and not part.name.startswith(".")]
    files = [file for part in parts for file in (part.rglob("*.py") if part.is_dir() else [part])]
    return {file.relative_to(root).as_posix() for file in files if file.suffix == ".py"}


def packages(root: Path) -> set[str]:
    """The dotted names of the folders below a root that hold modules, the root's own among them."""
    return {".".join(("railbird", *Path(file).parent.parts)) for file in modules(root)}


def written_version(root: Path) -> str:
    """The version that the root module states, read without importing it."""
    tree = ast.parse((root / "__init__.py").read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__version__":
            return str(ast.literal_eval(node.value))
    raise AssertionError("__init__.py states no __version__")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    """A wheel built from a copy of the checkout, so that neither sees what the other leaves behind."""
    copy = tmp_path_factory.mktemp("checkout") / "rail-bird"
    shutil.copytree(
        ROOT, copy, ignore=shutil.ignore_patterns(".*", "*.egg-info", "__pycache__", "build", "dist")
    )
    command = [
        sys.executable,
        "-m",
        "build",
        "--wheel",
        "--no-isolation",
        "--outdir",
        str(copy / "out"),
        str(copy),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return zipfile.ZipFile(next((copy / "out").glob("*.whl")))


def metadata(wheel: zipfile.ZipFile) -> Message:
    """The wheel's own account of itself."""
    name = next(name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
    return Parser().parsestr(wheel.read(name).decode())


def test_every_folder_with_modules_is_a_listed_package() -> None:
    assert set(PROJECT["tool"]["setuptools"]["packages"]) == packages(ROOT)


def test_every_package_has_an_init_file() -> None:
    files = modules(ROOT)
    assert [
        file for file in sorted(files) if (Path(file).parent / "__init__.py").as_posix() not in files
    ] == []


def test_a_folder_with_a_module_counts_as_a_package_and_a_test_folder_does_not(tmp_path: Path) -> None:
    for name in ("__init__.py", "games/new/table.py", "tests/games/test_x.py", ".venv/x.py", "docs/conf.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert packages(tmp_path) == {"railbird", "railbird.games.new"}


def test_the_wheel_holds_every_module_and_nothing_else(wheel: zipfile.ZipFile) -> None:
    held = {name.removeprefix("railbird/") for name in wheel.namelist() if ".dist-info/" not in name}
    data = {file.relative_to(ROOT).as_posix() for pattern in DATA for file in ROOT.glob(pattern)}
    assert held == modules(ROOT) | data


def test_the_wheel_runs_from_where_it_is_unpacked(wheel: zipfile.ZipFile, tmp_path: Path) -> None:
    wheel.extractall(tmp_path)
    command = [sys.executable, "-m", "railbird", "--help"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "tournament" in done.stdout


def test_the_version_is_stated_in_the_root_module_alone(wheel: zipfile.ZipFile) -> None:
    assert "version" not in PROJECT["project"]
    assert metadata(wheel)["Version"] == written_version(ROOT)


def test_the_licence_is_mit_in_the_file_and_in_the_metadata(wheel: zipfile.ZipFile) -> None:
    licence = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert licence.startswith("MIT License\n\nCopyright (c) 2026 Railbird contributors\n")
    assert metadata(wheel)["License-Expression"] == "MIT"
    shipped = next(name for name in wheel.namelist() if name.endswith(".dist-info/licenses/LICENSE"))
    assert wheel.read(shipped).decode() == licence


def test_the_wheel_brings_the_command(wheel: zipfile.ZipFile) -> None:
    points = next(name for name in wheel.namelist() if name.endswith(".dist-info/entry_points.txt"))
    assert "railbird = railbird.cli:main" in wheel.read(points).decode().splitlines()


def test_constraints_pin_every_direct_dependency_exactly_and_name_no_source() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = dict(line.split("==") for line in lines if not line.startswith("#"))
    wanted = PROJECT["project"]["dependencies"] + PROJECT["project"]["optional-dependencies"]["dev"]
    names = {wish.split(">=")[0] for wish in wanted}
    assert names - pins.keys() == set()
    assert [line for line in lines if "/" in line or "@" in line or "+" in line] == []
