"""Gymnasium's spaces of the simulated phone: observations by kind, and the action space of table 2."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from copy import copy, deepcopy
from operator import index
from typing import Any, Never, Self

import numpy as np
from gymnasium import spaces
from gymnasium.error import CustomSpaceError
from gymnasium.vector.utils import batch_space, create_shared_memory
from numpy.typing import NDArray

from fingertip_dataset.actions import (
    DIRECTIONS,
    Action,
    Click,
    Direction,
    Finished,
    LongClick,
    PressBack,
    PressHome,
    PressRecent,
    Scroll,
    Type,
    Wait,
    parse_action,
)
from fingertip_dataset.errors import UsageError
from fingertip_environments.phone_core import Kind

CALLS = (
    "click",
    "long_click",
    "scroll",
    "type",
    "press_back",
    "press_home",
    "press_recent",
    "wait",
    "finished",
)
"""Kinds of actions, by the number under "call"."""
SIDES = tuple(DIRECTIONS.values())
"""Side of the content that a scroll reveals, by the number under "direction"."""
MAX_TEXT = 200
"""Largest number of characters that the action space types at once."""
MAX_INTENT, MAX_TREE = 2_000, 1_000_000
"""Largest numbers of characters of an intent, and of a tree."""

_LETTERS = "".join(map(chr, (*range(32, 127), *range(0x4E00, 0x9FA6)))) + "，。！？、：；“”‘’（）《》…～·"
_NOT_XML = re.compile("[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\ud800-\\udfff]")
_KEYS: Mapping[str, Action] = {
    "press_back": PressBack(),
    "press_home": PressHome(),
    "press_recent": PressRecent(),
    "wait": Wait(),
}


def action_space() -> spaces.Dict:
    """The action space: a call of table 2, and what some of the calls take.

    "point" is a share of the screen's width and height, for click, long_click and scroll; "direction" is for
    scroll, "text" for type, and for finished where the task asks a question: the answer. What a call does not
    take is ignored.
    """
    return spaces.Dict(
        {
            "call": spaces.Discrete(len(CALLS)),
            "point": spaces.Box(0.0, 1.0, (2,), np.float32),
            "direction": spaces.Discrete(len(SIDES)),
            "text": _TextSpace(MAX_TEXT, _LETTERS),
        }
    )


class _TextSpace(spaces.Text):
    """Text of many characters; its representation counts them, where Gymnasium's lists tens of thousands."""

    def __init__(self, max_length: int, charset: str) -> None:
        super().__init__(max_length, min_length=0, charset=charset)

    def __repr__(self) -> str:
        return f"Text(0, {self.max_length}, characters={len(self.character_set)})"

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        # a batch of spaces is made of deep copies: 2 MB each with the characters
        made = copy(self)
        made._np_random = deepcopy(self._np_random, memo)
        return made


class _AnyText(_TextSpace):
    """Text of whatever characters XML has: a set of all of them, emoji included, would fill 100 MB."""

    def __init__(self, max_length: int) -> None:
        super().__init__(max_length, _LETTERS)

    def contains(self, x: Any) -> bool:  # noqa: ANN401 - Gymnasium's
        """Whether it is such a text."""
        return isinstance(x, str) and len(x) <= self.max_length and _NOT_XML.search(x) is None


@create_shared_memory.register(_TextSpace)
def _refuse_shared_text(space: _TextSpace, n: int = 1, ctx: object = None) -> Never:
    # AsyncVectorEnv reads texts of its shared memory once, before the first reset: every intent and tree
    # would be the same wrong text. It turns this error into one that names `shared_memory=False`.
    raise CustomSpaceError("texts do not pass through shared memory")


class PixelSpace(spaces.Box):
    """Pixels of any shape, 0 to 255, whose bounds take no memory.

    Gymnasium 1.4 keeps four arrays of the whole shape: 500 MB for 64 screens of 540x1200 px.

    Args:
        shape: Shape, such as (height, width, 3).
        seed: Seed of the samples.
    """

    def __init__(self, shape: tuple[int, ...], seed: int | np.random.Generator | None = None) -> None:
        super().__init__(0, 255, (1,) * len(shape), np.uint8, seed)
        self._shape = tuple(shape)
        self.low, self.high = np.broadcast_to(self.low, shape), np.broadcast_to(self.high, shape)
        self.bounded_below = np.broadcast_to(self.bounded_below, shape)
        self.bounded_above = np.broadcast_to(self.bounded_above, shape)
        self.low_repr, self.high_repr = "0", "255"

    def sample(self, mask: None = None, probability: None = None) -> NDArray[np.uint8]:
        """Random pixels."""
        return self.np_random.integers(0, 256, self._shape, np.uint8)

    def contains(self, x: Any) -> bool:  # noqa: ANN401 - Gymnasium's
        """Whether it is an array of bytes of this shape."""
        return isinstance(x, np.ndarray) and x.shape == self._shape and np.can_cast(x.dtype, np.uint8)

    def __eq__(self, other: object, /) -> bool:
        if isinstance(other, PixelSpace):
            return self._shape == other._shape
        return super().__eq__(other)

    def __reduce__(self) -> tuple[Any, ...]:
        return PixelSpace, (self._shape,), {"_np_random": self._np_random}


