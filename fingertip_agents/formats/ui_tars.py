r"""UI-TARS: `Thought: ... Action: click(start_box='(197,525)')`.

UI-TARS-1.5 writes pixels of the picture after `smart_resize`; the first version and its DPO model write
thousandths of the screen. The prompt is a text and then screenshots of the user and answers of the assistant
in turn; of the pictures only the last five are kept, as in the agent's own code.

A box is tapped at its centre, and `direction` is the side of the content to reveal, as in our action space; a
scroll or drag with two ends is a finger's path. All actions after the last `Action:` are performed in order,
as by the agent's own parser; of rounds without words between them the first counts, since the others are for
screens that nobody has seen. A newline at the end of a typed text submits it: a typed newline is the key
Enter on every device, and so is `hotkey(key='enter')`. A scroll without a point begins at the screen's
centre. `open_app` is done step by step (module `open_app`). Other hotkeys and the mouse calls have no
equivalent.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import ClassVar

from fingertip_agents.formats import prompt_wording
from fingertip_agents.formats.conversation_format import ConversationFormat
from fingertip_agents.formats.open_app import plan_calls
from fingertip_agents.formats.picture_format import PictureQuestion, ResizedPictureFormat, ThousandthsFormat
from fingertip_agents.own_agents import OWN_FORMATS
from fingertip_agents.parsing.arguments import Grammar, quote_text, read_calls
from fingertip_agents.parsing.call_names import spell_name
from fingertip_agents.parsing.call_order import find_labels, keep_first_run, note_words, refuse_draft
from fingertip_agents.parsing.native_syntax import (
    NOTE,
    make_finished,
    make_refusal,
    make_type,
    read_key,
    refuse_call,
    refuse_output,
    refuse_question,
)
from fingertip_agents.parsing.parsed_call import ParsedCall
from fingertip_agents.parsing.points import find_point
from fingertip_agents.parsing.reading import LEFT_OUT, Reading
from fingertip_agents.screens.coordinates import (
    ModelFrame,
    make_scroll,
    write_swipe,
)
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
from fingertip_dataset.release.language_names import name_language
from fingertip_models.messages import Language, Message

_PROMPT: Mapping[Language, str] = {
    "zh": """\
你看着截图操作一部安卓手机，替机主完成他交给的任务，做法尽量和机主平时一样。每次只决定接下来的一步。

## 输出格式
Thought: 用{written}写：屏幕上是什么，接下来操作哪个元素，为什么
Action: 一个动作，写法见下

## 动作空间
{actions}

## 坐标
{coordinates}
{note}

## 任务情况
{task}""",
    "en": """\
You look at screenshots and operate an Android phone for its owner, as far as possible the way the owner \
would. Each time, decide on the next step only.

## Output format
Thought: in {written}: what the screen shows, which element comes next, and why
Action: one action, written as below

## Action space
{actions}

## Coordinates
{coordinates}
{note}

## What is known of the task
{task}""",
}

_ACTIONS: Mapping[Language, str] = {
    "zh": r"""click({start}='{spot}')：点击
long_press({start}='{spot}')：长按
type(content='文字')：在有焦点的输入框里输入；单引号写成 \'，换行写成 \n；要提交，就在末尾写 \n
{scroll}
press_home()：主屏幕键
press_back()：返回键
finished(content='结果')：任务已经完成""",
    "en": r"""click({start}='{spot}'): a tap
