"""A run of track 1 through a provider's batch files: requests are written, results are read, in rounds.

An agent that asks its model twice a task has a second round; every call of `run_batch` writes the requests
of all tasks that have no answer yet, so that what was lost on the way is asked again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from fingertip_agents.suggestion_agent import SuggestionAgent
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_models.batch_files import BatchModel, BatchResults, Waiting
from fingertip_models.prices import Prices
from suggestion_runner.predict import predict
from suggestion_runner.prediction_log import RunLog
from suggestion_runner.run_counts import RunCounts, RunOutcome
from suggestion_runner.suggestion_records import Prediction
from suggestion_runner.suggestion_tasks import open_tasks, suggestion_targets
from suggestion_runner.task_view import TaskView

BATCH = "batch"
"""Folder under the run's: the requests, and the answers that came."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchOutcome:
    """How a call of `run_batch` went.

    Attributes:
        run: As of any run; `asked` are the tasks that have a line since this call.
        results: Of each results file, in their order.
        requests: Files to give to the provider; none where every task has its line.
        waiting: Tasks without an answer.
    """

    run: RunOutcome
    results: tuple[BatchResults, ...]
    requests: tuple[Path, ...]
    waiting: tuple[str, ...]


def run_batch(
    dataset: Path,
    agent: SuggestionAgent,
    model: BatchModel,
    out: Path,
    *,
    view: TaskView,
    results: Sequence[Path] = (),
    prices: Prices | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> BatchOutcome:
    """Takes what came, writes down what it answers, and writes requests for all else.

    Args:
        dataset: A folder that `fingertip build` wrote.
        agent: Made around `model`.
        model: Made around `out / BATCH`.
        out: The run's folder: missing, empty, or of the same run.
        view: How tasks are told.
        results: Files of results, and of errors, that the provider sent.
        prices: Of the model's tokens.
        on_progress: Called with (tasks looked at, tasks) after each.

    Raises:
        UsageError: An argument does not fit the agent.
        DatasetError: The dataset is missing or broken.
        InputError: A file of results cannot be read.
        RunError: `out` holds something else, or cannot be written.
    """
    built = BuiltDataset.open(dataset)
    record = view.record(dataset, built, agent, prices)
    with RunLog(out, record, suggestion_targets(built, record)) as log:
        came = tuple(model.read(file) for file in results)
        counts = RunCounts(prices, log.earlier)
        waiting: list[str] = []

        def write(prediction: Prediction) -> None:
            log.append(prediction)
            counts.add(prediction)

        def open_questions() -> Iterator[tuple[str, Waiting]]:
            for _, task in open_tasks(built, record, log.done):
                try:
                    write(predict(agent, task, distribution=record.distribution))
                except Waiting as queried:
                    waiting.append(task.input.task_id)
                    yield task.input.task_id, queried
                if on_progress:
                    on_progress(len(log.done) + counts.queried + len(waiting), record.tasks)

        requests = model.write(open_questions())
    return BatchOutcome(
        run=counts.outcome(out, record.tasks, len(log.done), log.dropped),
        results=came,
        requests=requests,
        waiting=tuple(waiting),
    )
