"""The cache of compiled kernels notices every change that matters."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import railbird

pytestmark = pytest.mark.slow  # what it starts or compiles takes long

PARTS = "import numpy as np\nfrom railbird.games.kernels import inline_kernel\n"
PARTS += "STEP = {step}\nTABLE = np.array([{cell}])\n"
PARTS += "@inline_kernel\ndef part(x):\n    return x + {added}\n"
WHOLE = "from railbird.games.kernels import kernel\nfrom parts import part, STEP, TABLE\n"
WHOLE += "@kernel\ndef whole(x):\n    return part(x) * STEP + TABLE[0]\nprint(whole(1))\n"


def run(folder):
    done = subprocess.run(
        [sys.executable, "whole.py"],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": f"{folder}:{Path(railbird.__file__).parent.parent}"},
        capture_output=True,
        text=True,
        check=True,
    )
    return int(done.stdout)


def test_a_kernel_is_compiled_anew_when_what_it_uses_from_another_file_changes(tmp_path):
    # (x + added) * step + cell at x = 1, one ingredient changed at a time
    (tmp_path / "whole.py").write_text(WHOLE)
    for step, cell, added, expected in ((2, 0, 1, 4), (2, 0, 5, 12), (3, 0, 5, 18), (3, 7, 5, 25)):
        (tmp_path / "parts.py").write_text(PARTS.format(step=step, cell=cell, added=added))
        assert run(tmp_path) == expected


def test_a_kernel_is_read_from_the_cache_when_nothing_has_changed(tmp_path):
    (tmp_path / "whole.py").write_text(WHOLE)
    (tmp_path / "parts.py").write_text(PARTS.format(step=2, cell=0, added=1))
    run(tmp_path)
    compiled = {path: path.stat().st_mtime_ns for path in (tmp_path / "__pycache__").glob("*.nb?")}
    assert len(compiled) >= 2
    run(tmp_path)
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "__pycache__").glob("*.nb?")} == compiled
