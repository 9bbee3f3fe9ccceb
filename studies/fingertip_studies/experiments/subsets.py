"""The out-of-domain subsets of table 8: their tasks, and their sizes compared with the paper's."""

from __future__ import annotations

from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.split_names import TEST_EXECUTION, TEST_SUGGESTION
from fingertip_metrics.published import published_rows
from fingertip_studies.experiments.catalogue import ExperimentCell

TEST = TEST_SUGGESTION

EXECUTION_TEST = TEST_EXECUTION

KINDS = {"unseen_users": "users", "unseen_apps": "apps", "unseen_intent_categories": "categories"}
"""Subset -> held-out field, by its column name in the published table 8."""


class TaskSubsets:
    """The subsets of a dataset.

    Args:
        built: The dataset.

    Raises:
        DatasetError: Its subsets.json is missing, broken, or of another version.
    """

    def __init__(self, built: BuiltDataset) -> None:
        self._found = built.subsets()

    def tasks(self, cell: ExperimentCell, test: str = TEST) -> frozenset[str] | None:
        """Ids of the tasks of a test split that count in a cell; None for all."""
        return frozenset(self._found.episodes(cell.subset, test)) if cell.subset else None

    def notes(self) -> tuple[str, ...]:
        """Notes on the held-out values and the sizes of the subsets and of the filtered training set."""
        published = {row.setting.get("subset"): row for row in published_rows("table 8")}
        lines = []
        for name, subset in self._found.subsets.items():
            kind, papers = KINDS[name], published[name].values
            count = f"{len(subset.test_suggestion):,} tasks of {len(subset.held_out)} {kind}"
            lines.append(
                f"{name}: {count} ({', '.join(subset.held_out) or 'none'}); {subset.note}. "
                f"The paper: {papers['episodes']:,} episodes of {papers[kind]} {kind}."
            )
        filtered, papers_train = len(self._found.train), published[None].setting["training_episodes"]
        lines.append(
            f"Filtered training set: {filtered:,} of {self._found.train_episodes:,} episodes. "
            f"The paper: {papers_train:,} of 16,000."
        )
        return tuple(lines)
