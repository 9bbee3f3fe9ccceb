"""Index tables of a release: its rows, its intents and its profiles."""
