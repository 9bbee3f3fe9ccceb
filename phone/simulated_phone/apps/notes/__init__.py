"""Notes: texts and checklists in folders."""

from .pages import NOTES

__all__ = ["NOTES"]
