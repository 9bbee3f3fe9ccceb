"""Appium's uiautomator2 server: what its APK would serve on port 6790, answered by the phone itself."""
