"""A run of track 2: carry out every task of a split on environments, and log each step at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from execution_runner.answer_count import CountedLog, make_answer_counter
from execution_runner.attempt import end_without_steps
from execution_runner.environments.adb_environment import AdbEnvironment
from execution_runner.execution_log import ExecutionLog
from execution_runner.execution_records import (
    ERRORS,
    MOST_ATTEMPTS,
    MOST_RETRIES,
    RETRIES,
    ExecutionRun,
    ReferenceKind,
    StepRecord,
)
from execution_runner.execution_view import EQUATION_2, ExecutionView
from execution_runner.patient_agent import PatientAgent
from execution_runner.recalled_task import recall_task, record_memory
from execution_runner.run_plan import RunPlan, plan_tasks, replace_by_judged_references
from execution_runner.task_attempts import AnyEnvironment, AttemptMaker, make_attempt_makers
from fingertip_agents.execution_agent import ExecutionAgent
from fingertip_dataset.errors import DeviceError, UnreadableAnswersError, UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.path_arguments import accept_path_texts
from fingertip_dataset.split_names import TEST_EXECUTION
from fingertip_dataset.tasks.references import Encode
from fingertip_dataset.tasks.step_limit import STEP_LIMIT_FACTOR
from fingertip_dataset.tasks.task import ExecutionTask, TaskTarget
from fingertip_metrics.judges.verdicts import Judge
from fingertip_models.prices import Prices
from fingertip_models.responses import ask_anew
from fingertip_runs.benchmark_versions import BenchmarkVersions
from fingertip_runs.device_kinds import DEVICE_KINDS, DeviceKindName
from fingertip_runs.run_log import resume_advice
from fingertip_runs.run_record import AgentRecord, DatasetRecord, Session
from fingertip_runs.suggested_intents import SuggestedIntents
from fingertip_runs.task_queue import TaskQueue, work_concurrently
from fingertip_runs.unreadable_answers import AnswerCounter, AnswerCounts

if TYPE_CHECKING:
    from execution_runner.safety.gate import Gate
    from fingertip_agents.memory.keeper import MemoryKeeper
    from fingertip_runs.instructed_tasks import InstructedTasks


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionOutcome:
    """Result of a call of `run_execution`.

    Attributes:
        folder: Folder of the run.
        tasks: Number of tasks of the run.
        done_before: Number of tasks finished before this call.
        queried: Number of tasks finished in this call.
        outcomes: Outcome -> number of tasks, over all finished tasks of the run.
        left_out: Ids of the episodes without a recorded action, which cannot be tasks.
        dropped: Line number of the truncated last line that was dropped; None if it was whole.
        without_references: Whether the run shows references, but no finished task had one.
        lacking: Ids of the finished tasks without a reference, where the run shows references.
        decisions: For a dry run, (target, steps) of each finished task, in the order of the tasks.
        failed: Task id -> reason, of the tasks of the run that ended in an error of the phone or the agent.
        failed_before: Number of them that ended so before this call.
        lost: Name of each device that was lost in this call -> why; the others went on.
        answers: Counts of a model's answers in this call: how many could be read, with which notes.
    """

    folder: Path
    tasks: int
    done_before: int
    queried: int
    outcomes: Mapping[str, int]
    left_out: tuple[str, ...]
    dropped: int | None
    without_references: bool = False
    lacking: tuple[str, ...] = ()
    decisions: tuple[tuple[TaskTarget, tuple[StepRecord, ...]], ...] = ()
    failed: Mapping[str, str] = field(default_factory=dict)
    failed_before: int = 0
    lost: Mapping[str, str] = field(default_factory=dict)
    answers: AnswerCounts = field(default_factory=AnswerCounts)

    @property
    def all_failed(self) -> bool:
        """Whether tasks ended in this call, and each of them in an error."""
        return bool(self.queried) and len(self.failed) - self.failed_before == self.queried


@accept_path_texts
def run_execution(
    dataset: Path,
    agent: ExecutionAgent,
    environments: Sequence[AnyEnvironment],
    out: Path,
    *,
    split: str = TEST_EXECUTION,
    reference: ReferenceKind = "same_user",
    limit: int | None = None,
    task_ids: Collection[str] | None = None,
    retries: int = RETRIES,
    resume: bool = False,
    gate: Gate | None = None,
    dry_run: bool = False,
    prices: Prices | None = None,
    judge: Judge | None = None,
    encode: Encode | None = None,
    only: Collection[str] | None = None,
    view: ExecutionView = EQUATION_2,
    attached: bool = False,
    suggested: SuggestedIntents | None = None,
    instructed: InstructedTasks | None = None,
    keep_going: bool = False,
    memory: MemoryKeeper | None = None,
    on_progress: Callable[[int, int], None] | None = None,
    on_unreadable: Callable[[int], None] | None = None,
) -> ExecutionOutcome:
    """Carries out every task of a split.

    Each environment takes one task at a time. After an error of the phone or of the agent the task is retried
    up to `retries` times, over all sessions of the run; then the error is its outcome. The task of a phone
    that is lost goes to the others. The run stops, and can be resumed, after Ctrl-C, after `DEAD_QUERIES` in
    a row to a dead endpoint, after failed queries of `MOST_FAILED_IN_A_ROW` tasks, or if no answer to
    its first tasks could be read: they are asked again. No task has more than `MOST_ATTEMPTS` attempts.

    Args:
        dataset: A folder that `fingertip build` wrote.
        agent: From `fingertip_agents.get_execution_agent`, or a custom one; called from several threads.
        environments: Environments of one kind, which the caller closes; those of Ray have own agents.
        out: The run's folder: missing, empty, or with `resume` of the same run.
        split: Name of the split, also in the paper's spelling, "test-execution".
        reference: Kind of the reference that a task shows; "not_same_task" needs a judge.
        limit: Maximum number of tasks, spread evenly over the split.
        task_ids: Ids of the tasks to run; None for all.
        retries: Maximum number of further attempts at a task after an error, 0 to 8; none on recordings.
        resume: Whether to continue an existing run; finished tasks are not repeated.
        gate: Safety gate checked before each action; None switches it off, but not on a person's own phone.
        dry_run: Whether to log one decision per task and carry nothing out.
        prices: Prices of the model's tokens.
        judge: Judges which references are the same task, for "not_same_task" only (A.6.7).
        encode: For "not_same_task": the embedder of the dataset's references; None for text similarity.
        only: Ids of the tasks that this call carries out; None for all that are left.
        view: Parts of the tasks and the screens that the agent gets.
        attached: Whether the agent drives the phone itself; such a run may be continued with more tasks.
        suggested: Intents that the tasks show in place of the people's own.
        instructed: Instructions that the tasks show in place of the intents, as of `open_environments`.
        keep_going: Whether the run goes on if no answer to its first tasks can be read.
        memory: Memories that recall something for each task, from `open_memories`; the caller closes them.
        on_progress: Called with (finished tasks, tasks) at the start and after each task.
        on_unreadable: Called before `on_progress` with the number of unreadable answers of this call.

    Raises:
        UsageError: An argument is invalid, or a requirement of the agent is missing.
        DatasetError: The dataset is missing or broken.
        RunError: `out` holds something else, or cannot be written.
        DeviceError: No phone can be reached any more; finished tasks are kept.
        EndpointError: The endpoint of the agent's model is dead or refuses all tasks; finished ones are kept.
        UnreadableAnswersError: No answer to the first tasks could be read.
    """
    kind = _check(environments, gate, retries, dry_run, reference, judge)
    advice, built = resume_advice(resume=resume), BuiltDataset.open(dataset)
    plan = _plan(built, instructed, split=split, reference=reference, limit=limit, task_ids=task_ids)
    record = run_record(
        dataset, built, agent, plan, kind, environments=environments, gate=gate, dry_run=dry_run,
        retries=retries, prices=prices, judge=judge, view=view, attached=attached, suggested=suggested,
        instructed=instructed, memory=memory,
    )  # fmt: skip
    with ExecutionLog(out, record, _list_targets(plan, instructed), resume=resume) as log:
        left = _order_tasks(_choose_left(built, plan, log, only, judge, encode), phones=len(environments))
        queue, before = TaskQueue(_show(left, suggested or instructed)), frozenset(log.ends)
        counter = make_answer_counter(log, record, keep_going=keep_going)
        counted = log if attached else CountedLog(log, counter)
        patient = PatientAgent(agent, advice, partial(log.record_software, agent))
        makers = make_attempt_makers(environments, patient, counted, view, gate, dry_run, queue.stopped)
        run = _Run(queue, log, agent, makers, record, counter, memory, view, on_progress, on_unreadable)
        lost = run.carry_out_all(environments, advice)
    return replace(_make_outcome(record, plan, log, before, lost), answers=counter.counts)


def _plan(built: BuiltDataset, instructed: InstructedTasks | None, **wanted: Any) -> RunPlan:  # noqa: ANN401 - of `plan_tasks`
    """The plan of a run, of the tasks that there are under its instruction."""
    if instructed is not None:
        wanted["task_ids"] = instructed.choose(wanted["task_ids"])
        wanted["reference"] = instructed.choose_reference(wanted["reference"])
    return plan_tasks(built, **wanted)


def _show(
    tasks: list[ExecutionTask], instead: SuggestedIntents | InstructedTasks | None
) -> list[ExecutionTask]:
    return instead.shown(tasks) if instead else tasks


def _list_targets(plan: RunPlan, instructed: InstructedTasks | None) -> list[TaskTarget]:
    targets = [task.target for task in plan.tasks]
    return instructed.note_sources(targets) if instructed else targets


def _choose_left(
    built: BuiltDataset,
    plan: RunPlan,
    log: ExecutionLog,
    only: Collection[str] | None,
    judge: Judge | None,
    encode: Encode | None,
) -> list[ExecutionTask]:
    """The tasks that are not over, of those that this call is to carry out, with the judged references."""
    wanted = {task.task_id for task in plan.tasks} if only is None else set(only)
    left = [task for task in plan.tasks if task.task_id in wanted - log.ends.keys()]
    if judge is None or not left:
        return left
    return replace_by_judged_references(log.folder, built, left, judge, encode=encode)


def _order_tasks(tasks: list[ExecutionTask], *, phones: int) -> list[ExecutionTask]:
    """The tasks in the order of the dataset; on several phones the longest first, so that none ends alone."""
    if phones == 1:
        return tasks
    return sorted(tasks, key=lambda task: -len(task.target.golden_actions))


def _make_outcome(
    record: ExecutionRun, plan: RunPlan, log: ExecutionLog, before: Collection[str], lost: Mapping[str, str]
) -> ExecutionOutcome:
    ends = log.ends
    failed = {end.task_id: end.reason for end in ends.values() if end.outcome in ERRORS}
    over = [task.target for task in plan.tasks if task.task_id in ends] if record.dry_run else []
    shows = record.reference != "none" and "reference" not in record.without
    lacking = tuple(end.task_id for end in ends.values() if shows and end.showed_no_reference)
    return ExecutionOutcome(
        folder=log.folder,
        tasks=record.tasks,
        done_before=len(before),
        queried=len(ends) - len(before),
        outcomes=dict(Counter(end.outcome for end in ends.values())),
        left_out=plan.left_out,
        dropped=log.dropped,
        without_references=bool(lacking) and len(lacking) == len(ends),
        lacking=lacking,
        decisions=tuple((target, log.steps_of(target.task_id)) for target in over),
        failed=failed,
        failed_before=len(failed.keys() & before),
        lost=lost,
    )


def _kind(environments: Sequence[AnyEnvironment]) -> DeviceKindName:
    kinds = {environment.kind for environment in environments}
    names = [environment.name for environment in environments]
    if len(kinds) != 1:
        raise UsageError(f"expected devices of one kind, got {' and '.join(sorted(kinds)) or 'none'}")
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"device {name} is given {names.count(name)} times")
    return kinds.pop()


def _check(
    environments: Sequence[AnyEnvironment],
    gate: Gate | None,
    retries: int,
    dry_run: bool,
    reference: ReferenceKind,
    judge: Judge | None,
) -> DeviceKindName:
    """The kind of the devices, after a check of what they are to do."""
    kind = _kind(environments)
    if DEVICE_KINDS[kind].real_phone and gate is None:
        raise UsageError("a person's own phone needs a safety gate")
    if not 0 <= retries <= MOST_RETRIES:
        raise UsageError(f"expected 0 to {MOST_RETRIES} retries, got {retries}")
    if dry_run and DEVICE_KINDS[kind].recorded:
        raise UsageError(f"a dry run needs a phone, not {kind}: nothing is carried out on a recording")
    if (reference == "not_same_task") != (judge is not None):
        got = "none" if judge is None else f"one with reference {reference}"
        raise UsageError(f"expected a judge for references that are not the same task, got {got}")
    return kind


def _check_starts(built: BuiltDataset, environments: Sequence[AnyEnvironment]) -> None:
    """Refuse phones that begin elsewhere than the dataset; simulated ones and recordings begin as it says."""
    for environment in environments:
        if isinstance(environment, AdbEnvironment):
            built.require_start(environment.start)


def run_record(
    dataset: Path,
    built: BuiltDataset,
    agent: ExecutionAgent,
    plan: RunPlan,
    kind: DeviceKindName,
    *,
    environments: Sequence[AnyEnvironment],
    gate: Gate | None = None,
    dry_run: bool = False,
    retries: int,
    prices: Prices | None = None,
    judge: Judge | None = None,
    view: ExecutionView = EQUATION_2,
    attached: bool = False,
    suggested: SuggestedIntents | None = None,
    instructed: InstructedTasks | None = None,
    memory: MemoryKeeper | None = None,
) -> ExecutionRun:
    """The record of a run that starts now on environments of one kind.

    Raises:
        UsageError: A person's phone begins elsewhere than the dataset's episodes.
        DatasetError: The dataset's people were simulated with different versions or starts.
    """
    view.check_prompt(agent.settings)
    _check_starts(built, environments)
    method = built.manifest.references
    same_task = ", the very same task left out" if method.skip_same_task else ""
    if judge is not None:
        same_task += f", the same task by judge {judge.name} left out"
    return ExecutionRun(
        agent=AgentRecord.of(agent.name, agent.settings),
        dataset=DatasetRecord.of(built, dataset),
        split=plan.split,
        tasks=len(plan.tasks),
        task_ids=tuple(task.task_id for task in plan.tasks),
        device=kind,
        reference=plan.reference,
        reference_method=f"{method.similarity}{same_task}",
        user_types=built.manifest.user_types,
        history=built.manifest.history,
        step_limit_factor=STEP_LIMIT_FACTOR,
        safety="off" if gate is None else gate.rules.sha256,
        dry_run=dry_run,
        action_text="as written",
        faults=tuple(sorted({fault for environment in environments for fault in environment.faults})),
        # an error on a recording is deterministic, so a retry cannot help
        retries=0 if DEVICE_KINDS[kind].recorded else retries,
        **_read_phone_settings(environments),
        more=tuple(view.more),
        without=tuple(view.without),
        start="home" if instructed and instructed.at_home else built.start(),
        attached=attached,
        intents="" if suggested is None else suggested.label,
        prices=prices,
        memory=None if memory is None else record_memory(memory),
        instructions=instructed.level if instructed else "full",
        answered_by=instructed.answered_by if instructed else None,
        sessions=(Session.now(),),
        versions=BenchmarkVersions.of(built, on_phone=DEVICE_KINDS[kind].simulated),
    )


def _read_phone_settings(environments: Sequence[AnyEnvironment]) -> dict[str, Any]:
    """Fields of the record that only runs on one kind of phones have."""
    if DEVICE_KINDS[environments[0].kind].simulated:
        # the phones of other processes have clean trees
        return {"trees": getattr(environments[0], "trees", "clean")}
    phones = (one for one in environments if isinstance(one, AdbEnvironment))
    return next(({"between_tasks": one.between_tasks, "settle_s": one.settle_s} for one in phones), {})


@dataclass(frozen=True, slots=True)
class _Run:
    """State that the workers of a run share."""

    queue: TaskQueue[ExecutionTask]
    log: ExecutionLog
    agent: ExecutionAgent
    attempts: Mapping[str, AttemptMaker]
    record: ExecutionRun
    counter: AnswerCounter
    memory: MemoryKeeper | None
    view: ExecutionView
    on_progress: Callable[[int, int], None] | None
    on_unreadable: Callable[[int], None] | None

    def notify(self) -> None:
        """Reports the progress of the run."""
        self.log.record_software(self.agent)
        if self.on_unreadable and self.counter.counts.unreadable:
            self.on_unreadable(self.counter.counts.unreadable)
        if self.on_progress:
            self.on_progress(len(self.log.ends), self.record.tasks)

    def carry_out_all(self, environments: Sequence[AnyEnvironment], advice: str) -> dict[str, str]:
        """Runs all tasks; returns why each environment that was lost was, by name."""
        self.notify()
        try:
            lost = work_concurrently(self.queue, environments, self.carry_out, advice=advice)
            self.counter.check_end()
        except UnreadableAnswersError:
            reason = "no answer could be read: the task is asked again"
            self.log.reopen(self.counter.unreadable_tasks, reason)
            raise
        return {name: str(error) for name, error in lost.items()}

    def carry_out(self, task: ExecutionTask, environment: AnyEnvironment) -> DeviceError | None:
        """Runs one task to its end; an error means that the environment is lost and the task is requeued."""
        task = task if self.memory is None else recall_task(self.memory, self.view, task)
        while True:
            lost = self._attempt(task, environment)
            if lost is not None or self.queue.stopped():
                return lost
            if task.task_id in self.log.ends:
                self.notify()
                self.counter.check_first()
                return None

    def _attempt(self, task: ExecutionTask, environment: AnyEnvironment) -> DeviceError | None:
        """Runs and logs one attempt; returns an error if the phone stays unreachable and the task is open."""
        if self.log.attempts(task.task_id) >= MOST_ATTEMPTS - 1:
            number = self.log.next_attempt(task.task_id)
            reason = f"not done in {number - 1} attempts, interrupted ones included"
            self.log.end(end_without_steps(task, number, environment.name, reason))
            return None
        number, attempts = self.log.next_attempt(task.task_id), self.attempts[environment.name]
        try:
            # answers that could not be read would come from a cache as they were
            with ask_anew(task.task_id in self.log.reopened):
                end = attempts.attempt(task, number)
        except DeviceError as error:
            return error
        if end is None:
            return None
        final = end.outcome not in ERRORS or self.log.errors[task.task_id] >= self.record.retries
        lost = attempts.recover(task, again=not final) if end.outcome == "device_error" else None
        self.log.end(end.model_copy(update={"final": final}))
        if end.outcome not in ERRORS:
            # also while another environment stops the run
            self.counter.end_task(task.task_id)
        return lost
