"""Railbird's speed beside that of other card-game environments: ``python -m railbird.benchmarks.peers``."""
