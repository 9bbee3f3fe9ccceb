"""Both tracks as tasks of Inspect."""
