"""`fingertip_dataset.load`: a split of a built dataset by the paper's names, with empty ones and subsets."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.parquet.features import Config, features
from fingertip_dataset.split_names import split_name

if TYPE_CHECKING:
    import datasets


def load(
    split: str,
    config: Config = "default",
    *,
    path: Path | str = "fingertip-20k",
    subset: str | None = None,
) -> datasets.Dataset:
    """What `load_dataset(path, config, split=split)` gives, and two things that it does not.

    A split without any episode comes as an empty dataset with its columns, and `subset` picks the episodes
    of an out-of-domain subset.

    Args:
        split: "train", "vali", "test_suggestion" or "test_execution"; the paper's "test-suggestion" and
            "test-execution" are the same.
        config: "default", or "text" without screens.
        path: The folder that `fingertip build` made.
        subset: "unseen_users", "unseen_apps" or "unseen_intent_categories"; with "train" each of them, and
            "without_unseen", is the one filtered training set of A.6.1.

    Raises:
        UsageError: There is no such split, config or subset.
        DatasetError: The dataset is missing, incomplete, or of a newer version.
    """
    name = split_name(split)
    built = BuiltDataset.open(Path(path))
    empty = not sum(shard.rows for shard in built.shards(name, config))
    wanted = None if subset is None else frozenset(built.subsets().episodes(subset, name))
    import datasets

    if empty:
        return datasets.Dataset.from_dict({column: [] for column in features(config)}, features(config))
    loaded: datasets.Dataset = datasets.load_dataset(str(path), config, split=name)
    if wanted is None:
        return loaded
    return loaded.select([row for row, own in enumerate(loaded["episode_id"]) if own in wanted])
