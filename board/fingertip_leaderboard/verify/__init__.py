"""Checks of a bundle, one module per kind of check; scores are recomputed with the dataset's targets."""
