"""N3: the same result in another process, with another hash seed.

That a tournament's files are the same under other hash seeds is tested beside tournaments.
"""

from __future__ import annotations

from textwrap import dedent

import pytest

from railbird.envs.checking import randomness
from railbird.envs.checking.cases import Case
from railbird.envs.checking.doors import doors_of, open_doors
from railbird.envs.variants import VARIANTS

pytestmark = pytest.mark.slow  # each spawned worker imports everything

BY_NAMES = dedent('''
    from railbird.envs.superfecta import SuperfectaEnv


    class ByNames(SuperfectaEnv):
        """Observes a number that hangs on the order of a set of names."""

        def reset(self, **options):
            seen, info = super().reset(**options)
            seen[0] = list({f"horse {k}" for k in range(7)}).index("horse 3") / 6
            return seen, info
''')


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.id)
def test_a_spawned_process_plays_the_same_whatever_its_hash_seed(variant):
    randomness.a_spawned_process_plays_the_same(doors_of(Case(variant)), hash_seeds=("1", "random"))


def test_the_order_of_a_set_is_found(tmp_path, monkeypatch, fails):
    (tmp_path / "by_names.py").write_text(BY_NAMES, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    message = (
        "another process with PYTHONHASHSEED=[0-5] plays other games; let nothing rest on the order of sets"
    )
    check = randomness.a_spawned_process_plays_the_same
    fails(check, open_doors("by_names:ByNames"), message, hash_seeds=tuple("012345"))


def test_an_environment_that_is_not_to_be_found_there_is_found(fails, tmp_path, monkeypatch):
    (tmp_path / "gone.py").write_text(BY_NAMES, encoding="utf-8")
    with monkeypatch.context() as here:
        here.syspath_prepend(tmp_path)
        doors = open_doors("gone:ByNames")
    message = (
        "a spawned process cannot play it: InvalidSettings: there is no module 'gone'.*; let its module be"
    )
    fails(randomness.a_spawned_process_plays_the_same, doors, message)
