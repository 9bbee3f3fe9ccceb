"""Safety gate that checks each action on a person's phone, and its rules."""
