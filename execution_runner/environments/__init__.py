"""Environments that tasks are carried out on: phones on ADB, simulated phones, recorded episodes."""
