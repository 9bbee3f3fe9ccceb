"""The accessibility tree of a screen: XML of both dialects, elements, hit test, description."""
