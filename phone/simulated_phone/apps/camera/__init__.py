"""Camera: photos and videos in several modes, which the gallery keeps, and scans, which are files."""

from .pages import CAMERA

__all__ = ["CAMERA"]
