"""Accessibility trees: XML of both dialects, elements, hit test, screen description."""
