"""The games: rules, encodings and texts, a folder each, over one contract. NumPy and Numba only."""
