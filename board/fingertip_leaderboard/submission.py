"""Build the board's view of a verified bundle: scores with intervals, breakdowns and per-task values.

All means are over all tasks of the run: a task without a verdict or a decision counts as not done, in the
paired comparisons too. A value is missing only for tasks outside a human sample, for the step ratio of a task
that is not done, and where the dataset gives nothing to divide by (Sim_2 by protocol paper).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from statistics import fmean
from typing import Any

from execution_runner.execution_records import ExecutionRun
from execution_runner.scoring.breakdowns import MEANS
from execution_runner.scoring.execution_published import as_the_paper
from execution_runner.scoring.execution_published import setting_of as execution_setting
from execution_runner.scoring.run_scores import ExecutionRunScores as ExecutionScores
from execution_runner.scoring.success import done_value as done_on_phone
from execution_runner.scoring.task_scores import TaskScore
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_leaderboard.bundle.claims import OF_OFFERS
from fingertip_leaderboard.bundle.schema import Bundle
from fingertip_leaderboard.evidence import Evidence, evidence_of
from fingertip_leaderboard.score_columns import COLUMNS, SHARES, TESTED, TITLES
from fingertip_leaderboard.task_groups import Groups, TaskGroups
from fingertip_leaderboard.task_lists import find_task_list, list_tests
from fingertip_leaderboard.verified_records import (
    KNOWN_FROM,
    Benchmark,
    Conditions,
    GroupRow,
    Score,
    ScoreKind,
    ShownSetting,
    Submission,
)
from fingertip_leaderboard.verify.check_outcome import AnyScores
from fingertip_leaderboard.verify.checks.samples import find_language
from fingertip_metrics.aggregate import Interval, natural_order
from fingertip_metrics.difficulty import DIFFICULTIES
from fingertip_metrics.moment_columns import MOMENT_SCORES
from fingertip_metrics.published_beside import RunSetting, describe_task_view
from fingertip_metrics.sr1_score import Sr1
from fingertip_models.prices import Prices
from fingertip_runs.benchmark_versions import is_outdated
from fingertip_runs.device_kinds import DEVICE_KINDS
from fingertip_runs.instructed_tasks import SAID
from fingertip_runs.score_summary import user_interval
from fingertip_runs.usage import Usage
from suggestion_runner.judged_run import done_value
from suggestion_runner.moments.moment_run_scores import MomentRunScores, list_moment_values
from suggestion_runner.scoring import PARTS
from suggestion_runner.scoring import SuggestionRunScores as SuggestionScores
from suggestion_runner.suggestion_published import setting_of as suggestion_setting
from suggestion_runner.suggestion_records import FAILED, SuggestionRun

CEILING_DIGITS = 6

Values = Mapping[str, Mapping[str, float | None]]
"""Name of a score -> task id -> its value; None where undefined."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionOrigin:
    """Source of a submission: its bundle, and the dataset that it was verified on."""

    bundle: Bundle
    sha256: str
    file: str
    groups: TaskGroups
    benchmark: Benchmark
    built: BuiltDataset


def describe_benchmark(built: BuiltDataset) -> Benchmark:
    """The dataset's name, sha256 and the task ids of its tests."""
    return Benchmark(
        data_sha256=built.manifest.data_sha256,
        name=built.path.resolve().name,
        task_ids={
            tasks: tuple(row["episode_id"] for row in built.rows(split, columns=("episode_id",)))
            for tasks, split in list_tests(built).items()
        },
    )


def make_moment_submission(origin: SubmissionOrigin, scores: MomentRunScores) -> Submission:
    """Build a submission of moments.

    Args:
        origin: Source of the submission.
        scores: Recomputed scores.
    """
    run, result = scores.record, scores.result
    values, _ = list_values(scores)
    names = {OF_OFFERS.get(name, name): name for name in MOMENT_SCORES}
    evidence = evidence_of(origin.bundle, names)
    setting = suggestion_setting(run, papers_test=False)
    made = make_scores(origin, values, {}, scores.task_ids, {})
    # scores that are no means have no values of moments, only an interval of their own
    for name, of_moments in names.items():
        interval = result.intervals.get(of_moments)
        made["scores"][name] = _make_undefined(result.n) if interval is None else make_score(interval)
    counts = {
        "offers": result.spoken,
        "hits": result.hits or 0,
        "false triggers": result.false_triggers,
        "missed": result.missed,
        "unread": scores.unread,
        "query failed": scores.failed,
        "without a confidence": result.without_confidence,
    }
    return Submission(
        **_head(origin),
        conditions=(
            _make_conditions(
                run,
                "moments",
                setting=setting,
                protocol=origin.bundle.scores.protocol,
                decided_by=scores.judge or "nobody",
                comparable=False,
                people=find_language(run, origin.built) or "",
                evidence=evidence["utility"],
                ceiling=scores.ceiling.scores["utility"] if scores.ceiling else None,
            ),
        ),
        told=describe_task_view(asdict(setting), "suggestion"),
        **made,
        evidence=evidence,
        seconds=scores.per_query.seconds,
        tokens=scores.usage.tokens_per(result.n),
        **_cost(run.prices, scores.usage, result.n),
        counts={name: count for name, count in counts.items() if count},
        caveats=scores.caveats,
        remarks=(),
    )


