"""State of a phone, and what changes it."""
