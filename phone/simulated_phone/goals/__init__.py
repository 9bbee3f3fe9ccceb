"""Apps, their goals, and the steps that reach a goal."""
