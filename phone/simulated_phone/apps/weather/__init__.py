"""The weather: cities with forecasts, search, provinces, alerts and units."""

from .pages import WEATHER

__all__ = ["WEATHER"]
