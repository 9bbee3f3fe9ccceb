"""The report of runs of moments: one HTML page with scores, pictures, groups, and every moment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from importlib.resources import files
from pathlib import Path

from fingertip_dataset.errors import DatasetError, UsageError
from fingertip_dataset.tasks.moments import MOMENT_KINDS
from fingertip_dataset.tasks.task import TaskTarget
from fingertip_dataset.times import read_moment
from fingertip_metrics.aggregate import natural_order
from fingertip_metrics.moment_columns import MomentOutcome
from fingertip_runs.cells import format_number, format_seconds
from fingertip_runs.repeat_scores import RepeatScores
from fingertip_runs.repeat_tables import describe_repeats, make_repeat_rows
from fingertip_runs.report_base import Filter, check_one_split, run_labels, write_page
from suggestion_runner.moments.moment_facts import MOMENT_GROUPINGS, open_moments
from suggestion_runner.moments.moment_pictures import (
    LinePicture,
    chart_kinds,
    chart_rates,
    draw_hours,
    draw_reliability,
    draw_risk,
    draw_utility,
    thin_out,
)
from suggestion_runner.moments.moment_run_scores import OF_RIGHT, MomentGroup, MomentRunScores
from suggestion_runner.moments.moment_tables import list_ceilings, moment_notes
from suggestion_runner.month.month_pictures import chart_months, draw_days
from suggestion_runner.prediction_log import read_predictions

PAGES = (
    "suggestion",
    "moments",
    "moment_kind",
    "moment_condition",
    "moment_outcome",
    "month",
    "month_group",
    "charts",
    "grouping",
)
"""Tables of messages.toml with the page's texts."""

MOST_POINTS = 40
"""Largest number of points of a line of a picture, and of rows of its table."""

LONGEST_SHOWN = 300
"""Characters of an offer on the page; a model may write far more."""

