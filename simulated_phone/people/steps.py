"""What a person means to do next, said by what the screen shows; `ways` turns it into touches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Open:
    """Open the app of that package, the way the person likes: launcher, recent tasks or search."""

    package: str


@dataclass(frozen=True, slots=True)
class Tap:
    """Tap what says `label` (its text, hint or description, or of something in it); scroll if needed.

    `within` is a label that must be in the same row or card; `nth` counts equal ones from 0.
    """

    label: str
    within: str = ""
    nth: int = 0


@dataclass(frozen=True, slots=True)
class Hold:
    """Press what says `label` for long."""

    label: str


@dataclass(frozen=True, slots=True)
class TypeText:
    """Type into the focused field; `into`: the hint of the field to tap first; `clear` empties it."""

    text: str
    into: str = ""
    clear: bool = False


@dataclass(frozen=True, slots=True)
class Swipe:
    """Move the content: "up" shows what is below."""

    direction: str


@dataclass(frozen=True, slots=True)
class Press:
    """A system key: "back", "home" or "recents"; "quick" pulls quick settings down from the top edge."""

    key: str


Step: TypeAlias = Open | Tap | Hold | TypeText | Swipe | Press
