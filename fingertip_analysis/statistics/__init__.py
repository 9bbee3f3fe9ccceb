"""Statistics of a built dataset: tables, figures, and the similarity of people's actions."""
