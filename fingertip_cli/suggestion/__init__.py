"""Commands of track 1."""
