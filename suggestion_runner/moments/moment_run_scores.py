"""Scores of a run of moments as a record: the content of its scores.json, and values for repeated runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from fingertip_dataset.tasks.task import TaskTarget
from fingertip_metrics.aggregate import GroupMean, by_group
from fingertip_metrics.conventions import get_protocol
from fingertip_metrics.moment_ceiling import MomentCeiling
from fingertip_metrics.moment_columns import MOMENT_SCORES
from fingertip_metrics.moment_scores import MomentScores
from fingertip_runs.run_folder import SCORES, write_json
from fingertip_runs.score_summary import (
    bootstrap_settings,
    scoring_source,
    share_interval,
    user_interval,
)
from fingertip_runs.usage import Usage
from suggestion_runner.judged_run import JudgedRun, dump_judged
from suggestion_runner.month.month_scores import MonthScores, month_dict
from suggestion_runner.outputs import Outputs
from suggestion_runner.per_query import PerQuery
from suggestion_runner.remembered import read_run_memory
from suggestion_runner.scoring import EMBEDDER_PACKAGES
from suggestion_runner.suggestion_records import FAILED, SuggestionRun

MOMENT_SCORES_VERSION = 1
"""Version of the scores.json of a run of moments."""

RIGHT = "right"
"""Score of a moment in repeated runs: 1 for a hit, and for silence where nothing is wanted; else 0."""

OF_RIGHT = "Right: share of the moments with the right offer, or with silence where nothing is wanted."
"""Note below the scores of repeated runs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MomentGroup:
    """Scores of a group of moments.

    Attributes:
        group: Name of the group; None for the moments whose group is unknown.
        n: Number of moments.
        false_triggers: Share of offers among its moments without an intent; its mean is None without any.
        missed: Share of silence among its moments with an intent; its mean is None without any.
        utility: Mean utility; None if hits are not known.
    """

    group: str | None
    n: int
    false_triggers: GroupMean
    missed: GroupMean
    utility: GroupMean | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MomentRunScores:
    """Scores of a run of moments: the content of its scores.json.

    Attributes:
        folder: Folder of the run.
        record: Its run.json.
        predictions_sha256: SHA-256 of the scored predictions.jsonl.
        result: The scores, with intervals over people.
        judged: The judge's verdicts on the offers where something is wanted; None without a judge or offer.
        judge: Name of the judge; None without one.
        embedder: Name of the embedder of Sim_1; None without one.
        ceiling: Scores of the best decision by the generator's odds; None if they are not known.
        why_no_ceiling: Why there is no ceiling, in words; else None.
        breakdowns: Name of `MOMENT_GROUPINGS` -> scores of each group.
        why_no_facts: Why the groupings of the dataset are missing, in words; else None.
        usage: Seconds, queries and tokens.
        per_query: Seconds and tokens per query.
        caveats: Why no score is comparable with the paper's, and which moments are scored.
        task_ids: Ids of the moments, in the order of the results.
        targets: Targets of the moments, in the same order.
        outputs: Counts of the kinds of model output.
        unread: Number of answers of a model that could not be read; they count as silence.
        without_history: Number of moments that showed no earlier intent, though the run shows them.
        same_answers: Warning that (nearly) all offers are the same; "" for none.
        month: Scores of a run through people's months; None for another run, or without its dataset.
    """

    folder: Path
    record: SuggestionRun
    predictions_sha256: str
    result: MomentScores
    judged: JudgedRun | None
    judge: str | None
    embedder: str | None
    ceiling: MomentCeiling | None
    why_no_ceiling: str | None
    breakdowns: Mapping[str, tuple[MomentGroup, ...]]
    why_no_facts: str | None
    usage: Usage
    per_query: PerQuery
    caveats: tuple[str, ...]
    task_ids: tuple[str, ...]
    targets: tuple[TaskTarget, ...]
    outputs: Outputs
    unread: int
    without_history: int
    same_answers: str
    month: MonthScores | None = None

    @property
    def partial(self) -> bool:
        """Whether some moments of the run have no prediction yet."""
        return self.result.n < self.record.tasks

    @property
    def failed(self) -> int:
        """Number of moments whose query failed; they count as silence."""
        return self.outputs.outcomes.get(FAILED, 0)


