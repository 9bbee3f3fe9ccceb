"""Screenshots for a model: sizes, coordinates, marks, elements."""
