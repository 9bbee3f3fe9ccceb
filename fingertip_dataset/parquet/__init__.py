"""The built dataset: writing and reading of its Parquet shards, manifest and card."""
