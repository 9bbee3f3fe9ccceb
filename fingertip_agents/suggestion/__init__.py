"""Agents of track 1: baselines, the model agent with its prompts, and the parsing of answers."""
