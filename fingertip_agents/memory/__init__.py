"""Memories: how an agent keeps what it has seen of a person, and recalls it for a task."""
