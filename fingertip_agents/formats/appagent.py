"""AppAgent: numbers drawn on the screenshot, counted from 1, and calls such as `tap(5)`.

`grid()` requests another picture of the same screen. A decision here has one picture, so `grid()` is
performed as `wait()`, and the next prompt, and only that, is in grid mode: the grid costs a step, as in
AppAgent. A swipe gives the finger's direction, the opposite of our scroll direction; its distance is
dropped, because the release's scroll has a fixed length.

An answer has four labelled sections, one of them the call. Only the call's name decides: `text("FINISH
line")` types. Texts are not escaped.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from fingertip_agents.execution_agent import PastStep, ScreenInput
from fingertip_agents.formats import prompt_wording
from fingertip_agents.formats.appagent_prompt import (
    ANSWER_CALL,
    Mode,
    make_summaries_text,
    make_system_text,
    make_user_text,
)
from fingertip_agents.parsing.calls import MAX_OUTPUT, QUOTES, find_call_ends
from fingertip_agents.parsing.native_syntax import drop_points, make_finished, make_type, rewrite_reference
from fingertip_agents.parsing.reading import Prepared, Reading, WrittenAnswer, make_messages
from fingertip_agents.screens.coordinates import OPPOSITE, make_scroll
from fingertip_agents.screens.elements import (
    find_smallest,
    find_visible_box,
    label_elements,
    list_reacting,
    read_tree,
)
from fingertip_agents.screens.marks import NumberedGrid, NumberedMark, draw_grid, draw_numbers
from fingertip_agents.screens.scale import Scale
from fingertip_agents.traits import format_traits
from fingertip_dataset.actions import (
    DIRECTIONS,
    Action,
    Click,
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
from fingertip_models.messages import Language

CALLS = ("tap", "text", "long_press", "swipe", "back", "grid", "FINISH")
_SECTION = re.compile(
    r"^[ \t*_#>-]*(observation|thought|action|summary)[ \t*_]*[:：][ \t*_]*", re.IGNORECASE | re.MULTILINE
)
_FINISH = re.compile(r"[\s`*'\"(\[]*FINISH(?:[(（]\s*[)）])?[\s`*'\".)\]。]*(?:$|\n)")
_FINISH_CALL = re.compile(r"[\s`*'\"(\[]*(FINISH)\s{0,5}[(（]")
_CALL = re.compile(rf"(?<![A-Za-z0-9_.])({'|'.join(CALLS[:-1])})\s{{0,5}}[(（]")


@dataclass(frozen=True, slots=True, kw_only=True)
class AppAgentCall:
    """Call of AppAgent.

    Attributes:
        name: One of `CALLS`.
        arguments: Text between the brackets; "" for none.
    """

    name: str
    arguments: str = ""


def read_sections(output: str) -> Mapping[str, str]:
    r"""The sections by lower-case name; the first of each name.

    A model that continues after the first round invents screens that it has not seen, so later sections are
    ignored.

    >>> dict(read_sections("Thought: the clock\nAction: tap(5)\nSummary: I opened it.\n\nAction: tap(6)"))
    {'thought': 'the clock', 'action': 'tap(5)', 'summary': 'I opened it.'}
    """
    found = list(_SECTION.finditer(output))
    parts: dict[str, str] = {}
    ends = [*(label.start() for label in found[1:]), len(output)]
    for label, end in zip(found, ends, strict=False):
        parts.setdefault(label[1].lower(), output[label.end() : end].strip())
    return parts


def read_call(output: str) -> AppAgentCall:
    """Read the call in the section Action, or in the whole answer if it has no sections.

    The first of several calls counts: later ones are for screens that the model has not seen.

    Raises:
        ActionSyntaxError: No call, or a call that is not closed.

    >>> read_call('Action: text("买(大)杯")'), read_call("Action: FINISH").name
    (AppAgentCall(name='text', arguments='"买(大)杯"'), 'FINISH')
    """
    if len(output) > MAX_OUTPUT:
        raise ActionSyntaxError(f"expected at most {MAX_OUTPUT} characters, got {len(output)}")
    parts = read_sections(output)
    answer = parts.get("action", "" if parts else output)
    if _FINISH.match(answer):
        return AppAgentCall(name="FINISH")
    match = _FINISH_CALL.match(answer) or _CALL.search(answer)
    if match is None:
        got = printable(repr(answer.strip()), 80) if answer.strip() else "nothing"
        raise ActionSyntaxError(f"expected Action: with one of {', '.join(CALLS)}, got {got}")
    end = next(
        (end for end in find_call_ends(answer, match.end()) if _is_whole(answer[match.end() : end - 1])), None
    )
    if end is None:
        raise ActionSyntaxError(f"expected {match[1]}(...) to end, got {printable(repr(match[0]))}")
    return AppAgentCall(name=match[1], arguments=answer[match.end() : end - 1].strip())


def read_quoted(arguments: str) -> str:
    """The single argument without its quotes.

    Raises:
        ActionSyntaxError: The argument is not in quotes.
    """
    if len(arguments) < 2 or arguments[0] not in QUOTES or arguments[-1] not in QUOTES:
        raise ActionSyntaxError(f'expected text("..."), got text({printable(arguments, 60)})')
    return arguments[1:-1]


def _is_whole(arguments: str) -> bool:
    """Whether a text that begins with a quote ends with one."""
    return not arguments or arguments[0] not in QUOTES or (len(arguments) > 1 and arguments[-1] in QUOTES)


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
"""Part of an area -> touch point, in quarters of the area's width and height."""

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
"""Reader of a tap, long press or swipe, whose arguments depend on the drawing."""


