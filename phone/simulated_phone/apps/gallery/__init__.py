"""Gallery: photos in albums, edited, hidden and shared, and what is written on them."""

from .pages import GALLERY

__all__ = ["GALLERY"]
