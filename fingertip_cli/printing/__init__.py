"""Progress, tables, JSON and errors on the terminal."""
