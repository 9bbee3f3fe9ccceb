"""Recognisers of private parts in one text, a file for each kind or family of kinds."""
