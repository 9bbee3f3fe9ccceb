"""A format with a prompt of the user's in place of ours; pictures, earlier turns and the parser stay."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from fingertip_agents.execution_agent import PastStep, ScreenInput
from fingertip_agents.formats.reading import Prepared
from fingertip_agents.model_agent import Format
from fingertip_agents.prompts.prompt_text import PromptText
from fingertip_agents.traits import AgentTraits
from fingertip_dataset.errors import UsageError
from fingertip_dataset.tasks.task import ExecutionInput
from fingertip_models.messages import Language, Message

TASK_PARTS = ("profile", "time", "place", "reference")
"""Inputs of the paper's section 3.2 beside the intent."""


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
        used = self._placeholders
        texts = " and ".join(text.name for text in (self.system, self.user) if text)
        if "elements" in used and not getattr(self.format, "lists_elements", False):
            raise UsageError(f"{texts}: the agent {self.name} has no list of elements for {{elements}}")
        if self.user is None:
            return
        if not used & {"task", "intent"}:
            raise UsageError(
                f"{texts}: the prompt has no placeholder for the task: put {{task}} where it belongs, or "
                "{intent} and others"
            )
        if "history" not in used and not self.conversation:
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
    def settings(self) -> Mapping[str, object]:
        """The format's settings, the prompt's label, and the inputs of the paper that it leaves out."""
        used = self._placeholders
        left_out = [] if self.user is None or "task" in used else [x for x in TASK_PARTS if x not in used]
        return {
            **self.format.settings,
            "prompt_text": self.label,
            **({"prompt_without": left_out} if left_out else {}),
        }

    @property
    def label(self) -> str:
        """Names and hashes of the given texts."""
        user = "" if self.user is None else f"file {self.user.label}"
        system = "" if self.system is None else f"system message of file {self.system.label}"
        return ", ".join(filter(None, (user, system)))

    def prepare(
        self, task_input: ExecutionInput, screen: ScreenInput, past: Sequence[PastStep], language: Language
    ) -> Prepared:
        """Prepare the query as the format does, with the given texts."""
        prepared = self.format.prepare(task_input, screen, past, language)
        values = prepared.values()
        return replace(
            prepared, messages=self._replace_system(self._replace_user(prepared.messages, values), values)
        )

    @property
    def _placeholders(self) -> frozenset[str]:
        return frozenset().union(*(text.placeholders for text in (self.user, self.system) if text))

    def _replace_user(self, messages: tuple[Message, ...], values: Mapping[str, str]) -> tuple[Message, ...]:
        if self.user is None:
            return messages
        at = next(index for index, message in enumerate(messages) if message.role == "user")
        own = replace(messages[at], text=self.user.filled(values).strip())
        return (*messages[:at], own, *messages[at + 1 :])

    def _replace_system(
        self, messages: tuple[Message, ...], values: Mapping[str, str]
    ) -> tuple[Message, ...]:
        if self.system is None:
            return messages
        others = tuple(message for message in messages if message.role != "system")
        text = self.system.filled(values).strip()
        return (Message(role="system", text=text), *others) if text else others
