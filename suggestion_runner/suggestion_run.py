"""Run of track 1: queries an agent once per task of a split; each answer is written before the next query."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeGuard

from fingertip_agents.suggestion.suggestion_agent import SuggestionAgent
from fingertip_dataset.errors import AllTasksFailedError, UnreadableAnswersError, UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.path_arguments import accept_path_texts
from fingertip_dataset.split_names import TEST_SUGGESTION
from fingertip_dataset.tasks.history import HistoryProtocol
from fingertip_dataset.tasks.task import SuggestionTask
from fingertip_models.failure_streak import FailureStreak
from fingertip_models.prices import Prices
from fingertip_models.responses import ask_anew
from fingertip_runs.unreadable_answers import AnswerCounter
from suggestion_runner.bounded_gather import gather_bounded
from suggestion_runner.predict import RESUME, AsyncSuggestionAgent, predict_or_fail, predict_or_fail_async
from suggestion_runner.prediction_log import open_log
from suggestion_runner.remembered import keep_memories
from suggestion_runner.run_outcome import RunOutcome
from suggestion_runner.suggestion_records import Hidden, HistoryLength, Prediction, SuggestionRun
from suggestion_runner.suggestion_tasks import open_tasks, suggestion_targets
from suggestion_runner.task_view import TaskView

CONCURRENCY = 8
"""Default number of concurrent requests to a model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listeners:
    """Callbacks of a run; see `run_suggestions`."""

    progress: Callable[[int, int], None] | None
    cost: Callable[[float], None] | None
    stop: Callable[[int], None] | None
    unreadable: Callable[[int], None] | None

    def notify(self, outcome: RunOutcome) -> None:
        """Report the state of the run."""
        if self.cost and outcome.total_cost is not None:
            self.cost(outcome.total_cost)
        if self.unreadable and outcome.answers.unreadable:
            self.unreadable(outcome.answers.unreadable)
        if self.progress:
            self.progress(outcome.answered, outcome.tasks)


@accept_path_texts
def run_suggestions(
    dataset: Path,
    agent: SuggestionAgent,
    out: Path,
    *,
    split: str = TEST_SUGGESTION,
    screenshots: int = 0,
    history: HistoryLength = "20",
    protocol: HistoryProtocol | None = None,
    without: Collection[Hidden] = (),
    distribution: bool = False,
    limit: int | None = None,
    sample: int | None = None,
    seed: int = 0,
    users: Collection[str] = (),
    inferred: Path | None = None,
    memory: str | None = None,
    memory_budget: int | None = None,
    concurrency: int = CONCURRENCY,
    prices: Prices | None = None,
    history_prices: Prices | None = None,
    keep_going: bool = False,
    on_progress: Callable[[int, int], None] | None = None,
    on_cost: Callable[[float], None] | None = None,
    on_stop: Callable[[int], None] | None = None,
    on_unreadable: Callable[[int], None] | None = None,
) -> RunOutcome:
    """Runs an agent on every task of a split; a repeated call resumes the run.

    A task whose query fails gets a line with the reason and counts as not done; the next call queries it
    again, after all others and `MOST_TRIES` times in all. The run stops if the endpoint of the agent's model
    is dead, after `MOST_FAILED_IN_A_ROW` failed tasks in a row, if no task at all had an answer, and after
    Ctrl-C: then no further task starts; tasks under way are awaited and their answers kept. It stops, too, if
    no answer of a model to the first `FIRST_TASKS` tasks gives an intent; the next call asks these tasks
    again, past the cache.

    Args:
        dataset: A folder that `fingertip build` wrote.
        agent: From `fingertip_agents.get_agent`, or your own. An agent that also has `suggest_async` gets
            several tasks concurrently, and its lines are in the order of completion.
        out: The run's folder: missing, empty, or of the same run.
        split: Name of the split, also in the paper's spelling, "test-suggestion".
        screenshots: Number of first screens that a task shows, 0 to 3.
        history: Earlier intents that a task shows: the latest "20", "all", "none", or "relevant": all of
            them, from which an agent made for it has its model select the relevant ones (A.6.3).
        protocol: Source of earlier intents, "online" or "strict"; None for the dataset's own.
        without: Parts that each task hides: "profile", "time", "scenario".
        distribution: Whether answers are several intents with probabilities (A.6.5), from an agent that can.
        limit: Number of tasks to run, the first of the split; all of them if it has fewer.
        sample: Number of tasks to run, drawn uniformly from the split; see `tasks.select_ids`.
        seed: Seed of the sample.
        users: Ids of the users whose tasks are run; empty for all users.
        inferred: File of `fingertip infer-intents` whose intents are shown in place of the declared ones.
        memory: Memory that chooses what is shown of a person's past, by its name; None: as `history` says.
        memory_budget: Maximum size of what the memory recalls for a task, characters; None for its default.
        concurrency: Maximum number of concurrent tasks, for an agent with `suggest_async`.
        prices: Prices of the model's tokens.
        history_prices: Prices of the tokens of the agent's history model, in the same currency.
        keep_going: Whether the run goes on if no answer to its first tasks gives an intent.
        on_progress: Called with (tasks with an answer, tasks) at the start and after each task.
        on_cost: Called before `on_progress` with the cost so far, if there are prices.
        on_stop: Called, if the run stops early, with the number of tasks under way that are awaited.
        on_unreadable: Called before `on_progress` with the number of this call's answers without an intent.

    Raises:
        UsageError: An argument is invalid, or does not fit the agent.
        DatasetError: The dataset is missing or broken.
        RunError: `out` holds something else, or cannot be written.
        EndpointError: The endpoint is dead, or too many tasks in a row failed; earlier answers are kept.
        AllTasksFailedError: No task of the run has an answer.
        UnreadableAnswersError: No answer to the first tasks, or to all of fewer, gives an intent.
    """
    if concurrency < 1:
        raise UsageError(f"expected 1 or more tasks at once, got {concurrency}")
    built = BuiltDataset.open(dataset)
    view = TaskView(
        split=split, screenshots=screenshots, history=history, protocol=protocol, without=without,
        distribution=distribution, limit=limit, sample=sample, seed=seed, users=users, inferred=inferred,
        memory=memory, memory_budget=memory_budget,
    )  # fmt: skip
    record = view.record(dataset, built, agent, prices, history_prices=history_prices)
    if is_async(agent):
        # recorded because the latency of a request depends on how many the server gets concurrently
        session = record.sessions[-1].model_copy(update={"concurrency": concurrency})
        record = record.model_copy(update={"sessions": (session,)})
    listeners = Listeners(progress=on_progress, cost=on_cost, stop=on_stop, unreadable=on_unreadable)
    return _run(agent, built, record, out, concurrency, listeners, keep_going=keep_going)


