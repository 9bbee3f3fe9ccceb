"""Shopping: products by category, search, cart, and orders."""

from .pages import SHOPPING

__all__ = ["SHOPPING"]
