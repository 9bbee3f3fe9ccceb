"""Acceptance of suggestions by people who do not see the target: yes or no, and a score from 1 to 5.

acceptance.jsonl in the run's folder has one line per judgement. A rater's latest judgement of a suggestion
counts. It belongs to the task and to the suggestion's text, so a run that is made again keeps those whose
text is the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from pydantic import Field, StrictBool

from fingertip_dataset.frozen_model import FrozenModel
from fingertip_dataset.tasks.task import TaskTarget
from fingertip_metrics.aggregate import Interval
from fingertip_metrics.agreement import PairAgreement, agreements
from fingertip_runs.annotation import LabelFile, label_reader
from fingertip_runs.score_summary import share_interval, user_interval

ACCEPTANCE = "acceptance.jsonl"
"""In the folder of each run whose suggestions were judged; no bundle contains it."""


class AcceptanceLabel(FrozenModel):
    """The judgement of a suggestion by a rater.

    Attributes:
        task_id: The episode id.
        predicted: The suggestion, as the rater saw it.
        rater: Name of the person.
        rater_user_id: The user of the dataset that the rater is; None for anybody else.
        accepted: Whether the rater would accept the suggestion in this situation.
        score: How well it fits, 1 (not at all) to 5 (just what is wanted).
        why: The rater's reason; "" without one.
        seconds: Seconds for which the suggestion was in view; None if not known.
        at: When, in ISO 8601 with its zone.
    """

    version: int = Field(default=1, ge=1, le=1)
    task_id: str
    predicted: str
    rater: str = Field(min_length=1)
    rater_user_id: str | None = None
    accepted: StrictBool
    score: int = Field(ge=1, le=5)
    why: str = ""
    seconds: float | None = Field(default=None, ge=0)
    at: str


ACCEPTANCE_FILE = LabelFile(ACCEPTANCE, label_reader(AcceptanceLabel))


@dataclass(frozen=True, slots=True, kw_only=True)
class Acceptance:
    """Acceptance of a run's suggestions.

    Attributes:
        accepted: Share of all tasks whose suggestion was accepted, with its interval over users. A task's
            value is the share of its raters who accept; an empty answer, and one that nobody has judged,
            count as not accepted.
        best: The share if every suggestion without a judgement were accepted, 0-1.
        score: Mean score of the judged suggestions, 1-5, with its interval over users; None without one.
        judged: Number of tasks with a judgement.
        unjudged: Number of tasks with a suggestion that nobody has judged.
        raters: Number of people who judged.
        by_user: Number of tasks that the task's own user has judged.
        agreements: Agreement of each pair of raters on yes and no.
    """

    accepted: Interval
    best: float
    score: Interval | None
    judged: int
    unjudged: int
    raters: int
    by_user: int
    agreements: tuple[PairAgreement, ...]


def read_acceptance(run: Path) -> tuple[AcceptanceLabel, ...]:
    """The judgements of a run that count: of each rater the latest one of a suggestion.

    Raises:
        RunError: The file cannot be read, or a line is broken.
    """
    return latest_judgements(ACCEPTANCE_FILE.read(run))


def latest_judgements(lines: Iterable[AcceptanceLabel]) -> tuple[AcceptanceLabel, ...]:
    """The last judgement of each rater of each suggestion."""
    return tuple({(line.task_id, line.predicted, line.rater): line for line in lines}.values())


def acceptance_of(
    labels: Sequence[AcceptanceLabel], targets: Sequence[TaskTarget], texts: Sequence[str]
) -> Acceptance | None:
    """Acceptance of a run's suggestions; None if nobody has judged any of them.

    Args:
        labels: From `read_acceptance`.
        targets: Target of each task; only its id and user are used.
        texts: The suggestion of each task, as the agent gave it.
    """
    of_suggestion: dict[tuple[str, str], list[AcceptanceLabel]] = {}
    for label in labels:
        of_suggestion.setdefault((label.task_id, label.predicted), []).append(label)
    given = [
        of_suggestion.get((target.task_id, text), []) for target, text in zip(targets, texts, strict=True)
    ]
    if not any(given):
        return None
    users = [target.user_id for target in targets]
    shares = [fmean(one.accepted for one in of_task) if of_task else 0.0 for of_task in given]
    scores = [fmean(one.score for one in of_task) if of_task else None for of_task in given]
    unjudged = sum(not of_task and bool(text.strip()) for of_task, text in zip(given, texts, strict=True))
    return Acceptance(
        accepted=share_interval(shares, users),
        best=(sum(shares) + unjudged) / len(shares),
        score=user_interval(scores, users),
        judged=sum(map(bool, given)),
        unjudged=unjudged,
        raters=len({one.rater for of_task in given for one in of_task}),
        by_user=sum(
            any(one.rater_user_id == user for one in of_task)
            for of_task, user in zip(given, users, strict=True)
        ),
        agreements=_measure_agreements(given),
    )


def acceptance_dict(found: Acceptance) -> dict[str, Any]:
    """The acceptance as in scores.json; raters are not named."""
    content = asdict(found)
    for pair in content["agreements"]:
        del pair["one"], pair["other"]
    return content


def acceptance_notes(found: Acceptance) -> list[str]:
    """Notes under the table, one sentence each, without a full stop."""
    people = "1 person" if found.raters == 1 else f"{found.raters:,} people"
    by_user = f"{found.by_user:,} by the task's own user" if found.by_user else "none by the task's own user"
    lines = [
        f"Accepted: {people} judged {found.judged:,} suggestions without seeing what the user wanted "
        f"({by_user}); an empty "
        "answer counts as not accepted"
    ]
    if found.score is not None:
        low, high = found.score.low, found.score.high
        interval = found.score.short_reason if low is None or high is None else f"{low:.2f}, {high:.2f}"
        lines.append(f"Mean score of the judged suggestions: {found.score.mean:.2f} of 5 [{interval}]")
    if found.unjudged:
        lines.append(
            f"{found.unjudged:,} suggestions were judged by nobody: they count as not accepted; "
            f"{100 * found.best:.1f} % are accepted at best"
        )
    if found.agreements:
        lines.append(_describe_agreement(found.agreements))
    return lines


def _measure_agreements(given: Sequence[Sequence[AcceptanceLabel]]) -> tuple[PairAgreement, ...]:
    answers: dict[str, dict[int, bool | None]] = {}
    for number, of_task in enumerate(given):
        for one in of_task:
            answers.setdefault(one.rater, {})[number] = one.accepted
    return agreements(answers)


def _describe_agreement(pairs: Sequence[PairAgreement]) -> str:
    known = [pair.kappa for pair in pairs if pair.kappa is not None]
    same = sum(one.agreement * one.n for one in known) / sum(one.n for one in known)
    kappas = sorted(one.kappa for one in known if one.kappa is not None)
    if not kappas:
        words = "kappa undefined"
    elif len(kappas) == 1:
        words = f"kappa {kappas[0]:.2f}"
    else:
        words = f"kappa {kappas[0]:.2f} to {kappas[-1]:.2f} by pair"
    return f"Two raters of a suggestion accept or reject alike in {100 * same:.0f} % of the cases ({words})"
