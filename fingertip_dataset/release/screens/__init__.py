"""Screens of a release: files, their join with steps, and their content."""
