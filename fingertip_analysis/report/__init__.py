"""Runs of track 2 as one page to look at."""
