"""Tricks of track 2: `finished()` alone, and half of the person's way; without a phone, so without SR_2."""

from __future__ import annotations

from collections.abc import Sequence

from execution_runner.execution_log import read_attempts
from execution_runner.scoring.run_scores import ExecutionRunScores
from fingertip_metrics.execution import sim2
from fingertip_metrics.identification import score_identification
from fingertip_runs.score_summary import user_interval
from fingertip_runs.targets import read_targets
from fingertip_runs.trick_scores import TrickScore, TrickScores

NO_SR2 = (
    "Chance and tricks of track 2 are compared with the recorded actions alone: nothing was carried out, so "
    "they have no SR_2. finished() alone does nothing, and half of a way stops before its end"
)

PARTS = ("sim2", "s_i", "s_ii", "action_similarity")
"""Sim_2 and its parts."""

IDENTIFICATION = "identification"


def list_trick_actions(golden: Sequence[Sequence[str]]) -> dict[str, list[list[str]]]:
    """List the actions of each trick.

    Args:
        golden: The person's actions of each task.

    >>> list_trick_actions([["press_home()", "wait()", "finished()"]])
    {'finished': [['finished()']], 'half': [['press_home()']]}
    """
    return {
        "finished": [["finished()"] for _ in golden],
        "half": [list(actions[: max(1, len(actions) // 2)]) for actions in golden],
    }


def score_action_tricks(scores: ExecutionRunScores) -> TrickScores:
    """Score all tricks on the tasks of a run, by the rules that the run was scored by.

    Raises:
        RunError: The run's files are gone.
    """
    ids = [task.task_id for task in scores.tasks]
    targets = read_targets(scores.folder, ids)
    gaps: dict[str, tuple[int, ...]] = {}
    if any(task.gaps for task in scores.tasks):
        gaps = {one.end.task_id: tuple(one.end.gaps) for one in read_attempts(scores.folder)}
    golden = [targets[task_id].list_scored_actions(gaps.get(task_id, ())) for task_id in ids]
    others = [targets[task_id].other_type_actions for task_id in ids]
    users = [task.user_id for task in scores.tasks]
    rows = []
    for name, actions in list_trick_actions(golden).items():
        found = sim2(
            actions,
            golden,
            others,
            protocol=scores.protocol,
            similarity=scores.similarity,
            spelling=scores.spelling,
        )
        values = {part: [getattr(item, part) for item in found.per_item] for part in PARTS}
        whose = score_identification(
            actions,
            golden,
            users=users,
            intents=[targets[task_id].intent for task_id in ids],
            apps=[targets[task_id].app for task_id in ids],
            protocol=scores.protocol,
            similarity=scores.similarity,
            spelling=scores.spelling,
        )
        values[IDENTIFICATION] = [item.identified for item in whose.per_item]
        means = {
            part: user_interval(of_part, users, share=part == IDENTIFICATION)
            for part, of_part in values.items()
            if any(value is not None for value in of_part)
        }
        rows.append(TrickScore(name=name, n=len(ids), means=means))
    return TrickScores(rows=tuple(rows), remarks=(NO_SR2,))
