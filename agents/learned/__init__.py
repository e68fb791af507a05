"""Learned agents: a folder of weights and facts, read without executing anything, played without PyTorch."""
