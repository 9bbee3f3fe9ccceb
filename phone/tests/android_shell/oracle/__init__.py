"""Recorded answers of the shell and the tools of Android to lines, and their recorder."""
