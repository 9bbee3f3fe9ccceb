"""Layouts: the widgets that pages are made of, placed in boxes."""
