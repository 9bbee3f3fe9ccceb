"""Bank: cards and limits, bills, transfers, deposits, and a code to pay with."""

from simulated_phone.apps.bank.pages import BANK

__all__ = ["BANK"]