def _make_undefined(tasks: int) -> Score:
    return Score(mean=None, low=None, high=None, n=0, undefined=tasks, users=0)


def _list_moment_values(scores: MomentRunScores) -> dict[str, dict[str, float | None]]:
    """Name of a score on the board -> moment id -> its value; also `RIGHT`, the success of repeated runs."""
    return {OF_OFFERS.get(name, name): of_task for name, of_task in list_moment_values(scores).items()}


def make_suggestion_submission(
    origin: SubmissionOrigin, scores: SuggestionScores, judged: Sr1 | None
) -> Submission:
    """Build a submission of track 1.

    Args:
        origin: Source of the submission.
        scores: Recomputed scores.
        judged: SR_1 by the bundle's verdicts; None without a judge.
    """
    run, result = scores.record, scores.result
    values, best = list_values(scores)
    setting = suggestion_setting(run, papers_test=scores.on_papers_test)
    conditions = partial(
        _make_conditions, run, setting=setting, protocol=result.protocol, answers=scores.answers,
        people=find_language(run, origin.built) or "",
    )  # fmt: skip
    raw = scores.answers == "raw"
    evidence = evidence_of(origin.bundle, (*PARTS, *(("sr1",) if judged is not None else ())))
    found = [
        conditions(
            "sim1",
            decided_by=result.embedder,
            comparable=raw and result.comparable,
            evidence=evidence["sim1"],
        )
    ]
    caveats, remarks, counts = list(scores.caveats), [], {"unanswered": result.empty}
    failed = scores.outputs.outcomes.get(FAILED, 0)
    counts |= {"query failed": failed} if failed else {}
    if judged is not None:
        found.append(
            conditions(
                "sr1",
                decided_by=_judge(judged),
                comparable=raw and not judged.why_not_comparable,
                evidence=evidence["sr1"],
            )
        )
        caveats += [judged.why_not_comparable] if judged.why_not_comparable else []
        remarks += [judged.remark] if judged.remark else []
        counts["without a verdict"] = judged.unscored
    return Submission(
        **_head(origin),
        conditions=tuple(found),
        told=describe_task_view(asdict(setting), "suggestion"),
        **make_scores(origin, values, best, tuple(scores.task_ids), {}),
        evidence=evidence,
        seconds=scores.seconds,
        tokens=scores.usage.tokens_per(scores.answered),
        **_cost(run.prices, scores.usage, result.n),
        counts=counts,
        caveats=tuple(caveats),
        remarks=tuple(remarks),
    )


def list_values(
    scores: AnyScores,
) -> tuple[dict[str, dict[str, float | None]], dict[str, dict[str, float | None]]]:
    """Values of each task by the names of the scores, and the best case of those that have one."""
    if isinstance(scores, ExecutionScores):
        return _list_execution_values(scores)
    if isinstance(scores, MomentRunScores):
        return _list_moment_values(scores), {}
    items = list(zip(scores.task_ids, scores.result.per_item, strict=True))
    values: dict[str, dict[str, float | None]] = {
        part: {task_id: getattr(item, part) for task_id, item in items} for part in PARTS
    }
    if scores.sr1 is None:
        return values, {}
    states = {task_id: item.state for task_id, item in zip(scores.task_ids, scores.sr1.per_item, strict=True)}
    values["sr1"] = {task_id: done_value(state) for task_id, state in states.items()}
    return values, {"sr1": {task_id: float(state != "different") for task_id, state in states.items()}}


