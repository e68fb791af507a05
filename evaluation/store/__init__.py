"""A tournament's folder: what was played, block by block, and what came of it.

::

    DIR/manifest.json            what is played, by which code; written first
    DIR/blocks/00000000/         a finished block of deals
        deals.parquet            a row for each deal and agent
        substitutes.parquet      a row for each agent tried in the place of a deal, if there is any
        duels.parquet            a row for each deal and pair, at tables of two
        abroad.parquet           a row for each agent tried among strangers, if that was asked for
        line_ups.parquet         a row for each deal, line-up and agent, if that was asked for
        games.parquet            a row for each table of each deal and who is ranked there
        paths.parquet            the same race by race, of the first deals, where players bring chips
        faults.parquet           the first fault of each agent and kind, if there is any
        block.json               its deals, and size and SHA-256 of each table
    DIR/result.json              written last
    DIR/lock                     held by the runner at work

A block is written under another name and renamed when it is whole, so a runner may die at any moment: what is
there is finished, and the same command goes on behind it. Nothing in the folder depends on when, where or by
how many workers the blocks were played. A folder that holds another tournament is never written to; a file
that has been cut off or changed is named, never used.
"""

from .folder import Store
from .manifest import describe
from .queries import TABLES, Answer, Reader

__all__ = ["TABLES", "Answer", "Reader", "Store", "describe"]
