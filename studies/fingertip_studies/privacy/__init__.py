"""Studies of the search for private parts, on planted values."""
