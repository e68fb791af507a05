"""The report of a tournament: one HTML file that needs nothing else, neither a server nor the network."""

from .page import write_report

__all__ = ["write_report"]