long_press({start}='{spot}'): a long press
type(content='words'): type into the focused field; \' is a quote, \n a new line, which at the end submits
{scroll}
press_home(): the home key
press_back(): the back key
finished(content='result'): the task is done""",
}


class UITars15(ConversationFormat, ResizedPictureFormat):
    """UI-TARS-1.5: pixels of a picture whose size the adapter has to know.

    Args:
        max_pixels: Maximum pixels, as set on the model's server; None for the model's own limit.
        max_pictures: Maximum number of pictures in a prompt, the current one included; None for 5, as in the
            agent's own code.

    Raises:
        UsageError: A limit that is too small for a picture, or no picture.
    """

    name: ClassVar[str] = "ui-tars-1.5"
    traits: ClassVar[AgentTraits] = OWN_FORMATS["ui-tars-1.5"].traits
    version: ClassVar[str] = f"5 (task {prompt_wording.VERSION})"
    _min_tokens: ClassVar[int] = 100  # from the agent's own code; a smaller picture is scaled up
    own_pictures: ClassVar[int] = 5
    has_system: ClassVar[bool] = False
    _answer: ClassVar[str] = "Thought:\nAction: {}"
    _start: ClassVar[str] = "point"
    _spot: ClassVar[str] = "<point>{} {}</point>"
    _scrolls: ClassVar[Mapping[Language, str]] = {
        "zh": "scroll(point='<point>x1 y1</point>', direction='down')：从这一点滑动，"
        "direction 为 up、down、left 或 right，指想看到的内容在哪一边\n"
        "open_app(app_name='应用名')：打开应用\n"
        "drag(start_point='<point>x1 y1</point>', end_point='<point>x2 y2</point>')：手指从起点滑到终点",
        "en": "scroll(point='<point>x1 y1</point>', direction='down'): a swipe from this point; direction is "
        "up, down, left or right, the side of the content to reveal\n"
        "open_app(app_name='name'): open an app\n"
        "drag(start_point='<point>x1 y1</point>', end_point='<point>x2 y2</point>'): the finger moves from "
        "one point to the other",
    }
    _units: ClassVar[Mapping[Language, str]] = {
        "zh": "以截图的像素为单位的整数，截图宽 {0:g}、高 {1:g}，原点在左上角。",
        "en": "Whole pixels of the screenshot, which is {0:g} wide and {1:g} high; the origin is its upper "
        "left corner.",
    }

    def read(self, output: str, *, frame: ModelFrame) -> Reading:
        r"""Read the actions of an answer; the module's docstring gives the rules.

        >>> frame = ModelFrame(size=(1092, 2408), screen=(1080, 2400))
        >>> reading = UITars15().read("Thought: the plus\nAction: click(start_box='(540,1200)')", frame=frame)
        >>> reading.actions, reading.thought
        ((Click(x=534, y=1196, content=None),), 'the plus')
        """
        thought = _read_thought(LABEL.split(output, maxsplit=1)[0])
        try:
            label, last, further = self._find_round(output)
            start = label.end() if label else 0
            thought = _read_thought(
                output[: label.start() if label else last[0].start if last else len(output)]
            )
            if not last:
                refuse_output("Action: and a call such as click(...) or finished()", output[start:])
            run, note = keep_first_run(output, last, _FILLER)
            if note and not label:
                raise ActionSyntaxError("expected calls one behind the other, got prose between them")
            if not label:
                refuse_draft(output, run, _FILLER)
            reading = plan_calls(run, partial(convert_call, frame=frame), thought)
            return replace(reading, notes=(*reading.notes, *filter(None, (note or further,))))
        except ActionSyntaxError as error:
            return make_refusal(error, thought)

    def _find_round(self, output: str) -> tuple[re.Match[str] | None, Sequence[ParsedCall], str]:
        """Find the label and the calls of the round to perform, and a note on what is left out.

        It is the last one: an earlier label belongs to a draft, unless the next one follows its calls without
        words between them. Other spellings of the names are read where no call in the own one is.
        """
        for folded in (True,) if _OTHER_NAME.search(output) else (False, True):
            calls = self._list_calls(output, folded=folded)
            labels = find_labels(output, calls, LABEL)
            if not labels:
                last, label, behind = calls, None, len(output)
            else:
                at = len(labels) - 1
                while at and _follows(output, calls, labels[at - 1], labels[at]):
                    at -= 1
                label = labels[at]
                behind = labels[at + 1].start() if at + 1 < len(labels) else len(output)
                last = tuple(call for call in calls if label.end() <= call.start < behind)
            if last:
                break
        words = note_words(output[:behind], last, _ANY_CALL) if last else ""
        return label, last, f"{LEFT_OUT}: what follows another label" if behind < len(output) else words

    def _list_calls(self, output: str, *, folded: bool) -> tuple[ParsedCall, ...]:
        """List the calls of an answer, drafts before the last label included."""
        return tuple(map(fold_call, read_calls(output, FOLDED if folded else GRAMMAR)))

    def write(self, action: Action, *, frame: ModelFrame) -> str | None:
        """Write an action in this agent's grammar; None if it has no equivalent."""
        match action:
            case Click() | LongClick():
                verb = "click" if isinstance(action, Click) else "long_press"
                return f"{verb}({self._start}='{self._write_place(*frame.numbers(action.x, action.y))}')"
            case Type():
                return f"type(content={quote_text(action.text)})"
            case Scroll():
                return self._scroll(action, frame)
            case PressHome() | PressBack() | Wait():
                return f"{action.name}()"
            case Finished():
                return f"finished(content={quote_text(action.content or '')})"
            case _:
                return None

    def _messages(self, question: PictureQuestion) -> tuple[Message, ...]:
        language = question.language
        actions = _ACTIONS[language].format(
            start=self._start, spot=self._spot.format("x1", "y1"), scroll=self._scrolls[language]
        )
        text = _PROMPT[language].format(
            actions=actions,
            note=NOTE[language],
            coordinates=self._units[language].format(*question.frame.size),
            written=name_language(question.written, language),
            task=question.task,
        )
        return (
            Message(role="user", text=text),
            *self._repeat_turns(question),
            Message(role="user", text="", images=(question.picture,)),
        )

    def _repeat_turns(self, question: PictureQuestion) -> Iterator[Message]:
        """Each earlier screen and the answer to it; older answers stand without their screens."""
        for answer, pictures in self._list_turns(question):
            if pictures:
                yield Message(role="user", text="", images=pictures)
            yield Message(role="assistant", text=self._step_text(answer.text))

    def _write_place(self, x: float, y: float) -> str:
        return self._spot.format(round(x), round(y))

    def _scroll(self, action: Scroll, frame: ModelFrame) -> str | None:
        place = self._write_place(*frame.numbers(action.x, action.y))
        return f"scroll(point='{place}', direction='{action.direction}')"


