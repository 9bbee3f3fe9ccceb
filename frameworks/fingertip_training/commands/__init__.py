"""Commands that export samples and fine-tune."""
