r"""Doubao, Seed and UI-TARS-2: the calls of UI-TARS in thousandths of the screen, as text or as XML.

The API model doubao-1.5-ui-tars and Seed models write `Action: click(point='<point>500 300</point>')`;
UI-TARS-2, whose weights are not public, and newer Seed models write the same functions as XML between
`<seed:tool_call>` or `<tool_call>`. Both formats read both forms, also as JSON; only their prompts differ.

The rules are those of UI-TARS (module `ui_tars`): all calls are performed in order, `direction` is the side
of the content to reveal, and a drag or swipe is a finger's path. `<answer>` ends the task with its text. A
plain text without a call is no end of the task, though UI-TARS-2 ends its tasks so: nothing tells it from an
answer that is merely unreadable. Calls of the mouse, `navigate` and `call_user` have no equivalent.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

from fingertip_agents.formats import prompt_wording
from fingertip_agents.formats.open_app import plan_calls
from fingertip_agents.formats.picture_format import PictureQuestion, ThousandthsFormat
from fingertip_agents.formats.ui_tars import (
    CALLS,
    FOLDED,
    GRAMMAR,
    LABEL,
    UITars15,
    convert_call,
    fold_call,
)
from fingertip_agents.own_agents import OWN_FORMATS
from fingertip_agents.parsing.arguments import read_calls
from fingertip_agents.parsing.json_calls import JsonCall, refuse_scattered
from fingertip_agents.parsing.native_syntax import (
    NOTE,
    make_finished,
    make_refusal,
    refuse_output,
)
from fingertip_agents.parsing.parsed_call import ArgumentValue, ParsedCall
from fingertip_agents.parsing.reading import COMPLETED, Reading, WrittenAnswer
from fingertip_agents.parsing.xml_calls import find_named_calls, write_xml_call
from fingertip_agents.screens.coordinates import ModelFrame
from fingertip_agents.traits import AgentTraits
from fingertip_dataset.actions import (
    Action,
    Click,
    Finished,
    LongClick,
    PressBack,
    PressHome,
    Scroll,
    Type,
    Wait,
)
from fingertip_dataset.errors import ActionSyntaxError
from fingertip_models.messages import Language, Message

_GRAMMAR = replace(
    GRAMMAR,
    calls={*GRAMMAR.calls, *CALLS, "mouse_down", "mouse_up", "move_to", "navigate"},
)
# a tag within a line is prose about one
_ANSWER_BEGINS = re.compile(r"^[^\S\n]{0,20}<answer>", re.MULTILINE)
_ANSWER = re.compile(
    r"[^\S\n]{0,20}<answer>((?:(?!</?answer).)*?)(?:</answer>|(?:</?[a-z]{0,6})?)\s{0,99}\Z",
    re.DOTALL,
)
_TAGS = re.compile(r"</?(?:seed:)?tool_call>|<function\s?=")
_LINES = re.compile(r"^[^\S\n]*</?(?:computer_env|(?:seed:)?tool_call)>[^\S\n]*$", re.MULTILINE)
"""Tags around calls as text, a line each."""


class DoubaoUITars(ThousandthsFormat, UITars15):
    """Doubao's UI-TARS and the Seed models: thousandths of the screen.

    Args:
        max_pixels: Maximum pixels of the picture; None to send the screenshot unscaled. Coordinates do not
            depend on it.
        max_pictures: Maximum number of pictures in a prompt, the current one included; None for 5, as in
            UI-TARS-1.5.
    """

    name: ClassVar[str] = "doubao-ui-tars"
    traits: ClassVar[AgentTraits] = OWN_FORMATS["doubao-ui-tars"].traits
    _scrolls: ClassVar[Mapping[Language, str]] = {
        "zh": f"{UITars15._scrolls['zh']}\nwait()：等待几秒，看屏幕有没有变化",
        "en": f"{UITars15._scrolls['en']}\nwait(): wait some seconds for the screen to change",
    }
    _units: ClassVar[Mapping[Language, str]] = {
        "zh": "0 到 1000 的整数，x 为宽度的千分之几，y 为高度的千分之几，原点在左上角。",
        "en": "Whole numbers from 0 to 1000: thousandths of the width and of the height; the origin is the "
        "upper left corner.",
    }

    def read(self, output: str, *, frame: ModelFrame) -> Reading:
        r"""Read the actions of an answer; the module's docstring gives the rules.

        >>> call = "<function=click><parameter=point><point>17 58</point></parameter></function>"
        >>> frame = ModelFrame(size=(1000, 1000), screen=(1080, 2400))
        >>> DoubaoUITars().read(f"<seed:tool_call>{call}</seed:tool_call>", frame=frame).actions
        (Click(x=18, y=139, content=None),)
        """
        output, completed = _complete_function(_AROUND.sub("", _NEVER_USED.sub("", output)))
        try:
            text, calls = find_named_calls(output) if _TAGS.search(output) else ("", ())
            if calls:
                refuse_scattered(text, calls)
                if _OTHER.search(_cut_calls(text, calls)):
                    raise ActionSyntaxError("expected calls in one syntax, got two")
                thought = _TAGS.sub("", text[: calls[0].start]).strip()
                reading = plan_calls(
                    [fold_call(_make_call(call)) for call in calls],
                    partial(convert_call, frame=frame),
                    thought,
                )
                return replace(reading, notes=(*reading.notes, *completed))
            answer = _find_answer(output)
            if answer and not self._list_calls(answer[1], folded=True):
                return _read_answer(answer, output[: answer.start()].strip())
        except ActionSyntaxError as error:
            return make_refusal(error, "")
        return self._read_text(answer[1] if answer else output, frame)

    def _read_text(self, output: str, frame: ModelFrame) -> Reading:
        return super().read(_LINES.sub("", output), frame=frame)

    def _list_calls(self, output: str, *, folded: bool) -> tuple[ParsedCall, ...]:
        return tuple(map(fold_call, read_calls(output, FOLDED if folded else _GRAMMAR)))


_NEVER_USED = re.compile(r"(?<=[a-z])_never_used_[0-9a-f]{4,64}(?=[>=\s])")
"""Mark of the tokens of Seed in its own tags."""
_AROUND = re.compile(
    r"\A\s*<answer>\s*(?=<(?:seed:)?tool_call>|<function)|(?<=</seed:tool_call>)\s*</answer>\s*\Z"
    r"|(?<=</tool_call>)\s*</answer>\s*\Z|(?<=</function>)\s*</answer>\s*\Z"
)
"""Tags of an answer around those of its calls."""
_OPEN_FUNCTION = re.compile(
    r"(<function\s?=[^<>\n]{1,60}>(?:(?!</?function).){0,20000}</parameter>)(?=\s*(?:</(?:seed:)?tool_call>\s*)?\Z)",
    re.DOTALL,
)


def _complete_function(output: str) -> tuple[str, tuple[str, ...]]:
    """Return an output with the missing end of its last function, and a note if it was missing."""
    found = _OPEN_FUNCTION.search(output)
    if found is None:
        return output, ()
    note = f"{COMPLETED}: the missing tag of <function>"
    return f"{output[: found.end()]}</function>{output[found.end() :]}", (note,)


_OTHER = re.compile(
    rf"^[^\S\n]{{0,9}}(?:(?:{LABEL.pattern})[\s`*]{{0,9}}[A-Za-z_]{{1,40}}\(|<answer>"
    rf"|(?:{'|'.join(sorted(FOLDED.calls, key=len, reverse=True))})\([^\n]*\)[^\S\n]*$)",
    re.MULTILINE,
)
"""A call in text, or an answer, next to calls as XML."""


def _cut_calls(text: str, calls: Sequence[JsonCall]) -> str:
    """Return the text around calls."""
    starts, ends = [call.start for call in calls], [call.end for call in calls]
    return "\n".join(text[end:start] for end, start in zip([0, *ends], [*starts, len(text)], strict=True))


def _find_answer(output: str) -> re.Match[str] | None:
    """Find the answer that ends an output; None without one.

    Raises:
        ActionSyntaxError: There is another one, or text behind it: what is meant nobody knows.
    """
    begins = _ANSWER_BEGINS.search(output)
    if begins is None:
        return None
    answer = _ANSWER.match(output, begins.start())
    if answer is None:
        refuse_output("one <answer> at the end", output[begins.start() :])
    return answer


def _read_answer(answer: re.Match[str], thought: str) -> Reading:
    """Read a text between tags of an answer; the closing one may be missing at the end of the output."""
    finished = make_finished(answer[1])
    if finished.content is None:
        refuse_output("a text in <answer>", "")
    whole = answer[0].rstrip().endswith("</answer>")
    notes = () if whole else (f"{COMPLETED}: the missing tag of <answer>",)
    return Reading(actions=(finished,), thought=thought, notes=notes)


def _make_call(call: JsonCall) -> ParsedCall:
    """Make the call of a function as it is in text; what it does not know is left out with a note."""
    call.leave_out(tuple(_GRAMMAR.arguments))
    values = {name: _make_value(value) for name, value in call.arguments.items() if value is not None}
    named = {name: value for name, value in values.items() if name in _GRAMMAR.arguments}
    others = {name: value for name, value in values.items() if name not in named}
    return ParsedCall(name=call.name, named=named, others=others, notes=call.notes)


def _make_value(value: object) -> ArgumentValue:
    if isinstance(value, list):
        return tuple(map(_make_value, value))
    return value if isinstance(value, str | int | float) else json.dumps(value)


_SYSTEM: Mapping[Language, str] = {
    "zh": """\
