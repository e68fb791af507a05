"""Pasteboard Derby: everybody antes and names a horse, and the winner's backers share the bank.

Rule: RULES.md §5.
"""
