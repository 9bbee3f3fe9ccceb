"""Conversion between a model's coordinates and device px, and between finger paths and scrolls."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import TypeVar

from fingertip_dataset.actions import (
    MAX_COORDINATE,
    Action,
    Click,
    Direction,
    LongClick,
    Scroll,
    format_action,
)
from fingertip_dataset.errors import ActionSyntaxError, UsageError

T = TypeVar("T")

DECIMALS = 4
"""Decimals of a coordinate in parts of the screen."""

FACTOR = 28
"""Side of the image patch of one token in Qwen2-VL and Qwen2.5-VL, px; 32 in Qwen3-VL."""

MIN_TOKENS, MAX_TOKENS = 4, 16384
"""Limits of Qwen2-VL's image processor, tokens per picture."""

MIN_PIXELS, MAX_PIXELS = MIN_TOKENS * FACTOR**2, MAX_TOKENS * FACTOR**2

MAX_RATIO = 200
"""Maximum ratio of the longer to the shorter side in Qwen2-VL."""

SWIPE = 500
"""Length of the finger's path of a scroll, device px (the authors' script)."""

ROUNDING = 0.5
"""Tolerance for points beyond the screen's edge, device px; it covers rounding."""


OPPOSITE: Mapping[Direction, Direction] = {"up": "down", "down": "up", "left": "right", "right": "left"}
"""Direction of the finger -> side of the content that it reveals, and the other way round."""


