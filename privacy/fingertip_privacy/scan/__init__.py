"""Finds private parts of a release or dataset: its texts, screens and tables."""
