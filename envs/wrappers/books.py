"""The book of the game behind a wrapper: what may be staked on each line."""

from __future__ import annotations

from ...agents.learned.books import Book, book_for
from ..learner_table import LearnerTable


def book_of(table: LearnerTable) -> Book:
    """The book of a learner's game.

    Raises:
        InvalidSettings: the game has no tickets, or the learner quotes.
    """
    options = table.options
    return book_for(options.game, options.settings, options.encoding)
