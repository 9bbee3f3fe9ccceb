"""Action space of the paper's table 2 in the spelling of the release: one small class per kind of action.

::

    click(coordinates=(336, 1267), content='text or description of the element')
    long_click(coordinates=(336, 1267), content='...')
    type(text='...')
    scroll(coordinates=(336, 1267), direction='down')      up, down, left, right
    press_back()  press_home()  press_recent()  wait()  finished()

Where a task asks a question, the last action carries the answer, which the release does not have::

    finished(content='07:30')

In tasks with a person who answers (`--answered-by`) there is one more action, which no other task has::

    ask(text='Which city?')

The release does not escape: a text is everything between the first quote after `content=` or `text=` and the
last quote before the closing bracket, quotes included. So every text can be written and read back.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from typing import ClassVar, Literal, NoReturn, assert_never, get_args

from fingertip_dataset.errors import ActionSyntaxError

MAX_LENGTH = 100_000
"""Maximum length in characters of an action string."""

MAX_COORDINATE = 1_000_000_000
"""Maximum coordinate in device px: larger than any screen, and exact in a float64 column."""

Direction = Literal["up", "down", "left", "right"]
"""Side of the content that a scroll reveals: for "down" the finger moves up."""

DIRECTIONS: Mapping[str, Direction] = {direction: direction for direction in get_args(Direction)}
"""Each direction by its name."""

_OPENING, _CLOSING, _COMMAS = "(（", ")）", ",，"
_EQUALS = re.compile("[=＝]")
_QUOTES = ("'＇‘’", '"＂“”')
_PLAIN_DIGITS = str.maketrans("０１２３４５６７８９．－＋，", "0123456789.-+,")
_INTEGER = re.compile(r"[+-]?[0-9]{1,40}")
_FLOAT = re.compile(r"[+-]?([0-9]{1,40}\.?[0-9]{0,40}|\.[0-9]{1,40})([eE][+-]?[0-9]{1,3})?")


def refuse(expected: str, got: str) -> NoReturn:
    """Raise the ActionSyntaxError of a text that is not what was expected."""
    excerpt = repr(got if len(got) <= 60 else f"{got[:57]}...") if got else "nothing"
    raise ActionSyntaxError(f"expected {expected}, got {excerpt}")


@dataclass(frozen=True, slots=True, kw_only=True)
class _AtPoint:
    """Base of the actions at a point of the screen."""

    x: float
    y: float

    def __post_init__(self) -> None:
        for value in (self.x, self.y):
            if not -MAX_COORDINATE <= value <= MAX_COORDINATE:
                # Decimal formats an int of any size; str() raises above 4300 digits
                refuse(f"a coordinate of at most {MAX_COORDINATE} px", f"{Decimal(value):.6g}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Click(_AtPoint):
    """A tap.

    Attributes:
        x: Device pixels from the left edge; an int if the release writes one.
        y: Device pixels from the upper edge.
        content: Text or description of the element; None if the action gives none.

    Raises:
        ActionSyntaxError: A coordinate is not finite, or beyond MAX_COORDINATE.
    """

    name: ClassVar[str] = "click"
    content: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LongClick(_AtPoint):
    """A press of half a second; attributes and errors as in `Click`."""

    name: ClassVar[str] = "long_click"
    content: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Type:
    """Text typed into the field that has the focus."""

    name: ClassVar[str] = "type"
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Scroll(_AtPoint):
    """A swipe of 500 px from the point, as in the authors' script; x, y and errors as in `Click`."""

    name: ClassVar[str] = "scroll"
    direction: Direction


@dataclass(frozen=True, slots=True, kw_only=True)
class PressBack:
    """The back key."""

    name: ClassVar[str] = "press_back"


@dataclass(frozen=True, slots=True, kw_only=True)
class PressHome:
    """The home key."""

    name: ClassVar[str] = "press_home"


