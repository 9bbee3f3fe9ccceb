"""Submission bundles: their schema and files, how they are made from a run, and how they are read safely."""