class UITarsV1(ThousandthsFormat, UITars15):
    """UI-TARS of the first version, and its DPO model: thousandths of the screen, scrolls with two ends.

    Args:
        max_pixels: Maximum pixels of the picture; None to send the screenshot unscaled. Coordinates do not
            depend on it.
        max_pictures: Maximum number of pictures in a prompt, the current one included; None for 5, as in the
            agent's own code.
    """

    name = "ui-tars-v1"
    traits = OWN_FORMATS["ui-tars-v1"].traits
    _start = "start_box"
    _spot = "<|box_start|>({},{})<|box_end|>"
    _scrolls: ClassVar[Mapping[Language, str]] = {
        "zh": "scroll(start_box='<|box_start|>(x1,y1)<|box_end|>', "
        "end_box='<|box_start|>(x3,y3)<|box_end|>')：手指从起点滑到终点，手指向上滑会显示下面的内容\n"
        "wait()：等待几秒，看屏幕有没有变化",
        "en": "scroll(start_box='<|box_start|>(x1,y1)<|box_end|>', "
        "end_box='<|box_start|>(x3,y3)<|box_end|>'): the finger moves from one point to the other; "
        "up shows what is below\n"
        "wait(): wait some seconds for the screen to change",
    }
    _units: ClassVar[Mapping[Language, str]] = {
        "zh": "0 到 1000 的整数，x 为宽度的千分之几，y 为高度的千分之几，原点在左上角。",
        "en": "Whole numbers from 0 to 1000: thousandths of the width and of the height; the origin is the "
        "upper left corner.",
    }

    def _scroll(self, action: Scroll, frame: ModelFrame) -> str | None:
        ends = write_swipe(action, frame, self._write_place)
        return ends and f"scroll(start_box='{ends[0]}', end_box='{ends[1]}')"


