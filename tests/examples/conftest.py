"""How an example is run: where its library is installed, or in an environment made for it."""

import os
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CONSTRAINED = ("-c", str(ROOT / "constraints.txt"))
LIMIT = 1200  # seconds for one script or one installation


def wishes(extra=None):
    """What Railbird asks for, in the words of pip."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [*project["dependencies"], *(project["optional-dependencies"][extra] if extra else [])]


HOSTS = {  # script -> modules by which its library is known, what pip installs for it
    "open_spiel_cfr.py": (("pyspiel",), lambda: [*CONSTRAINED, *wishes("open-spiel")]),
    "torchrl_ppo.py": (
        ("torchrl", "tensordict"),
        lambda: [*CONSTRAINED, *wishes(), "-r", str(ROOT / "examples" / "torchrl_requirements.txt")],
    ),
    "rllib_ppo.py": (
        ("ray", "tree", "lz4"),
        lambda: ["-r", str(ROOT / "examples" / "rllib_requirements.txt")],
    ),
}


def environment(folder, packages):
    """The interpreter of a new environment with these packages and this checkout."""
    subprocess.run([sys.executable, "-m", "venv", folder], check=True, timeout=LIMIT)
    python = folder / "bin" / "python"
    pip = [python, "-m", "pip", "--disable-pip-version-check", "--no-input", "install", "--quiet"]
    subprocess.run([*pip, *packages], check=True, timeout=LIMIT)
    source = folder / "source"
    source.mkdir()
    (source / "railbird").symlink_to(ROOT, target_is_directory=True)
    site = subprocess.run(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        check=True, capture_output=True, text=True, timeout=LIMIT,
    ).stdout.strip()  # fmt: skip
    (Path(site) / "railbird.pth").write_text(f"{source}\n", encoding="utf-8")
    return python


@pytest.fixture
def run_example(tmp_path):
    """Runs a script of `examples/` and gives what it printed; skips where its library is not to be had."""

    def run(script, *arguments):
        modules, packages = HOSTS[script]
        missing = [module for module in modules if find_spec(module) is None]
        if not missing:
            python = sys.executable
        elif os.environ.get("RAILBIRD_EXAMPLES") == "install":
            python = environment(tmp_path / "environment", packages())
        else:
            pytest.skip(
                f"{script} needs {', '.join(missing)}, which is not installed here;"
                " RAILBIRD_EXAMPLES=install makes an environment for it"
            )
        done = subprocess.run(
            [python, ROOT / "examples" / script, *arguments],
            capture_output=True, text=True, timeout=LIMIT, cwd=tmp_path,
            env=os.environ | {"OMP_NUM_THREADS": "1"},
        )  # fmt: skip
        assert done.returncode == 0, done.stderr[-4000:]
        return done.stdout

    return run
