"""A prompt as a block of text, with the term of the paper's equation at each line.

The term of a line is found by making the prompt once more with another value of that term, or without it: the
lines that change are of the term.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher

from PIL import Image

from fingertip_dataset.episodes import UserProfile
from fingertip_models.messages import Message

WIDTH = 110
"""Maximum characters of a shown line; a longer one, such as the signature of a function, is cut."""

PICTURE = "[the picture of the screen]"

PROFILE = UserProfile(
    sex="female",
    age=31,
    occupation="teacher",
    address="Leeds",
    marital_status="single",
    phone_brand="Xiaomi",
)
"""Profile of the person of the examples."""

Line = tuple[str, str]
"""The terms of a line, "" for wording of ours, and the line."""


def draw_picture(size: tuple[int, int]) -> bytes:
    """A white screenshot, as a PNG file's bytes.

    Args:
        size: Width and height, px.
    """
    written = io.BytesIO()
    Image.new("RGB", size, "white").save(written, "PNG", compress_level=1)
    return written.getvalue()


def list_lines(messages: Sequence[Message]) -> list[str]:
    """The lines of a prompt: of each message its role, its text, and its pictures where they stand."""
    found: list[str] = []
    for message in messages:
        words, pictures = message.text.splitlines(), [PICTURE] * len(message.images)
        parts = [*words, *pictures] if message.images_last else [*pictures, *words]
        found += [f"---- {message.role}", *parts]
    return found


def label_lines(
    messages: Sequence[Message], others: Mapping[str, Sequence[Message]], picture: str = "x"
) -> list[Line]:
    """The lines of a prompt with their terms.

    Args:
        messages: The prompt.
        others: Term -> the same prompt with another value of the term, or without it.
        picture: Term of the pictures.
    """
    lines = list_lines(messages)
    terms: list[list[str]] = [[picture] if line == PICTURE else [] for line in lines]
    for term, other in others.items():
        matcher = SequenceMatcher(a=lines, b=list_lines(other), autojunk=False)
        for kind, start, end, *_ in matcher.get_opcodes():
            for number in range(start, end) if kind in ("replace", "delete") else ():
                terms[number] += [term] if term not in terms[number] else []
    return [("+".join(found), line) for found, line in zip(terms, lines, strict=True)]


def render_prompt(
    messages: Sequence[Message], others: Mapping[str, Sequence[Message]], picture: str = "x"
) -> str:
    """A block of text with the terms at the left and the prompt at the right; arguments of `label_lines`."""
    rows = label_lines(messages, others, picture)
    column = max(len(term) for term, _ in rows)
    shown = (f"{term:<{column}} | {line[:WIDTH]}{' …' if len(line) > WIDTH else ''}" for term, line in rows)
    return "\n".join(("```text", *(line.rstrip() for line in shown), "```"))
