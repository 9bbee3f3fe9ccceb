"""The raw release: reading of its folders and tables into episodes, with every defect named."""
