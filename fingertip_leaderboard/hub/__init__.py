"""A verified bundle on its way to the Hugging Face Hub: as pull requests, which change nothing there."""
