"""Replaces private parts in texts, pictures, tables and names of files."""
