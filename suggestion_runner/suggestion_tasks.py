"""The tasks of a track 1 run, with the task view of its record."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Container, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from typing import TYPE_CHECKING, Literal

from fingertip_dataset.episodes import Intent, UserProfile
from fingertip_dataset.errors import UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.parquet.features import Config
from fingertip_dataset.split_names import TRAIN, is_moments
from fingertip_dataset.tasks.history import History, HistoryProtocol
from fingertip_dataset.tasks.task import (
    TASK_COLUMNS,
    DatasetRow,
    SuggestionTask,
    TaskTarget,
    suggestion_target,
    suggestion_task,
)
from fingertip_dataset.times import format_time, offset_of
from suggestion_runner.inferred.inferred_file import InferredHistory, InferredIntents, reread_inferred
from suggestion_runner.remembered import open_repeatable
from suggestion_runner.suggestion_records import Hidden, HistoryLength, SuggestionRun

if TYPE_CHECKING:
    from fingertip_agents.memory.keeper import MemoryKeeper

SUGGESTION_COLUMNS = (*TASK_COLUMNS, "previous_intents")
"""Columns of a task; screenshots are read in addition if the task view has them."""

TARGET_COLUMNS = ("episode_id", "user_id", "time", "app", "intent", "intent_category")

MOMENT_TARGET_COLUMNS = (*TARGET_COLUMNS, "kind")

INTENT_COLUMNS = ("episode_id", "user_id", "time", "scenario", "app", "intent", "intent_category")

Before = Callable[[DatasetRow], tuple[Intent, ...] | None]
"""The earlier intents to show with a row; None for those of its own column."""

LIMITS: dict[str, int | None] = {"20": 20, "relevant": None, "all": None}
"""Maximum number of earlier intents in the task view; with "relevant" the agent's model selects from all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownParts:
    """The parts that the tasks of a split show; the fields are those of `SuggestionRun`."""

    split: str
    screenshots: int
    history: HistoryLength
    protocol: HistoryProtocol
    history_source: Literal["previous_intents", "dataset rows"]
    without: tuple[Hidden, ...]
    inferred: InferredHistory | None = None

    @classmethod
    def of(cls, record: SuggestionRun) -> ShownParts:
        """Return the parts that the tasks of a run show."""
        return cls(**{field.name: getattr(record, field.name) for field in fields(cls)})


def open_tasks(
    built: BuiltDataset,
    record: SuggestionRun,
    done: Collection[str],
    *,
    failed: Collection[str] = (),
    keeper: MemoryKeeper | None = None,
) -> Iterator[SuggestionTask]:
    """Tasks that are not done, in the order of the dataset; those that failed before come last.

    Args:
        built: The dataset.
        record: Record of the run.
        done: Ids of the tasks that are done.
        failed: Ids of the tasks that failed.
        keeper: Memories of a run with one. None: those that recall the same again from the dataset alone are
            opened here, and without others the tasks show the earlier intents of the record's history.
    """
    keeper = keeper or open_repeatable(built, record)
    again = set(failed).difference(done)
    parts = ShownParts.of(record)
    if len(done) + len(again) < record.tasks:
        wanted = select_ids(built, record)
        first = {*done, *again}
        yield from show_tasks(
            built, parts, lambda task: task not in first and (wanted is None or task in wanted), keeper=keeper
        )
    if again:
        yield from show_tasks(built, parts, again.__contains__, keeper=keeper)


def show_tasks(
    built: BuiltDataset,
    parts: ShownParts,
    wanted: Callable[[str], bool],
    *,
    unmentioned: Container[str] = (),
    keeper: MemoryKeeper | None = None,
) -> Iterator[SuggestionTask]:
    """Tasks of a split as an agent is shown them; see `TaskRows`."""
    yield from TaskRows(built, parts).show(wanted, unmentioned=unmentioned, keeper=keeper)


class TaskRows:
    """The tasks of a split; what is read for all of them is read once.

    Args:
        built: The dataset.
        parts: What the tasks show.
    """

    def __init__(self, built: BuiltDataset, parts: ShownParts) -> None:
        self._built = built
        self._parts = parts
        self._earlier = _collect_earlier(built, parts)
        self._columns = [
            *SUGGESTION_COLUMNS,
            *(["kind"] if is_moments(parts.split) else []),
            *(["screenshots"] if parts.screenshots else []),
        ]

    def show(
        self,
        wanted: Callable[[str], bool],
        *,
        unmentioned: Container[str] = (),
        keeper: MemoryKeeper | None = None,
    ) -> Iterator[SuggestionTask]:
        """Tasks as an agent is shown them, in the order of the dataset.

        Args:
            wanted: Whether to return the task of an episode id; other episodes are not read.
            unmentioned: Ids of episodes whose intents no task shows as earlier ones.
            keeper: Memories that choose what is shown of a person's past; None for the parts' own history.
        """
        parts = self._parts
        config: Config = "default" if parts.screenshots else "text"
        for row in self._built.rows(parts.split, columns=self._columns, config=config, ids=_Wanted(wanted)):
            task = suggestion_task(
                row,
                screenshots=parts.screenshots,
                previous_intents=self._earlier(row),
                language=self._built.manifest.settings.language_of(row["user_id"]),
            )
            known = tuple(
                intent for intent in task.input.previous_intents if intent.episode_id not in unmentioned
            )
            shown = hide(replace(task, input=replace(task.input, previous_intents=known)), parts.without)
            yield shown if keeper is None else hide(remember(shown, row["time"], keeper), parts.without)


@dataclass(frozen=True, slots=True)
class _Wanted:
    """The ids for which a function is true."""

    is_wanted: Callable[[str], bool]

    def __contains__(self, task_id: object) -> bool:
        return isinstance(task_id, str) and self.is_wanted(task_id)


