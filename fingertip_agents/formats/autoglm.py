"""AutoGLM-Phone and its multilingual model: `<think>...</think><answer>do(action="Tap", element=[499,500])`.

Points lie on a grid of 0 to 999, thousandths of the screen. The prompt is a conversation: the rules as system
message, the task in the first message of the user, then answers of the assistant and screens in turn. The
current screen is the only picture and stands before its text, because the model's server is started with
contents as one string. Earlier answers are repeated as thought and call between their tags, as in the
model's own client; its line with the app in front is left out, because equation (2) has no such term.

The first call behind `<answer>`, or on a line of its own, is performed, whether `</answer>` follows or not;
a call within a sentence only where it ends the answer. An answer without a call is never a `finish`.
`Type_Name` is `Type`. `Swipe` is a finger's path. `Launch` is done step by step (module `open_app`). The
`message` of a sensitive `Tap` is no action: asking is left to the safety gate. `Interact` and `Take_over`
ask the person; `Note`, `Call_API` and `Double Tap` have no equivalent, and the model has no key for recent
apps. Its client empties a field before it types, which `type` does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import ClassVar

from fingertip_agents.formats import prompt_wording
from fingertip_agents.formats.open_app import open_by_name
from fingertip_agents.formats.picture_format import PictureQuestion, ThousandthsFormat
from fingertip_agents.own_agents import OWN_FORMATS
from fingertip_agents.parsing.arguments import Grammar, read_call, read_calls
from fingertip_agents.parsing.call_order import find_labels, note_words
from fingertip_agents.parsing.first_call import read_first_call
from fingertip_agents.parsing.native_syntax import (
    NOTE,
    make_finished,
    make_refusal,
    make_type,
    refuse_call,
    refuse_output,
    refuse_question,
)
from fingertip_agents.parsing.parsed_call import BareWord, ParsedCall
from fingertip_agents.parsing.points import find_point
from fingertip_agents.parsing.reading import CONVERTED, LEFT_OUT, Reading
from fingertip_agents.screens.coordinates import OPPOSITE, ModelFrame, make_scroll, write_swipe
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

_SYSTEM: Mapping[Language, str] = {
    "zh": """\
你看着截图操作一部安卓手机，替机主完成任务，做法尽量和机主平时一样。每次只决定接下来的一步，按下面的形式回答：
<think>{{简短的理由}}</think>
<answer>{{一条指令}}</answer>

# 指令
坐标为 0 到 999 的整数：x 从左到右，y 从上到下，左上角是 (0,0)，右下角是 (999,999)。点元素的中心。
- do(action="Launch", app="应用名")：打开应用
- do(action="Tap", element=[x,y])：点击
- do(action="Type", text="文字")：在有焦点的输入框里输入；双引号写成 \\"，换行写成 \\n；要提交，就在末尾写 \\n
- do(action="Swipe", start=[x1,y1], end=[x2,y2])：手指从 start 滑到 end，向上滑会显示下面的内容
- do(action="Long Press", element=[x,y])：长按
- do(action="Back")：返回键
- do(action="Home")：主屏幕键
- do(action="Wait", duration="x seconds")：等屏幕变化
- finish(message="结果")：任务已经完成；message 是给机主的回答或结果

# 规则
只写一条指令。不确定上一步是否生效时，先看截图再决定。
{note}""",
    "en": """\
You look at screenshots and operate an Android phone for its owner, as far as possible the way the owner \
would. Each time, decide on the next step only, and answer in this form:
<think>
{{your reason, in short}}
</think>
<answer>
{{one line of code}}
</answer>

# Code
Coordinates are whole numbers from 0 to 999: x from left to right, y from top to bottom, with (0,0) at the \
upper left and (999,999) at the lower right. Aim at an element's centre.
- do(action="Tap", element=[x,y]): a tap
- do(action="Type", text="words"): type into the field that has the focus; \\" is a quote, \\n a new line, \
which at the end submits
- do(action="Swipe", start=[x1,y1], end=[x2,y2]): the finger moves from start to end; up shows what is below
- do(action="Long Press", element=[x,y]): a long press
- do(action="Launch", app="name"): open an app
- do(action="Back"): the back key
- do(action="Home"): the home key
- do(action="Wait", duration="x seconds"): wait for the screen to change
- finish(message="result"): the task is done; message is the owner's answer, or what was reached

