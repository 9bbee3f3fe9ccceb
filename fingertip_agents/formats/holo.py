"""Holo1, Holo1.5, Holo2 and Holo3: one JSON object with a note, a thought and an action.

All published lists of actions of these models are for the web or a desktop; there is none for phones. So
these formats are ours in the shape of the models' own: the actions of the web list that a phone has, with
`go_back` as the back key. `refresh`, `goto` and `restart` are known and have no equivalent. Coordinates of
Holo1 and Holo1.5 are pixels of a picture of at most 1,003,520 pixels (the limit of the published server
line), those of Holo2 and Holo3 are thousandths of the screen.

`direction` of a scroll is the side of the content to reveal. `write_element` is a click on the field and the
text typed into it, `write_element_abs` presses enter after it. A point alone, the form of the models' own
localization, is a click.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

from fingertip_agents.formats import prompt_wording
from fingertip_agents.formats.picture_format import (
    PictureFormat,
    PictureQuestion,
    ResizedPictureFormat,
    ThousandthsFormat,
)
from fingertip_agents.own_agents import OWN_FORMATS
from fingertip_agents.parsing.arguments import Grammar, read_calls
from fingertip_agents.parsing.first_call import read_first_call
from fingertip_agents.parsing.json_calls import JsonCall, find_json_calls, refuse_scattered
from fingertip_agents.parsing.native_syntax import (
    NOTE,
    make_finished,
    make_refusal,
    make_type,
    refuse_call,
    refuse_output,
)
from fingertip_agents.parsing.parsed_call import read_numbers
from fingertip_agents.parsing.points import NAMES, find_json_point
from fingertip_agents.parsing.reading import Reading, WrittenAnswer, make_messages
from fingertip_agents.screens.coordinates import ModelFrame
from fingertip_agents.traits import AgentTraits
from fingertip_dataset.actions import (
    DIRECTIONS,
    Action,
    Click,
    Finished,
    PressBack,
    Scroll,
    Type,
    Wait,
)
from fingertip_dataset.errors import ActionSyntaxError
from fingertip_dataset.release.problems import printable
from fingertip_models.chat.tool_calls import convert_xml_calls
from fingertip_models.messages import Language, Message

_SYSTEM: Mapping[Language, str] = {
    "zh": """\
你看着截图操作一部安卓手机，替机主完成任务，做法尽量和机主平时一样。每次看到的是当前屏幕的截图和到目前为止的步骤，\
只决定接下来的一步。

要求：
- note 记下屏幕上对任务有用的内容，没有就留空
- thought 写理由，不超过四行
- 要输入文字就直接用 {write}，不必先点
- 任务做完后用 answer 结束，content 为要告诉机主的内容
- 坐标{units}，原点在左上角
- {note}

输出一个 JSON，action 为下列之一：
{actions}

形式：
{{"note": "", "thought": "理由", {example}}}""",
    "en": """\
You look at screenshots and operate an Android phone for its owner, as far as possible the way the owner \
would. Each time you see the screenshot of the current screen and the steps so far, and decide on the next \
step only.

Rules:
- note keeps what the screen shows of use for the task; leave it empty otherwise
- thought gives your reason in at most four lines
- to enter a text use {write} at once, without a click before it
- end a finished task with answer, whose content is what to tell the owner
- coordinates are {units}; the origin is the upper left corner
- {note}

Write one JSON object whose action is one of these:
{actions}

Form:
{{"note": "", "thought": "your reason", {example}}}""",
}

_USER: Mapping[Language, str] = {
    "zh": """\
<task>
{task}
</task>
# 到目前为止的步骤
{steps}
<observation>
<screenshot>""",
    "en": """\
