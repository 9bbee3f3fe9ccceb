"""Simulated users: persons, routines, personal styles, wording of intents, slips, and a month of episodes."""
