"""Commands that find and redact private parts."""
