"""Shared builders of apps: a module a kind of page, with its widgets, pages and handlers.

An app is made of data, pages put together from these, and rules of its own.
docs/developers/add-an-app.md shows one.
"""
