"""Releases with known secrets: planted into simulated recordings, and the simulation's own."""