def _list_execution_values(
    scores: ExecutionScores,
) -> tuple[dict[str, dict[str, float | None]], dict[str, dict[str, float | None]]]:
    tasks = scores.tasks if scores.success.sr2 is not None else ()
    table: ScoreKind = "asking" if scores.record.of_dialogue else "execution"
    board_means: dict[str, Callable[[TaskScore], float | None]] = {
        column.name: MEANS[column.name] for column in COLUMNS[table] if column.name in MEANS
    }
    values: dict[str, dict[str, float | None]] = {
        "sr2": {task.task_id: done_on_phone(task) for task in tasks}
    }
    for name, value_of in board_means.items():
        values[name] = {task.task_id: value_of(task) for task in scores.tasks}
    return values, {"sr2": {task.task_id: float(task.success is not False) for task in tasks}}


def make_execution_submission(origin: SubmissionOrigin, scores: ExecutionScores) -> Submission:
    """Build a submission of track 2.

    Args:
        origin: Source of the submission.
        scores: Recomputed scores.
    """
    setting = execution_setting(scores.record, scored=len(scores.tasks))
    values, best = list_values(scores)
    evidence = evidence_of(origin.bundle, values)
    return Submission(
        **_head(origin),
        conditions=(
            _make_conditions(
                scores.record,
                "asking" if scores.record.of_dialogue else "execution",
                setting=setting,
                protocol=scores.protocol,
                decided_by=_name_deciders(scores),
                comparable={"sr2", "sim2"} <= as_the_paper([scores]),
                people=find_language(scores.record, origin.built) or "",
                evidence=evidence["sr2" if values["sr2"] else "sim2"],
            ),
        ),
        told=describe_task_view(asdict(setting), "execution"),
        **make_scores(
            origin,
            values,
            best,
            tuple(task.task_id for task in scores.tasks),
            list_own_groups(scores),
        ),
        evidence=evidence,
        seconds=None if scores.record.attached else (scores.usage.agent_s or 0.0) / len(scores.tasks),
        tokens=scores.usage.tokens_per(len(scores.tasks)),
        **_cost(scores.record.prices, scores.usage, len(scores.tasks)),
        counts=_execution_counts(scores),
        caveats=scores.caveats,
        remarks=scores.remarks,
    )


def list_own_groups(scores: ExecutionScores) -> Groups:
    """Groupings of the tasks of a run of track 2 that its scores know, not the dataset alone."""
    groups: dict[str, dict[str, str | None]] = {
        "difficulty": {task.task_id: task.difficulty for task in scores.tasks}
    }
    if any(task.known_from not in ("", SAID) for task in scores.tasks):
        groups[KNOWN_FROM] = {task.task_id: task.known_from or None for task in scores.tasks}
    return groups


def _execution_counts(scores: ExecutionScores) -> dict[str, int]:
    counts: dict[str, int] = {
        **{str(outcome): count for outcome, count in scores.outcomes.items()},
        "not labelled": scores.success.unlabelled if scores.success.sr2 else 0,
        "stopped in another app": scores.success.wrong_app,
        "more than one attempt": scores.repeated,
        "most attempts at a task": scores.most_attempts if scores.repeated else 0,
    }
    return {name: count for name, count in counts.items() if count}


def _cost(prices: Prices | None, usage: Usage, tasks: int) -> dict[str, Any]:
    """The fields `cost` and `currency` of `Submission`."""
    cost = usage.cost(prices)
    if prices is None or cost is None:
        return {}
    return {"cost": cost / tasks, "currency": prices.currency}


def _head(origin: SubmissionOrigin) -> dict[str, Any]:
    bundle = origin.bundle
    return {
        "sha256": origin.sha256,
        "file": origin.file,
        "made": bundle.made,
        "card": bundle.card,
        "agent": bundle.run.agent.name,
        "settings": bundle.run.agent.settings,
        "source": bundle.run.sessions[-1].source,
    }


