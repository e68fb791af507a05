"""Where the console writes: a terminal or a pipe, and what can be shown on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from rich.console import Console
from rich.live import Live
from rich.text import Text

from ..drawing.text import plain, scene_text
from ..games.errors import InvalidSettings
from ..games.scene import Scene

PIPE_WIDTH: Final = 100  # columns of a file or pipe, which tells none
WIDEST: Final = 120  # columns in use on a wide terminal
NEEDED: Final = "♥♦♣♠·║…"  # signs that an encoding must have to be used


def check_speed(speed: float) -> None:
    """Refuses a speed in cards a second that no film can run at.

    Raises:
        InvalidSettings: it is not above 0, or above 1,000.
    """
    if not 0 < speed <= 1_000:
        raise InvalidSettings(f"speed is a number of cards a second above 0 and at most 1,000, not {speed}")


class Screen:
    """Writes scenes and sentences to a rich console, which leaves out colours where they are not wanted.

    Signs that the console's encoding lacks become letters.
    """

    def __init__(self, console: Console | None = None) -> None:
        self.console = console or Console(highlight=False)
        self.symbols = self._encodes(NEEDED)

    @property
    def live(self) -> bool:
        """Whether what was written can be written over: a terminal that obeys control codes."""
        return self.console.is_interactive

    @property
    def width(self) -> int:
        """Columns to write in."""
        return max(40, min(WIDEST, self.console.width)) if self.console.is_terminal else PIPE_WIDTH

    def say(self, text: str = "") -> None:
        """Writes lines of text as they are."""
        self.console.print(Text(self._spelled(text)), soft_wrap=True)

    def ask(self, prompt: str) -> None:
        """Writes a prompt and stays on its line."""
        self.console.print(Text(self._spelled(prompt)), end="", soft_wrap=True)

    def show(self, scene: Scene) -> None:
        """Writes a scene and an empty line."""
        self.console.print(self.drawn(scene), soft_wrap=True)
        self.say()

    def film(self, scenes: Sequence[Scene], speed: float, pause: Callable[[float], None]) -> None:
        """Shows scenes one after another: in one place and ``speed`` a second on a terminal; in a pipe one
        below the other without waiting, all but the first and the last cut down to what moves.
        """
        if self.live:
            with Live(console=self.console, auto_refresh=False) as picture:
                for scene in scenes:
                    picture.update(self.drawn(scene), refresh=True)
                    pause(1 / speed)
            self.say()
            return
        for place, scene in enumerate(scenes):
            self.show(scene if place in (0, len(scenes) - 1) else replace(scene, cards=(), grids=()))

    def drawn(self, scene: Scene) -> Text:
        """A scene as the console can show it."""
        text = scene_text(scene, color=True, symbols=self.symbols, width=self.width)
        return Text.from_ansi(text if self.symbols else self._spelled(text))

    def _spelled(self, text: str) -> str:
        if self.symbols and self._encodes(text):
            return text
        return plain(text).encode(self.console.encoding, "replace").decode(self.console.encoding)

    def _encodes(self, text: str) -> bool:
        try:
            text.encode(self.console.encoding)
        except UnicodeEncodeError:
            return False
        return True