def remember(task: SuggestionTask, moment: datetime, keeper: MemoryKeeper) -> SuggestionTask:
    """Return a task with what the memory of its person recalls for it.

    Args:
        task: The task, as the agent would get it.
        moment: Moment of the task, which it may hide.
        keeper: The memories.

    Raises:
        ModelError: The memory failed, or recalled more than its budget allows.
    """
    return replace(task, input=keeper.recall(task.target.user_id, moment, task.input))


def suggestion_targets(built: BuiltDataset, record: SuggestionRun) -> Iterator[TaskTarget]:
    """The targets of a run's tasks, in the order of the dataset."""
    wanted = select_ids(built, record)
    columns = MOMENT_TARGET_COLUMNS if record.of_moments else TARGET_COLUMNS
    for row in built.rows(record.split, columns=columns, config="text"):
        if wanted is None or row["episode_id"] in wanted:
            yield suggestion_target(row)


def select_ids(built: BuiltDataset, record: SuggestionRun) -> frozenset[str] | None:
    """Ids of the tasks of a run; None for the whole split.

    A sample is uniform over the tasks of the split or of the selected users, without replacement: the tasks
    with the smallest sha256 of seed and task id. So it is the same on every machine, and with one seed a
    smaller sample is a part of every larger one.
    """
    selection = record.selection
    if selection is None:
        return None
    rows = built.rows(record.split, columns=["episode_id", "user_id"])
    users = frozenset(selection.users)
    ids = [row["episode_id"] for row in rows if not users or row["user_id"] in users]
    if selection.kind == "sample":
        ids.sort(key=lambda task_id: hashlib.sha256(f"{selection.seed} {task_id}".encode()).digest())
    return frozenset(ids[: record.tasks])


class EarlierIntents:
    """The intents of all episodes of a dataset, and those before each of them.

    Args:
        built: The dataset.
        protocol: Episodes that earlier intents may come from.
    """

    def __init__(self, built: BuiltDataset, protocol: HistoryProtocol) -> None:
        self._intents: dict[str, Intent] = {}
        train = []
        for split in built.split_names:
            for row in built.rows(split, columns=INTENT_COLUMNS, config="text"):
                self._intents[row["episode_id"]] = _intent(row)
                if split == TRAIN:
                    train.append(row["episode_id"])
        self._known = History(self._intents.values(), protocol=protocol, train_ids=train)

    def intent(self, episode_id: str) -> Intent:
        """The intent of an episode."""
        return self._intents[episode_id]

    def before(self, episode_id: str, limit: int | None) -> tuple[Intent, ...]:
        """The latest `limit` intents of the same user strictly before an episode, oldest first."""
        return self._known.before(self._intents[episode_id], limit)

    def before_row(self, row: DatasetRow, limit: int | None) -> tuple[Intent, ...]:
        """As `before`, of a row of `SUGGESTION_COLUMNS`, which may be a moment without an intent."""
        return self._known.before(_intent(row), limit)


def _collect_earlier(built: BuiltDataset, record: ShownParts) -> Before:
    """Function that returns the earlier intents of a row."""
    if record.history == "none":
        return lambda row: ()
    if record.history_source == "previous_intents":
        return lambda row: None
    known, limit = EarlierIntents(built, record.protocol), LIMITS[record.history]
    if record.inferred is None:
        return lambda row: known.before_row(row, limit)
    texts = reread_inferred(record.inferred, built)
    return lambda row: read_inferred_before(known.before(row["episode_id"], limit), texts, row["episode_id"])


def read_inferred_before(
    declared: Sequence[Intent], inferred: InferredIntents, task_id: str
) -> tuple[Intent, ...]:
    """Return the earlier episodes with inferred texts; those without an intent are left out.

    Args:
        declared: Earlier intents of a task, as the user declared them.
        inferred: The inferred intents.
        task_id: The task.

    Raises:
        UsageError: The file has no line for one of the episodes.
    """
    shown = []
    for intent in declared:
        found = inferred.intents.get(intent.episode_id)
        if found is None:
            raise UsageError(
                f"the file has no line for the earlier episode {intent.episode_id} of this task: "
                "`fingertip infer-intents` with the same --split, --history and --history-from adds it",
                file=inferred.file,
                episode_id=task_id,
            )
        if found.text:
            # the declared category is the user's word, too
            shown.append(replace(intent, text=found.text, category=None))
    return tuple(shown)


def _intent(row: DatasetRow) -> Intent:
    return Intent(
        user_id=row["user_id"],
        time=format_time(row["time"]),
        scenario=row["scenario"],
        app=row["app"] or "",
        text=row["intent"] or "",
        category=row["intent_category"],
        offset=offset_of(row["time"]),
    )


def hide(task: SuggestionTask, without: Collection[Hidden]) -> SuggestionTask:
    """The task without the hidden fields, in the task itself and in its earlier intents.

    If the time is hidden, the earlier intents keep their order, oldest first, and have the time "".
    """
    task_input = task.input
    if "profile" in without:
        task_input = replace(task_input, profile=UserProfile())
    if "time" in without:
        task_input = replace(
            task_input, time=None, previous_intents=_hide_fields(task_input.previous_intents, "time")
        )
    if "scenario" in without:
        task_input = replace(
            task_input, scenario="", previous_intents=_hide_fields(task_input.previous_intents, "scenario")
        )
    return replace(task, input=task_input)


def _hide_fields(intents: Sequence[Intent], part: Literal["time", "scenario"]) -> tuple[Intent, ...]:
    if part == "time":
        return tuple(replace(intent, time="") for intent in intents)
    return tuple(replace(intent, scenario="") for intent in intents)
