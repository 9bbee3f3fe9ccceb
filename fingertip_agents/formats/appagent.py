"""AppAgent: numbers drawn on the screenshot, counted from 1, and calls such as `tap(5)`.

`grid()` requests another picture of the same screen. A decision here has one picture, so `grid()` is
performed as `wait()`, and the next prompt, and only that, is in grid mode: the grid costs a step, as in
AppAgent. A swipe gives the finger's direction, the opposite of our scroll direction; its distance is
dropped, because the release's scroll has a fixed length.

An answer has four labelled sections, one of them the call; a missing label is made up for by a call that is
the last line before the summary. Only the call's name decides: `text("FINISH line")` types. AppAgent's own
parser cuts texts at brackets, finds FINISH anywhere, and takes no names of arguments; here texts have the
escapes of the other formats, and quotes and brackets without them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from fingertip_agents.execution_agent import PastStep, ScreenInput
from fingertip_agents.formats import prompt_wording
from fingertip_agents.formats.appagent_call import (
    AppAgentCall,
    bind_arguments,
    read_call,
    read_number,
    read_sections,
    read_word,
    refuse_form,
)
from fingertip_agents.formats.appagent_prompt import (
    ANSWER_CALL,
    Mode,
    make_summaries_text,
    make_system_text,
    make_user_text,
)
from fingertip_agents.own_agents import OWN_FORMATS
from fingertip_agents.parsing.arguments import quote_text
from fingertip_agents.parsing.native_syntax import drop_points, make_finished, make_type, rewrite_reference
from fingertip_agents.parsing.reading import (
    LEFT_OUT,
    Prepared,
    Reading,
    WrittenAnswer,
    make_messages,
)
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

_DISTANCES = ("short", "medium", "long")

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
    traits = OWN_FORMATS["appagent"].traits
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
        call = read_call(output)
        action = _convert_call(call, point)
        return Reading(actions=(action,), thought=thought, notes=tuple(call.parsed.notes))
    except ActionSyntaxError as error:
        return Reading(problem=str(error), thought=thought)


def write_answer(actions: Sequence[Action], *, marks: Sequence[NumberedMark]) -> WrittenAnswer | None:
    """Write the answer to a screen from the recorded action on it; all sections but Action are empty.

    A touch becomes the number of the smallest marked element around it, and is read at that one's centre.
    """
    match actions[0]:
        case Finished(content=content):
            call: str | None = f"FINISH({_quote(content)})" if content else "FINISH"
        case Type(text=text):
            call = f"text({_quote(text)})"
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


def _quote(text: str) -> str:
    """A text in double quotes, with the escapes of `quote_text`."""
    return '"' + quote_text(text)[1:-1].replace("\\'", "'").replace('"', '\\"') + '"'


def _convert_call(call: AppAgentCall, point: Point) -> Action:
    match call.name:
        case "FINISH":
            return make_finished(call.parsed.answer("answer", "text"))
        case "text":
            return make_type(call.parsed.text("text_input", "text"))
        case "back" | "grid":
            if call.parsed.plain or call.parsed.named:
                raise ActionSyntaxError(f"expected {call.name}(), got {printable(call.written, 60)}")
            return PressBack() if call.name == "back" else Wait()
        case _:
            return point(call)


def _touch_mark(marks: Sequence[NumberedMark], call: AppAgentCall) -> Action:
    """Raises ActionSyntaxError for a number that is not on the picture, or arguments of the grid."""
    is_swipe = call.name == "swipe"
    form = 'swipe(element, "direction", "dist")' if is_swipe else f"{call.name}(element)"
    given = bind_arguments(call, ("element", "direction", "dist") if is_swipe else ("element",), form)
    number = read_number(call, given.get("element"), form)
    if is_swipe and (way := read_word(given.get("direction"))) not in DIRECTIONS:
        refuse_form(call, form)
    if not 1 <= number <= len(marks):
        on_it = f"a number of 1 to {len(marks)}" if marks else "no number, for none is on the picture"
        raise ActionSyntaxError(f"expected {on_it}, got {number}")
    mark = marks[number - 1]
    x, y = mark.box.center
    if is_swipe:
        if "dist" in given and read_word(given["dist"]) not in _DISTANCES:
            call.parsed.notes.append(f"{LEFT_OUT}: the distance of swipe")
        return Scroll(x=x, y=y, direction=OPPOSITE[DIRECTIONS[way]])
    return (Click if call.name == "tap" else LongClick)(x=x, y=y, content=mark.words or None)


_AREAS = ("start_area", "start_subarea", "end_area", "end_subarea")


def _touch_area(grid: NumberedGrid, call: AppAgentCall) -> Action:
    """Raises ActionSyntaxError for an area that is not there, or arguments of the numbers."""
    names = _AREAS if call.name == "swipe" else ("area", "subarea")
    listed = ", ".join(f'"{name}"' if name.endswith("subarea") else name for name in names)
    form = f"{call.name}({listed}) on a grid"
    given = bind_arguments(call, names, form)
    numbers = [read_number(call, given.get(name), form) for name in names[::2]]
    parts = [read_word(given.get(name)) for name in names[1::2]]
    if not all(parts):
        refuse_form(call, form)
    start, *end = (_find_place(grid, *place) for place in zip(numbers, parts, strict=True))
    if end:
        return make_scroll(start, end[0])
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
