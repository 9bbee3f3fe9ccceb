"""Scores of a run of track 2: SR_2, Sim_2, step ratio, usage, breakdowns and caveats."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, get_args

from execution_runner.execution_log import Attempt, read_attempts, read_run
from execution_runner.execution_records import STEPS, AttemptOutcome, ExecutionRun
from execution_runner.scoring.breakdowns import GroupScores, breakdowns_of, means_of
from execution_runner.scoring.run_caveats import caveats_of, find_remarks, remark_outputs, remark_references
from execution_runner.scoring.success import SuccessRate, carries_out, success_rate
from execution_runner.scoring.success_labels import LABELS, LabelRecord, read_labels
from execution_runner.scoring.task_scores import TaskScore, list_outputs, score_tasks
from execution_runner.scoring.trace_scores import TraceScores, trace_scores
from fingertip_agents.memory.memory_files import MemoryUse, read_memory_use
from fingertip_dataset.errors import RunError
from fingertip_dataset.kept_files import read_file
from fingertip_dataset.path_arguments import accept_path_texts
from fingertip_dataset.tasks.step_limit import STEP_LIMIT_FACTOR
from fingertip_dataset.tasks.task import TaskTarget
from fingertip_metrics.aggregate import Interval
from fingertip_metrics.conventions import Outputs, get_protocol, why_not_comparable
from fingertip_metrics.execution import Sim2, sim2
from fingertip_metrics.identification import Identification
from fingertip_runs.memory_record import MEMORY
from fingertip_runs.run_folder import SCORES, write_json
from fingertip_runs.score_summary import bootstrap_settings, scoring_source
from fingertip_runs.targets import read_targets
from fingertip_runs.task_facts import read_task_facts
from fingertip_runs.trick_scores import warn_of_same
from fingertip_runs.usage import Usage

SCORES_VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionRunScores:
    """The scores of a run, as written to scores.json.

    Attributes:
        folder: Folder of the run.
        record: Record of the run.
        steps_sha256: SHA-256 of the scored steps.jsonl.
        labels_sha256: SHA-256 of labels.jsonl; None without labels.
        protocol: "release" or "paper".
        similarity: Similarity method of Sim_2.
        spelling: Spelling of the action strings in Sim_2, "written" or "canonical".
        success: SR_2 and the counts behind it.
        sim2: Sim_2 over all tasks.
        identification: Identification over the tasks that are in groups.
        means: Name from `MEANS` -> mean with its bootstrap interval over users; None if undefined for all
            tasks.
        outcomes: Outcome -> number of tasks.
        usage: Seconds, queries and tokens of the final attempts, including those that ended in an error.
        trace: On recorded episodes, agreement with the recorded actions; None on phones.
        breakdowns: Grouping -> its rows.
        why_no_facts: Why the groupings of `FACTS` are missing, in words; None if they are present.
        caveats: Why the numbers cannot be compared with the paper's; empty if they can.
        remarks: Further notes on the scores.
        tasks: Score of each task, in the order of the run.
        memory: Size and cost of the run's memory; None without one.
    """

    folder: Path
    record: ExecutionRun
    steps_sha256: str
    labels_sha256: str | None
    protocol: str
    similarity: str
    spelling: str
    success: SuccessRate
    sim2: Sim2
    identification: Identification
    means: Mapping[str, Interval | None]
    outcomes: Mapping[AttemptOutcome, int]
    usage: Usage
    trace: TraceScores | None
    breakdowns: Mapping[str, tuple[GroupScores, ...]]
    why_no_facts: str | None
    caveats: tuple[str, ...]
    remarks: tuple[str, ...]
    tasks: tuple[TaskScore, ...]
    memory: MemoryUse | None = None

    @property
    def partial(self) -> bool:
        """Whether tasks of the run have not ended yet."""
        return len(self.tasks) < self.record.tasks

    @property
    def repeated(self) -> int:
        """Number of tasks whose final attempt is not the first one."""
        return sum(task.attempt > 1 for task in self.tasks)

    @property
    def most_attempts(self) -> int:
        """Greatest number of attempts at a task."""
        return max(task.attempt for task in self.tasks)

    @property
    def cost(self) -> float | None:
        """Cost of the tokens, in the currency of the run's prices; None without prices or token counts."""
        return self.usage.cost(self.record.prices)


