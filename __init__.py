"""Railbird: card games of racing and wagering for people who study betting and learning agents.

Importing this loads nothing heavy. `register` makes the environments known to Gymnasium, which happens by
itself where Gymnasium is already imported; ``gymnasium.make("railbird:railbird/Superfecta-v0")`` needs no
import at all.
"""

import sys
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType

__version__ = "0.1.0"


def register() -> None:
    """Makes the environments known to Gymnasium under ``railbird/…``; doing it twice does no harm."""
    from .envs.registration import register_envs

    register_envs()


class _RegisterAfter(MetaPathFinder):
    """Waits for Gymnasium to be imported, then makes the environments known to it.

    Gymnasium 1.x no longer looks for environments of installed packages, and importing it here would cost
    everybody 0.3 s, so it is met when it comes.
    """

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> ModuleSpec | None:
        if fullname != "gymnasium":
            return None
        sys.meta_path.remove(self)
        spec = find_spec(fullname)
        if spec is not None and spec.loader is not None:
            load = spec.loader.exec_module

            def load_and_register(module: ModuleType) -> None:
                load(module)
                register()

            spec.loader.exec_module = load_and_register  # type: ignore[method-assign]
        return spec


if __name__ == "railbird":  # pytest loads this file a second time under another name
    if "gymnasium" in sys.modules:
        register()
    else:
        sys.meta_path.insert(0, _RegisterAfter())
