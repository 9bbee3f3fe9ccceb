"""Browser: pages that are data, tabs, bookmarks, history, downloads and forms."""

from .pages import BROWSER

__all__ = ["BROWSER"]
