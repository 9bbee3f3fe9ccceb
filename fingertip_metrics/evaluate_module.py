"""Base of the `evaluate` modules: columns, and the check of every row that is added.

Only the scripts of the module folders import this file: it imports `evaluate`, which takes seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import datasets
import evaluate

from fingertip_metrics.check_arguments import check_booleans, check_sequences, check_texts
from fingertip_metrics.conventions import CITATION


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricColumn:
    """One input column of a metric.

    Attributes:
        feature: Its type, as `datasets` has it.
        check: Called with the column's name and its rows; raises MetricInputError for a row of another type.
    """

    feature: Any
    check: Callable[[str, object], None]


TEXTS = MetricColumn(feature=datasets.Value("string"), check=check_texts)
BOOLEANS = MetricColumn(feature=datasets.Value("bool"), check=check_booleans)
ACTIONS = MetricColumn(
    feature=datasets.List(datasets.Value("string")), check=partial(check_sequences, empty=True)
)
SOME_ACTIONS = MetricColumn(feature=ACTIONS.feature, check=partial(check_sequences, empty=False))
"""Action sequences with at least one action each."""


class MetricModule(evaluate.Metric):  # type: ignore[misc]  # evaluate has no types
    """An `evaluate` module of ours; a subclass adds `_compute`.

    Rows are checked as they are added, because `datasets` casts them without a word: a number becomes a text,
    1 and "False" become True.

    Attributes:
        DESCRIPTION: What the metric is.
        INPUTS: Its arguments, results and examples.
        COLUMNS: Name -> type and check of each input column.
    """

    DESCRIPTION: ClassVar[str]
    INPUTS: ClassVar[str]
    COLUMNS: ClassVar[Mapping[str, MetricColumn]]

    def _info(self) -> evaluate.MetricInfo:
        return evaluate.MetricInfo(
            description=self.DESCRIPTION,
            citation=CITATION,
            inputs_description=self.INPUTS,
            features=datasets.Features({name: column.feature for name, column in self.COLUMNS.items()}),
        )

    def add_batch(self, *, predictions: object = None, references: object = None, **kwargs: object) -> None:
        """Add rows."""
        rows = {"predictions": predictions, "references": references, **kwargs}
        for name, column in self.COLUMNS.items():
            column.check(name, rows.get(name))
        super().add_batch(predictions=predictions, references=references, **kwargs)

    def add(self, *, prediction: object = None, reference: object = None, **kwargs: object) -> None:
        """Add one row."""
        row = {"predictions": prediction, "references": reference, **kwargs}
        for name, column in self.COLUMNS.items():
            column.check(name, [row.get(name)])
        super().add(prediction=prediction, reference=reference, **kwargs)
