"""What is in a built dataset: tables, figures, and figure 5."""