@accept_path_texts
def score_run(
    run: Path,
    *,
    protocol: str = "release",
    similarity: str | None = None,
    spelling: str | None = None,
    partial: bool = False,
) -> ExecutionRunScores:
    """Scores a run; nothing is written, see `write_scores`.

    SR_2 and Sim_2 are over all tasks. One that the gate, the phone or the model's server ended, or that
    nobody labelled, is not done; its Sim_2 is that of what the agent wrote until then. The best case of SR_2
    is beside.

    Args:
        run: The run's folder.
        protocol: "release" or "paper".
        similarity: Method of `sequence_similarity` in place of the protocol's own.
        spelling: "written" or "canonical" in place of the protocol's own.
        partial: Whether to score the ended tasks of an unfinished run.

    Raises:
        RunError: There is no run, it is broken, or not finished.
        UsageError: There is no such protocol, similarity or spelling.
    """
    get_protocol(protocol)
    record, attempts, labels = read_run(run), read_attempts(run), read_labels(run)
    _check_finished(run, record, len(attempts), partial)
    return score_attempts(
        run,
        record,
        attempts,
        read_targets(run, [attempt.end.task_id for attempt in attempts]),
        labels,
        protocol=protocol,
        similarity=similarity,
        spelling=spelling,
        steps_sha256=_sha256(run / STEPS),
        labels_sha256=_sha256(run / LABELS) if (run / LABELS).exists() else None,
        trees=True,
    )


def score_attempts(
    run: Path,
    record: ExecutionRun,
    attempts: Sequence[Attempt],
    targets: Mapping[str, TaskTarget],
    labels: Sequence[LabelRecord],
    *,
    protocol: str,
    similarity: str | None = None,
    spelling: str | None = None,
    steps_sha256: str,
    labels_sha256: str | None,
    trees: bool,
) -> ExecutionRunScores:
    """Scores the final attempts of a run, or of a submission; errors are those of `score_run`.

    Args:
        run: Folder or bundle of the run.
        record: Record of the run.
        attempts: The final attempt of each task, at least one.
        targets: Task id -> its target.
        labels: Success labels.
        protocol: As for `score_run`, like `similarity` and `spelling`.
        similarity: Method of `sequence_similarity`; None for the protocol's own.
        spelling: "written" or "canonical"; None for the protocol's own.
        steps_sha256: SHA-256 of steps.jsonl.
        labels_sha256: SHA-256 of labels.jsonl; None without labels.
        trees: Whether to read the trees in the folder; scores on recordings need them.
    """
    rules = get_protocol(protocol)
    tasks, result, whose = score_tasks(
        attempts, targets, labels, carried_out=carries_out(record), protocol=protocol,
        similarity=similarity, spelling=spelling,
    )  # fmt: skip
    success = success_rate(tasks, record)
    facts = read_task_facts(record.dataset, record.split)
    final = {(task.task_id, task.attempt) for task in tasks}
    method, spelled = similarity or rules.similarity, spelling or rules.spelling
    memory = read_memory_use(run / MEMORY) if record.memory else None
    return ExecutionRunScores(
        memory=memory,
        folder=run,
        record=record,
        steps_sha256=steps_sha256,
        labels_sha256=labels_sha256,
        protocol=protocol,
        similarity=method,
        spelling=spelled,
        success=success,
        sim2=result,
        identification=whose,
        means=means_of(tasks),
        outcomes={end: sum(task.outcome == end for task in tasks) for end in get_args(AttemptOutcome)},
        usage=Usage.total(task.usage for task in tasks),
        trace=trace_scores(record.device, run, attempts, targets, trees=trees),
        breakdowns=breakdowns_of(tasks, record, facts),
        why_no_facts=facts.why_none,
        caveats=caveats_of(record, tasks, success, why_not_comparable(rules, method, spelled)),
        remarks=find_remarks(
            record,
            tasks,
            success,
            sum((label.task_id, label.attempt) not in final for label in labels),
        )
        + remark_outputs(tasks, result, _score_other_outputs(attempts, targets, tasks, result))
        + remark_references(record, [attempt.end for attempt in attempts])
        + ((memory.describe(record.prices),) if memory else ())
        + _warn_of_same(attempts),
        tasks=tasks,
    )


def _warn_of_same(attempts: Sequence[Attempt]) -> tuple[str, ...]:
    written = ["\n".join(step.written for step in attempt.steps) for attempt in attempts]
    warning = warn_of_same(written, "sequences of actions")
    return (warning,) if warning else ()


def _score_other_outputs(
    attempts: Sequence[Attempt],
    targets: Mapping[str, TaskTarget],
    tasks: Sequence[TaskScore],
    result: Sim2,
) -> float | None:
    """Sim_2 with the other protocol's choice of outputs; None if every output was carried out."""
    if not any(task.unperformed for task in tasks):
        return None
    others: Outputs = "performed" if get_protocol(result.protocol).outputs == "all" else "all"
    return sim2(
        [list_outputs(attempt, others, True) for attempt in attempts],
        [targets[attempt.end.task_id].list_scored_actions(attempt.end.gaps) for attempt in attempts],
        [targets[attempt.end.task_id].other_type_actions for attempt in attempts],
        protocol=result.protocol,
        similarity=result.similarity,
        spelling=result.spelling,
    ).sim2


