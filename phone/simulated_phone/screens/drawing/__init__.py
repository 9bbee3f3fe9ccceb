"""Drawing: from the marks of a screen to its pixels and PNG files."""