@batch_space.register(PixelSpace)
def _batch_pixels(space: PixelSpace, n: int = 1) -> PixelSpace:
    return PixelSpace((n, *space.shape), deepcopy(space.np_random))


class FileSpace(spaces.Space[bytes]):
    """Image files: bytes of any length.

    Args:
        head: The bytes that a file of this kind begins with.
    """

    def __init__(self, head: bytes) -> None:
        super().__init__(shape=None, dtype=None)
        self.head = head

    def sample(self, mask: Any = None, probability: Any = None) -> bytes:  # noqa: ANN401 - Gymnasium's
        """The head and some bytes: no picture."""
        return self.head + self.np_random.bytes(16)

    def contains(self, x: Any) -> bool:  # noqa: ANN401 - Gymnasium's
        """Whether it is a file of this kind."""
        return isinstance(x, bytes) and x.startswith(self.head)

    @property
    def is_np_flattenable(self) -> bool:
        """No: the length is not fixed."""
        return False

    def __repr__(self) -> str:
        return f"FileSpace({self.head!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FileSpace) and other.head == self.head

    def __hash__(self) -> int:
        return hash(self.head)


def observation_space(kinds: Sequence[Kind], size: tuple[int, int]) -> spaces.Dict:
    """The observations: "intent", and the screen in each of the kinds.

    Args:
        kinds: Kinds of the screen.
        size: Width and height of the screen, px.
    """
    width, height = size
    found: dict[str, spaces.Space[Any]] = {"intent": _AnyText(MAX_INTENT)}
    every: dict[str, spaces.Space[Any]] = {
        "array": PixelSpace((height, width, 3)),
        "tree": _AnyText(MAX_TREE),
        "png": FileSpace(b"\x89PNG\r\n\x1a\n"),
        "jpeg": FileSpace(b"\xff\xd8\xff"),
    }
    return spaces.Dict(found | {kind: every[kind] for kind in kinds})


def option(options: Mapping[str, Any] | None, name: str) -> Any:  # noqa: ANN401 - Gymnasium's
    """The one option of a reset; None if it is not there.

    Raises:
        UsageError: There is another option.
    """
    unknown = sorted(set(options or {}) - {name})
    if unknown:
        raise UsageError(f"reset has no option {unknown[0]!r}: expected {name!r}")
    return (options or {}).get(name)


def to_action(given: object, size: tuple[int, int]) -> Action:
    """The action of an element of `action_space`, of a string in the release's spelling, or of an action.

    Args:
        given: The action.
        size: Width and height of the screen, px.

    Raises:
        UsageError: It is none of these.
        ActionSyntaxError: It is a string that is no action.

    >>> to_action({"call": 0, "point": (0.5, 0.25)}, (540, 1200))
    Click(x=270, y=300, content=None)
    """
    if isinstance(given, str):
        return parse_action(given)
    if isinstance(given, Action):
        return given
    try:
        return _read_fields(given, size)  # type: ignore[arg-type]
    except (LookupError, TypeError, ValueError, OverflowError) as error:
        raise UsageError(
            f"expected an action with call 0 to {len(CALLS) - 1}, point, direction and text, or a string "
            f"such as 'press_home()', got {str(given)[:80]!r} ({error!r})"
        ) from None


def _read_fields(fields: Mapping[str, Any], size: tuple[int, int]) -> Action:
    number = index(fields["call"])
    if not 0 <= number < len(CALLS):
        raise ValueError("no such call")
    call = CALLS[number]
    if call in _KEYS:
        return _KEYS[call]
    if call == "type":
        return Type(text=_read_text(fields["text"]))
    if call == "finished":
        return Finished(content=_read_text(fields.get("text", "")) or None)
    across, down = (float(share) for share in fields["point"])
    x, y = round(across * (size[0] - 1)), round(down * (size[1] - 1))
    if call == "scroll":
        return Scroll(x=x, y=y, direction=_read_direction(index(fields["direction"])))
    return Click(x=x, y=y) if call == "click" else LongClick(x=x, y=y)


def _read_text(given: object) -> str:
    if not isinstance(given, str):
        raise TypeError("text is no string")
    return given


def _read_direction(number: int) -> Direction:
    if not 0 <= number < len(SIDES):
        raise ValueError("no such direction")
    return SIDES[number]