@dataclass(frozen=True, slots=True, kw_only=True)
class PressRecent:
    """The key that shows the recent apps."""

    name: ClassVar[str] = "press_recent"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wait:
    """A pause of two seconds, as in the authors' script."""

    name: ClassVar[str] = "wait"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """The user or the agent declares the task done; the authors write it as the last line.

    Attributes:
        content: Answer to the task's question; None without one, as everywhere in the release.
    """

    name: ClassVar[str] = "finished"
    content: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A question to the person, in tasks in which somebody answers; nothing is done on the phone.

    It is no step: it counts neither towards the step limit nor in any score of actions.
    """

    name: ClassVar[str] = "ask"
    text: str


Action = Click | LongClick | Type | Scroll | PressBack | PressHome | PressRecent | Wait | Finished | Ask


def parse_action(raw: str, *, can_ask: bool = True) -> Action:
    """Parse one action string, of the release or of a model.

    Accepted beyond the release's spelling: space of any kind around every part, full-width punctuation,
    either kind of quotes, either order of the arguments, a click without content, `finish()`. Text inside
    quotes is never read as a call.

    Args:
        raw: The text.
        can_ask: Whether `ask(text='...')` is an action, as where somebody answers; in the release it is none.

    Raises:
        ActionSyntaxError: `raw` is not exactly one such call; the message gives the reason.

    >>> parse_action("click(coordinates=(296, 737), content='English cards 'Fresh English'.')")
    Click(x=296, y=737, content="English cards 'Fresh English'.")
    >>> parse_action("scroll(coordinates=(10, 20), direction='sideways')")
    Traceback (most recent call last):
    fingertip_dataset.errors.ActionSyntaxError: expected direction up, down, left or right, got 'sideways'
    """
    if len(raw) > MAX_LENGTH:
        refuse(f"at most {MAX_LENGTH} characters", f"{len(raw)} characters")
    call = raw.strip()
    opening = _find_first(call, _OPENING)
    name = call[:opening].rstrip() if opening >= 0 else call
    parse = _read_ask if can_ask and name == Ask.name else _CALLS.get(name)
    if parse is None:
        refuse(f"one of the calls {', '.join(name for name in _CALLS if name != 'finish')}", name)
    if opening < 0:
        refuse("an opening bracket after the call's name", "")
    if call[-1] not in _CLOSING:
        closing = max(call.rfind(bracket) for bracket in _CLOSING)
        if closing < opening:
            refuse("a closing bracket at the end", call[opening:])
        refuse("nothing after the closing bracket", call[closing + 1 :].lstrip())
    return parse(call[opening + 1 : -1].strip())


def format_action(action: Action) -> str:
    """Format an action in the release's spelling; `parse_action` inverts it up to MAX_LENGTH characters.

    >>> format_action(Click(x=336, y=1267, content="蓝色加号按钮"))
    "click(coordinates=(336, 1267), content='蓝色加号按钮')"
    >>> format_action(Finished()), format_action(Finished(content="07:30"))
    ('finished()', "finished(content='07:30')")
    """
    match action:
        case Click() | LongClick():
            content = "" if action.content is None else f", content='{action.content}'"
            return f"{action.name}(coordinates=({action.x}, {action.y}){content})"
        case Type() | Ask():
            return f"{action.name}(text='{action.text}')"
        case Scroll():
            return f"scroll(coordinates=({action.x}, {action.y}), direction='{action.direction}')"
        case Finished():
            return "finished()" if action.content is None else f"finished(content='{action.content}')"
        case PressBack() | PressHome() | PressRecent() | Wait():
            return f"{action.name}()"
        case _:
            assert_never(action)


def canonical(raw: str) -> str:
    """Respell an action string as the release does, for comparisons; other text is returned unchanged.

    >>> canonical("click( coordinates=(197,525) )"), canonical("I am done")
    ('click(coordinates=(197, 525))', 'I am done')
    """
    action = _parse_or_none(raw)
    # a question is no action of the paper's, and stays as it was written
    return raw if action is None or isinstance(action, Ask) else format_action(action)


def is_finished(raw: str) -> bool:
    """Whether an action string is `finished()`, in any spelling, with an answer or without.

    >>> is_finished("finish( )"), is_finished("finished(content='12')"), is_finished("wait()")
    (True, True, False)
    """
    return raw.lstrip().startswith("finish") and isinstance(_parse_or_none(raw), Finished)


def strip_answer(raw: str) -> str:
    """Return an action string without the answer that `finished` may carry; other text is returned unchanged.

    >>> strip_answer("finished(content='12')"), strip_answer("finished( )"), strip_answer("wait()")
    ('finished()', 'finished( )', 'wait()')
    """
    if not raw.lstrip().startswith("finish"):
        return raw
    action = _parse_or_none(raw)
    return "finished()" if isinstance(action, Finished) and action.content is not None else raw


def _parse_or_none(raw: str) -> Action | None:
    try:
        return parse_action(raw)
    except ActionSyntaxError:
        return None


def list_action_fields(action: Action | None, raw: str) -> dict[str, object]:
    """Return one entry of the column `actions`: type, x, y, direction, text, content, raw.

    Args:
        action: The parsed action; None if `raw` is no action, which gives the type "unparsable".
        raw: The action as written.

    >>> list_action_fields(Scroll(x=5, y=6, direction="up"), "...")["x"]
    5.0
    """
    x, y = getattr(action, "x", None), getattr(action, "y", None)
    return {
        "type": "unparsable" if action is None else action.name,
        "x": None if x is None else float(x),
        "y": None if y is None else float(y),
        "direction": getattr(action, "direction", None),
        "text": getattr(action, "text", None),
        "content": getattr(action, "content", None),
        "raw": raw,
    }


def _find_first(text: str, characters: str) -> int:
    """Index of the first occurrence of any of the characters, -1 if there is none."""
    indices = [at for at in (text.find(character) for character in characters) if at >= 0]
    return min(indices, default=-1)


def _read_value(argument: str, name: str) -> str | None:
    """Return the value after `name=`; None if the argument has another name."""
    parts = _EQUALS.split(argument, maxsplit=1)
    return parts[1].strip() if len(parts) == 2 and parts[0].strip() == name else None


def _read_quoted(value: str, name: str) -> str:
    kind = next((kind for kind in _QUOTES if value[:1] and value[0] in kind), None)
    if kind is None:
        refuse(f"a quoted text after {name}=", value)
    if len(value) < 2 or value[-1] not in kind:
        refuse(f"{name} to end in a quote of the kind it begins with", value[-20:])
    # the release does not escape quotes within a text, so only the outer pair counts
    return value[1:-1]


def _read_number(text: str) -> float:
    text = text.strip()
    # an int stays an int, so that formatting gives the release's spelling back
    if _INTEGER.fullmatch(text):
        return int(text)
    if _FLOAT.fullmatch(text):
        return float(text)
    refuse("a number as coordinate", text)


def _read_point(value: str) -> tuple[float, float, str]:
    """Parse the coordinates at the front of `value`; return x, y and the text after their closing bracket."""
    # the first bracket: quoted text behind the point may contain brackets
    closing = _find_first(value, _CLOSING)
    if value[:1] not in ("(", "（") or closing < 0:
        refuse("coordinates=(x, y)", value)
    numbers = value[1:closing].translate(_PLAIN_DIGITS)
    if numbers.count(",") != 1:
        refuse("two numbers in coordinates=(x, y)", value[: closing + 1])
    x, _, y = numbers.partition(",")
    return _read_number(x), _read_number(y), value[closing + 1 :].strip()


def _read_point_and_text(arguments: str, name: str) -> tuple[float, float, str | None]:
    """Parse coordinates and the optional quoted argument `name`, in either order."""
    value = _read_value(arguments, "coordinates")
    if value is not None:
        x, y, rest = _read_point(value)
        if not rest:
            return x, y, None
        text = _read_value(rest[1:], name) if rest[0] in _COMMAS else None
        if text is None:
            refuse(f", {name}='...' or the end after the coordinates", rest)
        return x, y, _read_quoted(text, name)
    text = _read_value(arguments, name)
    if text is None:
        refuse("coordinates=(x, y)", arguments)
    # the last one, because a quoted text before it may contain the word
    head, keyword, _ = text.rpartition("coordinates")
    value = _read_value(text[len(head) :], "coordinates")
    head = head.rstrip()
    if not keyword or value is None or head[-1:] not in (",", "，"):
        refuse(f"coordinates=(x, y) before or after {name}", text[-40:])
    x, y, rest = _read_point(value)
    if rest:
        refuse("nothing after the coordinates", rest)
    return x, y, _read_quoted(head[:-1].rstrip(), name)


def _read_press(kind: type[Click | LongClick], arguments: str) -> Action:
    x, y, content = _read_point_and_text(arguments, "content")
    return kind(x=x, y=y, content=content)


def _read_type(arguments: str) -> Action:
    text = _read_value(arguments, "text")
    if text is None:
        refuse("text='...'", arguments)
    return Type(text=_read_quoted(text, "text"))


def _read_ask(arguments: str) -> Action:
    text = _read_value(arguments, "text")
    if text is None:
        refuse("text='...'", arguments)
    return Ask(text=_read_quoted(text, "text"))


def _read_scroll(arguments: str) -> Action:
    x, y, name = _read_point_and_text(arguments, "direction")
    direction = DIRECTIONS.get(name or "")
    if direction is None:
        refuse("direction up, down, left or right", name or "")
    return Scroll(x=x, y=y, direction=direction)


def _read_finished(arguments: str) -> Action:
    if not arguments:
        return Finished()
    content = _read_value(arguments, "content")
    if content is None:
        refuse("content='...' or no arguments in finished()", arguments)
    return Finished(content=_read_quoted(content, "content"))


def _refuse_arguments(action: Action) -> Callable[[str], Action]:
    def parse(arguments: str) -> Action:
        if arguments:
            refuse(f"no arguments in {action.name}()", arguments)
        return action

    return parse


_CALLS: Mapping[str, Callable[[str], Action]] = {
    "click": partial(_read_press, Click),
    "long_click": partial(_read_press, LongClick),
    "type": _read_type,
    "scroll": _read_scroll,
    **{
        action.name: _refuse_arguments(action) for action in (PressBack(), PressHome(), PressRecent(), Wait())
    },
    "finished": _read_finished,
    "finish": _read_finished,
}
