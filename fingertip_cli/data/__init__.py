"""Commands that record, check, build and describe datasets."""
