"""The reader: a shelf, a book shop, chapters, and how pages look."""

from .pages import READER

__all__ = ["READER"]
