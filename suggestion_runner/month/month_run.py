"""Run of track 1 through people's months: one moment after another, with what the person answers.

Every moment is shown with all that came before it, so that the moments of a person are answered one after the
other; an agent that answers several tasks at once is asked about the moments of several people. A stopped run
is continued where each person's month stopped: what their memory was given is given again.

A query that fails counts as silence, and the month goes on, because its moment has passed. If so many fail in
a row that the run stops, these are no part of it, and the next call asks about them again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from fingertip_agents.suggestion.suggestion_agent import SuggestionAgent
from fingertip_dataset.errors import AllTasksFailedError, UnreadableAnswersError, UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.path_arguments import accept_path_texts
from fingertip_dataset.split_names import MONTH
from fingertip_dataset.tasks.task import SuggestionTask
from fingertip_models.failure_streak import FailureStreak
from fingertip_models.prices import Prices
from fingertip_models.responses import ask_anew
from fingertip_runs.run_log import RunLog
from suggestion_runner.bounded_gather import gather_bounded
from suggestion_runner.month.lived_month import LivedMonth, MonthPeople
from suggestion_runner.month.person_rule import PERSON_RULE
from suggestion_runner.predict import (
    RESUME,
    AsyncSuggestionAgent,
    predict_or_fail,
    predict_or_fail_async,
)
from suggestion_runner.prediction_log import open_log
from suggestion_runner.remembered import keep_memories
from suggestion_runner.run_outcome import RunOutcome
from suggestion_runner.suggestion_records import MonthSettings, Prediction, SuggestionRun
from suggestion_runner.suggestion_run import CONCURRENCY, Listeners, is_async
from suggestion_runner.suggestion_tasks import ShownParts, select_ids, show_tasks, suggestion_targets
from suggestion_runner.task_view import TaskView

if TYPE_CHECKING:
    from fingertip_agents.memory.keeper import MemoryKeeper

DEFAULT_MEMORY = "last-20"
"""Memory of a month where none is named: the paper's latest 20 intents."""


@accept_path_texts
def run_month(
    dataset: Path,
    agent: SuggestionAgent,
    out: Path,
    *,
    view: TaskView | None = None,
    feedback: bool = True,
    concurrency: int = CONCURRENCY,
    prices: Prices | None = None,
    keep_going: bool = False,
    on_progress: Callable[[int, int], None] | None = None,
    on_cost: Callable[[float], None] | None = None,
    on_stop: Callable[[int], None] | None = None,
    on_unreadable: Callable[[int], None] | None = None,
) -> RunOutcome:
    """Run an agent through people's months; a repeated call resumes the run.

    Args:
        dataset: A folder that `fingertip build` wrote, with moments.
        agent: Agent that was set up for moments. An agent that also has `suggest_async` gets the moments of
            several people concurrently.
        out: The run's folder: missing, empty, or of the same run.
        view: Parts of each task that the agent sees, of the split "month"; None for the default ones. Without
            a memory it is that of the latest 20 intents.
        feedback: Whether the agent and its memory get the person's answers to earlier suggestions.
        concurrency: Maximum number of people at once, for an agent with `suggest_async`.
        prices: Prices of the model's tokens.
        keep_going: Whether the run goes on if no answer to its first moments can be read.
        on_progress: As in `run_suggestions`, and so are the others.
        on_cost: Called with the cost so far.
        on_stop: Called with the number of moments that are awaited.
        on_unreadable: Called with the number of answers that cannot be read.

    Raises:
        UsageError: An argument is invalid, or does not fit the agent; the dataset has no moments.
        DatasetError: The dataset is missing or broken, or its moments are not in the order of time.
        RunError: `out` holds something else, or cannot be written.
        ModelError: The memory failed, or recalled more than its budget allows.
        EndpointError: The endpoint is dead, or too many moments in a row failed; earlier answers are kept.
        AllTasksFailedError: No moment of the run has an answer.
        UnreadableAnswersError: No answer to the first moments, or to all of fewer, can be read.
    """
    if concurrency < 1:
        raise UsageError(f"expected 1 or more people at once, got {concurrency}")
    built = BuiltDataset.open(dataset)
    view = view or TaskView(split=MONTH)
    record = make_month_record(dataset, built, agent, view, prices, feedback=feedback)
    listeners = Listeners(progress=on_progress, cost=on_cost, stop=on_stop, unreadable=on_unreadable)
    with open_log(out, record, suggestion_targets(built, record), most_tries=1) as log:
        outcome = RunOutcome.begin(log, record, most_tries=1, keep_going=keep_going)
        run = _MonthRun(
            agent=agent, built=built, record=record, log=log, outcome=outcome, listeners=listeners
        )
        listeners.notify(outcome)
        finished = len(log.done) >= record.tasks
        with keep_memories(built, record, agent, out, finished=finished, episodes=False) as keeper:
            if not finished:
                run.live(keeper, concurrency)
    return outcome


def make_month_record(
    dataset: Path,
    built: BuiltDataset,
    agent: SuggestionAgent,
    view: TaskView,
    prices: Prices | None = None,
    *,
    feedback: bool,
) -> SuggestionRun:
    """Make the record of a run through people's months, with a session that starts now.

    Raises:
        UsageError: The view is of another split, or has something that a month cannot have.
    """
    if view.split != MONTH:
        raise UsageError(f"expected a view of the split {MONTH}, got {view.split}")
    if view.sample is not None:
        raise UsageError(
            "a month has no sample, because a moment depends on those before: take --limit or --only-users"
        )
    if view.history != "20" or view.inferred is not None:
        raise UsageError("in a month a memory shows the earlier intents: give --memory, and no --history")
    settings = MonthSettings(feedback=feedback, person=PERSON_RULE)
    return replace(view, memory=view.memory or DEFAULT_MEMORY).record(
        dataset, built, agent, prices, month=settings
    )


