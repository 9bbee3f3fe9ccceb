"""The safety gate before each action on a person's phone, and its rules."""
