"""The raw release: its folders become episodes, and every defect on the way has a name."""
