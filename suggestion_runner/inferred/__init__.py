"""Intents inferred from what people did, as a history in place of the intents that they declared."""
