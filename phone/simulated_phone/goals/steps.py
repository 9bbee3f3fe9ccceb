"""Steps of a strategy, in terms of labels on the screen; `people.gestures` translates them into gestures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, TypeAlias

SWIPE_PX, SWIPE_MS = 500, 300
"""Length and duration of a swipe that the display's edge does not cut short: those of the release's `scroll`,
so that recorded swipes can be replayed."""


@dataclass(frozen=True, slots=True)
class Open:
    """Open the app of that package, by whichever of `gestures.OPENINGS` the person prefers."""

    package: str


@dataclass(frozen=True, slots=True)
class Tap:
    """Tap the element with the label (its own or a descendant's text, hint or description); scroll if needed.

    Args:
        label: The element's label.
        within: A label that must be in the same row or card.
        nth: Index among equal matches, from 0.
    """

    label: str
    within: str = ""
    nth: int = 0


@dataclass(frozen=True, slots=True)
class Hold:
    """Long-press the element with the label."""

    label: str


@dataclass(frozen=True, slots=True)
class TypeText:
    """Type into the focused field.

    Args:
        text: Text to type.
        into: Hint of the field to tap first.
        clear: Delete the field's text first.
        goes_on: Whether more is typed into the field next, so that the keyboard stays open.
    """

    text: str
    into: str = ""
    clear: bool = False
    goes_on: bool = False


@dataclass(frozen=True, slots=True)
class Swipe:
    """Move the content in a direction: "up" reveals what is below."""

    direction: str


@dataclass(frozen=True, slots=True)
class Press:
    """Press a system key: "back", "home" or "recents"; "quick" pulls down the quick settings."""

    key: str


@dataclass(frozen=True, slots=True)
class Leave:
    """Press back until the home screen is shown."""


@dataclass(frozen=True, slots=True)
class SetWheel:
    """Turn a wheel picker, by swipes or by taps on its neighbours, until it shows a value.

    Args:
        wheel: The wheel's description.
        value: The value, as text; of an hour 0-23, however it is shown.
    """

    wheel: str
    value: str


Step: TypeAlias = Open | Tap | Hold | TypeText | Swipe | Press | Leave | SetWheel


def rewrite_step(step: Step, rewrite: Callable[[str], str]) -> Step:
    """The step with each of its texts rewritten.

    >>> rewrite_step(Tap("send", within="Notes"), str.upper)
    Tap(label='SEND', within='NOTES', nth=0)
    """
    values: dict[str, Any] = {item.name: getattr(step, item.name) for item in fields(step)}
    for name, value in values.items():
        if isinstance(value, str):
            values[name] = rewrite(value)
    return type(step)(**values)
