"""Save The Bet: two players with hidden hands bet on the next card of the stack. Rule: RULES.md §6."""
