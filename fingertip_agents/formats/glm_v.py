"""GLM-4.1V, GLM-4.5V and GLM-4.6V: `Memory: ... Reason: ... Action: {"action_type": "click", "box_2d": ...}`.

Boxes are thousandths of the screen, 0 to 999, and are touched at their centre. The prompt is one message with
the picture behind its text; the steps so far stand in it with their memory, reason and action. GLM-4.1V puts
the same answer between `<answer>` and `</answer>`, and all three may put marks of a box around its end.

The call behind the first `Action:` at the beginning of a line is performed, whether the other labels are
there or not; JSON in the reason never is. `input_text` is a click on the field and the typed text, two
actions of one answer; without a box the text goes into the focused field. Emptying the field (`override`) is
no action of ours and is left out with a note. `swipe` is the direction of the finger, `scroll` the side to
reveal; `open_app` is done step by step (module `open_app`). `answer` and `status` with any goal status end
the task. The model has no key for recent apps.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import ClassVar

from fingertip_agents.formats import prompt_wording
from fingertip_agents.formats.open_app import open_by_name
from fingertip_agents.formats.picture_format import NO_STEPS, PictureQuestion, ThousandthsFormat
from fingertip_agents.own_agents import OWN_FORMATS
from fingertip_agents.parsing.first_call import read_first_call
from fingertip_agents.parsing.json_calls import JsonCall, find_json_calls
from fingertip_agents.parsing.native_syntax import (
    ENTER,
    NOTE,
    check_end,
    make_finished,
    make_refusal,
    make_type,
    refuse_call,
    refuse_output,
    refuse_question,
)
from fingertip_agents.parsing.points import find_json_point
from fingertip_agents.parsing.reading import LEFT_OUT, Reading, WrittenAnswer
from fingertip_agents.screens.coordinates import OPPOSITE, ModelFrame, write_box
from fingertip_agents.traits import AgentTraits
from fingertip_dataset.actions import (
    DIRECTIONS,
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
from fingertip_models.thinking import split_thinking

_PROMPT: Mapping[Language, str] = {
    "zh": """\
你看着截图操作一部安卓手机，替机主完成任务，做法尽量和机主平时一样。每次只决定接下来的一步。\
坐标为屏幕宽、高的千分之几，0 到 999。

{task}
{note}
# 平台
Mobile

# 动作空间
box_2d 是 [[xmin,ymin,xmax,ymax]]，框住要操作的元素；实际操作其中心。
### status
{{"action_type": "status", "goal_status": "<complete|infeasible>"}}：任务已经完成，或者无法完成
### answer
{{"action_type": "answer", "text": "<回答>"}}：回答机主，任务随之结束
### click
{{"action_type": "click", "box_2d": [[xmin,ymin,xmax,ymax]]}}：点击
### long_press
{{"action_type": "long_press", "box_2d": [[xmin,ymin,xmax,ymax]]}}：长按
### input_text
{{"action_type": "input_text", "text": "<文字>", "box_2d": [[xmin,ymin,xmax,ymax]], "override": false}}：\
点击输入框并输入；没有 box_2d 就在有焦点的输入框里输入；要提交，就在文字末尾写 \\n
### keyboard_enter
{{"action_type": "keyboard_enter"}}：回车键
### navigate_home
{{"action_type": "navigate_home"}}：主屏幕键
### navigate_back
{{"action_type": "navigate_back"}}：返回键
### swipe
{{"action_type": "swipe", "direction": "<up|down|left|right>", "box_2d": [[xmin,ymin,xmax,ymax]]}}：\
手指滑动的方向，向上滑会显示下面的内容；没有 box_2d 就从屏幕中央滑
### open_app
{{"action_type": "open_app", "app_name": "<应用名>"}}：打开应用
### wait
{{"action_type": "wait"}}：等屏幕变化

# 到目前为止的步骤和记忆
{history}

# 输出格式
Memory: 以后的步骤还要用到的屏幕内容；没有就写 None
Reason: 屏幕上是什么，接下来操作哪个元素，为什么
Action: {{"action_type":...}}，上面的一个动作，写成 JSON

