"""Checks of a bundle, a file a family; scores made again from what is in it and the dataset's targets."""
