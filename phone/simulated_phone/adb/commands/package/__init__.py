"""The command pm."""