# 当前截图""",
    "en": """\
You look at screenshots and operate an Android phone for its owner, as far as possible the way the owner \
would. Each time, decide on the next step only. Coordinates are thousandths of the screen's width and \
height, from 0 to 999.

{task}
{note}
# Platform
Mobile

# Action space
box_2d is [[xmin,ymin,xmax,ymax]] around the element; its centre is what is touched.
### status
{{"action_type": "status", "goal_status": "<complete|infeasible>"}}: the task is done, or cannot be
### answer
{{"action_type": "answer", "text": "<answer>"}}: answer the owner, which ends the task
### click
{{"action_type": "click", "box_2d": [[xmin,ymin,xmax,ymax]]}}: a tap
### long_press
{{"action_type": "long_press", "box_2d": [[xmin,ymin,xmax,ymax]]}}: a long press
### input_text
{{"action_type": "input_text", "text": "<words>", "box_2d": [[xmin,ymin,xmax,ymax]], "override": false}}: \
tap a field and type into it; without box_2d, type into the field that has the focus; \\n at the end of the \
text submits it
### keyboard_enter
{{"action_type": "keyboard_enter"}}: the key enter
### navigate_home
{{"action_type": "navigate_home"}}: the home key
### navigate_back
{{"action_type": "navigate_back"}}: the back key
### swipe
{{"action_type": "swipe", "direction": "<up|down|left|right>", "box_2d": [[xmin,ymin,xmax,ymax]]}}: the \
direction in which the finger moves; up shows what is below; without box_2d, from the middle of the screen
### open_app
{{"action_type": "open_app", "app_name": "<name>"}}: open an app
### wait
{{"action_type": "wait"}}: wait for the screen to change

# Steps so far and memory
{history}

# Output format
Memory: what of the screen a later step will need; None if nothing
Reason: what the screen shows, which element comes next, and why
Action: {{"action_type":...}}, one of the actions above as JSON

# Current screenshot""",
}


class GLMV(ThousandthsFormat):
    """GLM-4.5V and GLM-4.6V, and GLM-4.1V-9B-Thinking, whose answers are read as well.

    Args:
        max_pixels: Maximum pixels of the picture; None to send the screenshot unscaled. Coordinates do not
            depend on it.
    """

    name: ClassVar[str] = "glm-4.5v"
    traits: ClassVar[AgentTraits] = OWN_FORMATS["glm-4.5v"].traits
    version: ClassVar[str] = f"1 (task {prompt_wording.VERSION})"
    has_system: ClassVar[bool] = False
    pictures_last: ClassVar[bool] = True
    _answer: ClassVar[str] = "Memory: None\nReason:\nAction: {}"

    def read(self, output: str, *, frame: ModelFrame) -> Reading:
        """Read the actions of an answer: one, or two for `input_text`.

        >>> frame = ModelFrame(size=(1000, 1000), screen=(1080, 2400))
        >>> answer = 'Action: {"action_type":"input_text","text":"牛奶","box_2d":[[100,100,900,140]]}'
        >>> GLMV().read(answer, frame=frame).actions
        (Click(x=540, y=288, content=None), Type(text='牛奶'))
        """
        label = _LABEL.search(output)
        thought = _read_thought(output[: label.start()] if label else output)
        try:
            calls = _find_calls(output)
            thought = _read_thought(output[: label.start() if label else calls[0].start])
            return read_first_call(calls, partial(_convert_call, frame=frame, thought=thought), _find_verb)
        except ActionSyntaxError as error:
            return make_refusal(error, thought)

    def write(self, action: Action, *, frame: ModelFrame) -> str | None:
        """Write an action as JSON; None if it has no equivalent (the key for recent apps)."""
        arguments = _write_arguments(action, frame)
        return None if arguments is None else json.dumps(arguments, ensure_ascii=False)

    def answer(self, actions: Sequence[Action], *, frame: ModelFrame) -> WrittenAnswer | None:
        """Write the answer to a screen; a click and the text typed after it are one `input_text`."""
        match actions:
            case (Click() as click, Type() as typing, *_):
                arguments = _write_input(typing.text, write_box(click.x, click.y, frame))
                own = json.dumps(arguments, ensure_ascii=False)
                return WrittenAnswer(text=self._answer.format(own), actions=2)
            case _:
                return super().answer(actions, frame=frame)

    def _history(self, question: PictureQuestion) -> str:
        steps = [
            f"Step {number}:\n{_repeat_answer(answer.text, question.language)}"
            for number, answer in enumerate(question.earlier)
        ]
        return "\n\n".join(steps) or NO_STEPS[question.language]

    def _messages(self, question: PictureQuestion) -> tuple[Message, ...]:
        text = _PROMPT[question.language].format(
            task=question.task, note=NOTE[question.language], history=self._history(question)
        )
        return (Message(role="user", text=text, images=(question.picture,), images_last=self.pictures_last),)


