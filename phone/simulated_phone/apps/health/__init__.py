"""Health: steps, weight, water, sports, sleep and medicines."""

from .pages import HEALTH

__all__ = ["HEALTH"]
