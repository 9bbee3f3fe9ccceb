"""`fingertip_dataset.load`: loads a split of a built dataset, also an empty one or a subset."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from fingertip_dataset.errors import MissingExtraError, UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.parquet.features import CONFIGS, MOMENTS, Config, features
from fingertip_dataset.path_arguments import check_path
from fingertip_dataset.split_names import MOMENT_SPLITS, TRAIN, split_name

if TYPE_CHECKING:
    import datasets


def load(
    split: str,
    config: Config = "default",
    *,
    path: Path | str = "fingertip-20k",
    subset: str | None = None,
) -> datasets.Dataset:
    """Load a split as `load_dataset(path, config, split=split)` does, with two extensions.

    A split without episodes is loaded as an empty dataset with its columns, and `subset` selects the
    episodes of an out-of-domain subset.

    Args:
        split: "train", "vali", "test_suggestion" or "test_execution", and "sampled_test_execution" or
            "test_long" where the release has its table; the paper's spellings "test-suggestion" and
            "test-execution" are accepted too. With the config "moments" "train_moments", "vali_moments" or
            "test_moments".
        config: "default", "text" without screens, or "moments" of simulated people.
        path: Folder that `fingertip build` made.
        subset: "unseen_users", "unseen_apps" or "unseen_intent_categories"; with "train" each of them, and
            "without_unseen", is the one filtered training set of A.6.1.

    Raises:
        UsageError: The split, config or subset is unknown, the split is of another config, or the dataset
            has no moments.
        DatasetError: The dataset is missing, incomplete, or of a newer version.
        MissingExtraError: The package `datasets` is not installed.
    """
    _refuse_folders(split, config)
    name = split_name(split)
    _check_moments(name, config)
    built = BuiltDataset.open(Path(path))
    empty = not sum(shard.rows for shard in built.shards(name, config))
    episode_ids = None if subset is None else frozenset(built.subsets().episodes(subset, name))
    try:
        import datasets
    except ModuleNotFoundError as error:
        raise MissingExtraError(error.name or "datasets", "datasets") from error
    if empty:
        kinds = features(config, built.manifest.schema_version)
        return datasets.Dataset.from_dict({column: [] for column in kinds}, kinds)
    loaded: datasets.Dataset = datasets.load_dataset(str(path), config, split=name)
    if episode_ids is None:
        return loaded
    return loaded.select([row for row, own in enumerate(loaded["episode_id"]) if own in episode_ids])


def _check_moments(split: str, config: Config) -> None:
    """Check that moments are loaded of the config that has them, and nothing else is.

    Raises:
        UsageError: The split and the config do not go together.
    """
    if config == MOMENTS and split not in MOMENT_SPLITS:
        raise UsageError(f"expected a split of moments, {', '.join(MOMENT_SPLITS)}, got {split!r}")
    if config in CONFIGS and split in MOMENT_SPLITS:
        raise UsageError(f"expected the config {MOMENTS!r} for {split}: write load({split!r}, {MOMENTS!r})")


def _refuse_folders(split: object, config: object) -> None:
    """Refuse a path in place of a split or config, as `load_dataset` has it first.

    Raises:
        UsageError: One of them is a path, or no text.
    """
    for name, value in (("split", split), ("config", config)):
        if not isinstance(value, str):
            raise UsageError(f"expected the name of a {name}, got {value!r}")
        check_path(Path(value))
        if value != Path(value).name or Path(value).is_dir():
            raise UsageError(
                f"expected a {name}, got a folder, {value!r}: write load({TRAIN!r}, path={value!r})"
            )