class AppAgent:
    """A vision-language model with AppAgent's prompt, without its exploration of an app.

    Without a tree no element is numbered: the prompt says so, and only text, back, grid and FINISH are
    available.

    Args:
        max_pixels: Maximum pixels of the picture; None for no limit. Numbers are drawn after scaling.

    Raises:
        UsageError: `max_pixels` is too small to be legible.
    """

    name = "appagent"
    traits = format_traits("AppAgent: numbers drawn on the screenshot.", answer_form="free")
    version = f"2 (task {prompt_wording.VERSION})"
    pictures_last = True

    def __init__(self, *, max_pixels: int | None = None) -> None:
        Scale.fit((1, 1), max_pixels=max_pixels)
        self._max_pixels = max_pixels

    @property
    def settings(self) -> Mapping[str, object]:
        """The pixel limit of the picture."""
        return {"max_pixels": self._max_pixels}

    def prepare(
        self, task_input: ExecutionInput, screen: ScreenInput, past: Sequence[PastStep], language: Language
    ) -> Prepared:
        """Prepare the query for this screen.

        Raises:
            InputError: The screenshot is no picture.
        """
        scale, marks = Scale.fit(screen.size, max_pixels=self._max_pixels), list_marks(screen)
        if past and _has_grid_request(past[-1].output):
            grid = NumberedGrid(size=screen.size)
            picture, point = draw_grid(screen.screenshot, grid, scale), partial(_touch_area, grid)
            mode: Mode = "grid"
        else:
            picture, point = draw_numbers(screen.screenshot, marks, scale), partial(_touch_mark, marks)
            mode = "numbers" if marks else "nothing"
        summaries = _list_summaries(past)
        shown_input = rewrite_reference(task_input, drop_points)
        user = make_user_text(shown_input, past, screen, summaries, mode, language)
        return Prepared(
            messages=make_messages(
                make_system_text(language), user, picture, pictures_last=self.pictures_last
            ),
            parse=partial(read_answer, point=point),
            write=partial(write_answer, marks=() if mode == "grid" else marks),
            values=lambda: prompt_wording.make_prompt_values(
                shown_input,
                language,
                answer_call=ANSWER_CALL,
                history=make_summaries_text(summaries, language),
                past=prompt_wording.list_past_texts(past, drop_points),
                package=screen.package,
                size=scale.shown,
            ),
        )


def list_marks(screen: ScreenInput) -> tuple[NumberedMark, ...]:
    """The numbered elements of a screen, numbered from 1 in this order; empty without a tree."""
    tree = read_tree(screen)
    if tree is None:
        return ()
    elements = list_reacting(tree)
    words = label_elements(tree, elements)
    return tuple(
        NumberedMark(box=find_visible_box(element, tree), words=words[element.index]) for element in elements
    )


def read_answer(output: str, *, point: Point) -> Reading:
    """Read the action of an answer.

    Args:
        output: The model's output.
        point: Reader of the calls that depend on the drawing.
    """
    parts = read_sections(output)
    thought = "\n".join(filter(None, (parts.get("observation"), parts.get("thought"))))
    try:
        return Reading(actions=(_convert_call(read_call(output), point),), thought=thought)
    except ActionSyntaxError as error:
        return Reading(problem=str(error), thought=thought)