LABEL = re.compile(
    r"(?:(?<![A-Za-z_])(?:Action|ACTION)(?:[ ]?[0-9]{1,2})?|(?:^|(?<=\n))[ \t*#]{0,9}动作)"
    r"\s{0,3}\*{0,2}\s{0,3}[:：]\*{0,2}"
)
_KEYS: Mapping[str, Action] = {
    "press_home": PressHome(),
    "press_back": PressBack(),
    "wait": Wait(),
}
_DONE = "finished"
_TWO_ENDS = ("drag", "scroll", "swipe", "select")
_NONE_LIKE = "call_user press release left_double right_single left_single hover keydown keyup"
GRAMMAR = Grammar(
    calls={
        "click",
        "long_press",
        "type",
        "open_app",
        "hotkey",
        *_TWO_ENDS,
        *_KEYS,
        _DONE,
        *_NONE_LIKE.split(),
    },
    arguments={
        *("point", "start_box", "start_point", "end_box", "end_point", "direction"),
        *("content", "text", "time", "app_name", "key", "hotkey"),
    },
    bare={*_KEYS, _DONE},
    label=LABEL,
)
CALLS: Mapping[str, str] = {
    "left_single": "click",
    "double_click": "left_double",
    "back": "press_back",
    "navigate_back": "press_back",
    "home": "press_home",
    "open": "open_app",
}
"""Other names of calls, as the official client folds them, and ours."""
_SPELLED: Mapping[str, str] = {
    **{spelling: name for name in GRAMMAR.calls for spelling in spell_name(name)},
    **CALLS,
    "finish": "finished",
}
"""Spelling of a call that is read where none of the prompt's names is there -> its name."""
ARGUMENTS: Mapping[str, str] = {"text": "content"}
FOLDED = replace(GRAMMAR, calls=frozenset(_SPELLED))
_OTHER_NAME = re.compile(
    rf"(?:^|{LABEL.pattern})[\s`*>-]{{0,9}}"
    rf"(?:{'|'.join(sorted({*_SPELLED} - {*GRAMMAR.calls, *CALLS}))})[(（]",
    re.MULTILINE,
)
_ANY_CALL = re.compile(rf"(?<![\w.])(?:{'|'.join(sorted(_SPELLED, key=len, reverse=True))})[(（]")
# what may stand between calls that are performed one behind the other
_FILLER = re.compile(r"[\s`;,.。]{0,400}(?:[-*>0-9.)]{1,6}\s{0,9})?")
_START, _END = ("start_box", "point", "start_point"), ("end_box", "end_point")


def fold_call(call: ParsedCall) -> ParsedCall:
    """Return the call with the names of the prompt."""
    named = {ARGUMENTS.get(name, name): value for name, value in call.named.items()}
    return replace(call, name=_SPELLED.get(call.name, call.name), named=named)


def _follows(
    output: str, calls: Sequence[ParsedCall], label: re.Match[str], following: re.Match[str]
) -> bool:
    """Whether a label follows the calls behind another one, without words between them."""
    behind = [call for call in calls if label.end() <= call.start < following.start()]
    if not behind:
        return False
    run, _ = keep_first_run(output, behind, _FILLER)
    return bool(_FILLER.fullmatch(output, run[-1].end, following.start()))


def _read_thought(before: str) -> str:
    return before.strip().removeprefix("Thought:").strip()


def convert_call(call: ParsedCall, frame: ModelFrame) -> Action:
    """Convert a call other than `open_app`, which `plan_calls` takes.

    Raises:
        ActionSyntaxError: An argument is missing or wrong, or nothing here is like the call.
    """
    if call.name in _KEYS:
        return _KEYS[call.name]
    if call.name == _DONE:
        return make_finished(call.answer("content"))
    if call.name == "type":
        return make_type(call.text("content"))
    if call.name == "hotkey" and (call.value("key", "hotkey") is not None or call.plain):
        return read_key(call.text("key", "hotkey"))
    if call.name in ("click", "long_press"):
        x, y = frame.point(find_point(call, *_START))
        return Click(x=x, y=y) if call.name == "click" else LongClick(x=x, y=y)
    if call.name in _TWO_ENDS:
        return _read_scroll(call, frame)
    if call.name == "call_user":
        refuse_question(call.name, call.answer("content"))
    refuse_call(call.name)


def _read_scroll(call: ParsedCall, frame: ModelFrame) -> Action:
    """Read a scroll: a finger's path if it has two ends, otherwise a point and the side to reveal."""
    given = call.value(*_START)
    start = frame.center if given is None and not call.plain else frame.point(call.point(*_START))
    if call.value(*_END) is not None:
        return make_scroll(start, frame.point(call.point(*_END)))
    if call.name != "scroll":
        raise ActionSyntaxError(f"expected two ends in {call.name}, got one")
    side = call.text("direction").strip().lower()
    if side not in DIRECTIONS:
        raise ActionSyntaxError(f"expected direction up, down, left or right, got {side[:40]!r}")
    return Scroll(x=start[0], y=start[1], direction=DIRECTIONS[side])
