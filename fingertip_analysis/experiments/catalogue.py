"""The paper's experiments around track 1, by name: what each varies, and what was published of it.

They stand in experiments.json. The paper was not at hand when it was written: which ablation stands in which
table is our reading of the project's plan, and everything that is printed says so.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Literal

from pydantic import Field

from fingertip_dataset.errors import UsageError
from fingertip_dataset.tasks.history import HistoryProtocol
from fingertip_metrics.published import PublishedRow, published_rows
from fingertip_runs.records import Part
from suggestion_runner.records import Hidden, HistoryLength


class Cell(Part):
    """One setting of an experiment; what it does not name is as in the paper's table 3.

    Attributes:
        name: Of the row or the place on the axis.
        screenshots: First screens a task shows, 0 to 3.
        history: Earlier intents a task shows.
        without: What a task hides.
        distribution: Whether agents that can are asked for several intents with their probabilities.
        protocol: Where earlier intents come from; None for the dataset's own.
        subset: Of the out-of-domain subsets of A.6.1, whose tasks alone count; None for all tasks.
        scored_as: Whether answers are also scored as A.6.5 has it: with all the intents that they name, or as
            if they were sure of the likeliest one.
        needs_model: Why agents without a model cannot take part, in words; None where they can.
    """

    name: str
    screenshots: int = Field(default=0, ge=0, le=3)
    history: HistoryLength = "20"
    without: tuple[Hidden, ...] = ()
    distribution: bool = False
    protocol: HistoryProtocol | None = None
    subset: Literal["unseen_users", "unseen_apps", "unseen_intent_categories"] | None = None
    scored_as: Literal["one intent", "distribution"] | None = None
    needs_model: str | None = None

    def asked_as(self, other: Cell, *, distributes: bool) -> bool:
        """Whether both put the same questions to an agent, so that one run serves both.

        Args:
            other: The other one.
            distributes: Whether the agent answers with a distribution where it is asked for one.
        """
        same = {"name", "subset", "scored_as"} | (set() if distributes else {"distribution"})
        return self.model_dump(exclude=same) == other.model_dump(exclude=same)


class Published(Part):
    """A table of `fingertip_metrics.published` whose rows stand beside a cell of the same settings."""

    table: str
    cell: str


class Experiment(Part):
    """One table or figure.

    Attributes:
        name: As the command line has it.
        of: What the project's plan calls it.
        section: Of the paper; None where it is not known.
        title: What it is about.
        varies: In words.
        axis: What the cells are, for a figure.
        ordered: Whether the cells are steps of one quantity.
        cells: At least one.
        published: Rows to stand beside which cell.
        notes: What a reader has to know.
        reading: How sure the number of the table is.
    """

    name: str
    of: str
    section: str | None
    title: str
    varies: str
    axis: str
    ordered: bool = False
    cells: tuple[Cell, ...] = Field(min_length=1)
    published: tuple[Published, ...]
    notes: tuple[str, ...] = ()
    reading: str

    @property
    def heading(self) -> str:
        """One line for the top of its table."""
        section = f", section {self.section}" if self.section else ""
        return f"{self.title} ({self.of} by the project's plan{section})"

    def published_rows(self) -> list[tuple[str, PublishedRow]]:
        """Cell and row of everything published that stands beside it."""
        return [(beside.cell, row) for beside in self.published for row in published_rows(beside.table)]

    def what_is_published(self) -> str:
        """In words: whose numbers stand beside, or that none are known."""
        tables = [beside.table for beside in self.published]
        if self.of in tables:
            return f"Published: numbers of {self.of}, as far as they are known here"
        if not tables:
            return f"Published: no number of {self.of} is known here"
        others = ", ".join(f"{b.table} stands beside {b.cell!r}" for b in self.published)
        unknown = f"Published: no number of {self.of} is known here"
        return f"{unknown}; {others}, whose settings are the same as we read them"


def experiments() -> tuple[Experiment, ...]:
    """All of them, in the order of the paper's numbers."""
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
    names = ", ".join(experiment.name for experiment in experiments())
    raise UsageError(f"expected an experiment, one of {names}, got {name!r}")


@cache
def _read() -> tuple[Experiment, ...]:
    text = files("fingertip_analysis.experiments").joinpath("experiments.json").read_text(encoding="utf-8")
    data = json.loads(text)
    return tuple(
        Experiment.model_validate({"name": name, "reading": data["reading"], **fields}, strict=False)
        for name, fields in data["experiments"].items()
    )
