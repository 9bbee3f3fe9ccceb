"""Prompt and output format of each model agent of track 2: one file per agent."""
