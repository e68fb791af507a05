"""Racing Aces: a four-horse card race at published odds. Rule: RULES.md §4."""
