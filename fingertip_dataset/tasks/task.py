"""Tasks of both tracks, made from rows of the dataset: the agent's input separate from the scoring target.

Protocol choices. The paper's: the input of track 1 is the profile, the time, the scenario, the user's earlier
intents and the first screens, and the target the intent; the input of track 2 is the profile, the intent and
how the same user did a similar task before, and the target the actions. The release's: an agent of track 2
stops at 2.5 times the lines of action.jsonl, including the `finished()` that the authors added as the last
line. Ours: no field of an input contains anything of its target; the first screens are those of the first
steps, so that a step without a screenshot shortens them and never lets a later screen in; actions in an input
are in the canonical spelling, those of a target as the release writes them; a screen without an action counts
as no line.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, ClassVar

from fingertip_dataset.actions import Finished, canonical, format_action, is_finished
from fingertip_dataset.episodes import Intent, UserProfile
from fingertip_dataset.errors import DatasetError, UsageError
from fingertip_dataset.frozen_model import OmitDefaults
from fingertip_dataset.plain_pictures import write_plain
from fingertip_dataset.release.settings import CHINESE
from fingertip_dataset.tasks.feedback import PastOffer
from fingertip_dataset.tasks.step_limit import STEP_LIMIT_FACTOR
from fingertip_dataset.times import offset_of, read_moment

MAX_SCREENSHOTS = 3
"""Maximum number of first screens in a suggestion task."""

REFERENCE_COLUMNS = ("same_user_reference", "other_type_reference")
"""The columns of a row that show another episode's actions."""

FINISHED = format_action(Finished())

TASK_COLUMNS = (
    "episode_id",
    "user_id",
    "user_profile",
    "time",
    "scenario",
    "app",
    "intent",
    "intent_category",
)
"""Columns of the dataset that a task of either track needs."""

