"""The reader: a shelf, a book shop, chapters, and how pages look."""

from simulated_phone.apps.reader.pages import READER

__all__ = ["READER"]
