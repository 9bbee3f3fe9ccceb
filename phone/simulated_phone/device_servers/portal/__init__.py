"""The server of DroidRun's portal."""