def _write_arguments(action: Action, frame: ModelFrame) -> dict[str, object] | None:
    match action:
        case Click():
            return {"action_type": "click", "box_2d": [write_box(action.x, action.y, frame)]}
        case LongClick():
            return {"action_type": "long_press", "box_2d": [write_box(action.x, action.y, frame)]}
        case Scroll():
            box = [write_box(action.x, action.y, frame)]
            return {"action_type": "swipe", "direction": OPPOSITE[action.direction], "box_2d": box}
        case Type() if action == ENTER:
            return {"action_type": "keyboard_enter"}
        case Type():
            return _write_input(action.text, None)
        case PressBack() | PressHome():
            key = "navigate_back" if isinstance(action, PressBack) else "navigate_home"
            return {"action_type": key}
        case Wait():
            return {"action_type": "wait"}
        case Finished(content=content) if content:
            return {"action_type": "answer", "text": content}
        case Finished():
            return {"action_type": "status", "goal_status": "complete"}
        case _:
            return None


def _write_input(text: str, box: tuple[int, int, int, int] | None) -> dict[str, object]:
    place = {} if box is None else {"box_2d": [box]}
    return {"action_type": "input_text", "text": text, **place, "override": False}


_LABEL = re.compile(r"^[^\S\n]{0,9}(?:</?answer>\s?)?[*#]{0,3}\s?Action\*{0,2}\s?[:：]\*{0,2}", re.MULTILINE)
_PARTS = re.compile(
    r"\A\s*(?:\*{0,2}Memory\*{0,2}\s?[:：]\*{0,2}(?P<memory>.*?))?"
    r"(?:^[^\S\n]*\*{0,2}Reason\*{0,2}\s?[:：]\*{0,2}(?P<reason>.*))?\Z",
    re.MULTILINE | re.DOTALL,
)
_TAG = re.compile(r"</?answer>|```(?:json)?")
# what may stand between an action and the answer to a later screen, which nobody has seen yet
_NEXT = re.compile(
    r"(?:\s|</?answer>|```(?:json)?)*"
    r"(?:Step\s?\d{1,4}|#|\{|\*{0,2}(?:Memory|Reason|Action)\*{0,2}\s?[:：])"
)

_BOX = ("box_2d", "bbox_2d", "box")
"""The name of a box, and those that the model has for it in other tasks."""

_STATUS = ("goal_status", "status")

_ARGUMENTS: Mapping[str, tuple[str, ...]] = {
    "click": _BOX,
    "long_press": _BOX,
    "input_text": ("text", *_BOX, "override"),
    "keyboard_enter": (),
    "navigate_home": (),
    "navigate_back": (),
    "swipe": ("direction", *_BOX),
    "scroll": ("direction", *_BOX),
    "open_app": ("app_name",),
    "wait": (),
    "answer": ("text",),
    "status": _STATUS,
}
"""Action -> its arguments."""

_KEYS: Mapping[str, Action] = {
    "keyboard_enter": ENTER,
    "navigate_home": PressHome(),
    "navigate_back": PressBack(),
    "wait": Wait(),
    "status": Finished(),
}
_QUESTIONS = ("ask_user", "call_user", "interact", "request_user")


def _read_thought(before: str) -> str:
    return _TAG.sub("", before).strip()


def _repeat_answer(output: str, language: Language) -> str:
    """Return an earlier answer's memory, reason and action, a line each; one without an action on a line."""
    text = split_thinking(output).text
    try:
        call = _find_calls(text)[0]
    except ActionSyntaxError:
        return prompt_wording.make_data_line(output, language)
    label = _LABEL.search(text)
    before = _read_thought(text[: label.start() if label else call.start])
    parts = _PARTS.match(before)
    memory, reason = (parts["memory"], parts["reason"]) if parts else (None, before)
    lines = (
        ("Memory", memory or "None"),
        ("Reason", reason or ""),
        ("Action", text[call.start : call.end]),
    )
    return "\n".join(
        f"{name}: {prompt_wording.make_data_line(words.strip(), language)}" if words.strip() else f"{name}:"
        for name, words in lines
    )


