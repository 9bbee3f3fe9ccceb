"""Screens: widgets, and the picture and the accessibility tree that are both derived from them."""
