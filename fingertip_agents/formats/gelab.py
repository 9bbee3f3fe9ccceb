r"""GELab-Zero and Step-GUI: `explain:...<tab>action:CLICK<tab>point:499,500<tab>summary:...` on one line.

Points are thousandths of the screen. The prompt is one message with the picture behind its text. Of the steps
so far it has the last summary, which each answer writes anew; steps that left none follow it one by one.

Fields are separated by tabs. A written `\t`, new lines, and spaces where no other separator is found, are
read as well, and so are colons of full width and points in brackets; fields that the model does not have are
left out. A value may contain colons and tabs. Where a sentence behind the answer could be part of a text, the
answer is refused. The first action is performed, as the model writes one per answer.

`SLIDE` is a finger's path. `AWAKE` is done step by step (module `open_app`). `TYPE` types into the focused
field: the model's own executor ignores its point, too. `COMPLETE` ends the task with its report, `ABORT`
without. `INFO` asks the person; our prompt does not show it. The model has no keys for back, home and recent
apps, but the names that its executor knows (`BACK`, `HOME`, `HOT_KEY`, `SCROLL`) are read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import ClassVar

from fingertip_agents.formats import prompt_wording
from fingertip_agents.formats.gelab_fields import FieldCall, read_fields
from fingertip_agents.formats.open_app import open_by_name
from fingertip_agents.formats.picture_format import NO_STEPS, PictureQuestion, ThousandthsFormat
from fingertip_agents.own_agents import OWN_FORMATS
from fingertip_agents.parsing.first_call import read_first_call
from fingertip_agents.parsing.native_syntax import (
    NOTE,
    make_finished,
    make_refusal,
    make_type,
    read_key,
    refuse_call,
    refuse_question,
)
from fingertip_agents.parsing.reading import Reading
from fingertip_agents.screens.coordinates import ModelFrame, make_scroll, write_swipe
from fingertip_agents.traits import AgentTraits
from fingertip_dataset.actions import (
    Action,
    Click,
    Direction,
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
from fingertip_models.thinking import split_thinking

_PROMPT: Mapping[Language, str] = {
    "zh": """\
你看着截图操作一部安卓手机，替机主完成任务，做法尽量和机主平时一样。每次只决定接下来的一步。
坐标以屏幕左上角为原点，x 向右，y 向下，都是 0 到 1000。点元素的中心。

动作有下面 8 种，字段之间用制表符隔开：
1. CLICK：点击。action:CLICK	point:x,y
2. TYPE：在输入框里输入；要提交，就在末尾写 \\n。action:TYPE	value:文字	point:x,y
3. COMPLETE：任务已经完成，return 是给机主的回答或结果。action:COMPLETE	return:结果
4. WAIT：等屏幕变化。action:WAIT	value:秒数
5. AWAKE：打开应用。action:AWAKE	value:应用名
6. ABORT：任务无法继续。action:ABORT	value:原因
7. SLIDE：手指从 point1 滑到 point2，向上滑会显示下面的内容。action:SLIDE	point1:x1,y1	point2:x2,y2
8. LONGPRESS：长按。action:LONGPRESS	point:x,y
没有返回键和主屏幕键：要返回就点屏幕上的返回按钮，要换应用就用 AWAKE。

{task}
{note}
# 到目前为止的步骤
{history}

# 回答的格式
先在 <THINK> 和 </THINK> 之间思考，再写一行：explain 说明这一步，action 和它的字段，\
summary 重新总结到这一步为止做过的事。
<THINK> 思考 </THINK>
explain:说明	action:动作和它的字段	summary:总结

当前截图：""",
    "en": """\
You look at screenshots and operate an Android phone for its owner, as far as possible the way the owner \
would. Each time, decide on the next step only.
Coordinates begin at the upper left corner; x goes to the right and y down, both from 0 to 1000. Aim at an \
element's centre.

There are these 8 actions, with a tab between their fields:
1. CLICK: a tap. action:CLICK	point:x,y
2. TYPE: type into a field; \\n at the end submits. action:TYPE	value:words	point:x,y
3. COMPLETE: the task is done; return is the owner's answer, or what was reached. \
action:COMPLETE	return:result
4. WAIT: wait for the screen to change. action:WAIT	value:seconds
5. AWAKE: open an app. action:AWAKE	value:name
6. ABORT: the task cannot go on. action:ABORT	value:reason
7. SLIDE: the finger moves from point1 to point2; up shows what is below. \
action:SLIDE	point1:x1,y1	point2:x2,y2
8. LONGPRESS: a long press. action:LONGPRESS	point:x,y
There is no back key and no home key: to go back, tap the back button on the screen; to change the app, use \
AWAKE.

{task}
{note}
# Steps so far
{history}

# Form of the answer
First think between <THINK> and </THINK>. Then write one line: explain tells what this step is for, action \
comes with its fields, and summary sums up anew what has been done, this step included.
<THINK> thoughts </THINK>
explain:reason	action:action and its fields	summary:summary

