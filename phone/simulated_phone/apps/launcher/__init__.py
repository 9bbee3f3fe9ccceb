"""The launcher: home pages with icons and widgets, a menu for each icon, search, and a voice assistant."""

from .pages import LAUNCHER

__all__ = ["LAUNCHER"]
