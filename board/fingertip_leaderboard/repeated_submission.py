"""Build the board's view of a verified bundle with several tries: means over tries, and pass^k."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from execution_runner.scoring.run_scores import ExecutionRunScores as ExecutionScores
from fingertip_leaderboard.score_columns import EVERY, SHARES
from fingertip_leaderboard.submission import (
    SubmissionOrigin,
    list_own_groups,
    list_values,
    make_execution_submission,
    make_moment_submission,
    make_score,
    make_scores,
    make_suggestion_submission,
)
from fingertip_leaderboard.task_groups import Groups
from fingertip_leaderboard.verified_records import Score, Submission
from fingertip_leaderboard.verify.check_outcome import AnyScores
from fingertip_metrics.aggregate import Interval
from fingertip_runs.repeat_scores import average_values, score_tries
from suggestion_runner.moments.moment_run_scores import RIGHT, MomentRunScores


def make_submission(origin: SubmissionOrigin, tries: Sequence[AnyScores]) -> Submission:
    """Build the submission of a bundle from the recomputed scores of its tries, of which most have one.

    The values of a task are the means of its tries, also where submissions are compared task by task.
    """
    submissions = [_make_one(origin, scores) for scores in tries]
    return submissions[0] if len(tries) == 1 else _join(origin, tries, submissions)


def _list_tasks(scores: AnyScores) -> tuple[list[str], Groups]:
    """Ids of the tasks, and on track 2 the groupings that the scores know."""
    if isinstance(scores, ExecutionScores):
        return [task.task_id for task in scores.tasks], list_own_groups(scores)
    return list(scores.task_ids), {}


def _make_one(origin: SubmissionOrigin, scores: AnyScores) -> Submission:
    if isinstance(scores, ExecutionScores):
        return make_execution_submission(origin, scores)
    if isinstance(scores, MomentRunScores):
        return make_moment_submission(origin, scores)
    return make_suggestion_submission(origin, scores, scores.sr1)


def _join(
    origin: SubmissionOrigin, tries: Sequence[AnyScores], submissions: Sequence[Submission]
) -> Submission:
    first, scores = submissions[0], tries[0]
    values, best = zip(*map(list_values, tries), strict=True)
    success = _name_success(scores)
    # nothing is carried out on recorded episodes, so that no task has a success
    defined = [{name: of_tasks for name, of_tasks in one.items() if of_tasks} for one in values]
    together = score_tries(scores.folder, defined, seeds=(), success=success, shares=SHARES)
    task_ids, groups = _list_tasks(scores)
    made = make_scores(origin, average_values(values), average_values(best), task_ids, groups)
    made["scores"] |= {
        name: _add_interval(made["scores"][name], interval)
        for name, interval in together.means.items()
        if interval is not None and name in made["scores"]
    }
    # scores that are no means over tasks
    made["scores"] |= {
        name: _average_score([one.scores[name] for one in submissions])
        for name in first.scores.keys() - made["scores"].keys()
    }
    evidence = dict(first.evidence)
    if together.rates is not None:
        made["scores"][f"{success}{EVERY}"] = make_score(together.rates.every[-1])
        evidence[f"{success}{EVERY}"] = first.evidence["utility" if success == RIGHT else success]
    return first.model_copy(
        update={
            **made,
            "evidence": evidence,
            "repeats": len(tries),
            "seconds": _average([one.seconds for one in submissions]),
            "tokens": _average([one.tokens for one in submissions]),
            "cost": _average([one.cost for one in submissions]),
            "counts": _add_counts([one.counts for one in submissions]),
            "caveats": tuple(dict.fromkeys(line for one in submissions for line in one.caveats)),
            "remarks": tuple(dict.fromkeys(line for one in submissions for line in one.remarks)),
        }
    )


def _name_success(scores: AnyScores) -> str:
    """Name of the score that says whether a try of a task succeeded."""
    if isinstance(scores, MomentRunScores):
        return RIGHT
    return "sr2" if isinstance(scores, ExecutionScores) else "sr1"


def _average_score(tries: Sequence[Score]) -> Score:
    """The mean of a score that has no value for a task, without an interval."""
    ends: dict[str, Any] = {"mean": _average([one.mean for one in tries]), "low": None, "high": None}
    return tries[0].model_copy(update=ends)


def _add_interval(score: Score, interval: Interval) -> Score:
    """The score with the mean and the interval over users and tries."""
    ends: dict[str, Any] = {"mean": interval.mean, "low": interval.low, "high": interval.high}
    return score.model_copy(update=ends)


def _average(numbers: Sequence[float | None]) -> float | None:
    """The mean; None if a number is unknown."""
    known = [number for number in numbers if number is not None]
    return fmean(known) if len(known) == len(numbers) else None


def _add_counts(counts: Sequence[Mapping[str, int]]) -> dict[str, int]:
    """The sums over all tries; the greatest number of attempts stays one."""
    names = dict.fromkeys(name for one in counts for name in one)
    return {
        name: max(found) if name.startswith("most ") else sum(found)
        for name in names
        for found in [[one.get(name, 0) for one in counts]]
    }
