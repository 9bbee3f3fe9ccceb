"""Studies of the moments of simulated people."""
