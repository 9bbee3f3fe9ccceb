"""What is in a built dataset: tables, figures, and how alike people act."""
