"""Scores on recorded episodes: agreement of an agent's actions with the recorded ones.

Every task and every recorded step counts: what an agent left undone, for example because of an error, does
not agree with the recording.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

from execution_runner.execution_log import Attempt
from execution_runner.execution_records import StepRecord
from fingertip_dataset.actions import Wait, parse_action
from fingertip_dataset.errors import RunError
from fingertip_dataset.kept_files import read_file
from fingertip_dataset.tasks.task import TaskTarget
from fingertip_metrics.action_matching import ActionMatch, matches, readable_tree
from fingertip_metrics.aggregate import Interval
from fingertip_runs.device_kinds import DEVICE_KINDS, DeviceKindName
from fingertip_runs.score_summary import user_interval


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceScores:
    """Scores on recorded episodes; none of them is in the paper.

    Attributes:
        whole: Replay: share of tasks without a deviation from the recorded actions.
        steps_on_trace: Replay: number of steps before the first deviation, over the golden steps that have
            a screen.
        action_type: Teacher-forced: share of steps with the person's type of action.
        click_hit: Teacher-forced: share of the person's clicks, long clicks too, in which the agent touches
            the same element.
        text_match: Teacher-forced: share of the person's typed texts that the agent types.
    """

    whole: Interval | None = None
    steps_on_trace: Interval | None = None
    action_type: Interval | None = None
    click_hit: Interval | None = None
    text_match: Interval | None = None


def trace_scores(
    device: DeviceKindName,
    run: Path,
    attempts: Sequence[Attempt],
    targets: Mapping[str, TaskTarget],
    *,
    trees: bool = True,
) -> TraceScores | None:
    """The scores of a run on recorded episodes; None for a run on phones.

    Args:
        device: Device kind of the run.
        run: Folder of the run, which has the trees of the steps.
        attempts: The final attempt of each task.
        targets: Task id -> its target.
        trees: Whether the folder has the trees; without them the teacher-forced scores are None.

    Raises:
        RunError: A tree that a step names cannot be read.
    """
    kind = DEVICE_KINDS[device]
    if not kind.recorded:
        return None
    if kind.own_trajectory:
        return _score_replayed(attempts, targets)
    return _score_forced(run, attempts, targets) if trees else TraceScores()


def _score_replayed(attempts: Sequence[Attempt], targets: Mapping[str, TaskTarget]) -> TraceScores:
    users = [targets[attempt.end.task_id].user_id for attempt in attempts]
    shares = [_compute_share_on_trace(attempt, targets[attempt.end.task_id]) for attempt in attempts]
    return TraceScores(
        whole=_mean([float(share >= 1) for share in shares], users), steps_on_trace=_mean(shares, users)
    )


def _compute_share_on_trace(attempt: Attempt, target: TaskTarget) -> float:
    """Number of steps before the first deviation, over the golden steps that have a screen."""
    on_trace = sum(1 for _ in takewhile(_follows_trace, attempt.steps))
    return on_trace / len(target.list_scored_actions(attempt.end.gaps))


def _follows_trace(step: StepRecord) -> bool:
    """Whether a step is the recorded one; an output that cannot be read waits, and is none."""
    return bool(step.on_trace) and step.problem is None


def _score_forced(run: Path, attempts: Sequence[Attempt], targets: Mapping[str, TaskTarget]) -> TraceScores:
    matched = [
        (target.user_id, _missed(golden) if step is None else _match(run, step, golden))
        for attempt in attempts
        for target in (targets[attempt.end.task_id],)
        # every recorded step that has a screen is queried once, in order, until an error ends the attempt
        for golden, step in _select_steps(target.list_scored_actions(attempt.end.gaps), attempt.steps)
    ]
    users = [user for user, _ in matched]
    return TraceScores(
        action_type=_mean([float(match.type) for _, match in matched], users),
        click_hit=_mean([_share(match.target) for _, match in matched], users),
        text_match=_mean([_share(match.text) for _, match in matched], users),
    )


def _select_steps(
    golden: Sequence[str], steps: Sequence[StepRecord]
) -> Iterator[tuple[str, StepRecord | None]]:
    """Each recorded action with the agent's step; None for those that it did not reach."""
    for place, action in enumerate(golden):
        yield action, steps[place] if place < len(steps) else None


def _match(run: Path, step: StepRecord, golden: str) -> ActionMatch:
    """Match of a step with the golden action; unparsable output, logged as `wait()`, matches nothing."""
    tree = readable_tree(_read_tree(run, step), step.size)
    match = matches(golden, parse_action(step.action), tree, step.size)
    return match if step.problem is None else _find_disagreement(match)


def _missed(golden: str) -> ActionMatch:
    """Match of a recorded action for which the agent has no step."""
    return _find_disagreement(matches(golden, Wait(), None, (1, 1)))


def _find_disagreement(match: ActionMatch) -> ActionMatch:
    """The match with each field that the recorded action has set to False."""
    wrong = {part: False for part in ("target", "text") if getattr(match, part) is not None}
    return ActionMatch(type=False, **wrong)


def _read_tree(run: Path, step: StepRecord) -> str | None:
    if step.tree is None:
        return None
    try:
        return read_file(run / step.tree).decode("utf-8", "replace")
    except OSError as error:
        raise RunError(
            f"the tree of a step cannot be read: {error.strerror or error}",
            file=run / step.tree,
            episode_id=step.task_id,
        ) from error


def _share(hit: bool | None) -> float | None:
    return None if hit is None else float(hit)


def _mean(values: Sequence[float | None], users: Sequence[str]) -> Interval | None:
    return user_interval(values, users, share=True) if any(value is not None for value in values) else None
