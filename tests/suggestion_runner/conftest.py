"""The small datasets of track 1."""

from __future__ import annotations

from tests.suggestion_datasets import real_dataset, sample_dataset, small_dataset

__all__ = ["real_dataset", "sample_dataset", "small_dataset"]