def smart_resize(
    size: tuple[int, int],
    *,
    factor: int = FACTOR,
    min_pixels: int = MIN_PIXELS,
    max_pixels: int = MAX_PIXELS,
) -> tuple[int, int]:
    """Size to which Qwen2-VL and its successors resize a picture: both sides are multiples of `factor`.

    Args:
        size: Width and height, px.
        factor: Divisor of both sides, px.
        min_pixels: Minimum number of pixels; a smaller picture is scaled up.
        max_pixels: Maximum number of pixels; a larger picture is scaled down.

    Raises:
        UsageError: An impossible picture size, or contradictory limits.

    >>> smart_resize((1080, 2400)), smart_resize((1080, 2400), max_pixels=784_000)
    ((1092, 2408), (588, 1316))
    """
    width, height = size
    if min(size) < 1 or max(size) > MAX_RATIO * min(size):
        raise UsageError(
            f"expected a picture at most {MAX_RATIO} times as long as wide, got {width}x{height}"
        )
    if not factor * factor <= min_pixels <= max_pixels:
        raise UsageError(
            f"expected at least {factor * factor} pixels, and no limit above the other, "
            f"got {min_pixels} to {max_pixels}"
        )
    # round half to even, as in the reference implementation of Qwen2-VL
    across, down = (max(factor, round(side / factor) * factor) for side in size)
    if across * down > max_pixels:
        shrink = math.sqrt(width * height / max_pixels)
        across, down = (max(factor, math.floor(side / shrink / factor) * factor) for side in size)
    elif across * down < min_pixels:
        grow = math.sqrt(min_pixels / (width * height))
        across, down = (math.ceil(side * grow / factor) * factor for side in size)
    return across, down


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFrame:
    """Mapping from a model's coordinates to the phone's screen.

    Attributes:
        size: Width and height of the screen in the model's units: px of the model's picture, (1000, 1000) for
            thousandths, (1, 1) for fractions.
        screen: Width and height of the phone's screenshot, px.
        beyond: Distance beyond the right and lower edge that is still read as the edge, in the model's units.
    """

    size: tuple[float, float]
    screen: tuple[int, int]
    beyond: float = 0

    def point(self, numbers: Sequence[float]) -> tuple[int, int]:
        """Convert a point, or the centre of a box, to device px.

        Args:
            numbers: x and y, or left, upper, right and lower edge, in the model's units.

        Raises:
            ActionSyntaxError: A wrong count of numbers, or a point more than `ROUNDING` beyond the screen.

        >>> ModelFrame(size=(1000, 1000), screen=(1080, 2400)).point((219, 186, 311, 207))
        (286, 472)
        >>> ModelFrame(size=(1, 1), screen=(1080, 2400)).point((863, 390))
        Traceback (most recent call last):
        fingertip_dataset.errors.ActionSyntaxError: expected a point on the screen of 1 x 1, got (863, 390)
        """
        if len(numbers) not in (2, 4):
            raise ActionSyntaxError(
                f"expected the two numbers of a point or the four of a box, got {len(numbers)}"
            )
        # a comparison with nan is never true
        if not all(-MAX_COORDINATE <= number <= MAX_COORDINATE for number in numbers):
            raise self._make_error(numbers)
        # nobody means the first pixel of a grid: these are parts of the screen
        fractions = all(0 <= number <= 1 for number in numbers) and any(number % 1 for number in numbers)
        if fractions and max(self.size) > 1:
            raise self._make_error(numbers)
        sides = [*zip(self.size, self.screen, strict=True)] * (len(numbers) // 2)
        places = [
            min(at, unit) * side / unit if at <= unit + self.beyond else at * side / unit
            for at, (unit, side) in zip(numbers, sides, strict=True)
        ]
        if not all(-ROUNDING <= at <= side + ROUNDING for at, (_, side) in zip(places, sides, strict=True)):
            raise self._make_error(numbers)
        half = len(places) - 2
        across, down = (places[0] + places[half]) / 2, (places[1] + places[half + 1]) / 2
        x, y = (
            min(max(math.floor(at + 0.5), 0), side - 1)
            for at, side in zip((across, down), self.screen, strict=True)
        )
        return x, y

    @property
    def center(self) -> tuple[int, int]:
        """The centre of the screen, device px: where a scroll without a point begins."""
        return self.screen[0] // 2, self.screen[1] // 2

    def numbers(self, x: float, y: float) -> tuple[float, float]:
        """Convert device px to the model's units.

        >>> ModelFrame(size=(1, 1), screen=(1080, 2400)).numbers(540, 600)
        (0.5, 0.25)
        """
        return x * self.size[0] / self.screen[0], y * self.size[1] / self.screen[1]

    def spell(self, action: Action) -> str:
        """Spell an action as the release does, with its point in the model's units.

        >>> ModelFrame(size=(1000, 1000), screen=(1080, 2400)).spell(LongClick(x=540, y=600))
        'long_click(coordinates=(500, 250))'
        """
        text = format_action(action)
        if not isinstance(action, Click | LongClick | Scroll):
            return text
        digits = 0 if max(self.size) > 1 else DECIMALS
        x, y = (f"{number:.{digits}f}" for number in self.numbers(action.x, action.y))
        return text.replace(f"({action.x}, {action.y})", f"({x}, {y})", 1)

    def _make_error(self, numbers: Sequence[float]) -> ActionSyntaxError:
        # Decimal writes an int of any size, str() refuses long ones
        got = ", ".join(f"{Decimal(number):.6g}" for number in numbers)
        return ActionSyntaxError(
            f"expected a point on the screen of {self.size[0]:g} x {self.size[1]:g}, got ({got})"
        )


def make_scroll(start: tuple[int, int], end: tuple[int, int]) -> Scroll:
    """Convert a finger's path to a scroll from its start; the longer axis decides, and finger up means down.

    Args:
        start: Start of the path, device px.
        end: End of the path, device px.

    Raises:
        ActionSyntaxError: Start and end are equal.

    >>> make_scroll((540, 1800), (540, 600))
    Scroll(x=540, y=1800, direction='down')
    """
    across, down = end[0] - start[0], end[1] - start[1]
    if not across and not down:
        raise ActionSyntaxError(f"expected a path of a finger that moves, got one that stays at {start}")
    return Scroll(x=start[0], y=start[1], direction=choose_direction(across, down))


def choose_direction(across: float, down: float) -> Direction:
    """Return the direction of the scroll that a finger makes by moving so far, px."""
    if abs(across) > abs(down):
        return "right" if across < 0 else "left"
    return "down" if down < 0 else "up"


def find_swipe_end(action: Scroll, screen: tuple[int, int]) -> tuple[int, int] | None:
    """End of a scroll's finger path, `SWIPE` px from its start and within the screen, device px.

    Args:
        action: The scroll.
        screen: Width and height, device px.

    Returns:
        The end point; None if the scroll starts at the edge that the finger would move to.

    >>> find_swipe_end(Scroll(x=540, y=1200, direction="down"), (1080, 2400))
    (540, 700)
    """
    across, down = {"up": (0, 1), "down": (0, -1), "left": (1, 0), "right": (-1, 0)}[action.direction]
    places = (action.x + across * SWIPE, action.y + down * SWIPE)
    x, y = (min(max(round(at), 0), side - 1) for at, side in zip(places, screen, strict=True))
    return None if (x, y) == (action.x, action.y) else (x, y)


def write_swipe(
    action: Scroll, frame: ModelFrame, write_place: Callable[[float, float], T]
) -> tuple[T, T] | None:
    """Write both ends of a scroll's finger path in the model's units.

    Args:
        action: The scroll, device px.
        frame: Mapping from the model's coordinates to the phone's screen.
        write_place: Writes a point in the model's units.

    Returns:
        The ends; None if there is no path, or both ends are written alike because an edge is so near.
    """
    end = find_swipe_end(action, frame.screen)
    if end is None:
        return None
    start, stop = (write_place(*frame.numbers(*at)) for at in ((action.x, action.y), end))
    return None if start == stop else (start, stop)


HALF_BOX = 10
"""Half the side of the box written for an action with a point only, thousandths."""


def write_box(x: float, y: float, frame: ModelFrame) -> tuple[int, int, int, int]:
    """Write a small box around a point for a model that answers with boxes of 0 to 999.

    Args:
        x: Device px.
        y: Device px.
        frame: Mapping from thousandths to the phone's screen.

    Returns:
        Left, upper, right and lower edge; the box is smaller at an edge of the screen, so that the point
        stays its centre.

    >>> write_box(540, 0, ModelFrame(size=(1000, 1000), screen=(1080, 2400)))
    (490, 0, 510, 0)
    """
    across, down = (min(max(round(number), 0), 999) for number in frame.numbers(x, y))
    reach, rise = (min(HALF_BOX, at, 999 - at) for at in (across, down))
    return across - reach, down - rise, across + reach, down + rise


# a prompt can show the last five screens, each of which is needed in five prompts
@lru_cache(maxsize=32)
def fit_picture(screenshot: bytes, size: tuple[int, int]) -> bytes:
    """Resize a screenshot before it is sent; if the server scaled it instead, coordinates would be off.

    The picture is upright, RGB, with 8 bits a colour.

    Args:
        screenshot: A PNG or JPEG file's bytes.
        size: Target width and height, px.

    Returns:
        The same bytes if the size is right already and all servers show them alike, otherwise a JPEG file's
        bytes.

    Raises:
        InputError: The screenshot is no picture.
    """
    from fingertip_dataset.pictures import open_screenshot, write_jpeg
    from fingertip_dataset.plain_pictures import is_plain
    from fingertip_dataset.screen_decoder import resize_screen

    image = open_screenshot(screenshot)
    if image.size != size:
        return write_jpeg(resize_screen(image, size))
    return screenshot if is_plain(screenshot) else write_jpeg(image)
