"""Execution view: the parts of a task and of a screen that an agent of track 2 gets.

Equation (2) of the paper, a_t = f(U, I, A_ref, a_1 to a_t-1, x_t, tree_t), has the profile, the intent, the
person's earlier actions, the agent's own past actions, the screenshot and the tree. The time and the place
belong to equation (1) of track 1; the app is "not given to the agent" (A.4) and only launched. So an agent
gets neither, nor the intent of the reference, nor the package in front, unless a run asks for them.

The view is applied where a task and a screen are handed to an agent, whichever it is. The safety gate, the
environments and the scores use the whole task.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from fingertip_agents.execution_agent import PastStep, ScreenInput
from fingertip_dataset.episodes import UserProfile
from fingertip_dataset.errors import UsageError
from fingertip_dataset.tasks.task import ExecutionInput

MorePart = Literal["time", "place", "reference-intent", "package"]
"""Part that equation (2) does not have and that a run can show in addition."""

HiddenPart = Literal["profile", "reference", "tree", "past"]
"""Part of equation (2) that a run can leave out."""

MORE_PARTS: tuple[MorePart, ...] = get_args(MorePart)
HIDDEN_PARTS: tuple[HiddenPart, ...] = get_args(HiddenPart)

HIDDEN_TERMS: Mapping[HiddenPart, str] = {"past": "past actions"}
"""Hidden part -> its term in the records of prompt files, where that has another name."""

NAMES: dict[str, MorePart] = {"time": "time", "place": "place", "app": "package"}
"""Name of a value in a prompt file or in an agent's command -> the part that it shows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionView:
    """The parts that an agent of track 2 gets; by default exactly the terms of equation (2).

    Attributes:
        more: Parts beyond equation (2) that are shown, in the order of `MORE_PARTS`.
        without: Parts of equation (2) that are hidden, in the order of `HIDDEN_PARTS`.

    Raises:
        UsageError: There is no such part, or a part is shown of what is hidden.

    >>> ExecutionView(more=("place", "time")).more
    ('time', 'place')
    """

    more: Collection[MorePart] = ()
    without: Collection[HiddenPart] = ()

    def __post_init__(self) -> None:
        for name, parts, known in (("show", self.more, MORE_PARTS), ("hide", self.without, HIDDEN_PARTS)):
            if unknown := [part for part in parts if part not in known]:
                raise UsageError(f"expected to {name} {', '.join(known)}, got {unknown[0]!r}")
        if "reference" in self.without and "reference-intent" in self.more:
            raise UsageError("the intent of a hidden reference cannot be shown: leave out one of the two")
        object.__setattr__(self, "more", tuple(part for part in MORE_PARTS if part in self.more))
        object.__setattr__(self, "without", tuple(part for part in HIDDEN_PARTS if part in self.without))

    def show_task(self, task_input: ExecutionInput) -> ExecutionInput:
        """Return the input as an agent gets it; what is hidden is None, "" or an empty profile."""
        reference = None if "reference" in self.without else task_input.reference
        if reference is not None and "reference-intent" not in self.more:
            reference = replace(reference, intent="")
        return replace(
            task_input,
            profile=UserProfile() if "profile" in self.without else task_input.profile,
            app="",
            time=task_input.time if "time" in self.more else None,
            scenario=task_input.scenario if "place" in self.more else "",
            reference=reference,
        )

    def show_screen(self, screen: ScreenInput) -> ScreenInput:
        """Return the screen as an agent gets it."""
        return ScreenInput(
            screenshot=screen.screenshot,
            tree=None if "tree" in self.without else screen.tree,
            size=screen.size,
            package=screen.package if "package" in self.more else "",
        )

    def show_past(self, past: Sequence[PastStep]) -> Sequence[PastStep]:
        """Return the agent's past actions as it gets them: none if hidden, as on the first screen."""
        return () if "past" in self.without else past

    def check_prompt(self, settings: Mapping[str, object]) -> None:
        """Refuse an agent whose prompt file has a part that this view hides.

        Args:
            settings: The agent's settings.

        Raises:
            UsageError: It has one.
        """
        fields = settings.get("prompt_fields")
        names = fields.get("adds") if isinstance(fields, Mapping) else None
        if isinstance(names, Iterable):
            self.check_names(map(str, names), f"the prompt ({settings.get('prompt_text')})")

    def check_names(self, names: Iterable[str], place: str) -> None:
        """Refuse names of values that this view hides.

        Args:
            names: Names of a prompt file's placeholders, or of the values of an agent's command.
            place: What names them, for the message.

        Raises:
            UsageError: One of them is hidden.

        >>> ExecutionView(more=("time",)).check_names(["intent", "time"], "prompt.txt")
        """
        for name in names:
            part = NAMES.get(name)
            if part is not None and part not in self.more:
                raise UsageError(
                    f"{place} has {{{name}}}, which the paper's agents do not get: add --with {part}, or "
                    "leave it out"
                )


EQUATION_2 = ExecutionView()
"""The view of the paper."""
