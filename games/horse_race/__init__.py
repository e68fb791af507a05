"""Horse Race and Scarne's Horse Race: a bookmaker quotes the odds of a four-horse card race.

Rule: RULES.md §3.
"""
