"""Contacts: people with numbers, groups and birthdays, who are called, written to and shared."""

from .pages import CONTACTS

__all__ = ["CONTACTS"]
