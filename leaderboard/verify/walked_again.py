"""Recorded ways: each attempt taken to the dataset's own recording, which says what comes of it."""

from __future__ import annotations

from execution_runner.grounds.recordings import Recordings
from execution_runner.grounds.replay import ReplayScene
from execution_runner.grounds.teacher_forced import TeacherForcedScene
from execution_runner.records import ExecutionRun
from fingertip_dataset.actions import parse_action
from fingertip_dataset.errors import ActionSyntaxError, DeviceError
from fingertip_dataset.parquet.built import BuiltDataset
from leaderboard.bundle.layout import TASKS
from leaderboard.bundle.read import ReadBundle
from leaderboard.bundle.refusal import Findings, Kind
from leaderboard.bundle.schema import ExecutionLine

SCENES: dict[str, type[ReplayScene] | type[TeacherForcedScene]] = {
    "replay": ReplayScene,
    "teacher_forced": TeacherForcedScene,
}

OTHERWISE = ("device_error", "agent_error", "blocked", "truncated")
"""Ends that do not come of an action on a recording."""


def check_recorded(read: ReadBundle, run: ExecutionRun, built: BuiltDataset, found: Findings) -> None:
    """Refuses an attempt on a recording that does not go as its line says.

    Args:
        read: A bundle of track 2 with a line for every task.
        run: Its run; nothing is done for one on a phone.
        built: The verifier's own dataset.
        found: Gets the refusals.
    """
    if run.device not in SCENES:
        return
    if not built.shards(run.split, "default"):
        found.remark("the dataset has no screens here: recorded ways are not walked again")
        return
    recordings = Recordings(built, run.split)
    for one in read.executions:
        try:
            scene = SCENES[run.device](recordings.steps(one.record.task_id))
            reason = _wrong(scene, one.record)
        except (DeviceError, ActionSyntaxError) as error:
            reason = f"expected a step that can be taken, got: {error.message}"
        if reason:
            found.refuse(Kind.WRONG_OUTCOME, reason, TASKS, one.line)


def _wrong(scene: ReplayScene | TeacherForcedScene, line: ExecutionLine) -> str:
    if line.gaps != scene.gaps:
        return f"expected the steps {list(scene.gaps)} without a screen, got {list(line.gaps)}"
    end = None
    for place, step in enumerate(line.steps, start=1):
        if end is not None:
            return f"expected the end at step {place - 1}, got another step"
        if step.verdict == "deny":
            break
        size = scene.observe().size
        if step.size != size:
            return f"expected a screen of {size[0]} x {size[1]} px, got another size at step {place}"
        done = scene.do(parse_action(step.action))
        if done.on_trace != step.on_trace:
            told = f"on_trace {done.on_trace}, as the recording says"
            return f"expected {told}, got {step.on_trace} at step {place}"
        end = done.end
    if end is not None and line.outcome not in (end.outcome, "truncated"):
        return f"expected {end.outcome}, as the recording says, got {line.outcome}"
    if end is None and line.outcome not in OTHERWISE:
        return f"expected an action that ends it, got {line.outcome} before the recording's end"
    return ""