OUTCOMES: tuple[MomentOutcome, ...] = (
    "hit",
    "other_offer",
    "unjudged_offer",
    "missed",
    "false_trigger",
    "silent",
)
"""Outcomes in the order of the filter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MomentReply:
    """The answer of a run to a moment.

    Attributes:
        run: Index of the run on the page.
        offer: The offer; "" for silence.
        confidence: Confidence as text; "" if not given.
        outcome: Outcome of the moment.
    """

    run: int
    offer: str
    confidence: str
    outcome: MomentOutcome


@dataclass(frozen=True, slots=True, kw_only=True)
class MomentCard:
    """A moment on the page.

    Attributes:
        target: Its target.
        place: Place of the person; "" if not known.
        condition: What a false routine is missing; "" for other kinds, and if not known.
        replies: The runs' answers.
    """

    target: TaskTarget
    place: str
    condition: str
    replies: tuple[MomentReply, ...]

    @property
    def time(self) -> datetime:
        """Time of the moment, as the clocks showed it."""
        return read_moment(self.target.time)

    @property
    def outcomes(self) -> str:
        """Outcomes that the filter selects by."""
        return "|".join(dict.fromkeys(reply.outcome for reply in self.replies))

    @property
    def words(self) -> str:
        """Text that the filter searches, in lower case."""
        target = self.target
        texts = (target.user_id, target.intent, target.app, self.place, *(one.offer for one in self.replies))
        return " ".join(texts).lower()


@dataclass(frozen=True, slots=True, kw_only=True)
class MomentGroupTable:
    """The scores of each group of a grouping.

    Attributes:
        by: The grouping.
        rows: (name of the group or None, scores per run; None for a group that the run lacks).
    """

    by: str
    rows: tuple[tuple[str | None, tuple[MomentGroup | None, ...]], ...]


def write_moment_report(
    scores: Sequence[MomentRunScores], out: Path, *, repeats: Sequence[RepeatScores] = ()
) -> Path:
    """Write one self-contained HTML file, which needs neither the network nor the dataset.

    Args:
        scores: Scores of runs of one split of moments of one dataset.
        out: The file.
        repeats: Scores of the repeated runs whose tries are among the runs.

    Raises:
        UsageError: The runs are of different data or splits.
        RunError: The file cannot be written.
    """
    check_one_split([run.record for run in scores])
    pictures = (draw_utility(scores), draw_reliability(scores), draw_risk(scores), draw_hours(scores))
    cards = list(_make_cards(scores))
    months = [(number, run.month) for number, run in enumerate(scores) if run.month is not None]
    days = draw_days(months)
    return write_page(
        out,
        "suggestion_runner.moments",
        "moment_report.html.j2",
        script='filterItems(".card", { shown: "moments.shown", shownOf: "moments.shown_of" });',
        style=files(__package__).joinpath("moment_report.css").read_text(encoding="utf-8"),
        pages=PAGES,
        record=scores[0].record,
        runs=scores,
        names=run_labels(scores),
        ceilings=list(list_ceilings(scores)),
        notes=[*describe_repeats(repeats), *([OF_RIGHT] if repeats else []), *moment_notes(scores)],
        repeats=make_repeat_rows(repeats),
        charts=chart_rates(scores),
        kinds=chart_kinds(scores),
        days=days,
        month_charts=chart_months(months),
        pictures=[_shorten(picture) for picture in pictures if picture],
        groups=list(_make_group_tables(scores)),
        filters=_make_filters(cards),
        number=format_number,
        seconds=format_seconds,
        cards=cards,
    )


def _shorten(picture: LinePicture) -> LinePicture:
    """A picture whose lines have few points, for a page of a limited size."""
    lines = (replace(line, points=thin_out(line.points, MOST_POINTS)) for line in picture.lines)
    return replace(picture, lines=tuple(lines))


def _make_group_tables(scores: Sequence[MomentRunScores]) -> Iterator[MomentGroupTable]:
    """A table for each grouping that every run has."""
    for by in MOMENT_GROUPINGS:
        if not all(by in run.breakdowns for run in scores):
            continue
        of_runs = [{group.group: group for group in run.breakdowns[by]} for run in scores]
        known = {name for groups in of_runs for name in groups}
        names: list[str | None] = sorted(known, key=natural_order)
        if by == "kind":
            names = [kind for kind in MOMENT_KINDS if kind in known]
        elif by == "condition":
            # only a false routine lacks a condition
            names = [name for name in names if name is not None]
        yield MomentGroupTable(
            by=by,
            rows=tuple((name, tuple(groups.get(name) for groups in of_runs)) for name in names),
        )


def _make_filters(cards: Sequence[MomentCard]) -> list[Filter]:
    """The filters of the moments."""
    users = sorted({card.target.user_id for card in cards}, key=natural_order)
    kinds = [kind for kind in MOMENT_KINDS if any(card.target.kind == kind for card in cards)]
    found = {reply.outcome for card in cards for reply in card.replies}
    outcomes = [outcome for outcome in OUTCOMES if outcome in found]
    return [
        ("user", "report.all_users", [(user, "report.user", user) for user in users]),
        ("kind", "moments.all_kinds", [(kind, f"moment_kind.{kind}", "") for kind in kinds]),
        ("outcome", "moments.any_outcome", [(one, f"moment_outcome.{one}", "") for one in outcomes]),
    ]


def _make_cards(scores: Sequence[MomentRunScores]) -> Iterator[MomentCard]:
    """A card for each moment that any run has answered, by person and time."""
    replies: dict[str, list[MomentReply]] = {}
    targets: dict[str, TaskTarget] = {}
    for number, run in enumerate(scores):
        lines = zip(read_predictions(run.folder), run.targets, run.result.per_item, strict=True)
        for line, target, item in lines:
            offer = line.offer
            targets[target.task_id] = target
            replies.setdefault(target.task_id, []).append(
                MomentReply(
                    run=number,
                    offer=offer if len(offer) <= LONGEST_SHOWN else f"{offer[:LONGEST_SHOWN]}…",
                    confidence="" if item.confidence is None else f"{item.confidence:.2f}",
                    outcome=item.outcome,
                )
            )
    facts = _read_facts(scores[0])
    for task_id in sorted(targets, key=lambda one: (natural_order(one.partition("__")[0]), one)):
        place, condition = facts.get(task_id, ("", ""))
        yield MomentCard(
            target=targets[task_id], place=place, condition=condition, replies=tuple(replies[task_id])
        )


def _read_facts(run: MomentRunScores) -> Mapping[str, tuple[str, str]]:
    """Moment id -> (place, missing condition); empty if the run's dataset is gone."""
    try:
        built = open_moments(run.record.dataset)
        return {
            row["episode_id"]: (row["scenario"] or "", row["condition"] or "")
            for row in built.rows(run.record.split, columns=("episode_id", "scenario", "condition"))
        }
    except (DatasetError, UsageError):
        return {}
