"""Run of track 1 through a provider's batch files: writes request files and reads result files, in rounds.

An agent that queries its model twice per task needs a second round. Every call of `run_batch` writes the
requests of all tasks without an answer, so lost requests are repeated. A request that the server refused for
its content is not: its task gets a line as failed, unless all tasks of the run are refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from fingertip_agents.suggestion.suggestion_agent import SuggestionAgent
from fingertip_dataset.errors import ModelError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.tasks.task import SuggestionTask
from fingertip_models.batch_files import BatchModel, BatchResults, Waiting
from fingertip_models.prices import Prices
from suggestion_runner.predict import predict
from suggestion_runner.prediction_log import open_log
from suggestion_runner.run_outcome import RunOutcome
from suggestion_runner.suggestion_records import Prediction
from suggestion_runner.suggestion_tasks import open_tasks, suggestion_targets
from suggestion_runner.task_view import TaskView

BATCH = "batch"
"""Name of the folder inside the run's folder with the requests and the answers read so far."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchOutcome:
    """Outcome of a call of `run_batch`.

    Attributes:
        run: Outcome of the run; its counts of this session are of the tasks that got a line in this call.
        results: Outcome of reading each results file, in the order given.
        requests: Request files for the provider; empty if every task has a line.
        waiting: Ids of the tasks without an answer.
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
    """Reads result files, writes the predictions they allow, and writes requests for the remaining tasks.

    Args:
        dataset: A folder that `fingertip build` wrote.
        agent: Agent whose model is `model`.
        model: Batch model whose folder is `out / BATCH`.
        out: The run's folder: missing, empty, or of the same run.
        view: Parts of each task that the agent sees.
        results: Result and error files from the provider.
        prices: Prices of the model's tokens.
        on_progress: Called with (tasks processed, tasks) after each task.

    Raises:
        UsageError: An argument does not fit the agent.
        DatasetError: The dataset is missing or broken.
        InputError: A file of results cannot be read.
        ModelError: The server refused a request of every task; nothing is written.
        RunError: `out` holds something else, or cannot be written.
    """
    built = BuiltDataset.open(dataset)
    record = view.record(dataset, built, agent, prices)
    # a refused request is not written again
    with open_log(out, record, suggestion_targets(built, record), most_tries=1) as log:
        read = tuple(model.read(file) for file in results)
        outcome = RunOutcome.begin(log, record, most_tries=1)
        report = on_progress or (lambda _done, _of: None)
        waiting: list[str] = []
        refused: list[tuple[SuggestionTask, ModelError]] = []

        def write(prediction: Prediction) -> None:
            log.append(prediction)
            outcome.add(prediction)

        def open_questions() -> Iterator[tuple[str, Waiting]]:
            report(outcome.answered, record.tasks)
            for task in open_tasks(built, record, log.done):
                try:
                    write(predict(agent, task, distribution=record.distribution))
                except Waiting as unanswered:
                    waiting.append(task.input.task_id)
                    yield task.input.task_id, unanswered
                except ModelError as error:
                    refused.append((task, error))
                report(outcome.answered + len(refused) + len(waiting), record.tasks)
            if len(refused) == record.tasks:
                first = refused[0][1]
                raise ModelError(
                    f"{first.message}; so ended the requests of all {record.tasks:,} tasks",
                    episode_id=first.episode_id,
                )
            for task, failure in refused:
                write(Prediction.of_failure(task.input, failure.message))

        requests = model.write(open_questions())
    return BatchOutcome(
        run=outcome,
        results=read,
        requests=requests,
        waiting=tuple(waiting),
    )
