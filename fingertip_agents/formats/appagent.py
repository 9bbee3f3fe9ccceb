"""AppAgent: numbers drawn on the screenshot, counted from 1, and calls such as `tap(5)`.

`grid()` asks for another picture of the same screen. A decision here sees one picture, so `grid()` is a
`wait()`, and the next prompt is in grid mode, for that one step: the grid costs a step, as in AppAgent.
Swipes tell the way of the finger, which is the opposite of our scroll; how far is lost, for the release's
scroll has one length.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from fingertip_agents.execution_agent import PastStep, ScreenInput
from fingertip_agents.formats import appagent_prompt, prompt_wording
from fingertip_agents.formats.appagent_answer import AppAgentCall, quoted, read_call, sections
from fingertip_agents.formats.coordinates import scroll_along
from fingertip_agents.formats.elements import reacting, readable_tree, visible_box, words_of
from fingertip_agents.formats.marks import NumberedGrid, NumberedMark, numbered, with_grid
from fingertip_agents.formats.reading import Prepared, Reading
from fingertip_agents.formats.scale import Scale
from fingertip_agents.traits import AgentTraits
from fingertip_dataset.actions import (
    Action,
    Click,
    Direction,
    Finished,
    LongClick,
    PressBack,
    Scroll,
    Type,
    Wait,
)
from fingertip_dataset.errors import ActionSyntaxError
from fingertip_dataset.release.problems import printable
from fingertip_dataset.tasks.task import ExecutionInput
from fingertip_models.messages import Language, Message

_CONTENT: Mapping[str, Direction] = {"up": "down", "down": "up", "left": "right", "right": "left"}
"""The finger's way -> the side of the content that it reveals."""

_QUARTERS: Mapping[str, tuple[int, int]] = {
    "center": (2, 2),
    "top-left": (1, 1),
    "top": (2, 1),
    "top-right": (3, 1),
    "left": (1, 2),
    "right": (3, 2),
    "bottom-left": (1, 3),
    "bottom": (2, 3),
    "bottom-right": (3, 3),
}
"""Part of an area -> where it is touched, quarters of the area's width and height."""

_QUOTE = "['\"‘’“”]"
_NUMBER = re.compile(r"\s*([0-9]{1,6})\s*")
_SWIPE = re.compile(
    rf"\s*([0-9]{{1,6}})\s*[,，]\s*{_QUOTE}(up|down|left|right){_QUOTE}"
    rf"(?:\s*[,，]\s*{_QUOTE}(?:short|medium|long){_QUOTE})?\s*"
)
_PLACE = rf"\s*([0-9]{{1,6}})\s*[,，]\s*{_QUOTE}([a-z-]{{1,12}}){_QUOTE}\s*"
_AREA = re.compile(_PLACE)
_TWO_AREAS = re.compile(rf"{_PLACE}[,，]{_PLACE}")

Point = Callable[[AppAgentCall], Action]
"""Reads a tap, a long press or a swipe, which depend on what is drawn."""


class AppAgent:
    """A vision-language model that is asked as AppAgent asks, without its exploration of an app.

    Without a tree nothing is numbered: the prompt says so, and only text, back, grid and FINISH are left.

    Args:
        max_pixels: Of the picture at most; None for no limit. Numbers are drawn in the picture's own size.

    Raises:
        UsageError: A limit on which nothing could be read.
    """

    name = "appagent"
    traits = AgentTraits(
        tracks=("execution",),
        summary="AppAgent: numbers drawn on the screenshot.",
    )
    version = f"1 (task {prompt_wording.VERSION})"

    def __init__(self, *, max_pixels: int | None = None) -> None:
        Scale.fit((1, 1), max_pixels=max_pixels)
        self._max_pixels = max_pixels

    @property
    def settings(self) -> Mapping[str, object]:
        """The limit of the picture."""
        return {"max_pixels": self._max_pixels}

    def prepare(
        self, task_input: ExecutionInput, screen: ScreenInput, past: Sequence[PastStep], language: Language
    ) -> Prepared:
        """The question about this screen.

        Raises:
            InputError: The screenshot is no picture.
        """
        scale = Scale.fit(screen.size, max_pixels=self._max_pixels)
        if past and _asked_for_grid(past[-1].output):
            grid = NumberedGrid(size=screen.size)
            picture, point = with_grid(screen.screenshot, grid, scale), partial(_in_area, grid)
            mode: appagent_prompt.Mode = "grid"
        else:
            marks = marks_of(screen)
            picture, point = numbered(screen.screenshot, marks, scale), partial(_on_mark, marks)
            mode = "numbers" if marks else "nothing"
        messages = (
            Message(role="system", text=appagent_prompt.system_text(mode, language)),
            Message(
                role="user",
                text=appagent_prompt.user_text(task_input, past, screen, _summaries(past), language),
                images=(picture,),
            ),
        )
        return Prepared(messages=messages, read=partial(read_answer, point=point))


