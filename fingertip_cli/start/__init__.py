"""First commands: the demo, and the check of what a phone needs."""