<task>
{task}
</task>
# Steps so far
{steps}
<observation>
<screenshot>""",
}

_MEANINGS: Mapping[Language, Mapping[str, str]] = {
    "zh": {
        "click": "点击元素",
        "write": "点输入框并输入 content，要提交就以换行结尾",
        "scroll": "滑动，direction 为 up、down、left 或 right，指想看到的内容在哪一边",
        "go_back": "返回键",
        "wait": "等屏幕变化",
        "answer": "任务结束",
    },
    "en": {
        "click": "a tap on an element",
        "write": "a tap on a field and content typed into it, with a new line at its end to submit",
        "scroll": "a swipe; direction is up, down, left or right, the side of the content to reveal",
        "go_back": "the back key",
        "wait": "wait for the screen to change",
        "answer": "the task is done",
    },
}

_SHAPES: Mapping[str, Mapping[str, object]] = {
    "click": {"element": "...", "x": 0, "y": 0},
    "write": {"content": "...", "element": "...", "x": 0, "y": 0},
    "scroll": {"direction": "down", "x": 0, "y": 0},
    "go_back": {},
    "wait": {"seconds": 2},
    "answer": {"content": "..."},
}
"""Action -> its arguments, as the prompt shows them."""

_NAMES: Mapping[str, str] = {
    **dict.fromkeys(("click_element", "click_absolute", "click_at", "click"), "click"),
    **dict.fromkeys(("write_element", "write", "write_at"), "write"),
    "write_element_abs": "submit",
    **{name: name for name in ("scroll", "go_back", "wait", "answer")},
}
"""Name of an action in any of the lists -> ours."""

_KNOWN: Mapping[str, Sequence[str]] = {
    **{name: tuple(shape) for name, shape in _SHAPES.items()},
    "submit": tuple(_SHAPES["write"]),
}
"""Action -> its arguments."""
_LOCALIZED = Grammar(calls={"Click"}, arguments={"x", "y"})
_NO_STEPS: Mapping[Language, str] = {"zh": "还没有。", "en": "None yet."}


class _Holo(PictureFormat):
    """Both directions of the JSON, and the prompt; a subclass has the frame and the names."""

    version: ClassVar[str] = f"1 (task {prompt_wording.VERSION})"
    pictures_last: ClassVar[bool] = True
    _field: ClassVar[str] = "action"
    """Field of the answer that holds the action."""
    _key: ClassVar[str] = "action"
    """Field of the action that holds its name."""
    _own_names: ClassVar[Mapping[str, str]] = {"click": "click_element", "write": "write_element"}
    """Ours -> name of an action, where it is another one."""
    _units: ClassVar[Mapping[Language, str]]

    def read(self, output: str, *, frame: ModelFrame) -> Reading:
        """Read the actions of an answer; the module's docstring gives the rules.

        >>> frame = ModelFrame(size=(1000, 1000), screen=(1080, 2400))
        >>> answer = '{"note": "", "thought": "t", "action": {"action": "go_back"}}'
        >>> Holo2().read(answer, frame=frame)
        Reading(actions=(PressBack(),), raw=(), problem=None, thought='t', opens='', notes=())
        """
        thought = ""
        try:
            output, _ = convert_xml_calls(output)
            if points := read_calls(output, _LOCALIZED):
                x, y = frame.point(read_numbers((*points[0].plain, *points[0].named.values())))
                return Reading(actions=(Click(x=x, y=y),), notes=tuple(points[0].notes))
            found = _find_actions(output)
            thought = str(found[0][0].arguments.get("thought") or "").strip()

            def perform(call: JsonCall) -> Reading:
                actions = _convert_call(call, frame)
                return Reading(actions=actions, thought=thought, notes=tuple(call.notes))

            return read_first_call([call for _, call in found], perform, _find_name)
        except ActionSyntaxError as error:
            return make_refusal(error, thought)

    def write(self, action: Action, *, frame: ModelFrame) -> str | None:
        """Write an action as JSON, without note and thought; None if it has no equivalent."""
        fields = self._choose_fields([action], frame)
        return None if fields is None else json.dumps(fields, ensure_ascii=False)

    def answer(self, actions: Sequence[Action], *, frame: ModelFrame) -> WrittenAnswer | None:
        """Write the answer to a screen; a click and the text typed after it are one action here."""
        for number in (2, 1):
            fields = self._choose_fields(actions[:number], frame) if len(actions) >= number else None
            if fields is not None:
                whole = {"note": "", "thought": "", self._field: fields}
                return WrittenAnswer(text=json.dumps(whole, ensure_ascii=False), actions=number)
        return None

    def _choose_fields(self, actions: Sequence[Action], frame: ModelFrame) -> dict[str, object] | None:
        match actions:
            case [Click() as click, Type(text=text)]:
                return self._name("write", {"content": text, **_describe_place(click, frame)})
            case [Click() as click]:
                return self._name("click", _describe_place(click, frame))
            case [Scroll() as scroll]:
                x, y = map(round, frame.numbers(scroll.x, scroll.y))
                return self._name("scroll", {"direction": scroll.direction, "x": x, "y": y})
            case [PressBack()]:
                return self._name("go_back", {})
            case [Wait()]:
                return self._name("wait", {"seconds": 2})
            case [Finished(content=content)]:
                return self._name("answer", {"content": content or ""})
            case _:
                return None

    def _name(self, name: str, arguments: Mapping[str, object]) -> dict[str, object]:
        return {self._key: self._own_names.get(name, name), **arguments}

    def _messages(self, question: PictureQuestion) -> tuple[Message, ...]:
        language = question.language
        listed = [
            f"{json.dumps(self._name(name, _SHAPES[name]), ensure_ascii=False)}: {meaning}"
            for name, meaning in _MEANINGS[language].items()
        ]
        example = json.dumps({self._field: self._name("click", _SHAPES["click"])}, ensure_ascii=False)
        system = _SYSTEM[language].format(
            actions="\n".join(listed),
            write=self._own_names.get("write", "write"),
            units=self._units[language].format(*question.frame.size),
            note=NOTE[language],
            example=example[1:-1],
        )
        user = _USER[language].format(task=question.task, steps=self._history(question))
        return make_messages(system, user, question.picture, pictures_last=self.pictures_last)

    def _history(self, question: PictureQuestion) -> str:
        return question.numbered_steps(self._step_text, _NO_STEPS)

    def _step_text(self, output: str) -> str:
        """Return the note and the action, or else the whole answer."""
        try:
            outer, call = _find_actions(output)[0]
        except ActionSyntaxError:
            return output
        note = outer.arguments.get("note") or outer.arguments.get("notes")
        fields = {**({"note": note} if note else {}), self._field: call.arguments}
        return json.dumps(fields, ensure_ascii=False)


class Holo15(_Holo, ResizedPictureFormat):
    """Holo1 and Holo1.5: pixels of a picture whose size the adapter has to know.

    Args:
        max_pixels: Maximum pixels, as set on the model's server; None for 1,003,520, as in its own line.

    Raises:
        UsageError: A limit that is too small for a picture.
    """

    name: ClassVar[str] = "holo1.5"
    traits: ClassVar[AgentTraits] = OWN_FORMATS["holo1.5"].traits
    _units: ClassVar[Mapping[Language, str]] = {
        "zh": "以截图的像素为单位，截图宽 {0:g}、高 {1:g}",
        "en": "pixels of the screenshot, which is {0:g} wide and {1:g} high",
    }

    def __init__(self, *, max_pixels: int | None = None) -> None:
        super().__init__(max_pixels=MAX_PIXELS if max_pixels is None else max_pixels)


MAX_PIXELS = 1_003_520
"""Maximum pixels of a picture of Holo1 and Holo1.5 in their published server line."""


class Holo2(_Holo, ThousandthsFormat):
    """Holo2: thousandths of the screen.

    Args:
        max_pixels: Maximum pixels of the picture; None to send the screenshot unscaled. Coordinates do not
            depend on it.
    """

    name: ClassVar[str] = "holo2"
    traits: ClassVar[AgentTraits] = OWN_FORMATS["holo2"].traits
    _factor = 32  # px of a token's side
    _units: ClassVar[Mapping[Language, str]] = {
        "zh": "为 0 到 1000 的整数：x 从左到右，y 从上到下",
        "en": "whole numbers from 0 to 1000: x from left to right, y from top to bottom",
    }


class Holo3(Holo2):
    """Holo3: thousandths of the screen, and the action as `tool_call`.

    Args:
        max_pixels: Maximum pixels of the picture; None to send the screenshot unscaled. Coordinates do not
            depend on it.
    """

    name = "holo3"
    traits = OWN_FORMATS["holo3"].traits
    _field = "tool_call"
    _key = "tool_name"
    _own_names: ClassVar[Mapping[str, str]] = {}


def _describe_place(click: Click, frame: ModelFrame) -> dict[str, object]:
    x, y = map(round, frame.numbers(click.x, click.y))
    return {"element": click.content or "", "x": x, "y": y}


def _find_actions(output: str) -> list[tuple[JsonCall, JsonCall]]:
    """Find the objects of an answer, at least one, each with the action in it, which may be the same.

    Raises:
        ActionSyntaxError: There is none.
    """
    calls = find_json_calls(output, is_call=lambda fields: not _FIELDS.isdisjoint(fields))
    if not calls:
        refuse_output("JSON with an action", output)
    refuse_scattered(output, calls)
    # a whole answer has a thought; an object without one may be a draft in the prose around it
    whole = next((at for at, call in enumerate(calls) if not _WHOLE.isdisjoint(call.arguments)), 0)
    calls = (*calls[whole:], *calls[:whole])
    return [(outer, _find_inner(outer)) for outer in calls]


def _find_inner(outer: JsonCall) -> JsonCall:
    inner = next((outer.arguments[name] for name in ("action", "tool_call") if name in outer.arguments), None)
    if isinstance(inner, list):
        refuse_output("one action", "a list of them")
    if not isinstance(inner, dict):
        return outer
    # a function's name with its arguments apart, as models of this family write it elsewhere
    given = inner.get("arguments")
    if isinstance(given, dict):
        inner = {name: value for name, value in inner.items() if name != "arguments"} | given
    return replace(outer, arguments=inner)


def _find_name(call: JsonCall) -> str:
    given = call.given("tool_name", "action", "name")
    name = given if isinstance(given, str) else call.name or ("click" if "x" in call.arguments else "")
    return printable(name, 40)


_FIELDS = frozenset(("action", "tool_call", "tool_name", "x"))
_WHOLE = frozenset(("thought", "note", "notes"))


def _convert_call(call: JsonCall, frame: ModelFrame) -> tuple[Action, ...]:
    name = _find_name(call)
    if not name:
        raise ActionSyntaxError("expected the name of an action, got none")
    action = _NAMES.get(name)
    if action is None:
        refuse_call(repr(name[:40]))
    call.leave_out(("tool_name", "action", "name", "note", "notes", "thought", *_KNOWN[action]))
    if action in ("click", "write", "submit"):
        x, y = _read_place(call, name, frame)
        click = Click(x=x, y=y)
        if action == "click":
            return (click,)
        text = call.text("content")
        return click, make_type(text if action == "write" or text.endswith("\n") else f"{text}\n")
    if action == "scroll":
        return (_read_scroll(call, name, frame),)
    if action == "answer":
        return (make_finished(call.answer("content")),)
    return (PressBack() if action == "go_back" else Wait(),)


def _read_place(call: JsonCall, name: str, frame: ModelFrame) -> tuple[int, int]:
    """Read the point of an action, device px."""
    across, down = call.given("x"), call.given("y")
    if across is not None and down is not None:
        return frame.point([*read_numbers(across), *read_numbers(down)])
    # `element` is a description here
    numbers = find_json_point(call, name, others=tuple(other for other in NAMES if other != "element"))
    if numbers is None:
        raise ActionSyntaxError(f"expected x and y of a point in {name}, got one or neither")
    return frame.point(numbers)


def _read_scroll(call: JsonCall, name: str, frame: ModelFrame) -> Scroll:
    side = call.text("direction").strip().lower()
    if side not in DIRECTIONS:
        raise ActionSyntaxError(f"expected direction up, down, left or right, got {side[:40]!r}")
    x, y = frame.center
    if call.given("x") is not None:
        x, y = _read_place(call, name, frame)
    return Scroll(x=x, y=y, direction=DIRECTIONS[side])
