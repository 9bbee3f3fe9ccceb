"""Contacts: people with numbers, groups and birthdays, who are called, written to and shared."""

from simulated_phone.apps.contacts.pages import CONTACTS

__all__ = ["CONTACTS"]
