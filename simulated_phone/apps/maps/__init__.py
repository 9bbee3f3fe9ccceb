"""Maps: places by kind, search, routes, navigation, and saved places."""

from simulated_phone.apps.maps.pages import MAPS

__all__ = ["MAPS"]
