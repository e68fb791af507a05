"""Agents that the games with a bookmaker share: bettors, what a banker starts from, and pairs of both."""
