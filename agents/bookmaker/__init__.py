"""The zoo of bankers, by name. The classes are loaded when they are needed."""

from __future__ import annotations

from typing import Final

ZOO: Final = {
    "fair": "tables:Fair",
    "margin": "margin:Margin",
    "even-money": "tables:EvenMoney",
    "published": "tables:Published",
    "balanced": "balanced:Balanced",
    "profit": "profit:Profit",
}  # name -> module of this folder : class
