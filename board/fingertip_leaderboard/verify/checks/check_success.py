"""Replay the attempts of a simulated phone: states, decisions and success must be those of the bundle.

Every action that was performed is carried out again, in this process, on a phone in the task's initial state.
The hash of the phone's state after each action must be the one in the bundle. Success is the rule's result on
the replayed phone, never the bundle's own word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from execution_runner.devices.in_process_device import begin_in_process
from execution_runner.environments.simulated import simulation_of
from execution_runner.execution_log import Attempt
from execution_runner.execution_records import ERRORS, STEPS, ExecutionRun, StartRecord
from execution_runner.scoring.success_labels import LABELS
from execution_runner.scoring.task_scores import list_acts
from fingertip_agents.execution_agent import ExecutionAgent
from fingertip_dataset.actions import parse_action
from fingertip_dataset.errors import FingerTipError
from fingertip_dataset.tasks.task import ExecutionInput, ExecutionTask
from fingertip_leaderboard.bundle.bundle_files import BUNDLE
from fingertip_leaderboard.bundle.read import ReadBundle
from fingertip_leaderboard.bundle.refusal import RefusalKind, Refusals
from fingertip_leaderboard.verify.checks.check_conversation import begin_conversation, find_other_reply
from fingertip_leaderboard.verify.checks.check_own_executors import OwnExecutors
from fingertip_leaderboard.verify.checks.check_steps import UNPERFORMED, Problem, may_be_unperformed
from fingertip_leaderboard.verify.checks.replayed_end import find_other_end
from fingertip_leaderboard.verify.repeat_decisions import (
    DecisionCheck,
    ReparsedOutputs,
    RepeatedAgent,
)
from fingertip_leaderboard.verify.restored_targets import RestoredExecution
from fingertip_leaderboard.verify.step_reading import language_of, our_format
from fingertip_runs.device_kinds import DEVICE_KINDS
from simulated_phone import Phone, PhoneSetupError, Pictures
from simulated_phone.kept_memory import forget_kept
from simulated_phone.people.simulation import Simulation

ATTEMPTS_KEPT = 10
"""Number of attempts of which a replay keeps the screens: all of a hundred take 60 MB."""


def check_success(
    read: ReadBundle,
    run: ExecutionRun,
    restored: RestoredExecution,
    agent: ExecutionAgent | None,
    own: OwnExecutors | None,
    found: Refusals,
) -> bool:
    """Refuse attempts on a simulated phone that differ from their replay; other devices are skipped.

    Args:
        read: A bundle of track 2 with an attempt for every task.
        run: Its run.
        restored: Its tasks.
        agent: The run's agent, if it can decide again; else None.
        own: Our agents that may have made the run of another one; None for none.
        found: Collects the refusals.

    Returns:
        Whether our own deterministic agent decided again at every step.
    """
    if not DEVICE_KINDS[run.device].success_by_rule:
        return False
    if not restored.simulations:
        reason = "a simulated phone needs a dataset of simulated people"
        found.refuse(RefusalKind.CONTRADICTION, reason, BUNDLE)
        return False
    if run.faults:
        reason = f"a simulated phone must run without further faults, got {', '.join(run.faults)}"
        found.refuse(RefusalKind.CONTRADICTION, reason, BUNDLE)
        return False
    if read.labels:
        reason = "a rule decides success on a simulated phone: labels are not accepted"
        found.refuse(RefusalKind.WRONG_LABEL, reason, LABELS)
    if run.attached:
        # it needs the servers of the simulated phone
        from fingertip_leaderboard.verify.checks.check_attached import check_attached

        check_attached(read, run, restored, found)
        return False
    replay = _Replay(restored, _decision_check(run, agent), own)
    problems: dict[int, tuple[Problem, ...]] = {}
    for place, one in enumerate(own.sort(read.executions) if own else read.executions, start=1):
        if place % ATTEMPTS_KEPT == 0:
            forget_kept()  # each person has another phone
        task = restored.tasks[one.record.end.task_id]
        if task.target.over_limit(len(list_acts(one.record.steps)) - 1):
            continue  # refused for its number of steps, which bounds the work here
        problems[one.line] = tuple(replay.problems(one.record, task))
    for one in read.executions:
        for kind, reason in problems.get(one.line, ()):
            found.refuse(kind, reason, STEPS, one.line)
    return agent is not None


DecisionChecks = Callable[[ExecutionInput], DecisionCheck]
"""Makes the check of one attempt."""


def _decision_check(run: ExecutionRun, agent: ExecutionAgent | None) -> DecisionChecks | None:
    """How decisions of the run are repeated; None if they cannot be, or `check_steps_read` parses them."""
    if agent is not None:
        return partial(RepeatedAgent, agent, run.view)
    form = our_format(run.agent)
    if form is None or form.traits.answer_form == "points":
        return None
    return partial(ReparsedOutputs, form, language_of(run.agent), run.view)


class _Replay:
    """Replays attempts on simulated phones.

    Args:
        restored: The run's tasks, and the setups of their phones.
        checks: How decisions are repeated; None if they are not.
        own: Our agents that may have made the run; None for none.
    """

    def __init__(
        self,
        restored: RestoredExecution,
        checks: DecisionChecks | None,
        own: OwnExecutors | None,
    ) -> None:
        self._restored = restored
        self._checks, self._own = checks, own
        self._pictures = Pictures()

    def problems(self, attempt: Attempt, task: ExecutionTask) -> Iterator[Problem]:
        """The first step that differs from the replay; without one, a success that differs.

        Raises:
            DatasetError: The dataset lacks the setup of the task's phone.
        """
        simulation = simulation_of(self._restored.simulations, task.task_id)
        try:
            yield from self._problems(attempt, task, simulation)
        except (FingerTipError, PhoneSetupError) as error:
            yield RefusalKind.WRONG_STATE, f"the steps cannot be replayed: {error}"

    def _problems(self, attempt: Attempt, task: ExecutionTask, simulation: Simulation) -> Iterator[Problem]:
        phone = Phone(size=simulation.size, pictures=self._pictures)
        in_process = begin_in_process(simulation, phone)
        session = begin_conversation(in_process, attempt, task, simulation, self._restored)
        if reason := _find_other_start(session.start, attempt.end.start):
            yield RefusalKind.WRONG_STATE, reason
        repeated = self._checks(task.input) if self._checks else None
        watched = self._own.watch(attempt) if self._own else None
        for place, step in enumerate(attempt.steps, start=1):
            if step.size != phone.size:
                width, height = phone.size
                yield (
                    RefusalKind.WRONG_STATE,
                    f"expected a screen of {width} x {height} px, got another size at step {place}",
                )
                return
            seen = session.observe() if repeated is not None or watched is not None else None
            if repeated is not None and seen and (reason := repeated.problem(step, seen)):
                yield RefusalKind.WRONG_READING, f"{reason} at step {place}"
                return
            if watched is not None and seen and not watched.see(step, seen):
                watched = None
            ended_by_it = place == len(attempt.steps) and attempt.end.outcome in UNPERFORMED
            tried = step.performed or (not ended_by_it and may_be_unperformed(step))
            done = session.step(parse_action(step.action)) if tried else None
            if done is not None and done.performed != step.performed:
                word = "is" if done.performed else "is not"
                yield RefusalKind.WRONG_STATE, f"the action at step {place} {word} performed in its replay"
                return
            if reason := find_other_reply(done.reply if done else None, step.reply):
                yield RefusalKind.WRONG_REPLY, f"{reason} at step {place}"
                return
            ours = None if done is None else done.state_sha256
            if step.state_sha256 != ours:
                yield RefusalKind.WRONG_STATE, _describe_other_state(ours, step.state_sha256, place)
                return
            for decides in (repeated, watched):
                if decides is not None and done is not None:
                    decides.add(step, done)
        if watched is not None:
            watched.end()
        if attempt.end.outcome not in ERRORS:
            yield from find_other_end(session.evaluate(), attempt.end)


def _find_other_start(ours: StartRecord | None, theirs: StartRecord | None) -> str:
    """Return that an attempt began elsewhere than its replay, in words; older runs do not say where."""
    if ours is None or theirs is None or (ours.at, ours.app) == (theirs.at, theirs.app):
        return ""
    began = f"at {ours.at} in {ours.app}" if ours.app else f"at {ours.at}"
    return f"the attempt begins {began}, got {theirs.at} in {theirs.app or 'no app'}"


def _describe_other_state(ours: str | None, theirs: str | None, place: int) -> str:
    if ours is None:
        return f"step {place} was not performed, but has a state"
    if theirs is None:
        return f"step {place} has no state of the phone: make the run again with this version"
    return (
        f"step {place} has state {theirs[:12]}, but its replay gives {ours[:12]}: its actions are not those "
        "that were performed, or it is a run of another version of the simulated phone"
    )