def marks_of(screen: ScreenInput) -> tuple[NumberedMark, ...]:
    """What is numbered on a screen, from 1 in this order; nothing without a tree."""
    tree = readable_tree(screen)
    if tree is None:
        return ()
    elements = reacting(tree)
    words = words_of(tree, elements)
    return tuple(
        NumberedMark(box=visible_box(element, tree), words=words[element.index]) for element in elements
    )


def read_answer(output: str, *, point: Point) -> Reading:
    """The action of an answer.

    Args:
        output: What the model wrote.
        point: Reads what depends on the picture.
    """
    parts = sections(output)
    thought = "\n".join(filter(None, (parts.get("observation"), parts.get("thought"))))
    try:
        return Reading(actions=(_action(read_call(output), point),), thought=thought)
    except ActionSyntaxError as error:
        return Reading(problem=str(error), thought=thought)


def _action(call: AppAgentCall, point: Point) -> Action:
    match call.name:
        case "FINISH":
            return Finished()
        case "text":
            return Type(text=quoted(call.arguments))
        case "back" | "grid":
            if call.arguments:
                raise ActionSyntaxError(f"expected {call.name}(), got {_shown(call)}")
            return PressBack() if call.name == "back" else Wait()
        case _:
            return point(call)


def _on_mark(marks: Sequence[NumberedMark], call: AppAgentCall) -> Action:
    """Raises ActionSyntaxError for a number that is not on the picture, or arguments of the grid."""
    match = (_SWIPE if call.name == "swipe" else _NUMBER).fullmatch(call.arguments)
    if match is None:
        form = 'element, "direction", "dist"' if call.name == "swipe" else "element"
        raise ActionSyntaxError(f"expected {call.name}({form}), got {_shown(call)}")
    number = int(match[1])
    if not 1 <= number <= len(marks):
        on_it = f"a number of 1 to {len(marks)}" if marks else "no number, for none is on the picture"
        raise ActionSyntaxError(f"expected {on_it}, got {number}")
    mark = marks[number - 1]
    x, y = mark.box.center
    if call.name == "swipe":
        return Scroll(x=x, y=y, direction=_CONTENT[match[2]])
    return (Click if call.name == "tap" else LongClick)(x=x, y=y, content=mark.words or None)


def _in_area(grid: NumberedGrid, call: AppAgentCall) -> Action:
    """Raises ActionSyntaxError for an area that is not there, or arguments of the numbers."""
    match = (_TWO_AREAS if call.name == "swipe" else _AREA).fullmatch(call.arguments)
    if match is None:
        form = 'start_area, "start_subarea", end_area, "end_subarea"'
        form = form if call.name == "swipe" else 'area, "subarea"'
        raise ActionSyntaxError(f"expected {call.name}({form}) on a grid, got {_shown(call)}")
    start = _place(grid, int(match[1]), match[2])
    if call.name == "swipe":
        return scroll_along(start, _place(grid, int(match[3]), match[4]))
    return (Click if call.name == "tap" else LongClick)(x=start[0], y=start[1])


def _place(grid: NumberedGrid, number: int, part: str) -> tuple[int, int]:
    areas = grid.columns * grid.rows
    if not 1 <= number <= areas:
        raise ActionSyntaxError(f"expected an area of 1 to {areas}, got {number}")
    if part not in _QUARTERS:
        raise ActionSyntaxError(f"expected a subarea, one of {', '.join(_QUARTERS)}, got {part!r}")
    box, (across, down) = grid.area(number), _QUARTERS[part]
    return box.left + box.width * across // 4, box.top + box.height * down // 4


def _asked_for_grid(output: str) -> bool:
    try:
        return read_call(output).name == "grid"
    except ActionSyntaxError:
        return False


def _summaries(past: Sequence[PastStep]) -> list[str]:
    return [sections(step.output).get("summary", "") for step in past]


def _shown(call: AppAgentCall) -> str:
    return f"{call.name}({printable(call.arguments, 60)})"
