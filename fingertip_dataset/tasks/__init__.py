"""Splits, earlier intents, references, and the tasks built from them."""
