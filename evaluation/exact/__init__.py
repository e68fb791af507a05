"""Exact answers for two-player zero-sum games that are small enough to enumerate.

`forms` holds such a game, `growing` builds it from any rules, `enumeration` from the real tables of Save The
Bet; `responses` gives best responses and exploitability, `cfr` an equilibrium; `reports` says it to people.
"""
