"""Bank: cards and limits, bills, transfers, deposits, and a code to pay with."""

from .pages import BANK

__all__ = ["BANK"]
