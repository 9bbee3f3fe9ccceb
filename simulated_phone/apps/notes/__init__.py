"""Notes: texts and checklists in folders."""

from simulated_phone.apps.notes.pages import NOTES

__all__ = ["NOTES"]
