"""Commands that score, show and label runs."""
