"""Texts of the user's in place of the messages of a prompt of ours, and what of the paper they show."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Self

from fingertip_agents.prompts.prompt_text import PromptText, read_prompt_text
from fingertip_dataset.track import Track
from fingertip_models.messages import Message


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptFiles:
    """Given texts of a prompt.

    Attributes:
        user: Text of the first message of the user; None for ours.
        system: Text of the system message; None for ours, and without any letter there is none.
    """

    user: PromptText | None = None
    system: PromptText | None = None

    @classmethod
    def read(cls, user: str | None, system: str | None, track: Track) -> Self | None:
        """Read the texts of a prompt; None where neither is given.

        Args:
            user: Place of the text of the user message, as `read_prompt_text` takes it; None for ours.
            system: Place of the text of the system message; None for ours.
            track: Track of the agent.

        Raises:
            UsageError: A file cannot be read, or a placeholder in it is unknown.
        """
        if user is None and system is None:
            return None
        texts = (None if place is None else read_prompt_text(place, track) for place in (user, system))
        return cls(**dict(zip(("user", "system"), texts, strict=True)))

    @property
    def names(self) -> str:
        """Names of the files, for messages."""
        return " and ".join(text.name for text in (self.system, self.user) if text)

    @property
    def label(self) -> str:
        """Names and hashes of the given texts."""
        user = "" if self.user is None else f"file {self.user.label}"
        system = "" if self.system is None else f"system message of file {self.system.label}"
        return ", ".join(filter(None, (user, system)))

    @property
    def placeholders(self) -> frozenset[str]:
        """Names of the placeholders of both texts, without aliases."""
        return frozenset().union(*(text.placeholders for text in (self.user, self.system) if text))

    def describe_fields(
        self,
        terms: Mapping[str, Collection[str]],
        extra: Collection[str] = (),
        *,
        has_system: bool = True,
    ) -> dict[str, list[str]]:
        """Describe what the texts show of an equation of the paper, for the record of a run.

        Args:
            terms: Term of the equation -> the placeholders that show it.
            extra: Placeholders of what the equation does not have.
            has_system: Whether our prompt has a system message.

        Returns:
            `placeholders`, all of them; of the equation's terms those that the texts have, `shows`, and those
            that they lack, `lacks`; `adds`, placeholders of `extra`; and `ours`, the messages that are still
            this project's, of which the user's shows every term.
        """
        used = self.placeholders
        shown = [term for term, names in terms.items() if self.user is None or used.intersection(names)]
        ours = [
            *(["user"] if self.user is None else []),
            *(["system"] if self.system is None and has_system else []),
        ]
        return {
            "placeholders": sorted(used),
            "shows": shown,
            "lacks": [term for term in terms if term not in shown],
            "adds": [name for name in extra if name in used],
            "ours": ours,
        }

    def replace(self, messages: tuple[Message, ...], values: Mapping[str, str]) -> tuple[Message, ...]:
        """Replace the texts of a prompt of ours; pictures and all other messages stay.

        Args:
            messages: Our prompt.
            values: Texts for the placeholders, by name.
        """
        return self._replace_system(self._replace_user(messages, values), values)

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
