"""Experiments by name: the settings that each varies, and the published numbers.

They are defined in experiments.json, with the section of the paper that describes each. The headings of
experiments that are not in the paper state that.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Literal, Self

from pydantic import Field, model_validator

from fingertip_dataset.errors import UnknownNameError
from fingertip_dataset.frozen_model import FrozenModel
from fingertip_dataset.tasks.history import HistoryProtocol
from fingertip_dataset.track import Track
from fingertip_metrics.published import PublishedRow, published_rows
from suggestion_runner.suggestion_records import Hidden, HistoryLength

if TYPE_CHECKING:
    from fingertip_training.export_order import TrainingTrack

ExperimentTrack = Literal["suggestion", "execution", "dataset", "training"]
"""Subject of an experiment: track 1, track 2, the dataset itself, or models trained on it, on both tracks."""

Subset = Literal["unseen_users", "unseen_apps", "unseen_intent_categories"]
"""Out-of-domain subset of A.6.1."""

NO_TRAINING: Literal["nothing"] = "nothing"
"""Training of a cell that tests the base itself."""


class ExperimentCell(FrozenModel):
    """A setting of an experiment of track 1; the defaults are those of the paper's table 3.

    Attributes:
        name: Label of the row or of the tick on the axis.
        screenshots: Number of first screens in the task view, 0 to 3.
        history: Earlier intents in the task view.
        without: Hidden fields of the task view.
        distribution: Whether agents that support it are queried for several intents with probabilities.
        protocol: Episodes that earlier intents may come from; None for the dataset's own protocol.
        subset: Out-of-domain subset of A.6.1 whose tasks are counted; None for all tasks.
        scored_as: Scoring of distributions: "A.6.5" replaces SR_1 and Sim_1 by the scores of a distribution;
            "distribution" adds these and the transport variant in separate columns; "one intent" adds the
            same columns for the likeliest intent at probability 1; None for neither.
        needs_model: Reason why agents without a model cannot take part; None if they can.
    """

    name: str
    screenshots: int = Field(default=0, ge=0, le=3)
    history: HistoryLength = "20"
    without: tuple[Hidden, ...] = ()
    distribution: bool = False
    protocol: HistoryProtocol | None = None
    subset: Subset | None = None
    scored_as: Literal["A.6.5", "distribution", "one intent"] | None = None
    needs_model: str | None = None

    def same_queries_as(self, other: ExperimentCell, *, distributes: bool) -> bool:
        """Whether both settings give an agent the same tasks, so that one run serves both.

        Args:
            other: The other setting.
            distributes: Whether the agent supports distributions.
        """
        same = {"name", "subset", "scored_as"} | (set() if distributes else {"distribution"})
        return self.model_dump(exclude=same) == other.model_dump(exclude=same)

    def is_setting_of(self, row: PublishedRow) -> bool:
        """Whether a published row was measured in this setting."""
        own = {
            "screenshots": self.screenshots,
            "history": self.history,
            "without": self.without,
            "distribution": self.distribution,
            "subset": self.subset,
        }
        return all(row.setting.get(name) == value for name, value in own.items())


class TrainedCell(FrozenModel):
    """A model of an experiment that trains models; it is tested on both tracks.

    Attributes:
        name: Label of the row.
        trained_on: "nothing" for the base; "own track": two models, each tested on the track that it was
            trained on; otherwise the track whose samples train the one model that is tested on both.
        rank: LoRA rank.
        episodes: Number of training episodes in the paper; None for all.
        exclude_unseen: Whether it is trained on the filtered training set of A.6.1.
        subset: Out-of-domain subset of A.6.1 whose tasks are counted; None for all tasks.
        published_row: Name of its row in the published table.
    """

    name: str
    trained_on: Literal["nothing", "own track", "suggestion", "execution", "joint"] = NO_TRAINING
    rank: int = Field(default=4, ge=1)
    episodes: int | None = Field(default=None, ge=1)
    exclude_unseen: bool = False
    subset: Subset | None = None
    published_row: str

    def training_track(self, tested: Track) -> TrainingTrack | None:
        """Track of the samples that train the model for a tested track; None for the base.

        >>> TrainedCell(name="own", trained_on="own track", published_row="").training_track("execution")
        'execution'
        """
        if self.trained_on == "nothing":
            return None
        return tested if self.trained_on == "own track" else self.trained_on


class Experiment(FrozenModel):
    """A table or figure.

    Attributes:
        name: Name on the command line.
        track: Track 1, track 2, or the dataset.
        of: The table or figure of the paper; None for an experiment that is not the paper's.
        section: Section of the paper.
        title: Subject of the experiment.
        varies: Description of the varied setting.
        axis: Label of the figure's axis of cells.
        ordered: Whether the cells are steps of one quantity.
        cells: Settings, at least one for track 1; other experiments get their rows from runs.
        trained: Models that are trained and tested, for experiments that can train some.
        published: Names of tables of `fingertip_metrics.published`; each of their rows belongs to the cell of
            its own setting.
        published_in_words: Published result without numbers, as in the paper's figures; "" for none.
        notes: Caveats for readers.
    """

    name: str
    track: ExperimentTrack
    of: str | None
    section: str
    title: str
    varies: str
    axis: str = ""
    ordered: bool = False
    cells: tuple[ExperimentCell, ...] = ()
    trained: tuple[TrainedCell, ...] = ()
    published: tuple[str, ...] = ()
    published_in_words: str = ""
    notes: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _has_cells(self) -> Self:
        if self.track == "suggestion" and not self.cells:
            raise ValueError(f"{self.name} needs at least one cell")
        if self.track == "training" and not self.trained:
            raise ValueError(f"{self.name} needs at least one trained model")
        return self

    @property
    def heading(self) -> str:
        """Heading of its table, one line."""
        if self.of is None:
            return f"{self.title} (ours, not of the paper; around its section {self.section})"
        return f"{self.title} ({self.of} of the paper, section {self.section})"

    def published_rows(self) -> list[tuple[str, PublishedRow]]:
        """(name of the cell, published row) of each published row of the experiment."""
        return [
            (cell.name, row)
            for table in self.published
            for row in published_rows(table)
            for cell in self.cells
            if cell.is_setting_of(row)
        ]

    def what_is_published(self) -> str:
        """Describe the published numbers in the table, or say that the paper has no such numbers."""
        if self.of is None:
            return "Published: nothing; the paper has no such experiment"
        if self.published_in_words:
            return f"Published without numbers: {self.published_in_words}"
        if not self.published:
            return f"Published: no number of {self.of} is shown"
        return f"Published: numbers of {', '.join(self.published)}"


def experiments() -> tuple[Experiment, ...]:
    """All experiments: figures, tables, and our own."""
    return _read()


def get_experiment(name: str) -> Experiment:
    """The experiment of that name.

    Raises:
        UsageError: There is none.

    >>> [cell.name for cell in get_experiment("figure-6a").cells]
    ['0', '1', '2', '3']
    """
    for experiment in experiments():
        if experiment.name == name:
            return experiment
    raise UnknownNameError("an experiment", name, (experiment.name for experiment in experiments()))


@cache
def _read() -> tuple[Experiment, ...]:
    text = files("fingertip_studies.experiments").joinpath("experiments.json").read_text(encoding="utf-8")
    data = json.loads(text)
    return tuple(
        Experiment.model_validate({"name": name, **fields}, strict=False)
        for name, fields in data["experiments"].items()
    )
