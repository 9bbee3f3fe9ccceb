"""A run folder from a log of Inspect, for `fingertip score`, `report`, `review` and `submit`."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from inspect_ai.log import EvalLog, EvalSample, read_eval_log
from inspect_ai.model import ContentImage

from execution_runner.execution_log import ExecutionLog
from execution_runner.execution_records import ExecutionRun
from execution_runner.run_plan import plan_tasks
from fingertip_20k.inspect.execution_scorers import attempt_in
from fingertip_dataset.errors import InputError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_runs.device_kinds import DEVICE_KINDS
from suggestion_runner.prediction_log import open_log
from suggestion_runner.suggestion_records import Prediction, Selection, SuggestionRun
from suggestion_runner.suggestion_tasks import suggestion_targets

SENT = ("temperature", "seed", "max_tokens")
"""Settings that `inspect eval` can override: those of the log are recorded."""


def write_run(log: str | Path, out: str | Path) -> Path:
    """Write the run folder of an Inspect log, as `fingertip suggest` or `fingertip execute` would have.

    The run has the tasks that the evaluation had, of which those without a score stay open, as in a run that
    was stopped. A log has no accessibility trees, so a run on recorded episodes, which is scored by them,
    cannot be written.

    Args:
        log: File of a log of `fingertip_20k/suggestion` or `fingertip_20k/execution`.
        out: The run's folder: missing or empty.

    Returns:
        The run's folder.

    Raises:
        InputError: It is no log of these tasks, has several epochs, or is of recorded episodes.
        DatasetError: The dataset of its tasks is not where it was, or was changed.
        RunError: `out` holds something else, or cannot be written.
    """
    file, folder = Path(log), Path(out)
    try:
        found = read_eval_log(str(file), resolve_attachments=True)
    except Exception as error:  # of any layer that reads it
        raise InputError(f"no log of Inspect: {type(error).__name__}: {error}", file=file) from error
    run = (found.eval.metadata or {}).get("run")
    if not isinstance(run, dict):
        raise InputError("the log is not of fingertip_20k/suggestion or fingertip_20k/execution", file=file)
    if (epochs := found.eval.config.epochs or 1) > 1:
        raise InputError(
            f"a run has one epoch, and the log has {epochs}: Inspect's own reducers score it, and "
            "`fingertip suggest` or `execute --repeats K` makes runs of several tries",
            file=file,
        )
    run["agent"]["settings"] |= _find_sent(found, run["agent"]["settings"])
    samples = found.samples or []
    chosen = [str(name) for name in found.eval.dataset.sample_ids or ()]
    if run["track"] == "suggestion":
        _write_suggestions(SuggestionRun.model_validate(run, strict=False), chosen, samples, folder)
    else:
        _write_attempts(ExecutionRun.model_validate(run, strict=False), chosen, samples, file, folder)
    return folder


def _find_sent(log: EvalLog, settings: dict[str, Any]) -> dict[str, Any]:
    """The settings of the model that the log has, where the agent has such settings."""
    config = log.plan.config.merge(log.eval.model_generate_config)
    return {name: getattr(config, name) for name in SENT if name in settings}


def _write_suggestions(
    record: SuggestionRun, chosen: Sequence[str], samples: Sequence[EvalSample], out: Path
) -> None:
    built = BuiltDataset.open(Path(record.dataset.path))
    targets = list(suggestion_targets(built, record))
    first = [target.task_id for target in targets[: len(chosen)]]
    if record.selection is None and first == list(chosen) and len(first) < record.tasks:
        # `--limit` of Inspect, which is `--limit` of `fingertip suggest`
        selection = Selection(kind="first", of=record.tasks)
        record = record.model_copy(update={"tasks": len(first), "selection": selection})
        targets = targets[: len(first)]
    with open_log(out, record, targets) as log:
        for sample in samples:
            name = "moment_values" if record.of_moments else "suggestion_sim1"
            score = (sample.scores or {}).get(name)
            if score is not None and score.metadata:
                log.append(Prediction.model_validate(score.metadata["prediction"], strict=False))


def _write_attempts(
    record: ExecutionRun, chosen: Sequence[str], samples: Sequence[EvalSample], file: Path, out: Path
) -> None:
    if not DEVICE_KINDS[record.device].simulated:
        raise InputError(f"a run on {record.device} is scored with trees, which the log has not", file=file)
    ids = tuple(task_id for task_id in record.task_ids if task_id in chosen)
    record = record.model_copy(update={"task_ids": ids, "tasks": len(ids)})
    built = BuiltDataset.open(Path(record.dataset.path))
    plan = plan_tasks(built, split=record.split, reference=record.reference, task_ids=ids)
    with ExecutionLog(out, record, [planned.target for planned in plan.tasks]) as log:
        for sample in samples:
            attempt = attempt_in(sample.metadata)
            if attempt is None:
                continue
            names = [*(step.screenshot for step in attempt.steps), attempt.end.final_screenshot]
            for name, picture in zip(filter(None, names), _write_pictures(sample), strict=True):
                log.save(name, picture)
            for step in attempt.steps:
                log.step(step.model_copy(update={"tree": None}))
            log.end(attempt.end)


def _write_pictures(sample: EvalSample) -> Iterator[bytes]:
    """The pictures of a sample's messages, in their order."""
    for message in sample.messages:
        for part in message.content if isinstance(message.content, list) else ():
            if isinstance(part, ContentImage):
                yield b64decode(part.image.partition("base64,")[2])
