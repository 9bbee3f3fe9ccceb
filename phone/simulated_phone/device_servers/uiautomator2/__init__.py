"""The server of uiautomator2."""
