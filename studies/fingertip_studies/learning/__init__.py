"""Evidence that the data teach: a small model is made from nothing, fine-tuned as in table 5, and scored."""
