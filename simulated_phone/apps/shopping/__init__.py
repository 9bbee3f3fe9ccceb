"""Shopping: products by category, search, cart, and orders."""

from simulated_phone.apps.shopping.pages import SHOPPING

__all__ = ["SHOPPING"]
