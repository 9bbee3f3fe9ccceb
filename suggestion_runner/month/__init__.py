"""A month in order: moments one after another, with what the person answers to each suggestion."""
