"""Fixtures: a built dataset for runs of track 1."""

from __future__ import annotations

from tests.suggestion_datasets import small_dataset as small_dataset
