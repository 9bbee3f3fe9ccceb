"""Food delivery: shops by kind, search, ordering, and orders."""

from simulated_phone.apps.food.pages import FOOD

__all__ = ["FOOD"]
