"""Tasks of simulated people under an instruction of some level, with or without somebody who answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from fingertip_dataset.episodes import UserProfile
from fingertip_dataset.errors import DatasetError, UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.split_names import split_name
from fingertip_dataset.tasks.task import ExecutionTask, TaskTarget
from simulated_phone.dialogue.dialogue_kinds import AnsweredBy, Level
from simulated_phone.dialogue.instructions import WRITTEN
from simulated_phone.dialogue.vague_task import VagueTask, describe_tasks
from simulated_phone.phone_errors import PhoneError

ReferenceName: TypeAlias = Literal["same_user", "not_same_task", "other_type", "none"]
"""Kind of the reference that a task shows."""

SAID = "instruction"
"""Where the arguments of a task are known from that its instruction names."""

ORDER = ("ask", "profile", "history", SAID)
"""Sources of arguments, the hardest first."""

COLUMNS = ("episode_id", "intent", "user_profile")


@dataclass(frozen=True, slots=True, kw_only=True)
class InstructedTasks:
    """The tasks of a split under an instruction.

    Attributes:
        level: Level of the instruction.
        answered_by: Who answers questions; None if nobody does.
        tasks: Task id -> the task, those that are left out among them.
    """

    level: Level
    answered_by: AnsweredBy | None
    tasks: Mapping[str, VagueTask] = field(repr=False)

    @property
    def at_home(self) -> bool:
        """Whether attempts begin on the home screen: the instruction does not name the app."""
        return self.level != "full"

    @property
    def hides_reference(self) -> bool:
        """Whether no reference is shown: the dataset chose it by the arguments that are left out."""
        return self.level in WRITTEN

    def choose(self, task_ids: Collection[str] | None) -> tuple[str, ...]:
        """Ids of the tasks that there are under this instruction, of all or of those that are asked for.

        Raises:
            UsageError: There is none, or one that was asked for is left out.
        """
        for task_id in task_ids or ():
            if task_id in self.tasks and (why := self.tasks[task_id].left_out):
                raise UsageError(
                    f"there is no instruction {self.spelled} of this task: {why}", episode_id=task_id
                )
        found = tuple(task_ids or (name for name, task in self.tasks.items() if not task.left_out))
        if not found:
            raise UsageError(f"no task has an instruction {self.spelled}: {'; '.join(self.left_out)}")
        return found

    def keep(self, task_ids: Iterable[str]) -> tuple[str, ...]:
        """Tasks of these that there are under this instruction.

        Raises:
            UsageError: There is none.
        """
        found = tuple(task_id for task_id in task_ids if not self.tasks[task_id].left_out)
        if not found:
            raise UsageError(f"none of these tasks has an instruction {self.spelled}")
        return found

    @property
    def spelled(self) -> str:
        """The level as on the command line."""
        return self.level.replace("_", "-")

    @property
    def left_out(self) -> Mapping[str, int]:
        """Reason -> number of tasks that are left out for it, the most frequent first."""
        return dict(Counter(task.left_out for task in self.tasks.values() if task.left_out).most_common())

    def choose_reference(self, wanted: ReferenceName) -> ReferenceName:
        """The kind of reference that tasks show: none where it would give the arguments away.

        Raises:
            UsageError: References were to be judged, and none is shown.
        """
        if not self.hides_reference:
            return wanted
        if wanted == "not_same_task":
            raise UsageError(
                f"tasks with the instruction {self.spelled} show no reference, which would give their "
                "arguments away: leave out --skip-same-task and --judge"
            )
        return "none"

    def shown(self, tasks: Iterable[ExecutionTask]) -> list[ExecutionTask]:
        """The tasks as an agent sees them."""
        return [self._show_one(task) for task in tasks]

    def note_sources(self, targets: Iterable[TaskTarget]) -> list[TaskTarget]:
        """The targets, with where the arguments are known from."""
        return [
            target.model_copy(update={"known_from": list_sources(self.tasks[target.task_id])})
            for target in targets
        ]

    def _show_one(self, task: ExecutionTask) -> ExecutionTask:
        shown = replace(
            task.input, intent=self.tasks[task.task_id].text, can_ask=self.answered_by is not None
        )
        return replace(task, input=shown)


def list_sources(task: VagueTask) -> tuple[str, ...]:
    """Where the arguments of a task are known from, the hardest source first.

    Args:
        task: The task.
    """
    found = {SAID} if task.says_arguments else set(task.sources.values())
    return tuple(source for source in ORDER if source in found)


def instruct_tasks(
    built: BuiltDataset, split: str, level: Level, answered_by: AnsweredBy | None = None
) -> InstructedTasks:
    """The tasks of a split under an instruction.

    Args:
        built: Dataset of simulated people.
        split: Name of the split, also in the paper's spelling.
        level: Level of the instruction.
        answered_by: Who answers questions; None if nobody does.

    Raises:
        UsageError: The dataset is not of simulated people.
        DatasetError: A setup of a phone is missing or invalid.
    """
    simulations = built.simulations()
    if not simulations:
        raise UsageError(
            "instructions of other levels, and answers, need a dataset of simulated people (fingertip sample "
            f"makes a release of them); this one is {built.manifest.provenance}",
            file=built.path,
        )
    wanted = {
        row["episode_id"]: (row["intent"], UserProfile(**row["user_profile"]).texts)
        for row in built.rows(split_name(split), columns=COLUMNS)
    }
    try:
        tasks = describe_tasks(simulations, level, wanted)
    except (PhoneError, LookupError, TypeError, ValueError) as error:
        raise DatasetError(
            f"the setup of a simulated phone cannot be read: {error!r}", file=built.path
        ) from None
    return InstructedTasks(level=level, answered_by=answered_by, tasks=tasks)