def _find_calls(output: str) -> tuple[JsonCall, ...]:
    """Find the calls behind the first label, or of an answer without labels, in order, at least one.

    Raises:
        ActionSyntaxError: There is none, or two have words between them, so that nobody knows which of them
            is the answer.
    """
    label = _LABEL.search(output)
    start = label.end() if label else 0
    calls = find_json_calls(output, is_call=_is_call, start=start)
    if not calls:
        refuse_output('Action: and JSON such as {"action_type": "click", "box_2d": [[...]]}', output[start:])
    if len(calls) > 1:
        behind = output[calls[0].end : calls[1].start]
        # behind a label the answer is over with its JSON, unless another label corrects it
        again = _LABEL.search(behind) is not None
        if (again or not label) and not _NEXT.match(output, calls[0].end):
            raise ActionSyntaxError("expected one action, got two with words between them")
    return calls


def _is_call(fields: Mapping[str, object]) -> bool:
    return "action_type" in fields or str(fields.get("action")).lower() in _ARGUMENTS


def _find_verb(call: JsonCall) -> str:
    """Return the name of a call's action; a function's name where a model answers with one.

    Raises:
        ActionSyntaxError: It has no name of an action.
    """
    verb = call.arguments.get("action_type", call.arguments.get("action", call.name))
    if not isinstance(verb, str) or not verb:
        raise ActionSyntaxError("expected the name of an action as action_type, got none")
    return verb.strip().lower()


def _convert_call(call: JsonCall, *, frame: ModelFrame, thought: str) -> Reading:
    verb = _find_verb(call)
    if verb in _QUESTIONS:
        refuse_question(verb, call.answer("text", "question", "content"))
    if verb not in _ARGUMENTS:
        refuse_call(repr(verb[:40]))
    call.leave_out(("action_type", "action", *_ARGUMENTS[verb]))
    if verb == "open_app":
        return replace(open_by_name(call.text("app_name"), thought), notes=tuple(call.notes))
    actions = _convert_action(verb, call, frame)
    return Reading(actions=actions, thought=thought, notes=tuple(call.notes))


def _convert_action(verb: str, call: JsonCall, frame: ModelFrame) -> tuple[Action, ...]:
    if verb == "status":
        if call.given(*_STATUS) is None:
            raise ActionSyntaxError("expected a goal_status in status, got none")
        check_end(call.given(*_STATUS), verb)
    if verb in _KEYS:
        return (_KEYS[verb],)
    if verb == "answer":
        return (make_finished(call.answer("text")),)
    if verb == "input_text":
        return _convert_input(call, frame)
    if verb in ("swipe", "scroll"):
        return (_convert_swipe(verb, call, frame),)
    x, y = frame.point(_read_box(call))
    return (Click(x=x, y=y) if verb == "click" else LongClick(x=x, y=y),)


def _convert_input(call: JsonCall, frame: ModelFrame) -> tuple[Action, ...]:
    typing = make_type(call.text("text"))
    if str(call.arguments.get("override")).strip().lower() == "true":
        call.notes.append(f"{LEFT_OUT}: override=true, which empties the field first")
    if call.given(*_BOX) in (None, []):
        return (typing,)
    x, y = frame.point(_read_box(call))
    return Click(x=x, y=y), typing


def _convert_swipe(verb: str, call: JsonCall, frame: ModelFrame) -> Scroll:
    side = call.text("direction").strip().lower()
    if side not in DIRECTIONS:
        raise ActionSyntaxError(f"expected direction up, down, left or right, got {side[:40]!r}")
    direction = OPPOSITE[DIRECTIONS[side]] if verb == "swipe" else DIRECTIONS[side]
    x, y = frame.center if call.given(*_BOX) in (None, []) else frame.point(_read_box(call))
    return Scroll(x=x, y=y, direction=direction)


def _read_box(call: JsonCall) -> tuple[float, ...]:
    numbers = find_json_point(call, _find_verb(call), *_BOX)
    if numbers is None:
        raise ActionSyntaxError(f"expected a box_2d in {_find_verb(call)}, got none")
    return numbers
