"""The documentation says what the code does."""

from pathlib import Path

import railbird
from railbird.envs.documentation import observations_page

ROOT = Path(railbird.__file__).parent


def test_the_page_of_observations_is_the_one_the_code_makes():
    page = (ROOT / "docs" / "observations.md").read_text()
    assert page == observations_page(), "run: python -m railbird.envs.documentation > docs/observations.md"
