"""Languages of a phone: texts, formats, numbers, time zones."""
