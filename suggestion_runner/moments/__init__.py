"""Moments: runs of agents that decide when to speak, their scores, tables and report."""