DatasetRow = Mapping[str, Any]
"""A row of `BuiltDataset.rows`, or of `load_dataset` with images not decoded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceSequence:
    """A retrieved episode with its actions.

    Attributes:
        episode_id: Id of the retrieved episode.
        intent: Intent of the retrieved episode; "" if hidden.
        similarity: Similarity of its intent to the task's, at most 1.
        actions: Actions in the canonical spelling.
        written: The same actions as the release writes them, which are scored; empty if only `actions` is
            known.
    """

    episode_id: str
    intent: str
    similarity: float
    actions: tuple[str, ...]
    written: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SuggestionInput:
    """Input of an agent of track 1: the parts of the paper's section 3.1, any of which may be hidden.

    Attributes:
        task_id: Id of the episode.
        profile: Profile of the user; an empty `UserProfile()` if hidden.
        time: Time of the episode, with its zone; None if hidden.
        scenario: Place of the user, as the user wrote it; "" if hidden.
        previous_intents: Earlier intents of the same user, oldest first; their `time` or `scenario` is "" if
            that part is hidden.
        screenshots: JPEG or PNG bytes of the first 0 to 3 screens.
        accessibility_trees: XML of the same screens, if the row has trees.
        language: Language that the user writes, by its ISO 639 code: prompts ask for the answer in it.
        memory: Text that a memory of the agent recalled for this task; "" without one.
        similar_intents: What other people wanted before, oldest first, by a memory that compares people.
        feedback: What was suggested to the user before, with their answers, oldest first; only in a month in
            order.
    """

    task_id: str
    profile: UserProfile
    time: datetime | None
    scenario: str
    previous_intents: tuple[Intent, ...]
    screenshots: tuple[bytes, ...] = field(default=(), repr=False)
    accessibility_trees: tuple[str, ...] = field(default=(), repr=False)
    language: str = CHINESE
    memory: str = ""
    similar_intents: tuple[Intent, ...] = ()
    feedback: tuple[PastOffer, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionInput:
    """Input of an agent of track 2: the paper's section 3.2, and what else is known of the episode.

    An agent gets what `execution_runner.execution_view.ExecutionView` leaves of it: by default the terms of
    equation (2) alone, without app, time, place and the intent of the reference.

    Attributes:
        task_id: Id of the episode.
        profile: Profile of the user; an empty `UserProfile()` if hidden.
        intent: The intent to carry out.
        app: Package name, sometimes followed by a slash and an activity; "" for every agent.
        time: Time of the episode, with its zone; None if hidden.
        scenario: Place of the user, as the user wrote it; "" if hidden.
        reference: The same user's trajectory for the most similar earlier task; None if hidden.
        answer_form: Form of the answer, in words, if the task asks a question; "" otherwise, as everywhere
            in the release.
        language: Language that the user writes, by its ISO 639 code.
        memory: Text that a memory of the agent recalled for this task, which equation (2) does not have; ""
            without one.
        can_ask: Whether somebody answers questions, `ask(text='...')`; never in the paper's tasks.
        dialogue: The questions so far, each with its reply.
    """

    task_id: str
    profile: UserProfile
    intent: str
    app: str
    time: datetime | None
    scenario: str
    reference: ReferenceSequence | None
    answer_form: str = ""
    language: str = CHINESE
    memory: str = ""
    can_ask: bool = False
    dialogue: tuple[tuple[str, str], ...] = ()

    @property
    def request(self) -> str:
        """The intent, followed by the form of the answer where the task asks a question."""
        return f"{self.intent} [{self.answer_form}]" if self.answer_form else self.intent


class TaskTarget(OmitDefaults):
    """Fields by which a task is scored and grouped; in a run's folder, a line of targets.jsonl.

    Attributes:
        task_id: The episode id.
        user_id: Id of the person.
        time: Time of the episode, in ISO 8601, local time; "" for track 2 in run folders of version 1.
        app: Package name of the episode; "" for a moment without an intent.
        intent: The person's intent; "" for a moment at which nothing is wanted.
        intent_category: None where it is not known.
        kind: Kind of a moment, a `MomentKind`; "" for an episode.
        golden_actions: Track 2: every line of action.jsonl as the release writes it, `finished()` included.
        other_type_actions: Track 2: the actions of a person of another type as the release writes them;
            empty without one.
        known_from: Track 2, under an instruction of some level: where the arguments are known from, the
            hardest source first, of "ask", "profile", "history" and "instruction"; empty in the paper's
            tasks.
    """

    OMIT_DEFAULTS: ClassVar[frozenset[str]] = frozenset(
        {"time", "kind", "golden_actions", "other_type_actions", "known_from"}
    )

    task_id: str
    user_id: str
    time: str = ""
    app: str
    intent: str
    intent_category: str | None
    kind: str = ""
    golden_actions: tuple[str, ...] = ()
    other_type_actions: tuple[str, ...] = ()
    known_from: tuple[str, ...] = ()

    @property
    def user_actions(self) -> tuple[str, ...]:
        """The golden actions of the user, without the `finished()` that the authors added."""
        return tuple(action for action in self.golden_actions if not is_finished(action))

    @property
    def step_limit(self) -> float:
        """Largest number of steps of a success; see `STEP_LIMIT_FACTOR`."""
        return STEP_LIMIT_FACTOR * len(self.golden_actions)

    def over_limit(self, steps: int) -> bool:
        """Check whether an attempt of this many steps is a failure, whatever the screen shows."""
        return steps > self.step_limit

    def list_scored_actions(self, gaps: Iterable[int] = ()) -> tuple[str, ...]:
        """The golden actions that the agent's are compared with.

        Args:
            gaps: Indices of golden actions, from 0, whose screen was not recorded; these are left out.
        """
        left_out = set(gaps)
        return tuple(action for index, action in enumerate(self.golden_actions) if index not in left_out)


@dataclass(frozen=True, slots=True, kw_only=True)
class SuggestionTask:
    """A task of track 1, proactive suggestion."""

    input: SuggestionInput
    target: TaskTarget


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionTask:
    """A task of track 2, personalized execution.

    Attributes:
        input: What an agent is shown.
        target: What its attempt is scored by.
        other_type_reference: Trajectory of a user of the other type for the most similar intent; its actions
            are the target's `other_type_actions`.
    """

    input: ExecutionInput
    target: TaskTarget
    other_type_reference: ReferenceSequence | None = None

    @property
    def task_id(self) -> str:
        """The episode id."""
        return self.input.task_id


def suggestion_task(
    row: DatasetRow,
    *,
    screenshots: int = 0,
    previous_intents: Sequence[Intent] | None = None,
    language: str = CHINESE,
) -> SuggestionTask:
    """Make a task of track 1 from a row.

    Args:
        row: Row of the config "default" if `screenshots` is above 0, otherwise of either config.
        screenshots: Number of first screens in the input, 0 to 3.
        previous_intents: Replacement for the row's own history; an empty sequence hides it.
        language: Language that the user writes, from `ReleaseSettings.language_of`.

    Raises:
        UsageError: `screenshots` is out of range, or the row has no screenshots.
        DatasetError: A column is missing.
    """
    task_input = SuggestionInput(
        task_id=_cell(row, "episode_id"),
        profile=_profile(row),
        time=_read_moment(row),
        scenario=_cell(row, "scenario"),
        previous_intents=earlier_intents(row) if previous_intents is None else tuple(previous_intents),
        screenshots=_take_screenshots(row, screenshots),
        accessibility_trees=tuple(
            tree for tree in (row.get("accessibility_trees") or ())[:screenshots] if tree
        ),
        language=language,
    )
    return SuggestionTask(input=task_input, target=suggestion_target(row))


def suggestion_target(row: DatasetRow) -> TaskTarget:
    """Make the target of a track 1 task from a row of either config.

    Raises:
        DatasetError: A column is missing.
    """
    return TaskTarget(
        task_id=_cell(row, "episode_id"),
        user_id=_cell(row, "user_id"),
        time=_read_moment(row).isoformat(),
        app=_cell(row, "app") or "",
        intent=_cell(row, "intent") or "",
        intent_category=_cell(row, "intent_category"),
        kind=row.get("kind") or "",
    )


def execution_task(row: DatasetRow, *, language: str = CHINESE) -> ExecutionTask:
    """Make a task of track 2 from a row of either config.

    Args:
        row: The row.
        language: Language that the user writes, from `ReleaseSettings.language_of`.

    Raises:
        DatasetError: A column is missing.
    """
    task_input = ExecutionInput(
        task_id=_cell(row, "episode_id"),
        profile=_profile(row),
        intent=_cell(row, "intent"),
        app=_cell(row, "app"),
        time=_read_moment(row),
        scenario=_cell(row, "scenario"),
        reference=_read_reference(_cell(row, "same_user_reference")),
        language=language,
    )
    other = _read_reference(_cell(row, "other_type_reference"))
    target = suggestion_target(row).model_copy(
        update={
            "golden_actions": tuple(step["raw"] for step in _cell(row, "actions") if step["raw"]),
            "other_type_actions": () if other is None else other.written or other.actions,
        }
    )
    return ExecutionTask(input=task_input, target=target, other_type_reference=other)


def references_from(row: DatasetRow, episode_ids: Collection[str]) -> tuple[str, ...]:
    """Return the names of the row's reference columns whose episode is one of these.

    A training row without them is `{**row, **dict.fromkeys(references_from(row, episode_ids))}`.

    Args:
        row: Row of either config.
        episode_ids: Episodes that must not be shown, such as `BuiltDataset.unseen_episodes()` or those of
            the tests.

    Raises:
        DatasetError: A column is missing.
    """
    cells = {name: _cell(row, name) for name in REFERENCE_COLUMNS}
    return tuple(name for name, cell in cells.items() if cell and cell["episode_id"] in episode_ids)


def earlier_intents(row: DatasetRow) -> tuple[Intent, ...]:
    """Return the row's previous intents as records of the row's user, without a category.

    Raises:
        DatasetError: A column is missing.
    """
    user = _cell(row, "user_id")
    return tuple(
        Intent(
            user_id=user,
            time=earlier["episode_id"].rpartition("__")[2],
            scenario=earlier["scenario"],
            app=earlier["app"],
            text=earlier["intent"],
            offset=offset_of(read_moment(earlier["time"])),
        )
        for earlier in _cell(row, "previous_intents") or ()
    )


def _cell(row: DatasetRow, column: str) -> Any:  # noqa: ANN401 - a row has cells of every type
    if column not in row:
        raise DatasetError(
            f"expected a row with the column {column}, got {', '.join(row)}", episode_id=row.get("episode_id")
        )
    return row[column]


def _read_moment(row: DatasetRow) -> datetime:
    moment: str | datetime = _cell(row, "time")
    return read_moment(moment)


def _profile(row: DatasetRow) -> UserProfile:
    return UserProfile(**_cell(row, "user_profile"))


def _read_reference(cell: DatasetRow | None) -> ReferenceSequence | None:
    # a null struct reads as None, or as a struct of nulls
    if cell is None or cell["episode_id"] is None:
        return None
    return ReferenceSequence(
        episode_id=cell["episode_id"],
        intent=cell["intent"],
        similarity=cell["similarity"],
        actions=tuple(canonical(action) for action in cell["actions"] if action),
        written=tuple(action for action in cell["actions"] if action),
    )


def _take_screenshots(row: DatasetRow, count: int) -> tuple[bytes, ...]:
    if not 0 <= count <= MAX_SCREENSHOTS:
        raise UsageError(f"expected 0 to {MAX_SCREENSHOTS} screenshots, got {count}")
    if count and "screenshots" not in row:
        raise UsageError(
            'expected rows of the config "default" for screenshots, got rows without any',
            episode_id=row.get("episode_id"),
        )
    images = [image for image in row.get("screenshots", ())[:count] if image]
    if not all(isinstance(image, Mapping) for image in images):
        raise UsageError(
            f"expected screenshots as bytes, got {type(images[0]).__name__}: cast with Image(decode=False)",
            episode_id=row.get("episode_id"),
        )
    return tuple(write_plain(image["bytes"]) for image in images)
