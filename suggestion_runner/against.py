"""Differences between two scored runs of track 1 on the tasks that both have, with intervals over users."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from fingertip_dataset.errors import UsageError
from fingertip_metrics.aggregate import Interval, paired_difference
from fingertip_metrics.judges.simulated_judge import SimulatedJudge, same_goal
from fingertip_runs.repeat_scores import average_values
from fingertip_runs.try_names import describe_tries
from suggestion_runner.judged_run import done_value
from suggestion_runner.scoring import PARTS, SuggestionRunScores

LABELS = {"sim1": "Sim_1", "cosine": "cosine", "levenshtein": "text", "sr1": "SR_1 %", "same_goal": "goal %"}
"""Name of a score -> its name in a line."""


def differences(run: SuggestionRunScores, other: SuggestionRunScores) -> Mapping[str, Interval]:
    """Mean difference of each score of two runs of one try each; see `differences_of_tries`."""
    return differences_of_tries([run], [other])


def differences_of_tries(
    tries: Sequence[SuggestionRunScores], others: Sequence[SuggestionRunScores]
) -> Mapping[str, Interval]:
    """Mean difference of each score, `tries` minus `others`, over the tasks that all of them have.

    The tries of a task are averaged first, so that a task counts once.

    Args:
        tries: Scores of the tries of a run, at least one.
        others: Scores of the tries of the run that it is compared with, by the same embedder, protocol and
            judge.

    Returns:
        Name from `LABELS` -> mean difference with its interval over users; SR_1 if both runs are judged, the
        share of equal goals by the judge of simulated data.

    Raises:
        UsageError: The runs are on different data, or have no task in common.
    """
    run, other = tries[0], others[0]
    if run.record.dataset.data_sha256 != other.record.dataset.data_sha256:
        raise UsageError(
            f"a paired difference needs runs on the same dataset: {other.folder} is on another",
            file=run.folder,
        )
    ours, theirs = (average_values([task_values(one) for one in of_run]) for of_run in (tries, others))
    both = sorted(set(ours["sim1"]) & set(theirs["sim1"]))
    if not both:
        raise UsageError(f"the run has no task in common with {other.folder}", file=run.folder)
    users = [task_id.partition("__")[0] for task_id in both]
    return {
        name: paired_difference(
            [ours[name][task_id] for task_id in both], [theirs[name][task_id] for task_id in both], users
        )
        for name in LABELS
        if name in ours and name in theirs
    }


def difference_lines(
    runs: Sequence[Sequence[SuggestionRunScores]], others: Sequence[SuggestionRunScores]
) -> Iterator[str]:
    """Write a line per run with its differences to the other; raises the errors of `differences_of_tries`.

    Args:
        runs: Scores of the tries of each run.
        others: Scores of the tries of the run that they are compared with.
    """
    for tries in runs:
        found = differences_of_tries(tries, others)
        n = next(iter(found.values()))
        parts = ", ".join(
            f"{LABELS[name]} {_format_difference(name, interval)}" for name, interval in found.items()
        )
        ours, theirs = (describe_tries(one[0].folder, len(one)) for one in (tries, others))
        names = f"{ours} minus {theirs}"
        yield f"{names}, {n.n:,} tasks of {n.clusters:,} users: {parts}."


def task_values(scores: SuggestionRunScores) -> dict[str, dict[str, float]]:
    """Values of each task: name from `LABELS` -> task id -> value, 0 to 1."""
    found = {
        part: dict(
            zip(scores.task_ids, (getattr(item, part) for item in scores.result.per_item), strict=True)
        )
        for part in PARTS
    }
    if scores.sr1 is not None:
        items = list(zip(scores.task_ids, scores.sr1.per_item, strict=True))
        found["sr1"] = {task_id: done_value(item.state) for task_id, item in items}
        if scores.sr1.judge_settings.get("kind") == SimulatedJudge.kind:
            found["same_goal"] = {task_id: float(same_goal(item.reason)) for task_id, item in items}
    return found


def _format_difference(name: str, interval: Interval) -> str:
    factor, digits = (100, 1) if LABELS[name].endswith("%") else (1, 3)
    mean = f"{factor * interval.mean:+.{digits}f}"
    if interval.low is None or interval.high is None:
        return f"{mean} ({interval.short_reason})"
    return f"{mean} [{factor * interval.low:+.{digits}f}, {factor * interval.high:+.{digits}f}]"
