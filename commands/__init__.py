"""The commands by topic: each parses, calls one function of `console`, and does no more.

Annotations are no strings here (no ``from __future__ import annotations``): Typer would compile each of them
at every start, a tenth of the time that ``railbird --help`` takes.
"""
