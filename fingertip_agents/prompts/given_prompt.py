"""A format with a prompt of the user's in place of ours; pictures, earlier turns and the parser stay."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from fingertip_agents.execution_agent import PastStep, ScreenInput
from fingertip_agents.model_agent import Format
from fingertip_agents.parsing.reading import Prepared
from fingertip_agents.prompts.placeholders import EXECUTION_EXTRA, EXECUTION_TERMS
from fingertip_agents.prompts.prompt_files import PromptFiles
from fingertip_agents.prompts.prompt_text import PromptText
from fingertip_agents.traits import AgentTraits
from fingertip_dataset.errors import AccessibilityTreeError, UsageError
from fingertip_dataset.tasks.task import ExecutionInput
from fingertip_dataset.ui_tree.accessibility import parse_tree
from fingertip_dataset.ui_tree.screen_description import describe_screen
from fingertip_models.messages import Language


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenPrompt:
    """A `Format` whose user message, system message or both have a given text.

    Attributes:
        format: The agent's format.
        user: Text of the first message of the user; None for ours.
        system: Text of the system message; None for ours, and without any letter there is none.

    Raises:
        UsageError: The given texts do not show the task or the steps so far, or list elements that the format
            does not have.
    """

    format: Format
    user: PromptText | None = None
    system: PromptText | None = None

    def __post_init__(self) -> None:
        used, texts = self.files.placeholders, self.files.names
        if "elements" in used and not self._lists_elements:
            raise UsageError(
                f"{texts}: the agent {self.name} has no list of elements for {{elements}}: take {{nodes}}"
            )
        if self.user is None:
            return
        if not used & {"task", "intent"}:
            raise UsageError(
                f"{texts}: the prompt has no placeholder for the task: put {{task}} where it belongs, or "
                "{intent} and others"
            )
        if not used & {"history", "past_actions"} and not self.conversation:
            raise UsageError(f"{texts}: the prompt has no placeholder {{history}} for the steps so far")

    @property
    def name(self) -> str:
        """Name of the agent."""
        return self.format.name

    @property
    def traits(self) -> AgentTraits:
        """Declared traits of the format."""
        return self.format.traits

    @property
    def version(self) -> str:
        """Version of our prompt, by which answers are read."""
        return self.format.version

    @property
    def conversation(self) -> bool:
        """Whether earlier screens and answers are messages of their own."""
        return bool(getattr(self.format, "conversation", False))

    @property
    def xml_calls(self) -> bool:
        """Whether the format asks for calls as XML."""
        return bool(getattr(self.format, "xml_calls", False))

    @property
    def pictures_last(self) -> bool:
        """Whether the picture stands after the text."""
        return bool(getattr(self.format, "pictures_last", False))

    @property
    def files(self) -> PromptFiles:
        """The given texts."""
        return PromptFiles(user=self.user, system=self.system)

    @property
    def settings(self) -> Mapping[str, object]:
        """The format's settings, the prompt's label, and what its texts show of the paper's equation (2)."""
        shown_else = {"past actions"} if self.conversation else set()
        # the paper's agents for screens without a list of elements have no tree in their own prompts
        shown_else |= set() if self._lists_elements else {"tree"}
        terms = {term: names for term, names in EXECUTION_TERMS.items() if term not in shown_else}
        fields = self.files.describe_fields(
            terms, EXECUTION_EXTRA, has_system=getattr(self.format, "has_system", True)
        )
        return {
            **self.format.settings,
            "prompt_text": self.files.label,
            "prompt_fields": fields,
        }

    def prepare(
        self, task_input: ExecutionInput, screen: ScreenInput, past: Sequence[PastStep], language: Language
    ) -> Prepared:
        """Prepare the query as the format does, with the given texts."""
        prepared = self.format.prepare(task_input, screen, past, language)
        values = dict(prepared.values())
        if "nodes" in self.files.placeholders:
            values["nodes"] = _list_nodes(screen, (float(values["width"]), float(values["height"])))
        return replace(prepared, messages=self.files.replace(prepared.messages, values))

    @property
    def _lists_elements(self) -> bool:
        return bool(getattr(self.format, "lists_elements", False))


def _list_nodes(screen: ScreenInput, size: tuple[float, float]) -> str:
    """The authors' list of a screen's elements, as a Python list; empty without a tree.

    Args:
        screen: The screen.
        size: Width and height of the screen in the units of the agent's coordinates.
    """
    if screen.tree is None:
        return "[]"
    try:
        tree = parse_tree(screen.tree, screen=screen.size)
    except AccessibilityTreeError:
        return "[]"
    # a frame of shares, from 0 to 1, has no whole numbers
    digits = None if min(size) > 1 else 3
    (across, down), (width, height) = size, screen.size
    return repr(
        [
            (text, (round(x * across / width, digits), round(y * down / height, digits)))
            for text, (x, y) in ast.literal_eval(describe_screen(tree, form="authors"))
        ]
    )
