"""Speed and memory, measured: ``railbird bench``."""
