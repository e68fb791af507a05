"""What the games with a bookmaker share: board prices, limits, settlement, the table and its encoding.

Rule: RULES.md §3 and §4.
"""
