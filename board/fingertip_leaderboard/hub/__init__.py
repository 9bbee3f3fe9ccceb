"""Push a verified bundle to the Hugging Face Hub as pull requests, which only add files."""
