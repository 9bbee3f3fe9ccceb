"""Lines of the phone's shell as other people's clients send them, captured on the wire."""
