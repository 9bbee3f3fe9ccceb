"""Sim_2 of a run under further definitions of the user types: does it rest on the paper's age groups?

Ours, and not the paper's. S_I and the agent's actions stay; S_II is found again, with another user's episode
as each definition of `type_references` finds it. A task for which a definition finds no episode is left out
of its mean and named: protocol release divides by 0.4 there, which would say nothing of the definition.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from execution_runner.execution_log import Attempt, read_attempts
from execution_runner.scoring.run_scores import ExecutionRunScores
from execution_runner.scoring.success import carries_out
from execution_runner.scoring.task_scores import TaskScore, list_outputs
from fingertip_dataset.errors import DatasetError, UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.tasks.behaviour import CLUSTERS
from fingertip_dataset.tasks.task import ReferenceSequence, TaskTarget
from fingertip_metrics.aggregate import Interval
from fingertip_metrics.conventions import get_protocol
from fingertip_metrics.execution import sim2
from fingertip_runs.reference_encoder import reference_encoder
from fingertip_runs.run_record import DatasetRecord
from fingertip_runs.score_summary import user_interval
from fingertip_runs.targets import read_targets
from fingertip_runs.type_references import WITHOUT, TypeSearch, UserTyping, check_type_names


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeTask:
    """The score of a task under one definition.

    Attributes:
        task_id: The episode id.
        user_id: Id of the task's user.
        reference_id: Episode id of the other user's episode; None if the definition finds none.
        why_none: Why there is none, in words; "" if there is one.
        sim2: S_I / S_II; None without a reference, or if S_II is 0 by protocol paper.
        s_ii: Similarity of the agent's actions with that episode's, 0-1; None without a reference.
        own_sim2: Sim_2 of the same task by the dataset's own types.
    """

    task_id: str
    user_id: str
    reference_id: str | None
    why_none: str = ""
    sim2: float | None = None
    s_ii: float | None = None
    own_sim2: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeScores:
    """Sim_2 of a run under one definition of the user types.

    Attributes:
        typing: The definition, and the type of each user.
        tasks: Score of each task, in the order of the run.
        sim2: Mean Sim_2 of the tasks with a reference, with its interval over users; None without any.
        s_ii: Mean S_II of the same tasks.
        own_sim2: Mean Sim_2 of the same tasks by the dataset's own types, with its interval over users.
    """

    typing: UserTyping
    tasks: tuple[TypeTask, ...]
    sim2: Interval | None
    s_ii: Interval | None
    own_sim2: Interval | None

    @property
    def n(self) -> int:
        """Number of tasks with a reference."""
        return sum(task.reference_id is not None for task in self.tasks)

    @property
    def reasons(self) -> dict[str, list[str]]:
        """Reason why tasks have no reference -> their ids."""
        found: dict[str, list[str]] = {}
        for task in self.tasks:
            if task.reference_id is None:
                found.setdefault(task.why_none, []).append(task.task_id)
        return found


def score_types(
    scores: ExecutionRunScores,
    names: Sequence[str],
    *,
    clusters: int = CLUSTERS,
    search: TypeSearch | None = None,
) -> tuple[TypeScores, ...]:
    """Score a run again under definitions of the user types; nothing is written.

    Args:
        scores: The scores of the run, whose folder still has its steps and targets.
        names: Names of `TYPE_NAMES`.
        clusters: Number of clusters of behaviour.
        search: The search in the run's dataset, such as `open_type_search` returns for several runs; it has
            its own number of clusters.

    Returns:
        The scores under each definition, in the order of the names, each once.

    Raises:
        UsageError: There is no such definition, or the run's dataset is missing or another one.
        ModelError: The embedder of the dataset's references cannot be loaded.
        RunError: The run is broken.
    """
    chosen = check_type_names(names)
    search = search or open_type_search(scores.record.dataset, clusters=clusters)
    typings = [search.assign_types(name) for name in chosen]
    attempts = {attempt.end.task_id: attempt for attempt in read_attempts(scores.folder)}
    targets = read_targets(scores.folder, attempts)
    found = search.find([task.task_id for task in scores.tasks], typings)
    return tuple(_score_typing(scores, typing, attempts, targets, found[typing.name]) for typing in typings)


def open_type_search(dataset: DatasetRecord, *, clusters: int = CLUSTERS) -> TypeSearch:
    """Open a search in the dataset of a run, with the similarity of its own references.

    Raises:
        UsageError: The dataset is missing or another one, or its embedder is another one.
        ModelError: The embedder cannot be loaded.
    """
    try:
        if not dataset.path:
            raise DatasetError("the run's record has no path of its dataset")
        built = BuiltDataset.open(Path(dataset.path))
        if built.manifest.data_sha256 != dataset.data_sha256:
            raise DatasetError(
                "this is another dataset than the run was made on, or it was built again since: bring "
                "that one back to this path",
                file=built.path,
            )
        return TypeSearch(built, encode=reference_encoder(built), clusters=clusters)
    except DatasetError as error:
        raise UsageError(f"further user types need the run's dataset: {error}") from error


def types_dict(types: Sequence[TypeScores]) -> list[dict[str, Any]]:
    """The scores as JSON."""
    return [
        {
            "types": one.typing.name,
            "method": one.typing.method,
            "users": one.typing.sizes,
            "users_without_type": list(one.typing.without),
            "n": one.n,
            "sim2": asdict(one.sim2) if one.sim2 else None,
            "s_ii": asdict(one.s_ii) if one.s_ii else None,
            "own_sim2": asdict(one.own_sim2) if one.own_sim2 else None,
            "per_item": [asdict(task) for task in one.tasks],
        }
        for one in types
    ]


def _score_typing(
    scores: ExecutionRunScores,
    typing: UserTyping,
    attempts: Mapping[str, Attempt],
    targets: Mapping[str, TaskTarget],
    references: Mapping[str, ReferenceSequence],
) -> TypeScores:
    tasks = tuple(_score_tasks(scores, typing, attempts, targets, references))
    means = {
        name: _find_mean([getattr(task, name) for task in tasks], tasks)
        for name in ("sim2", "s_ii", "own_sim2")
    }
    return TypeScores(typing=typing, tasks=tasks, **means)


def _find_mean(values: Sequence[float | None], tasks: Sequence[TypeTask]) -> Interval | None:
    """Return the mean over the tasks with a reference; None if it is defined for none."""
    known = [place for place, task in enumerate(tasks) if task.reference_id is not None]
    if all(values[place] is None for place in known):
        return None
    return user_interval([values[place] for place in known], [tasks[place].user_id for place in known])


def _score_tasks(
    scores: ExecutionRunScores,
    typing: UserTyping,
    attempts: Mapping[str, Attempt],
    targets: Mapping[str, TaskTarget],
    references: Mapping[str, ReferenceSequence],
) -> Iterator[TypeTask]:
    outputs, carried_out = get_protocol(scores.protocol).outputs, carries_out(scores.record)
    for task in scores.tasks:
        reference = references.get(task.task_id)
        if reference is None:
            why = _explain_missing(task, typing)
            yield TypeTask(task_id=task.task_id, user_id=task.user_id, reference_id=None, why_none=why)
            continue
        attempt, target = attempts[task.task_id], targets[task.task_id]
        item = sim2(
            [list_outputs(attempt, outputs, carried_out)],
            [target.list_scored_actions(attempt.end.gaps)],
            [reference.written],
            protocol=scores.protocol,
            similarity=scores.similarity,
            spelling=scores.spelling,
        )
        yield TypeTask(
            task_id=task.task_id,
            user_id=task.user_id,
            reference_id=reference.episode_id,
            sim2=item.sim2,
            s_ii=item.s_ii,
            own_sim2=task.sim2.sim2,
        )


def _explain_missing(task: TaskScore, typing: UserTyping) -> str:
    """Return why a definition finds no episode for a task, in words."""
    own = typing.types.get(task.user_id)
    if own is None:
        return f"of users {WITHOUT[typing.name]}"
    if all(kind in (None, own) for kind in typing.types.values()):
        return "because all users are of one type"
    return "because no user of another type has an episode that may be shown"