def write_scores(scores: ExecutionRunScores) -> Path:
    """Writes RUN/scores.json: the scores, everything they depend on, and the values of each task.

    Raises:
        RunError: The file cannot be written.
    """
    file = scores.folder / SCORES
    write_json(file, scores_dict(scores))
    return file


def scores_dict(scores: ExecutionRunScores) -> dict[str, Any]:
    """The content of scores.json."""
    result = scores.sim2
    return {
        "version": SCORES_VERSION,
        "metrics": ["fingertip_sr2", "fingertip_sim2", "fingertip_identification"],
        "comparable": not scores.caveats,
        "why_not_comparable": list(scores.caveats),
        "remarks": list(scores.remarks),
        "partial": scores.partial,
        "tasks": scores.record.tasks,
        "n": len(scores.tasks),
        "outcomes": dict(scores.outcomes),
        "success": asdict(scores.success),
        **_means_dict(scores.means),
        "attempts": {"repeated": scores.repeated, "most": scores.most_attempts},
        "sim2_undefined": result.undefined,
        "sim2_replaced": result.replaced,
        "sim2_no_other_type": result.no_other_type,
        "sim2_empty": result.empty,
        "identification_chance": scores.identification.chance,
        "identification_groups": scores.identification.groups,
        "identification_same_app": scores.identification.same_app,
        "identification_left_out": scores.identification.left_out,
        "effort": _usage_dict(scores),
        **({"memory": scores.memory.to_json(scores.record.prices)} if scores.memory else {}),
        "trace": asdict(scores.trace) if scores.trace else None,
        "depends_on": {
            "run": scores.record.model_dump(mode="json"),
            "steps_sha256": scores.steps_sha256,
            "labels_sha256": scores.labels_sha256,
            "protocol": asdict(get_protocol(scores.protocol))
            | {"similarity": scores.similarity, "spelling": scores.spelling},
            "step_limit": STEP_LIMIT_FACTOR,
            "bootstrap": bootstrap_settings(),
            "source": scoring_source(),
        },
        "by": {
            name: [
                {"group": row.group, "success": asdict(row.success), **_means_dict(row.means)} for row in rows
            ]
            for name, rows in scores.breakdowns.items()
        },
        "why_no_facts": scores.why_no_facts,
        "per_item": [_task_dict(task) for task in scores.tasks],
    }


def _usage_dict(scores: ExecutionRunScores) -> dict[str, Any]:
    usage, prices = scores.usage, scores.record.prices
    return {
        "tasks": len(scores.tasks),
        "steps": sum(task.steps for task in scores.tasks),
        "unparsable": sum(task.unparsable for task in scores.tasks),
        **asdict(usage),
        "cost": scores.cost,
        "currency": prices.currency if prices else None,
        "seconds_per_query": usage.seconds_per_query,
        "tokens_per_query": usage.tokens_per_query,
        "tokens_per_task": usage.tokens_per(len(scores.tasks)),
    }


def _task_dict(task: TaskScore) -> dict[str, Any]:
    """The score of a task as in scores.json, with the fields of its usage among its own."""
    item: dict[str, Any] = {}
    for name, value in asdict(task).items():
        item |= value if name == "usage" else {name: value}
    if not task.known_from:
        del item["known_from"]
    if task.dialogue is not None:
        item["dialogue"] = task.dialogue.model_dump(mode="json")
    return item | {"counted": task.counted, "step_ratio": task.step_ratio, "difficulty": task.difficulty}


def _check_finished(run: Path, record: ExecutionRun, ended: int, partial: bool) -> None:
    if not ended:
        raise RunError(f"none of the run's {record.tasks} tasks has ended", file=run)
    if ended < record.tasks and not partial:
        how = f"the same `fingertip {'phone' if record.attached else 'execute'}` call"
        raise RunError(
            f"the run is not finished ({ended} of {record.tasks} tasks): {how} resumes it, --partial scores "
            "the tasks so far",
            file=run,
        )


def _means_dict(means: Mapping[str, Interval | None]) -> dict[str, Any]:
    return {name: asdict(interval) if interval else None for name, interval in means.items()}


def _sha256(file: Path) -> str:
    return hashlib.sha256(read_file(file)).hexdigest()
