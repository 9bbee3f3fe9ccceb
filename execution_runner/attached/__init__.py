"""Agents that drive the simulated phone themselves, over adb: their steps are what the phone saw."""
