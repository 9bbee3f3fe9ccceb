"""Replay attempts on the dataset's recordings, and compare the results of their steps."""

from __future__ import annotations

from execution_runner.environments.recorded_episodes import RecordedEpisodes
from execution_runner.environments.replay import ReplayEnvironment, ReplaySession
from execution_runner.environments.teacher_forced import TeacherForcedEnvironment, TeacherForcedSession
from execution_runner.execution_log import Attempt
from execution_runner.execution_records import STEPS, ExecutionRun
from fingertip_dataset.actions import parse_action
from fingertip_dataset.errors import ActionSyntaxError, DeviceError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_leaderboard.bundle.read import ReadBundle
from fingertip_leaderboard.bundle.refusal import RefusalKind, Refusals

SESSIONS: dict[str, type[ReplaySession] | type[TeacherForcedSession]] = {
    ReplayEnvironment.kind: ReplaySession,
    TeacherForcedEnvironment.kind: TeacherForcedSession,
}
"""Kind of environment -> its session."""

UNRECORDED_ENDS = ("device_error", "agent_error", "blocked", "truncated")
"""Outcomes that are not caused by an action on a recording."""


def check_recorded(read: ReadBundle, run: ExecutionRun, built: BuiltDataset, found: Refusals) -> None:
    """Refuse attempts whose lines contradict a replay on the recording.

    Args:
        read: A bundle of track 2 with an attempt for every task.
        run: Its run; runs on phones are skipped.
        built: The verifier's dataset.
        found: Collects the refusals.
    """
    if run.device not in SESSIONS:
        return
    if not built.shards(run.split, "default"):
        found.remark("the dataset has no screens here: attempts are not replayed")
        return
    recordings = RecordedEpisodes(built, run.split)
    for one in read.executions:
        try:
            session = SESSIONS[run.device](recordings.steps(one.record.end.task_id))
            reason = _replay_problem(session, one.record)
        except (DeviceError, ActionSyntaxError) as error:
            reason = f"a step cannot be replayed: {error.message}"
        if reason:
            found.refuse(RefusalKind.WRONG_OUTCOME, reason, STEPS, one.line)


def _replay_problem(session: ReplaySession | TeacherForcedSession, attempt: Attempt) -> str:
    if attempt.end.gaps != session.gaps:
        return f"steps {list(session.gaps)} have no screen in the recording, got {list(attempt.end.gaps)}"
    end = None
    for place, step in enumerate(attempt.steps, start=1):
        if end is not None:
            return f"the attempt ends at step {place - 1}, but another step follows"
        if step.verdict == "deny":
            break
        size = session.observe().size
        if step.size != size:
            return f"expected a screen of {size[0]} x {size[1]} px, got another size at step {place}"
        done = session.step(parse_action(step.action))
        if done.on_trace != step.on_trace:
            expected = f"on_trace {done.on_trace}, as the recording says"
            return f"expected {expected}, got {step.on_trace} at step {place}"
        end = done.end
    if end is not None and attempt.end.outcome not in (end.outcome, "truncated"):
        return f"expected {end.outcome}, as the recording says, got {attempt.end.outcome}"
    if end is None and attempt.end.outcome not in UNRECORDED_ENDS:
        return f"{attempt.end.outcome} before the recording's end needs an action that ends the attempt"
    return ""
