"""Input and finds of a recogniser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from fingertip_privacy.finds import FindKind

RULES_VERSION = 3
"""Version of all rules; part of the reason of every find. Increment it on any change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecognisedSpan:
    """A private part of a text.

    Attributes:
        start: First character.
        end: Character behind the last one.
        confidence: From 0 to 1.
        rule: Name of the rule, in words.
    """

    kind: FindKind
    start: int
    end: int
    confidence: float
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TextInput:
    """A text with what surrounds it.

    Attributes:
        text: The text; recognisers read a folded one.
        label: Text to the left or above, such as "收货人"; "" without one.
        package: Package of the app that shows it; "" if unknown.
        is_line: Whether the text is one line or label of a screen, and not a sentence that a person wrote.
        is_technical: Whether a program wrote it, such as an id or a name of a file: it may hold a number or a
            mailbox, and its words are none of a person.
    """

    text: str
    label: str = ""
    package: str = ""
    is_line: bool = True
    is_technical: bool = False


Recogniser = Callable[[TextInput], Iterator[RecognisedSpan]]


_LONGEST_LABEL = 24


def is_label(text: str) -> bool:
    """Whether a text can be the label of the next one: short and without a digit, so no value of its own.

    >>> is_label("验证码"), is_label("验证码：483920")
    (True, False)
    """
    return 0 < len(text) <= _LONGEST_LABEL and not any(sign.isdecimal() for sign in text)


def before(given: TextInput, start: int, reach: int = 14) -> str:
    """The characters that precede a position, with the label if the text begins within reach.

    A text that has a value itself is no label.
    """
    text = given.text[max(0, start - reach) : start]
    return (f"{given.label[-reach:]} {text}" if start < reach and is_label(given.label) else text).lower()
