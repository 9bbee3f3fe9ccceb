"""The command input, keyboards and touch events."""
