"""Report page of runs of track 2."""