def break_down(
    result: MomentScores, groups: Sequence[str | None], users: Sequence[str]
) -> tuple[MomentGroup, ...]:
    """Compute the scores of each group of moments.

    Args:
        result: Scores of the moments.
        groups: Group of each moment.
        users: Person of each moment.
    """
    rates = [
        by_group(result.values[name], groups, users=users, interval=share_interval)
        for name in ("false_trigger_rate", "missed_rate")
    ]
    utilities: Sequence[GroupMean | None] = [None] * len(rates[0])
    if "utility" in result.values:
        utilities = by_group(result.values["utility"], groups, users=users, interval=user_interval)
    return tuple(
        MomentGroup(
            group=false.group,
            n=false.n + false.undefined,
            false_triggers=false,
            missed=missed,
            utility=utility,
        )
        for false, missed, utility in zip(*rates, utilities, strict=True)
    )


def list_moment_values(scores: MomentRunScores) -> dict[str, dict[str, float | None]]:
    """Name of a score -> moment id -> its value, None where the moment does not count; for repeated runs.

    Args:
        scores: Scores of a run.
    """
    found: dict[str, dict[str, float | None]] = {}
    if scores.judge is not None:
        right = [float(item.outcome in ("hit", "silent")) for item in scores.result.per_item]
        found[RIGHT] = dict(zip(scores.task_ids, right, strict=True))
    for name, column in scores.result.values.items():
        found[name] = dict(zip(scores.task_ids, column, strict=True))
    return found


def write_moment_scores(scores: MomentRunScores) -> Path:
    """Write RUN/scores.json: the scores, everything they depend on, and the outcome of each moment.

    Raises:
        RunError: The file cannot be written.
    """
    file = scores.folder / SCORES
    write_json(file, moment_scores_dict(scores))
    return file


def moment_scores_dict(scores: MomentRunScores) -> dict[str, Any]:
    """The scores in the form of scores.json."""
    result, judged = scores.result, scores.judged
    use = read_run_memory(scores.folder, scores.record)
    row = result.to_dict(per_item=True)
    intervals, items = row.pop("intervals"), row.pop("per_item")
    kept = {
        name: row[name] for name in row if name not in (*MOMENT_SCORES, "comparable", "why_not_comparable")
    }
    near = result.near
    return {
        "version": MOMENT_SCORES_VERSION,
        "metric": "fingertip_moments",
        "comparable": False,
        "why_not_comparable": list(scores.caveats),
        "partial": scores.partial,
        "tasks": scores.record.tasks,
        **{name: intervals[name] for name in MOMENT_SCORES},
        **kept,
        "judge": scores.judge,
        "embedder": scores.embedder,
        **({"same_answers": scores.same_answers} if scores.same_answers else {}),
        "failed": scores.failed,
        "unread": scores.unread,
        **({"judged": dump_judged(judged)} if judged else {}),
        "ceiling": scores.ceiling.to_dict() if scores.ceiling else None,
        "why_no_ceiling": scores.why_no_ceiling,
        "per_query": asdict(scores.per_query),
        "prompt_tokens": scores.usage.prompt_tokens,
        "completion_tokens": scores.usage.completion_tokens,
        **({"outputs": asdict(scores.outputs)} if scores.outputs.calls else {}),
        **({"memory": use.to_json(scores.record.prices)} if use else {}),
        "depends_on": {
            "run": scores.record.model_dump(mode="json"),
            "predictions_sha256": scores.predictions_sha256,
            "embedder": scores.embedder,
            **(
                {"embedder_settings": dict(near.embedder_settings)} if near and near.embedder_settings else {}
            ),
            **({"judge": dict(judged.result.judge_settings)} if judged else {}),
            **({"protocol": asdict(get_protocol(near.protocol))} if near else {}),
            "bootstrap": bootstrap_settings(),
            "source": scoring_source(EMBEDDER_PACKAGES),
        },
        **({"month": month_dict(scores.month)} if scores.month else {}),
        "by": {name: [asdict(group) for group in groups] for name, groups in scores.breakdowns.items()},
        "why_no_facts": scores.why_no_facts,
        "per_item": [
            {"task_id": target.task_id, "kind": target.kind, **item}
            for target, item in zip(scores.targets, items, strict=True)
        ],
    }