def write_answer(actions: Sequence[Action], *, marks: Sequence[NumberedMark]) -> WrittenAnswer | None:
    """Write the answer to a screen from the recorded action on it; all sections but Action are empty.

    A touch becomes the number of the smallest marked element around it, and is read at that one's centre.
    """
    match actions[0]:
        case Finished(content=content):
            call: str | None = f'FINISH("{content}")' if content else "FINISH"
        case Type(text=text):
            call = f'text("{text}")'
        case PressBack():
            call = "back()"
        case touch:
            call = _write_touch(touch, marks)
    return WrittenAnswer(text=f"Observation:\nThought:\nAction: {call}\nSummary:") if call else None


def _write_touch(touch: Action, marks: Sequence[NumberedMark]) -> str | None:
    if not isinstance(touch, Click | LongClick | Scroll):
        return None
    if (number := find_smallest([mark.box for mark in marks], touch.x, touch.y)) is None:
        return None
    if isinstance(touch, Scroll):
        return f'swipe({number + 1}, "{OPPOSITE[touch.direction]}", "medium")'
    return f"{'tap' if isinstance(touch, Click) else 'long_press'}({number + 1})"


def _convert_call(call: AppAgentCall, point: Point) -> Action:
    match call.name:
        case "FINISH":
            return make_finished(read_quoted(call.arguments) if call.arguments else None)
        case "text":
            return make_type(read_quoted(call.arguments))
        case "back" | "grid":
            if call.arguments:
                raise ActionSyntaxError(f"expected {call.name}(), got {_describe_call(call)}")
            return PressBack() if call.name == "back" else Wait()
        case _:
            return point(call)


def _touch_mark(marks: Sequence[NumberedMark], call: AppAgentCall) -> Action:
    """Raises ActionSyntaxError for a number that is not on the picture, or arguments of the grid."""
    match = (_SWIPE if call.name == "swipe" else _NUMBER).fullmatch(call.arguments)
    if match is None:
        form = 'element, "direction", "dist"' if call.name == "swipe" else "element"
        raise ActionSyntaxError(f"expected {call.name}({form}), got {_describe_call(call)}")
    number = int(match[1])
    if not 1 <= number <= len(marks):
        on_it = f"a number of 1 to {len(marks)}" if marks else "no number, for none is on the picture"
        raise ActionSyntaxError(f"expected {on_it}, got {number}")
    mark = marks[number - 1]
    x, y = mark.box.center
    if call.name == "swipe":
        return Scroll(x=x, y=y, direction=OPPOSITE[DIRECTIONS[match[2]]])
    return (Click if call.name == "tap" else LongClick)(x=x, y=y, content=mark.words or None)


def _touch_area(grid: NumberedGrid, call: AppAgentCall) -> Action:
    """Raises ActionSyntaxError for an area that is not there, or arguments of the numbers."""
    match = (_TWO_AREAS if call.name == "swipe" else _AREA).fullmatch(call.arguments)
    if match is None:
        form = 'start_area, "start_subarea", end_area, "end_subarea"'
        form = form if call.name == "swipe" else 'area, "subarea"'
        raise ActionSyntaxError(f"expected {call.name}({form}) on a grid, got {_describe_call(call)}")
    start = _find_place(grid, int(match[1]), match[2])
    if call.name == "swipe":
        return make_scroll(start, _find_place(grid, int(match[3]), match[4]))
    return (Click if call.name == "tap" else LongClick)(x=start[0], y=start[1])


def _find_place(grid: NumberedGrid, number: int, part: str) -> tuple[int, int]:
    areas = grid.columns * grid.rows
    if not 1 <= number <= areas:
        raise ActionSyntaxError(f"expected an area of 1 to {areas}, got {number}")
    if part not in _QUARTERS:
        raise ActionSyntaxError(f"expected a subarea, one of {', '.join(_QUARTERS)}, got {part!r}")
    box, (across, down) = grid.area(number), _QUARTERS[part]
    return box.left + box.width * across // 4, box.top + box.height * down // 4


def _has_grid_request(output: str) -> bool:
    try:
        return read_call(output).name == "grid"
    except ActionSyntaxError:
        return False


def _list_summaries(past: Sequence[PastStep]) -> list[str]:
    return [read_sections(step.output).get("summary", "") for step in past]


def _describe_call(call: AppAgentCall) -> str:
    return f"{call.name}({printable(call.arguments, 60)})"
