"""Base class of the `evaluate` modules: input columns and their checks.

Only the scripts of the module folders import this file, because importing `evaluate` takes seconds.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from inspect import signature
from pathlib import Path
from typing import Any, ClassVar

import datasets
import evaluate

from fingertip_dataset.errors import UsageError
from fingertip_dataset.similar_names import did_you_mean
from fingertip_metrics.check_arguments import check_booleans, check_sequences, check_texts
from fingertip_metrics.conventions import CITATION
from fingertip_metrics.install import MODULES, check_script
from fingertip_metrics.plain_values import make_plain


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricColumn:
    """An input column of a metric.

    Attributes:
        feature: Feature type of `datasets`.
        check: Called with the column's name and rows; raises MetricInputError for a row of another type.
    """

    feature: Any
    check: Callable[[str, object], None]


KEYWORDS = frozenset(
    {
        *(
            "apps",
            "base_url",
            "cache",
            "completion_tokens",
            "dataset",
            "device",
            "embedder",
            "judge",
            "labels",
        ),
        *("intents", "language", "others", "per_item", "prompt_tokens", "protocol", "seconds", "similarity"),
        *("confidences", "hits", "kinds", "penalty", "size", "spelling", "success", "users", "votes"),
    }
)
"""Keywords of any of the metrics, besides predictions and references."""

TEXTS = MetricColumn(feature=datasets.Value("string"), check=check_texts)
TEXTS_OR_NONE = MetricColumn(feature=datasets.Value("string"), check=partial(check_texts, none=True))
"""Texts, None where there is none."""

DECISIONS = MetricColumn(feature=datasets.Value("bool"), check=partial(check_booleans, none=True))
"""True, False, or None where nobody decided."""

ACTIONS = MetricColumn(
    feature=datasets.List(datasets.Value("string")), check=partial(check_sequences, empty=True)
)
SOME_ACTIONS = MetricColumn(feature=ACTIONS.feature, check=partial(check_sequences, empty=False))
"""Action sequences with at least one action each."""


class MetricModule(evaluate.Metric):  # type: ignore[misc]  # evaluate has no types
    """Base class of this package's `evaluate` modules; a subclass adds `_compute`.

    Rows are checked when they are added, because `datasets` casts them silently: a number becomes a string,
    1 and "False" become True.

    Attributes:
        DESCRIPTION: Description of the metric.
        INPUTS: Documentation of arguments, results and examples.
        COLUMNS: Column name -> type and check.
    """

    DESCRIPTION: ClassVar[str]
    INPUTS: ClassVar[str]
    COLUMNS: ClassVar[Mapping[str, MetricColumn]]

    def __init_subclass__(cls, **kwargs: object) -> None:
        super().__init_subclass__(**kwargs)
        # help() and the doctests of `evaluate` look for arguments and examples in the class's docstring
        cls.__doc__ = f"{cls.DESCRIPTION}{cls.INPUTS}\n{cls.__doc__ or ''}"

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - as evaluate has it
        name, script = type(self).__module__.rpartition(".")[2], sys.modules[type(self).__module__].__file__
        if name in MODULES and script is not None:
            check_script(name, Path(script))
        super().__init__(*args, **kwargs)

    def _info(self) -> evaluate.MetricInfo:
        return evaluate.MetricInfo(
            description=self.DESCRIPTION,
            citation=CITATION,
            inputs_description=self.INPUTS,
            features=datasets.Features({name: column.feature for name, column in self.COLUMNS.items()}),
        )

    def compute(
        self,
        *,
        predictions: object = None,
        references: object = None,
        **kwargs: Any,  # noqa: ANN401 - as evaluate has it
    ) -> dict[str, Any] | None:
        """Compute the metric; keywords of the other metrics are accepted and not used.

        `evaluate.combine` gives every metric all keywords.

        Raises:
            UsageError: No metric has a keyword.
        """
        own = {*self.COLUMNS, *signature(self._compute).parameters}
        for name in sorted(kwargs.keys() - own - KEYWORDS):
            meant = did_you_mean(name, sorted(own)) or f": there are {', '.join(sorted(own))}"
            raise UsageError(f"{self.name} has no keyword {name!r}{meant}")
        given = {name: value for name, value in kwargs.items() if name in own}
        found: dict[str, Any] | None = super().compute(
            predictions=predictions, references=references, **given
        )
        return found

    def add_batch(self, *, predictions: object = None, references: object = None, **kwargs: object) -> None:
        """Check and add a batch of rows."""
        rows = {"predictions": predictions, "references": references, **kwargs}
        plain = {name: make_plain(column) for name, column in rows.items()}
        for name, column in self.COLUMNS.items():
            column.check(name, plain.get(name))
        super().add_batch(**plain)

    def add(self, *, prediction: object = None, reference: object = None, **kwargs: object) -> None:
        """Check and add one row."""
        plain = {name: make_plain(value) for name, value in kwargs.items()}
        prediction, reference = make_plain(prediction), make_plain(reference)
        row = {"predictions": prediction, "references": reference, **plain}
        for name, column in self.COLUMNS.items():
            column.check(name, [row.get(name)])
        super().add(prediction=prediction, reference=reference, **plain)
