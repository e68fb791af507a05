"""Every example is explained, and what it installs is pinned as the rest is."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
SCRIPTS = sorted(path.name for path in EXAMPLES.glob("*.py"))
REQUIREMENTS = sorted(path.name for path in EXAMPLES.glob("*_requirements.txt"))


def pins(path):
    """Packages and versions of a file of exact pins, extras left out."""
    lines = path.read_text(encoding="utf-8").splitlines()
    pairs = [line.split("==") for line in lines if line and not line.startswith("#")]
    return {name.split("[")[0]: version for name, version in pairs}


def test_there_are_examples():
    assert SCRIPTS == ["open_spiel_cfr.py", "rllib_ppo.py", "torchrl_ppo.py"]


@pytest.mark.parametrize("script", SCRIPTS)
def test_every_script_is_in_the_table_and_has_a_command(script):
    text = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    assert f"[{script}]({script})" in text
    assert f"python examples/{script} --steps" in text


@pytest.mark.parametrize("script", SCRIPTS)
def test_every_script_says_what_it_shows_and_how_it_is_run(script):
    told = ast.get_docstring(ast.parse((EXAMPLES / script).read_text(encoding="utf-8"))) or ""
    assert f"python examples/{script} --steps" in told
    assert "pip install" in told


@pytest.mark.parametrize("name", REQUIREMENTS)
def test_what_an_example_installs_agrees_with_the_constraints(name):
    ours, theirs = pins(ROOT / "constraints.txt"), pins(EXAMPLES / name)
    assert theirs
    assert {package for package in theirs if theirs[package] != ours.get(package, theirs[package])} == set()
