"""Finds private parts that a vision model sees in screenshots."""
