"""The own test suites of clients, run unchanged on the simulated phone."""
