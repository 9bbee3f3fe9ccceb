"""The command dumpsys and its services."""
