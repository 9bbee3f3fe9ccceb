"""Scores of a repeated run: the tries of each task averaged, pass@k and pass^k, and intervals over both."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from fingertip_dataset.errors import RunError
from fingertip_metrics.aggregate import Interval
from fingertip_metrics.several_tries import PassRates, average_tries, pass_rates
from fingertip_runs.score_summary import BOOTSTRAP_SEED, CONFIDENCE, RESAMPLES

REPEAT_SCORES_VERSION = 1
"""Version of scores.json in the folder of a repeated run."""

TaskValues = Mapping[str, Mapping[str, float | None]]
"""Name of a score -> task id -> its value in one try; None where it is undefined."""

ALIKE = (
    "all tries have the same answers at a temperature above 0: the server takes no seed, and one answer "
    "counts as several tries"
)
"""Warning about tries that are not independent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RepeatScores:
    """Scores of a repeated run.

    Attributes:
        folder: Folder of the repeated run.
        tries: Number of tries.
        seeds: Seed of each try.
        tasks: Number of tasks in the means.
        success: Name of the score that says whether a try succeeded: "sr1" or "sr2".
        means: Name of a score -> mean over tries, then over tasks; None if it is undefined for all.
        rates: pass@k and pass^k; None without `success`.
        alike: Whether all tries of a model at a temperature above 0 have the same answers.
    """

    folder: Path
    tries: int
    seeds: tuple[int, ...]
    tasks: int
    success: str
    means: Mapping[str, Interval | None]
    rates: PassRates | None
    alike: bool = False


def score_tries(
    folder: Path,
    tries: Sequence[TaskValues],
    *,
    seeds: Sequence[int],
    success: str,
    shares: Collection[str] = (),
    partial: bool = False,
    alike: bool = False,
) -> RepeatScores:
    """Scores of a repeated run from the values of its tries.

    Args:
        folder: Folder of the repeated run, for messages.
        tries: Values of each try; every score of a try has all tasks of that try.
        seeds: Seed of each try.
        success: Name of the score, 0 or 1, that says whether a try succeeded; it may be missing.
        shares: Names of further scores that are shares.
        partial: Whether tasks that a try lacks are left out; else they are an error.
        alike: As in `RepeatScores`.

    Raises:
        RunError: A try lacks tasks that another one has, or no task is in every try.
    """
    task_ids = _list_common_tasks(folder, tries, partial=partial)
    users = [task_id.partition("__")[0] for task_id in task_ids]
    names = [name for name in tries[0] if all(name in one for one in tries)]
    means: dict[str, Interval | None] = {}
    for name in names:
        values = [[one[name].get(task_id) for one in tries] for task_id in task_ids]
        defined = any(value is not None for of_task in values for value in of_task)
        share = name == success or name in shares
        means[name] = average_tries(values, users, share=share, **_BOOTSTRAP) if defined else None
    rates = None
    if means.get(success) is not None:
        done = [[bool(one[success][task_id]) for one in tries] for task_id in task_ids]
        rates = pass_rates(done, users, **_BOOTSTRAP)
    return RepeatScores(
        folder=folder,
        tries=len(tries),
        seeds=tuple(seeds),
        tasks=len(task_ids),
        success=success,
        means=means,
        rates=rates,
        alike=alike,
    )


_BOOTSTRAP: Mapping[str, Any] = {"seed": BOOTSTRAP_SEED, "resamples": RESAMPLES, "confidence": CONFIDENCE}


def average_values(tries: Sequence[TaskValues]) -> dict[str, dict[str, float]]:
    """Values of each task averaged over its tries, of the tasks that every try has; undefined ones left out.

    >>> average_values([{"sim1": {"5__a": 0.2, "5__b": 1.0}}, {"sim1": {"5__a": 0.4, "5__b": None}}])
    {'sim1': {'5__a': 0.30000000000000004, '5__b': 1.0}}
    """
    found: dict[str, dict[str, float]] = {}
    for name, first in tries[0].items():
        if not all(name in one for one in tries):
            continue
        of_tasks: dict[str, float] = {}
        for task_id in first:
            if all(task_id in one[name] for one in tries):
                known = [value for one in tries if (value := one[name][task_id]) is not None]
                of_tasks |= {task_id: sum(known) / len(known)} if known else {}
        found[name] = of_tasks
    return found


def repeats_dict(scores: RepeatScores) -> dict[str, Any]:
    """The scores in the form of scores.json in the folder of a repeated run."""
    rates = scores.rates
    return {
        "version": REPEAT_SCORES_VERSION,
        "repeats": scores.tries,
        "seeds": list(scores.seeds),
        "n": scores.tasks,
        "success": scores.success,
        "means": {name: asdict(one) if one else None for name, one in scores.means.items()},
        "pass_at": [asdict(one) for one in rates.at_least_one] if rates else None,
        "pass_hat": [asdict(one) for one in rates.every] if rates else None,
        "tries_alike": scores.alike,
        "bootstrap": {
            "clusters": "users, and tries within each task",
            "seed": BOOTSTRAP_SEED,
            "resamples": RESAMPLES,
            "confidence": CONFIDENCE,
        },
    }


def _list_common_tasks(folder: Path, tries: Sequence[TaskValues], *, partial: bool) -> list[str]:
    """Ids of the tasks that every try has, in the order of the first try."""
    of_tries = [next(iter(one.values())) for one in tries]
    every = dict.fromkeys(task_id for ids in of_tries for task_id in ids)
    common = [task_id for task_id in every if all(task_id in ids for ids in of_tries)]
    if len(common) < len(every) and not partial:
        number, lacks = max(
            ((number, len(every) - len(ids)) for number, ids in enumerate(of_tries, start=1)),
            key=lambda one: one[1],
        )
        raise RunError(
            f"try {number} lacks {lacks:,} of the {len(every):,} tasks of the others: the same call goes on "
            "with it, --partial scores the tasks of all tries",
            file=folder,
        )
    if not common:
        raise RunError("no task is finished in every try: the same call goes on with the tries", file=folder)
    return common