The screenshot:""",
}


class GELabZero(ThousandthsFormat):
    """GELab-Zero-4B-preview, and Step-GUI, which has the same format.

    Args:
        max_pixels: Maximum pixels of the picture; None to send the screenshot unscaled. Coordinates do not
            depend on it.
    """

    name: ClassVar[str] = "gelab-zero"
    traits: ClassVar[AgentTraits] = OWN_FORMATS["gelab-zero"].traits
    version: ClassVar[str] = f"1 (task {prompt_wording.VERSION})"
    has_system: ClassVar[bool] = False
    pictures_last: ClassVar[bool] = True
    _factor: ClassVar[int] = 32  # px of a token's side
    _answer: ClassVar[str] = "explain:\t{}\tsummary:"

    def read(self, output: str, *, frame: ModelFrame) -> Reading:
        r"""Read the action of an answer; the module's docstring gives the rules.

        >>> frame = ModelFrame(size=(1000, 1000), screen=(1080, 2400))
        >>> reading = GELabZero().read("explain:plus\taction:CLICK\tpoint:499,500\tsummary:b", frame=frame)
        >>> reading.actions, reading.thought
        ((Click(x=539, y=1200, content=None),), 'plus')
        """
        thought = ""
        try:
            calls = read_fields(output)
            thought = calls[0].fields.get("explain", "").strip()
            return read_first_call(
                calls, partial(_convert_call, frame=frame, thought=thought), lambda call: call.name
            )
        except ActionSyntaxError as error:
            return make_refusal(error, thought)

    def write(self, action: Action, *, frame: ModelFrame) -> str | None:
        """Write an action as its fields; None if it has no equivalent, or a text cannot stand without quotes.

        The keys have none, and a text none that begins or ends with space or contains a field.
        """
        written = _write_fields(action, frame)
        if written is None or not isinstance(action, Type | Finished):
            return written
        # nothing is escaped in this grammar, so only reading tells what a text becomes
        return written if self.read(self._answer.format(written), frame=frame).actions == (action,) else None

    def _history(self, question: PictureQuestion) -> str:
        summary, since = "", list[str]()
        for answer in question.earlier:
            found = _find_summary(answer.text)
            if found:
                summary, since = prompt_wording.make_data_line(found, question.language), []
            else:
                since.append(prompt_wording.make_action_line(self._step_text(answer.text), question.language))
        lines = [summary, *since] if summary else since
        return "\n".join(lines) or NO_STEPS[question.language]

    def _step_text(self, output: str) -> str:
        """Return the action's fields of an answer without a summary, or else the answer."""
        try:
            return read_fields(split_thinking(output).text)[0].text
        except ActionSyntaxError:
            return output

    def _messages(self, question: PictureQuestion) -> tuple[Message, ...]:
        text = _PROMPT[question.language].format(
            task=question.task, note=NOTE[question.language], history=self._history(question)
        )
        return (Message(role="user", text=text, images=(question.picture,), images_last=self.pictures_last),)


def _write_fields(action: Action, frame: ModelFrame) -> str | None:
    match action:
        case Click() | LongClick():
            verb = "CLICK" if isinstance(action, Click) else "LONGPRESS"
            return f"action:{verb}\tpoint:{_write_place(*frame.numbers(action.x, action.y))}"
        case Scroll():
            ends = write_swipe(action, frame, _write_place)
            return ends and f"action:SLIDE\tpoint1:{ends[0]}\tpoint2:{ends[1]}"
        case Type(text=text):
            # a line break at the end would be taken for space
            submitted = f"{text[:-1]}\\n" if text.endswith("\n") else text
            return f"action:TYPE\tvalue:{submitted}"
        case Finished(content=content):
            return f"action:COMPLETE\treturn:{content or ''}"
        case Wait():
            return "action:WAIT\tvalue:2"
        case _:
            return None


def _write_place(x: float, y: float) -> str:
    return f"{round(x)},{round(y)}"


def _convert_call(call: FieldCall, *, frame: ModelFrame, thought: str) -> Reading:
    if call.name == "AWAKE":
        return replace(open_by_name(call.line("value"), thought), notes=call.notes)
    return Reading(actions=(_convert_action(call, frame),), thought=thought, notes=call.notes)


_SIDES: Mapping[str, Direction] = {"up": "up", "down": "down"}
"""Direction of the executor's `SCROLL` -> side to reveal; it moves the finger otherwise to the sides."""


def _convert_action(call: FieldCall, frame: ModelFrame) -> Action:
    match call.name:
        case "CLICK" | "LONGPRESS":
            x, y = frame.point(call.point("point"))
            return Click(x=x, y=y) if call.name == "CLICK" else LongClick(x=x, y=y)
        case "TYPE":
            return make_type(call.words("value"))
        case "SLIDE":
            return make_scroll(frame.point(call.point("point1")), frame.point(call.point("point2")))
        case "WAIT":
            return Wait()
        case "COMPLETE":
            return make_finished(call.words("return", "value"))
        case "ABORT":
            return Finished()
        case "BACK":
            return PressBack()
        case "HOME":
            return PressHome()
        case "HOT_KEY":
            return read_key(call.line("key", "value"))
        case "SCROLL":
            return _read_scroll(call, frame)
        case "INFO":
            refuse_question(call.name, call.line("value"))
        case _:
            refuse_call(repr(call.name[:40]))


def _read_scroll(call: FieldCall, frame: ModelFrame) -> Action:
    side = _SIDES.get(call.line("direction", "value").lower())
    if side is None:
        raise ActionSyntaxError("expected a SCROLL up or down, or a SLIDE with two points")
    x, y = frame.point(call.point("point")) if call.line("point") else frame.center
    return Scroll(x=x, y=y, direction=side)


def _find_summary(output: str) -> str:
    """Return the summary of an answer; "" without one."""
    try:
        return read_fields(split_thinking(output).text)[0].fields.get("summary", "")
    except ActionSyntaxError:
        return ""
