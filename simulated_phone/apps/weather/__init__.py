"""The weather: cities with forecasts, search, provinces, alerts and units."""

from simulated_phone.apps.weather.pages import WEATHER

__all__ = ["WEATHER"]
