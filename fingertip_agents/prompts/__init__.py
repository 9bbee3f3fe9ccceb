"""Prompts of the user in place of ours: their files and their placeholders."""
