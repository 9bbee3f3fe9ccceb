"""Commands of track 2."""
