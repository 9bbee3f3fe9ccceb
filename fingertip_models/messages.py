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
        images_last: Whether the images are shown after the text instead, so that a server can reuse its work
            on a text that begins as an earlier one.
    """

    role: Role
    text: str
    images: tuple[bytes, ...] = field(default=(), repr=False)
    images_last: bool = field(default=False, repr=False)