def _run(
    agent: SuggestionAgent,
    built: BuiltDataset,
    record: SuggestionRun,
    out: Path,
    concurrency: int,
    listeners: Listeners,
    *,
    keep_going: bool,
) -> RunOutcome:
    with open_log(out, record, suggestion_targets(built, record)) as log:
        outcome = RunOutcome.begin(log, record, keep_going=keep_going)
        unread = {line.task_id: line for line in log.lines if line.problem is not None}

        def write(prediction: Prediction) -> None:
            # first, as it refuses a server that may not continue the run
            log.record_software(agent)
            log.append(prediction)
            if prediction.problem is not None:
                unread[prediction.task_id] = prediction
            outcome.add(prediction)
            listeners.notify(outcome)

        listeners.notify(outcome)
        try:
            with keep_memories(built, record, agent, out, finished=len(log.done) >= record.tasks) as keeper:
                tasks = open_tasks(built, record, log.done, failed=outcome.failed, keeper=keeper)
                _ask_all(agent, tasks, write, outcome, record, concurrency, listeners)
            outcome.counter.check_end()
        except UnreadableAnswersError:
            # so that the next call asks these tasks again
            for task_id in sorted(outcome.counter.unreadable_tasks):
                log.append(unread[task_id].take_back())
            raise
    if outcome.refused_all:
        task_id, reason = next(iter(outcome.failed.items()))
        words = f"{reason}; no task of the run has an answer: {RESUME}"
        raise AllTasksFailedError(words, episode_id=task_id)
    return outcome


def _ask_all(
    agent: SuggestionAgent,
    tasks: Iterator[SuggestionTask],
    write: Callable[[Prediction], None],
    outcome: RunOutcome,
    record: SuggestionRun,
    concurrency: int,
    listeners: Listeners,
) -> None:
    """Query the agent for each task until the run stops; each answer is written as it comes."""
    streak, several, again = FailureStreak(), record.distribution, outcome.taken_back
    if is_async(agent):
        # a generator: a task's screenshots are read only when its turn comes
        questions = (
            _ask_async(agent, task, streak, several=several, anew=task.input.task_id in again)
            for task in _until_unreadable(tasks, outcome.counter)
        )
        gather_bounded(questions, write, most=concurrency, on_stop=listeners.stop)
        return
    for task in _until_unreadable(tasks, outcome.counter):
        with ask_anew(task.input.task_id in again):
            line = predict_or_fail(agent, task, streak, distribution=several)
        write(line)


async def _ask_async(
    agent: AsyncSuggestionAgent, task: SuggestionTask, streak: FailureStreak, *, several: bool, anew: bool
) -> Prediction:
    with ask_anew(anew):
        return await predict_or_fail_async(agent, task, streak, distribution=several)


def _until_unreadable(tasks: Iterator[SuggestionTask], counter: AnswerCounter) -> Iterator[SuggestionTask]:
    """The tasks, as long as the answers so far are not a reason to stop.

    Raises:
        UnreadableAnswersError: They are one.
    """
    for task in tasks:
        counter.check_first()
        yield task


def is_async(agent: SuggestionAgent) -> TypeGuard[AsyncSuggestionAgent]:
    """Whether an agent answers several tasks at once."""
    return hasattr(agent, "suggest_async")
