"""Recorded games as text: a change of behaviour shows as a readable difference.

After a change that is meant: ``railbird watch GAME --seed 7 --races 2 > tests/recorded/GAME.txt``.
"""

import io
from pathlib import Path

import pytest
from rich.console import Console

import railbird
from railbird.console.watch import watch
from railbird.games.registry import names

RECORDED = Path(railbird.__file__).parent / "tests" / "recorded"


@pytest.mark.parametrize("game", names())
def test_a_game_goes_as_it_was_recorded(game):
    out = io.StringIO()
    watch(game, seed=7, races=2, console=Console(file=out, highlight=False))
    recorded = (RECORDED / f"{game}.txt").read_text()
    assert [line.rstrip() for line in out.getvalue().splitlines()] == recorded.splitlines()