# Rules
Write one line of code only. Look at the screenshot first where you are not sure what the last step did.
{note}""",
}

_SCREEN = "** Screen Info **"
"""Text of each message with a screen but the first."""


class AutoGLMPhone(ThousandthsFormat):
    """AutoGLM-Phone-9B and AutoGLM-Phone-9B-Multilingual.

    Args:
        max_pixels: Maximum pixels of the picture; None to send the screenshot unscaled. Coordinates do not
            depend on it.
    """

    name: ClassVar[str] = "autoglm-phone"
    traits: ClassVar[AgentTraits] = OWN_FORMATS["autoglm-phone"].traits
    version: ClassVar[str] = f"1 (task {prompt_wording.VERSION})"
    conversation: ClassVar[bool] = True
    _answer: ClassVar[str] = "<answer>{}</answer>"
    _thinking: ClassVar[str] = "<think>{}</think>\n"

    def read(self, output: str, *, frame: ModelFrame) -> Reading:
        """Read the action of an answer; the module's docstring gives the rules.

        >>> frame = ModelFrame(size=(1000, 1000), screen=(1080, 2400))
        >>> AutoGLMPhone().read('<answer>do(action="Tap", element=[499,500])', frame=frame).actions
        (Click(x=539, y=1200, content=None),)
        """
        begin = _BEGIN.search(output)
        thought = _read_thought(output[: begin.start()] if begin else output)
        try:
            calls = _find_calls(output)
            thought = _read_thought(output[: calls[0].start])
            reading = read_first_call(
                calls, partial(_convert_call, frame=frame, thought=thought), lambda call: _find_verb(call)[0]
            )
            words = note_words(output, calls, _INNER_CALL)
            return replace(reading, notes=(*reading.notes, words)) if words else reading
        except ActionSyntaxError as error:
            return make_refusal(error, thought)

    def write(self, action: Action, *, frame: ModelFrame) -> str | None:
        """Write an action as a call; None if it has no equivalent (the key for recent apps)."""
        match action:
            case Click() | LongClick():
                verb = "Tap" if isinstance(action, Click) else "Long Press"
                place = _write_place(*frame.numbers(action.x, action.y))
                return f'do(action="{verb}", element={place})'
            case Type():
                return f'do(action="Type", text={_quote(action.text)})'
            case Scroll():
                ends = write_swipe(action, frame, _write_place)
                return ends and f'do(action="Swipe", start={ends[0]}, end={ends[1]})'
            case PressBack() | PressHome():
                return f'do(action="{"Back" if isinstance(action, PressBack) else "Home"}")'
            case Wait():
                return 'do(action="Wait", duration="2 seconds")'
            case Finished():
                return f"finish(message={_quote(action.content or '')})"
            case _:
                return None

    def _messages(self, question: PictureQuestion) -> tuple[Message, ...]:
        system = _SYSTEM[question.language].format(note=NOTE[question.language])
        texts = [question.task, *[_SCREEN] * len(question.earlier)]
        return (
            Message(role="system", text=system),
            *_list_turns(question, texts),
            Message(role="user", text=texts[-1], images=(question.picture,)),
        )

    def _step_text(self, output: str) -> str:
        """Return the call of an earlier answer, or else the whole answer."""
        text = split_thinking(output).text
        try:
            call = _find_calls(text)[0]
        except ActionSyntaxError:
            return output
        return text[call.start : call.end]


def _list_turns(question: PictureQuestion, texts: Sequence[str]) -> Iterator[Message]:
    """Each earlier message of the user, without its picture, and the answer to it."""
    for text, answer in zip(texts, question.earlier, strict=False):
        yield Message(role="user", text=text)
        yield Message(role="assistant", text=_repeat_answer(answer.text))


def _repeat_answer(output: str) -> str:
    """Return an earlier answer as thought and call between their tags; one without a call as it is."""
    split = split_thinking(output)
    try:
        call = _find_calls(split.text)[0]
    except ActionSyntaxError:
        return output
    thought = "\n".join(filter(None, (split.thought, _read_thought(split.text[: call.start]))))
    think = f"<think>{thought}</think>" if thought else ""
    return f"{think}<answer>{split.text[call.start : call.end]}</answer>"


_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"})


def _quote(text: str) -> str:
    return f'"{text.translate(_ESCAPES)}"'


def _write_place(x: float, y: float) -> str:
    return f"[{min(round(x), 999)},{min(round(y), 999)}]"


_ANSWER = re.compile(r"<\s?answer\s?>", re.IGNORECASE)
_TAG = re.compile(r"</?\s?answer\s?>", re.IGNORECASE)
# the tag at the end, of which a server may have eaten a part
_LAST_TAG = re.compile(r"</?(?:a(?:n(?:s(?:w(?:er?)?)?)?)?)?\s?>?\s*\Z", re.IGNORECASE)
_BETWEEN = re.compile(r"(?:</?[a-z_]{1,20}\s?>|[\s`;,.。]){0,40}", re.IGNORECASE)
_INNER_CALL = re.compile(r"(?<![\w.])(do|finish)[ \t]?[(（]")
_BEGIN = re.compile(rf"{_ANSWER.pattern}|{_INNER_CALL.pattern}", re.IGNORECASE)

_KNOWN: Mapping[str, tuple[str, ...]] = {
    "tap": ("element", "x", "y", "message"),
    "click": ("element", "x", "y", "message"),
    "longpress": ("element", "x", "y", "duration"),
    "doubletap": ("element",),
    "type": ("text",),
    "typename": ("text",),
    "swipe": ("start", "end", "duration"),
    "scroll": (),
    "launch": ("app",),
    "wait": ("duration",),
    "finish": ("message",),
    "interact": ("message",),
    "takeover": ("message",),
    "note": ("message",),
    "callapi": ("instruction",),
    "back": (),
    "home": (),
}
"""Action in small letters without spaces -> its arguments."""

_GRAMMAR = Grammar(
    calls=("do", "finish"),
    arguments={"action", *(name for names in _KNOWN.values() for name in names)},
    label=_ANSWER,
)
_KEYS: Mapping[str, Action] = {"back": PressBack(), "home": PressHome(), "wait": Wait()}
_QUESTIONS = ("interact", "takeover")


def _read_thought(before: str) -> str:
    return _TAG.sub("", before).strip()


def _find_calls(output: str) -> tuple[ParsedCall, ...]:
    """Find the calls of an answer in order, at least one.

    Raises:
        ActionSyntaxError: There is none, one cannot be parsed, or two have words between them, so that nobody
            knows which of them is the answer.
    """
    text = _LAST_TAG.sub("", output)
    calls = read_calls(text, _GRAMMAR)
    tags = find_labels(text, calls, _ANSWER)
    label = next((tag for tag in tags if _begins_line(text, tag.start())), None)
    if label:
        calls = tuple(call for call in calls if call.start >= label.end())
    elif not calls:
        calls = _find_last_call(text)
    elif tags and not (len(calls) == 1 and _BETWEEN.fullmatch(text, calls[0].end)):
        # within a sentence only the last word can be the answer
        raise ActionSyntaxError("expected one call behind <answer>, got one within a sentence")
    if not calls:
        refuse_output('an answer such as do(action="Tap", element=[x,y]) or finish(message="...")', output)
    sure = label is not None and _BETWEEN.fullmatch(text, label.end(), calls[0].start) is not None
    for call, following in pairwise(calls):
        words = not _BETWEEN.fullmatch(text, call.end, following.start)
        if words and (not sure or _ANSWER.search(text, call.end, following.start)):
            raise ActionSyntaxError("expected one call, got two with words between them")
    return calls


def _begins_line(text: str, at: int) -> bool:
    return not text[:at].rpartition("\n")[2].strip()


def _find_last_call(text: str) -> tuple[ParsedCall, ...]:
    """Find the only call of a text, if it ends the text; one that ends the task has to stand alone."""
    found = list(_INNER_CALL.finditer(text))
    if len(found) != 1 or found[0][1] != "do":
        return ()
    call = read_call(text, found[0], _GRAMMAR)
    return (call,) if _BETWEEN.fullmatch(text, call.end) else ()


def _find_verb(call: ParsedCall) -> tuple[str, ParsedCall]:
    """Return the name of a call's action as it is written, and the call without it.

    Raises:
        ActionSyntaxError: It has no name of an action.
    """
    if call.name == "finish":
        return "finish", call
    value = call.value("action")
    plain = call.plain
    if value is None and plain:
        value, plain = plain[0], plain[1:]
    if isinstance(value, BareWord):
        value = value.text
    if not isinstance(value, str):
        raise ActionSyntaxError("expected the name of an action in do(...), got none")
    return value.strip(), replace(call, plain=plain)


def _convert_call(call: ParsedCall, *, frame: ModelFrame, thought: str) -> Reading:
    name, call = _find_verb(call)
    verb = re.sub(r"[\s_-]", "", name.casefold())
    if verb not in _KNOWN:
        refuse_call(repr(name[:40]))
    foreign = [given for given in call.named if given not in ("action", *_KNOWN[verb])]
    call.notes.extend(f"{LEFT_OUT}: {given} in {name}" for given in foreign)
    if verb == "launch":
        return replace(open_by_name(call.text("app"), thought), notes=tuple(call.notes))
    action = _convert_action(verb, name, call, frame)
    return Reading(actions=(action,), thought=thought, notes=tuple(call.notes))


def _convert_action(verb: str, name: str, call: ParsedCall, frame: ModelFrame) -> Action:
    if verb in _KEYS:
        return _KEYS[verb]
    if verb == "finish":
        return make_finished(call.answer("message"))
    if verb in ("type", "typename"):
        return make_type(call.text("text"))
    if verb in ("tap", "click", "longpress"):
        x, y = frame.point(_find_point(call))
        return LongClick(x=x, y=y) if verb == "longpress" else Click(x=x, y=y)
    word = call.others.get("direction")
    if verb in ("swipe", "scroll") and isinstance(word, str) and word.strip().lower() in DIRECTIONS:
        call.notes[:] = [note for note in call.notes if not note.startswith(f"{LEFT_OUT}: direction=")]
        way, side = ("finger", OPPOSITE) if verb == "swipe" else ("content", {})
        call.notes.append(f"{CONVERTED}: the direction of {name} as that of the {way}")
        direction = DIRECTIONS[word.strip().lower()]
        x, y = frame.center
        return Scroll(x=x, y=y, direction=side.get(direction, direction))
    if verb == "swipe":
        return make_scroll(frame.point(call.point("start")), frame.point(call.point("end")))
    if verb in _QUESTIONS:
        refuse_question(name, call.answer("message"))
    refuse_call(repr(name[:40]))


def _find_point(call: ParsedCall) -> tuple[float, ...]:
    """Return the numbers of `element`, or of x and y where a model writes these."""
    if call.value("element") is None and call.value("x") is not None:
        return *call.point("x"), *call.point("y")
    return find_point(call, "element")
