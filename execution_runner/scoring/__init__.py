"""Scores of a run of track 2, and their caveats."""
