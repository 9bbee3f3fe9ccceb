"""Experiments: the paper's tables and figures as commands, with their settings, runs, tables and plots."""
