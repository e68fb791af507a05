"""What the README shows is what happens."""

import re
import subprocess
import sys
from pathlib import Path

import railbird
from railbird.agents.check import check_agent

README = (Path(railbird.__file__).parent / "README.md").read_text()
BLOCKS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


def test_the_python_example_runs_as_it_stands(tmp_path):
    example = next(block for block in BLOCKS if "gym.make" in block)
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", example], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def test_the_agent_of_twenty_lines_is_fit_to_play(tmp_path, monkeypatch):
    agent = next(block for block in BLOCKS if "class Patient" in block)
    code = [line for line in agent.splitlines() if line.strip()]
    assert len(code) <= 20
    (tmp_path / "readme_agent.py").write_text(agent)
    monkeypatch.syspath_prepend(str(tmp_path))
    report = check_agent("readme_agent:Patient", "superfecta")
    assert report.ok, str(report)


def test_the_commands_of_the_table_exist():
    for command in set(re.findall(r"`railbird ([a-z-]+)", README)):
        done = subprocess.run(
            [sys.executable, "-m", "railbird", command, "--help"], capture_output=True, text=True
        )
        assert done.returncode == 0, command
