"""Messages of a chat with a model."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Role = Literal["system", "user", "assistant"]
Language = Literal["zh", "en"]
"""Language of the prompts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """Message of a chat.

    Attributes:
        role: Role of the speaker.
        text: Text of the message.
        images: JPEG or PNG bytes, shown before the text.
    """

    role: Role
    text: str
    images: tuple[bytes, ...] = field(default=(), repr=False)
