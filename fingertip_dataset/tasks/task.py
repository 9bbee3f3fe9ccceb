"""One row of the dataset as a task: what an agent is told apart from what it is scored against.

Protocol choices. The paper's: track 1 tells the profile, the time, the scenario, the user's earlier intents
and the first screens, and asks for the intent; track 2 tells the profile, the intent and how the same user
did a similar task before, and asks for the actions. The release's: an agent of track 2 stops at 2.5 times
the lines of action.jsonl, and the `finished()` that the authors added as the last line is one of them. Ours:
an input holds nothing of its target, in any field; the first screens are those of the first steps, so that a
step without a screenshot shortens them and never lets a later screen in; what an agent is shown is in the
canonical spelling, what it is scored against is as the release writes it; a screen without an action is no
line.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from fingertip_dataset.actions import Finished, canonical, format_action
from fingertip_dataset.episodes import Intent, UserProfile
from fingertip_dataset.errors import DatasetError, UsageError
from fingertip_dataset.times import read_moment

MAX_SCREENSHOTS = 3
"""First screens that a suggestion task may show."""

STEP_LIMIT_FACTOR = 2.5
"""Of the lines of action.jsonl: where the authors' script stops an agent."""

FINISHED = format_action(Finished())

DatasetRow = Mapping[str, Any]
"""A row as `BuiltDataset.rows` gives it, or `load_dataset` with images not decoded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceSequence:
    """A retrieved episode with its actions.

    Attributes:
        episode_id: The episode that was retrieved.
        intent: What its user wanted.
        similarity: Of its intent to the task's, at most 1.
        actions: In the canonical spelling.
        written: The same actions as the release writes them, which is what is scored; empty where only
            `actions` is known.
    """

    episode_id: str
    intent: str
    similarity: float
    actions: tuple[str, ...]
    written: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SuggestionInput:
    """What an agent of track 1 is told; the parts of the paper's section 3.1, any of which may be hidden.

    Attributes:
        task_id: The episode id.
        profile: Who the person is; a `UserProfile()` of nothing where it is hidden.
        time: When, with its zone; None where it is hidden.
        scenario: Where, as the person wrote it; "" where it is hidden.
        previous_intents: Earlier intents of the same user, oldest first; their `time` or `scenario` is ""
            where that part is hidden.
        screenshots: JPEG or PNG bytes of the first 0 to 3 screens.
        accessibility_trees: XML of the same screens, where the row has trees.
    """

    task_id: str
    profile: UserProfile
    time: datetime | None
    scenario: str
    previous_intents: tuple[Intent, ...]
    screenshots: tuple[bytes, ...] = field(default=(), repr=False)
    accessibility_trees: tuple[str, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class SuggestionTarget:
    """What an agent of track 1 is scored against; the category is None where it is unknown."""

    intent: str
    app: str
    intent_category: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SuggestionTask:
    """A task of track 1, proactive suggestion."""

    input: SuggestionInput
    target: SuggestionTarget


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionInput:
    """What an agent of track 2 is told.

    Attributes:
        task_id: The episode id.
        profile: Who the person is.
        intent: What the agent shall carry out.
        app: Package name, sometimes with an activity behind a slash.
        time: When, with its zone.
        scenario: Where, as the person wrote it.
        reference: How the same user did the most similar earlier task; None where there is none.
    """

    task_id: str
    profile: UserProfile
    intent: str
    app: str
    time: datetime
    scenario: str
    reference: ReferenceSequence | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionTarget:
    """What an agent of track 2 is scored against.

    Attributes:
        golden_actions: Every line of action.jsonl as the release writes it, `finished()` included.
        other_type_reference: What a user of the other type did for the most similar intent; None where there
            is none.
    """

    golden_actions: tuple[str, ...]
    other_type_reference: ReferenceSequence | None

    @property
    def user_actions(self) -> tuple[str, ...]:
        """The golden actions that the person did: without `finished()`, which the authors added."""
        return tuple(action for action in self.golden_actions if canonical(action) != FINISHED)

    @property
    def step_limit(self) -> float:
        """The release's rule: 2.5 times the lines of action.jsonl; an agent stops there."""
        return STEP_LIMIT_FACTOR * len(self.golden_actions)

    @property
    def other_type_actions(self) -> tuple[str, ...]:
        """The actions of the other type's reference as the release writes them; empty where there is none."""
        other = self.other_type_reference
        return () if other is None else other.written or other.actions


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionTask:
    """A task of track 2, personalized execution."""

    input: ExecutionInput
    target: ExecutionTarget


def suggestion_task(
    row: DatasetRow, *, screenshots: int = 0, previous_intents: Sequence[Intent] | None = None
) -> SuggestionTask:
    """Track 1 from a row.

    Args:
        row: Of the config "default" where screens are wanted, of either config otherwise.
        screenshots: How many first screens are shown, 0 to 3.
        previous_intents: Instead of the row's own; an empty sequence hides the history.

    Raises:
        UsageError: `screenshots` is out of range, or the row has none.
        DatasetError: A column is missing.
    """
    task_input = SuggestionInput(
        task_id=_cell(row, "episode_id"),
        profile=_profile(row),
        time=_moment(row),
        scenario=_cell(row, "scenario"),
        previous_intents=earlier_intents(row) if previous_intents is None else tuple(previous_intents),
        screenshots=_first_screenshots(row, screenshots),
        accessibility_trees=tuple(
            tree for tree in (row.get("accessibility_trees") or ())[:screenshots] if tree
        ),
    )
    target = SuggestionTarget(
        intent=_cell(row, "intent"), app=_cell(row, "app"), intent_category=_cell(row, "intent_category")
    )
    return SuggestionTask(input=task_input, target=target)


def execution_task(row: DatasetRow) -> ExecutionTask:
    """Track 2 from a row of either config.

    Raises:
        DatasetError: A column is missing.
    """
    task_input = ExecutionInput(
        task_id=_cell(row, "episode_id"),
        profile=_profile(row),
        intent=_cell(row, "intent"),
        app=_cell(row, "app"),
        time=_moment(row),
        scenario=_cell(row, "scenario"),
        reference=_reference(_cell(row, "same_user_reference")),
    )
    target = ExecutionTarget(
        golden_actions=tuple(step["raw"] for step in _cell(row, "actions") if step["raw"]),
        other_type_reference=_reference(_cell(row, "other_type_reference")),
    )
    return ExecutionTask(input=task_input, target=target)


def earlier_intents(row: DatasetRow) -> tuple[Intent, ...]:
    """The row's previous intents as records; they are of the row's user, and have no category.

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
        )
        for earlier in _cell(row, "previous_intents") or ()
    )


def _cell(row: DatasetRow, column: str) -> Any:  # noqa: ANN401 - a row has cells of every type
    if column not in row:
        raise DatasetError(
            f"expected a row with the column {column}, got {', '.join(row)}", episode_id=row.get("episode_id")
        )
    return row[column]


def _moment(row: DatasetRow) -> datetime:
    moment: str | datetime = _cell(row, "time")
    return read_moment(moment)


def _profile(row: DatasetRow) -> UserProfile:
    return UserProfile(**_cell(row, "user_profile"))


def _reference(cell: DatasetRow | None) -> ReferenceSequence | None:
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


def _first_screenshots(row: DatasetRow, count: int) -> tuple[bytes, ...]:
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
    return tuple(image["bytes"] for image in images)
