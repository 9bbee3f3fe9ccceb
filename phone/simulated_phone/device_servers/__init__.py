"""Servers that clients install on a phone: Appium, uiautomator2, DroidRun, DroidBot."""
