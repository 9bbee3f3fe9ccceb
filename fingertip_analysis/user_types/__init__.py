"""Scores of a run under further definitions of the user types."""
