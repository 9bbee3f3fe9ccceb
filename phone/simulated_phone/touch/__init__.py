"""Touches and keys: their effects, and the raw events that `getevent` shows."""
