"""Access to phones over adb or uiautomator2: observations, actions, and checks of a phone."""
