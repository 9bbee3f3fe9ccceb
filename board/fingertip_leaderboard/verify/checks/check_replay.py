"""Replay attempts on the dataset's recordings, and compare the results of their steps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from execution_runner.environments.recorded_episodes import RecordedEpisodes
from execution_runner.environments.replay import ReplayEnvironment, ReplaySession
from execution_runner.environments.teacher_forced import TeacherForcedEnvironment, TeacherForcedSession
from execution_runner.execution_log import Attempt
from execution_runner.execution_records import STEPS, ExecutionRun
from fingertip_agents.execution_agent import ExecutionAgent
from fingertip_dataset.actions import parse_action
from fingertip_dataset.errors import FingerTipError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.tasks.task import ExecutionTask
from fingertip_leaderboard.bundle.read import ReadBundle
from fingertip_leaderboard.bundle.refusal import RefusalKind, Refusals
from fingertip_leaderboard.verify.checks.check_own_executors import OwnExecutors, WatchedAttempt
from fingertip_leaderboard.verify.checks.check_steps import Problem
from fingertip_leaderboard.verify.repeat_decisions import RepeatedAgent

SESSIONS: dict[str, type[ReplaySession] | type[TeacherForcedSession]] = {
    ReplayEnvironment.kind: ReplaySession,
    TeacherForcedEnvironment.kind: TeacherForcedSession,
}
"""Kind of environment -> its session."""

UNRECORDED_ENDS = ("device_error", "agent_error", "blocked", "truncated")
"""Outcomes that are not caused by an action on a recording."""


def check_recorded(
    read: ReadBundle,
    run: ExecutionRun,
    built: BuiltDataset,
    tasks: Mapping[str, ExecutionTask],
    agent: ExecutionAgent | None,
    own: OwnExecutors | None,
    found: Refusals,
) -> bool:
    """Refuse attempts whose lines contradict a replay on the recording.

    Args:
        read: A bundle of track 2 with an attempt for every task.
        run: Its run; runs on phones are skipped.
        built: The verifier's dataset.
        tasks: Task id -> task.
        agent: The run's agent, if it can decide again; else None.
        own: Our agents that may have made the run of another one; None for none.
        found: Collects the refusals.

    Returns:
        Whether our own deterministic agent decided again at every step.
    """
    if run.device not in SESSIONS:
        return False
    if not built.shards(run.split, "default"):
        found.remark("the dataset has no screens here: attempts are not replayed")
        return False
    recordings = RecordedEpisodes(built, run.split)
    problems: dict[int, list[Problem]] = {}
    for one in own.sort(read.executions) if own else read.executions:
        task_id, wrong = one.record.end.task_id, problems.setdefault(one.line, [])
        try:
            session = SESSIONS[run.device](recordings.steps(task_id))
            task_input, view, before = tasks[task_id].input, run.view, session.before()
            repeated = RepeatedAgent(agent, view, task_input, before) if agent else None
            watched = own.watch(one.record, before) if own else None
            wrong += _find_difference(session, one.record, repeated, watched)
        except FingerTipError as error:
            wrong.append((RefusalKind.WRONG_OUTCOME, f"a step cannot be replayed: {error.message}"))
    for one in read.executions:
        for kind, reason in problems[one.line]:
            found.refuse(kind, reason, STEPS, one.line)
    return agent is not None


def _find_difference(
    session: ReplaySession | TeacherForcedSession,
    attempt: Attempt,
    repeated: RepeatedAgent | None,
    watched: WatchedAttempt | None,
) -> Iterator[Problem]:
    """The first difference from a replay on the recording."""
    wrong = RefusalKind.WRONG_OUTCOME
    if attempt.end.gaps != session.gaps:
        reason = f"steps {list(session.gaps)} have no screen in the recording, got {list(attempt.end.gaps)}"
        yield wrong, reason
        return
    end = None
    for place, step in enumerate(attempt.steps, start=1):
        if end is not None:
            yield wrong, f"the attempt ends at step {place - 1}, but another step follows"
            return
        if step.verdict == "deny":
            break
        seen = session.observe()
        if step.size != seen.size:
            width, height = seen.size
            yield wrong, f"expected a screen of {width} x {height} px, got another size at step {place}"
            return
        if repeated is not None and (reason := repeated.problem(step, seen)):
            yield RefusalKind.WRONG_READING, f"{reason} at step {place}"
            return
        if watched is not None and not watched.see(step, seen):
            watched = None
        done = session.step(parse_action(step.action))
        if done.on_trace != step.on_trace:
            expected = f"on_trace {done.on_trace}, as the recording says"
            yield wrong, f"expected {expected}, got {step.on_trace} at step {place}"
            return
        for decides in (repeated, watched):
            if decides is not None:
                decides.add(step, done)
        end = done.end
    if watched is not None:
        watched.end()
    if end is not None and attempt.end.outcome not in (end.outcome, "truncated"):
        yield wrong, f"expected {end.outcome}, as the recording says, got {attempt.end.outcome}"
    if end is None and attempt.end.outcome not in UNRECORDED_ENDS:
        yield (
            wrong,
            f"{attempt.end.outcome} before the recording's end needs an action that ends the attempt",
        )