def open_months(built: BuiltDataset, record: SuggestionRun) -> Iterator[tuple[str, Iterator[SuggestionTask]]]:
    """Iterate over the people of a run: user id and the tasks of the moments in order, without memories.

    Raises:
        DatasetError: The dataset is broken.
    """
    ids = select_ids(built, record)
    parts = replace(ShownParts.of(record), history="none")
    tasks = show_tasks(built, parts, lambda task_id: ids is None or task_id in ids)
    yield from groupby(tasks, key=lambda task: task.target.user_id)


@dataclass(slots=True, kw_only=True)
class _MonthRun:
    """Parts of a run that goes on.

    Attributes:
        agent: Agent.
        built: Dataset.
        record: Record of the run.
        log: Log of the run.
        outcome: Outcome so far.
        listeners: Callbacks.
        streak: Failed moments in a row.
        stopping: Whether no further moment is begun.
    """

    agent: SuggestionAgent
    built: BuiltDataset
    record: SuggestionRun
    log: RunLog[Prediction]
    outcome: RunOutcome
    listeners: Listeners
    streak: FailureStreak = field(default_factory=FailureStreak)
    stopping: bool = False
    _unread: dict[str, Prediction] = field(default_factory=dict)
    _held: dict[str, list[Prediction]] = field(default_factory=dict)

    def live(self, keeper: MemoryKeeper | None, concurrency: int) -> None:
        """Live through all months, and write every answer as it comes."""
        standing = {line.task_id: line for line in self.log.lines if line.task_id in self.log.done}
        self._unread = {task_id: line for task_id, line in standing.items() if line.problem is not None}
        people, settings = MonthPeople(self.built, self.record.protocol), self.record.month
        months = (
            (
                LivedMonth(
                    person=people.read_person(user),
                    keeper=keeper,
                    feedback=settings is not None and settings.feedback,
                    without=self.record.without,
                ),
                tasks,
            )
            for user, tasks in open_months(self.built, self.record)
        )
        try:
            if is_async(self.agent):
                self._live_at_once(self.agent, months, standing, concurrency)
            else:
                for month, tasks in months:
                    self._live_month(month, tasks, standing)
            self.outcome.counter.check_end()
        except UnreadableAnswersError:
            # so that the next call asks about these moments again
            for task_id in sorted(self.outcome.counter.unreadable_tasks):
                self.log.append(self._unread[task_id].take_back())
            raise
        self._end()

    def _live_month(
        self, month: LivedMonth, tasks: Iterator[SuggestionTask], standing: Mapping[str, Prediction]
    ) -> None:
        for task in tasks:
            if self._is_past(month, task, standing):
                continue
            with ask_anew(task.input.task_id in self.outcome.taken_back):
                line = predict_or_fail(self.agent, month.show(task), self.streak)
            self._write(month, task, line)
        month.end()

    def _live_at_once(
        self,
        agent: AsyncSuggestionAgent,
        months: Iterator[tuple[LivedMonth, Iterator[SuggestionTask]]],
        standing: Mapping[str, Prediction],
        concurrency: int,
    ) -> None:
        def stop(left: int) -> None:
            self.stopping = True
            if self.listeners.stop:
                self.listeners.stop(left)

        async def live_month(month: LivedMonth, tasks: Sequence[SuggestionTask]) -> None:
            for task in tasks:
                if self.stopping:
                    return
                if self._is_past(month, task, standing):
                    continue
                shown = month.show(task)
                with ask_anew(task.input.task_id in self.outcome.taken_back):
                    line = await predict_or_fail_async(agent, shown, self.streak)
                self._write(month, task, line)
            month.end()

        # a list, because the tasks of a person end where those of the next one are read
        work = (live_month(month, list(tasks)) for month, tasks in months)
        gather_bounded(work, lambda _: None, most=concurrency, on_stop=stop)

    def _is_past(self, month: LivedMonth, task: SuggestionTask, standing: Mapping[str, Prediction]) -> bool:
        """Go on to a moment; whether it was answered in an earlier call.

        Raises:
            UnreadableAnswersError: The answers so far are a reason to stop.
        """
        month.begin_moment(task)
        line = standing.get(task.input.task_id)
        if line is None:
            self.outcome.counter.check_first()
            return False
        month.repeat(task, line)
        return True

    def _write(self, month: LivedMonth, task: SuggestionTask, line: Prediction) -> None:
        """Write an answer; a failed query is held back until the person's next answer."""
        held = self._held.setdefault(task.target.user_id, [])
        held.append(month.answer(task, line))
        if line.failed:
            return
        # first, as it refuses a server that may not continue the run
        self.log.record_software(self.agent)
        self._flush(held)

    def _flush(self, held: list[Prediction]) -> None:
        for line in held:
            self.log.append(line)
            if line.problem is not None:
                self._unread[line.task_id] = line
            self.outcome.add(line)
            self.listeners.notify(self.outcome)
        held.clear()

    def _end(self) -> None:
        """Write the failed queries after a person's last answer.

        Raises:
            AllTasksFailedError: No moment of the run has an answer.
        """
        left = [line for held in self._held.values() for line in held]
        if left and not self.outcome.answered:
            words = f"{left[0].reason}; no moment of the run has an answer: {RESUME}"
            raise AllTasksFailedError(words, episode_id=left[0].task_id)
        for held in self._held.values():
            self._flush(held)
