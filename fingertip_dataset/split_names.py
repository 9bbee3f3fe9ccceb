"""Names of the splits: the one place where they are written."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

TRAIN, VALI = "train", "vali"
TEST_SUGGESTION, TEST_EXECUTION = "test_suggestion", "test_execution"

SPLITS = (TRAIN, VALI, TEST_SUGGESTION, TEST_EXECUTION)
"""The splits of every dataset, spelled as `datasets` and the Hub allow it; the index tables have the same
names."""

SAMPLED_TEST_EXECUTION = "sampled_test_execution"
"""A split of datasets whose release has its table: some tasks of the test of track 2, by the authors."""

TEST_LONG = "test_long"
"""A split of simulated people with goals over several apps (`fingertip sample --long`): tasks of track 2."""

FURTHER_TESTS = (SAMPLED_TEST_EXECUTION, TEST_LONG)
"""Tests of track 2 that only a dataset has whose release has their table."""

ALL_SPLITS = (*SPLITS, *FURTHER_TESTS)
"""Every name that a split may have. Whoever reads all episodes takes `BuiltDataset.split_names`, because the
sample of a release may have episodes that are in no other split."""

TESTS = (TEST_SUGGESTION, TEST_EXECUTION)
"""One for each track; an episode may be in both."""

TEST_OF_TRACK: Mapping[str, str] = MappingProxyType(
    {"suggestion": TEST_SUGGESTION, "execution": TEST_EXECUTION}
)

TRAIN_MOMENTS, VALI_MOMENTS, TEST_MOMENTS = "train_moments", "vali_moments", "test_moments"

MOMENT_SPLITS = (TRAIN_MOMENTS, VALI_MOMENTS, TEST_MOMENTS)
"""Splits of the config "moments" of simulated people: looks at the phone, with and without an intent. They
hold no episodes, so they are in none of the lists above."""

MONTH = "month"
"""All moments of `MOMENT_SPLITS`, one person after another and each in the order of time: no part of the data
of its own, but what a run through people's months lives through."""


def is_moments(split: str) -> bool:
    """Check whether a split holds moments and not episodes.

    >>> is_moments("test_moments"), is_moments("test-moments"), is_moments("test_suggestion")
    (True, True, False)
    >>> is_moments("month")
    True
    """
    return split_name(split) in (*MOMENT_SPLITS, MONTH)


def split_name(spelling: str) -> str:
    """The split's name for any spelling of it; the paper writes a hyphen. Unknown names pass through.

    >>> split_name("test-suggestion")
    'test_suggestion'
    """
    return spelling.replace("-", "_")
