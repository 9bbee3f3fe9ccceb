"""Agents for moments: an intent or nothing, with the probability that the person wants something."""