先在 <thinkt> 和 </thinkt> 之间想一想：屏幕上是什么，这一步该做什么。

你看着截图操作一部安卓手机，替机主完成他交给的任务，做法尽量和机主平时一样。每次只决定接下来的一步。

## 函数
{functions}

## 调用的写法
<seed:tool_call>
<function=函数名>
<parameter=参数名>参数值</parameter>
</function>
</seed:tool_call>

## 说明
- {coordinates}
- 同一块 <seed:tool_call> 里可以放几个连着的函数，例如先点输入框再输入。
- 任务做完后用 finished 结束，不要只写文字。
- {note}""",
    "en": """\
Think between <thinkt> and </thinkt> first: what the screen shows, and what this step should do.

You look at screenshots and operate an Android phone for its owner, as far as possible the way the owner \
would. Each time, decide on the next step only.

## Functions
{functions}

## Form of a call
<seed:tool_call>
<function=name of the function>
<parameter=name of the parameter>its value</parameter>
</function>
</seed:tool_call>

## Notes
- {coordinates}
- One <seed:tool_call> may hold several functions that belong together, such as a click on a field and the \
text typed into it.
- End a finished task with the function finished, never with text alone.
- {note}""",
}

_FUNCTIONS: Mapping[str, Sequence[str]] = {
    "click": ("point",),
    "long_press": ("point",),
    "type": ("content",),
    "scroll": ("point", "direction"),
    "drag": ("start_point", "end_point"),
    "press_home": (),
    "press_back": (),
    "wait": ("time",),
    "finished": ("content",),
}
"""Name of a function -> its parameters."""

_MEANINGS: Mapping[Language, Mapping[str, str]] = {
    "zh": {
        "click": "点击",
        "long_press": "长按",
        "type": "在有焦点的输入框里输入，要提交就以换行结尾",
        "scroll": "从 point 开始滑动，direction 指想看到的内容在哪一边",
        "drag": "手指从起点滑到终点",
        "press_home": "主屏幕键",
        "press_back": "返回键",
        "wait": "等屏幕变化，time 为秒数",
        "finished": "任务结束，content 为结果",
    },
    "en": {
        "click": "a tap",
        "long_press": "a long press",
        "type": "type into the field that has the focus, with a new line at the end to submit",
        "scroll": "a swipe from point; direction is the side of the content to reveal",
        "drag": "the finger moves from one point to the other",
        "press_home": "the home key",
        "press_back": "the back key",
        "wait": "wait for the screen to change; time in seconds",
        "finished": "end the task; content is the result",
    },
}

_USER: Mapping[Language, str] = {"zh": "## 任务情况\n{task}", "en": "## What is known of the task\n{task}"}


class UITars2(DoubaoUITars):
    """UI-TARS-2 and newer Seed models: functions as XML.

    Args:
        max_pixels: Maximum pixels of the picture; None to send the screenshot unscaled. Coordinates do not
            depend on it.
        max_pictures: Maximum number of pictures in a prompt, the current one included; None for 3, as in
            public clients of Seed.
    """

    name = "ui-tars-2"
    traits = OWN_FORMATS["ui-tars-2"].traits
    version: ClassVar[str] = f"1 (task {prompt_wording.VERSION})"
    has_system = True
    own_pictures = 3
    xml_calls = True

    def write(self, action: Action, *, frame: ModelFrame) -> str | None:
        """Write an action as the XML of a function, on one line; None if it has no equivalent."""
        own = self._choose_function(action, frame)
        return own and write_xml_call(*own, inline=True).replace(">\n<", "><")

    def answer(self, actions: Sequence[Action], *, frame: ModelFrame) -> WrittenAnswer | None:
        """Write the answer to a screen from the recorded action on it; see `AnswerWriter`."""
        own = self._choose_function(actions[0], frame)
        return own and WrittenAnswer(text=_write_block([write_xml_call(*own, inline=True)]))

    def _choose_function(self, action: Action, frame: ModelFrame) -> tuple[str, dict[str, object]] | None:
        """Name and arguments of the function of an action; None if it has no equivalent."""
        match action:
            case Click() | LongClick():
                name = "click" if isinstance(action, Click) else "long_press"
                return name, {"point": self._write_place(*frame.numbers(action.x, action.y))}
            case Type():
                return "type", {"content": action.text}
            case Scroll():
                point = self._write_place(*frame.numbers(action.x, action.y))
                return "scroll", {"point": point, "direction": action.direction}
            case PressHome() | PressBack():
                return action.name, {}
            case Wait():
                return "wait", {"time": 2}
            case Finished():
                return "finished", {"content": action.content} if action.content else {}
            case _:
                return None

    def _read_text(self, output: str, frame: ModelFrame) -> Reading:
        if LABEL.search(output) or _LINES.search(output):
            return super()._read_text(output, frame)
        try:
            refuse_output("a call such as <function=click> or <function=finished>", output)
        except ActionSyntaxError as error:
            return make_refusal(error, "")

    def _messages(self, question: PictureQuestion) -> tuple[Message, ...]:
        language = question.language
        system = _SYSTEM[language].format(
            functions="\n".join(
                json.dumps(_describe_function(name, language), ensure_ascii=False) for name in _FUNCTIONS
            ),
            coordinates=self._units[language],
            note=NOTE[language],
        )
        return (
            Message(role="system", text=system),
            Message(role="user", text=_USER[language].format(task=question.task)),
            *self._repeat_turns(question),
            Message(role="user", text="", images=(question.picture,)),
        )

    def _step_text(self, output: str) -> str:
        """Return an earlier answer with its calls as XML, which a server's parser may have taken out."""
        try:
            text, calls = find_named_calls(output)
        except ActionSyntaxError:
            return output
        if not calls:
            return output
        before = text[: calls[0].start].rstrip().removesuffix("<tool_call>").rstrip()
        written = [write_xml_call(call.name, call.arguments, inline=True) for call in calls]
        return "\n".join(filter(None, (before, _write_block(written))))


def _write_block(functions: Sequence[str]) -> str:
    return "\n".join(("<seed:tool_call>", *functions, "</seed:tool_call>"))


def _describe_function(name: str, language: Language) -> dict[str, Any]:
    """Signature of a function, in the form that models of this family expect."""
    forms: Mapping[str, dict[str, object]] = {
        "direction": {"type": "string", "enum": ["up", "down", "left", "right"]},
        "time": {"type": "integer"},
        "content": {"type": "string"},
    }
    point = {"type": "string", "description": "<point>x y</point>"}
    properties = {parameter: forms.get(parameter, point) for parameter in _FUNCTIONS[name]}
    required = [parameter for parameter in properties if (name, parameter) != ("finished", "content")]
    return {
        "type": "function",
        "name": name,
        "description": _MEANINGS[language][name],
        "parameters": {"type": "object", "properties": properties, "required": required},
    }
