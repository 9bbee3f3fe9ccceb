"""The checks of a bundle of track 2 in order, and the recomputed scores."""

from __future__ import annotations

from pathlib import Path

from execution_runner.execution_records import STEPS, ExecutionRun
from fingertip_dataset.errors import MetricInputError, RunError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_leaderboard.bundle.bundle_files import BUNDLE
from fingertip_leaderboard.bundle.read import ReadBundle
from fingertip_leaderboard.bundle.refusal import RefusalKind, Refusals
from fingertip_leaderboard.bundle.schema import ExecutionClaims
from fingertip_leaderboard.verify.check_outcome import CheckOutcome
from fingertip_leaderboard.verify.checks.check_conversation import remark_conversation
from fingertip_leaderboard.verify.checks.check_golden import remark_errors, remark_golden
from fingertip_leaderboard.verify.checks.check_inputs import (
    check_execution_input,
    check_settings,
)
from fingertip_leaderboard.verify.checks.check_labels import check_labels
from fingertip_leaderboard.verify.checks.check_own_executors import OwnExecutors, remark_shortest
from fingertip_leaderboard.verify.checks.check_replay import check_recorded
from fingertip_leaderboard.verify.checks.check_scores import (
    check_execution_scores,
    score_execution_bundle,
)
from fingertip_leaderboard.verify.checks.check_steps import check_attempt, check_step_times
from fingertip_leaderboard.verify.checks.check_success import check_success
from fingertip_leaderboard.verify.checks.check_usage import (
    check_step_usage,
)
from fingertip_leaderboard.verify.checks.coverage import check_tasks
from fingertip_leaderboard.verify.checks.stated_moments import Clock
from fingertip_leaderboard.verify.repeat_decisions import make_deterministic_agent
from fingertip_leaderboard.verify.restored_targets import (
    restore_execution,
)
from fingertip_leaderboard.verify.step_reading import check_steps_read


def check_execution(
    read: ReadBundle, run: ExecutionRun, built: BuiltDataset, clock: Clock, place: Path, found: Refusals
) -> CheckOutcome | None:
    """Check a bundle of track 2 on its dataset; see `check_suggestion`."""
    restored = restore_execution(built, run)
    targets = restored.tasks
    golden = {task_id: task.target.golden_actions for task_id, task in targets.items()}
    check_settings(read.bundle, (), golden.values(), found)
    if set(run.task_ids) != {one.record.end.task_id for one in read.executions}:
        reason = "the run's task ids are not those of its lines"
        found.refuse(RefusalKind.CONTRADICTION, reason, BUNDLE)
    whole = check_tasks(
        ((one.line, one.record.end.task_id) for one in read.executions), targets, found, STEPS
    )
    check_labels(read, clock, found)
    claimed = read.bundle.scores
    if not whole or not isinstance(claimed, ExecutionClaims):
        return None
    for one in read.executions:
        task = targets[one.record.end.task_id]
        check_attempt(one.record, one.line, run, task.target.step_limit, found)
        check_execution_input(one.record, one.line, task, run, found)
        check_step_times(one.record, one.line, clock, found)
        # of an attached agent neither seconds nor tokens are known; `check_attached` refuses others
        for number, step in enumerate(() if run.attached else one.record.steps, start=1):
            check_step_usage(step, one.line, number, found)
    check_steps_read(read, targets, found)
    agent = make_deterministic_agent(run, restored.simulations, found)
    own = OwnExecutors.find(run, built, restored, read) if agent is None else None
    replayed = check_success(read, run, restored, agent, own, found)
    recorded = check_recorded(read, run, built, targets, agent, own, found)
    if not (replayed or recorded):
        remark_golden(read, golden, found)
    if agent is None:
        remark_shortest(read, run, restored, found)
    if own is not None:
        own.remark(found)
    remark_conversation(read, run, restored, found)
    remark_errors(read, found)
    right = {task_id: "\n".join(actions) for task_id, actions in golden.items()}
    try:
        scores = score_execution_bundle(read, run, targets, place)
    except (RunError, MetricInputError) as error:
        found.refuse(RefusalKind.CONTRADICTION, f"the run cannot be scored: {error.message}", STEPS)
        return CheckOutcome(scores=None, right=right)
    check_execution_scores(claimed, scores, found)
    return CheckOutcome(scores=scores, right=right)