def _make_conditions(
    run: SuggestionRun | ExecutionRun,
    measure: ScoreKind,
    *,
    setting: RunSetting,
    protocol: str,
    answers: str | None = None,
    decided_by: str,
    comparable: bool,
    evidence: Evidence,
    people: str = "",
    ceiling: float | None = None,
) -> Conditions:
    execution = run if isinstance(run, ExecutionRun) else None
    return Conditions.model_validate(
        {
            "track": run.track,
            "measure": measure,
            "data_sha256": run.dataset.data_sha256,
            "split": run.split,
            "provenance": run.dataset.provenance,
            "split_method": run.dataset.split_method,
            "protocol": protocol,
            "answers": answers,
            "history": run.history if isinstance(run, ExecutionRun) else run.protocol,
            "device": execution.device if execution else None,
            "faults": execution.faults if execution else (),
            "decided_by": decided_by,
            "sample": run.tasks if isinstance(run, SuggestionRun) and run.selection and not people else None,
            "people": people,
            "told": {name: getattr(setting, name) for name in ShownSetting.model_fields}
            | {"without": tuple(sorted(setting.without))},
            "evidence": evidence,
            "as_the_paper": comparable and setting.papers_test,
            "versions": run.versions.words() if run.versions else "",
            "attached": execution.attached if execution else False,
            "outdated": is_outdated(run.versions),
            "moments_sha256": run.dataset.moments_sha256,
            # rounded: the last digits differ between machines
            "ceiling": None if ceiling is None else round(ceiling, CEILING_DIGITS),
            "instructions": execution.instructions if execution else "full",
            "answered_by": execution.answered_by if execution else None,
        }
    )


def _judge(judged: Sr1) -> str:
    """A judge's name with a hash of its settings, because other settings make it another judge."""
    settings = json.dumps(dict(judged.judge_settings), sort_keys=True, ensure_ascii=False)
    return f"{judged.judge} ({hashlib.sha256(settings.encode()).hexdigest()[:8]})"


def _name_deciders(scores: ExecutionScores) -> str:
    """Deciders of task success in words: a rule, people, or named judges.

    The step limit is left out because it applies to every run. On the simulated phone it is the rule, also if
    no attempt got so far: such a row belongs among the others.
    """
    if DEVICE_KINDS[scores.record.device].success_by_rule:
        return "rule"
    words = {"rule": "rule", "person": "people", "judge": f"model ({', '.join(scores.success.raters)})"}
    return " and ".join(word for kind, word in words.items() if kind in scores.success.decided_by) or "nobody"


def make_scores(
    origin: SubmissionOrigin,
    values: Values,
    best: Values,
    task_ids: Sequence[str],
    own_groups: Groups,
) -> dict[str, Any]:
    """The fields `scores`, `by` and `values` of `Submission`."""
    values = {name: of_task for name, of_task in values.items() if name in TITLES}
    tasks = find_task_list(origin.bundle.run)
    groups = origin.groups.of(tasks) | dict(own_groups)
    return {
        "scores": _scores(values, best, task_ids),
        "by": {name: _rows(values, best, task_ids, group_of) for name, group_of in groups.items()},
        "values": {
            name: tuple(values[name].get(task_id) for task_id in origin.benchmark.task_ids[tasks])
            for name in TESTED
            if name in values
        },
    }


def _rows(
    values: Values, best: Values, task_ids: Sequence[str], group_of: Mapping[str, str | None]
) -> tuple[GroupRow, ...]:
    members: dict[str | None, list[str]] = {}
    for task_id in task_ids:
        members.setdefault(group_of.get(task_id), []).append(task_id)
    easy_first = {name: place for place, name in enumerate(DIFFICULTIES)}
    order = sorted(
        members, key=lambda group: (easy_first.get(group or "", len(easy_first)), natural_order(group))
    )
    return tuple(
        GroupRow(group=group, tasks=len(members[group]), scores=_scores(values, best, members[group]))
        for group in order
    )


def _scores(values: Values, best: Values, task_ids: Sequence[str]) -> dict[str, Score]:
    return {
        name: _score(of_task, best.get(name, {}), task_ids, name in SHARES)
        for name, of_task in values.items()
    }


def _score(
    of_task: Mapping[str, float | None],
    best: Mapping[str, float | None],
    task_ids: Sequence[str],
    share: bool,
) -> Score:
    """A mean with its interval over users and its best case; tasks without any value are undefined."""
    found = [of_task.get(task_id) for task_id in task_ids]
    if all(value is None for value in found):
        return Score(mean=None, low=None, high=None, n=0, undefined=len(found), users=0)
    interval = user_interval(found, [task_id.partition("__")[0] for task_id in task_ids], share=share)
    return make_score(interval, fmean(best[task_id] or 0.0 for task_id in task_ids) if best else None)


def make_score(interval: Interval, best: float | None = None) -> Score:
    """The score of a mean with its interval, and its best case."""
    return Score(
        mean=interval.mean,
        low=interval.low,
        high=interval.high,
        n=interval.n,
        undefined=interval.undefined,
        users=interval.clusters,
        best=best,
    )
