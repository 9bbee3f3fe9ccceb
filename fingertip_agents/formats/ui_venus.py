r"""UI-Venus 1.5 and 2: `<think>...</think><action>Click(box=(499,500))</action>`.

Points are 0 to 999 of 1000 parts of the screen, so the picture may have any size. Version 1.5 is sent one
text with the steps so far and then the picture; version 2 is sent a conversation, in which the last three
screens are pictures.

Facts are from the models' repository, inclusionAI/UI-Venus: version 1.5 of commit c3a1442
(`models/navigation`, `Venus_framework`), version 2 of commit 81945ac (`models/mobile`,
`Venus_framework_mobile`). Its code for navigation still rescales points as pixels of version 1.0; the
framework does not, and neither do we.

The first call of the first `<action>` is performed, as in both loops; further ones are for later screens. A
scroll or swipe is a finger's path, and `direction` the side of the content to reveal. `Answer` and `Finished`
end the task, with the text. `PressEnter` is a typed newline; `Launch` and `LaunchApp` are done step by step
(module `open_app`). `Drag` moves a thing, as there is a scroll beside it, and has no equivalent, nor have a
double click, a hover and a screenshot.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from fingertip_agents.formats import prompt_wording
from fingertip_agents.formats.conversation_format import ConversationFormat
from fingertip_agents.formats.picture_format import PictureQuestion, ThousandthsFormat
from fingertip_agents.formats.ui_venus_calls import find_step, read_action
from fingertip_agents.own_agents import OWN_FORMATS
from fingertip_agents.parsing.arguments import quote_text
from fingertip_agents.parsing.native_syntax import (
    ENTER,
    NOTE,
)
from fingertip_agents.parsing.reading import Reading
from fingertip_agents.screens.coordinates import ModelFrame, write_swipe
from fingertip_agents.traits import AgentTraits
from fingertip_dataset.actions import (
    Action,
    Ask,
    Click,
    Finished,
    LongClick,
    PressBack,
    PressHome,
    PressRecent,
    Scroll,
    Type,
    Wait,
)
from fingertip_dataset.errors import ActionSyntaxError
from fingertip_models.messages import Language, Message
from fingertip_models.thinking import split_thinking

_ROLE: Mapping[Language, str] = {
    "zh": "你看着截图操作一部安卓手机，替机主完成任务，做法尽量和机主平时一样。每次只决定接下来的一步。",
    "en": "You look at screenshots and operate an Android phone for its owner, as far as possible the way "
    "the owner would. Each time, decide on the next step only.",
}

_PROMPT: Mapping[Language, str] = {
    "zh": """\
{role}

### 可用的操作
坐标从左上角 (0,0) 到右下角 (999,999)。
{actions}

### 用户任务
{task}
{note}

### 先前的动作和推理过程
{steps}

### 输出格式
<think>想法</think>
<action>一个操作，写法见上</action>
<conclusion>这一步做了什么</conclusion>

### 提示
- 先点输入框，看到键盘或光标以后再用 Type。
- 走错了就用 PressBack 回去；找不到就用 Scroll 看看上下左右。
- 机主问的问题，在 Finished 的 content 里回答。""",
    "en": """\
{role}

### Available Actions
Points go from (0,0) in the upper left corner to (999,999) in the lower right one.
{actions}

### User Task
{task}
{note}

### Previous Actions
{steps}

### Output Format
<think> your thought </think>
<action> one of the actions above </action>
<conclusion> what this step does </conclusion>

### Instruction
- Type only where a field has the focus: tap it first.
- Go back from a wrong screen with PressBack; what is out of sight can be found with Scroll.
- Where the owner asks something, put the answer into the content of Finished.""",
}

_SYSTEM: Mapping[Language, str] = {
    "zh": """\
{role}

### 可用的操作
坐标从左上角 (0, 0) 到右下角 (999, 999)。
{actions}

### 提示
- 先点输入框，看到键盘或光标以后再用 Type。
- 走错了就用 PressBack 回去；找不到就用 Swipe 看看上下左右。
- 机主问的问题，用 Answer 回答；其他任务做完了用 Finished。

### 输出格式
<think> 想法 </think>
<action> 一个操作，写法见上 </action>

### 用户任务
{task}
{note}""",
    "en": """\
{role}

### Available Actions
Points go from (0, 0) in the upper left corner to (999, 999) in the lower right one.
{actions}

### Instructions
- Type only where a field has the focus: tap it first.
- Go back from a wrong screen with PressBack; what is out of sight can be found with Swipe.
- Answer a question of the owner with Answer; end any other task with Finished.

### Output Format
<think> your thought </think>
<action> one of the actions above </action>

### User Task
{task}
{note}""",
}

_MEANINGS: Mapping[Language, Mapping[str, str]] = {
    "zh": {
        "Click({spot}={one})": "点击",
        "{swipe}(start={one}, end={two})": "手指从起点滑到终点；向上滑显示下面的内容",
        "LongPress({spot}={one})": "长按",
        "Type(content='')": "在有焦点的输入框里输入",
        "{launch}(app='')": "按名字打开应用",
        "Wait()": "等屏幕变化",
        "PressBack()": "返回键",
        "PressHome()": "主屏幕键",
        "PressEnter()": "回车键",
        "PressRecent()": "最近任务键",
        "Answer(content='')": "回答机主的问题，任务随之结束",
        "Finished(content='')": "任务已经完成",
    },
    "en": {
        "Click({spot}={one})": "a tap",
        "{swipe}(start={one}, end={two})": "a finger moves from start to end; up shows what is below",
        "LongPress({spot}={one})": "a long press",
        "Type(content='')": "type into the field that has the focus",
        "{launch}(app='')": "open an app by its name",
        "Wait()": "wait for the screen to change",
        "PressBack()": "the back key",
        "PressHome()": "the home key",
        "PressEnter()": "the key enter",
        "PressRecent()": "the key that shows the recent apps",
        "Answer(content='')": "answer the owner's question, which ends the task",
        "Finished(content='')": "the task is done",
    },
}

_LAST = 999
"""The last of a side's thousand parts that the model names."""


class UIVenus15(ThousandthsFormat):
    """UI-Venus 1.5: the steps so far as a text, and one picture.

    Args:
        max_pixels: Maximum pixels of the picture; None to send the screenshot unscaled. Coordinates do not
            depend on it.

    Raises:
        UsageError: A limit that is too small for a picture.
    """

    name: ClassVar[str] = "ui-venus-1.5"
    traits: ClassVar[AgentTraits] = OWN_FORMATS["ui-venus-1.5"].traits
    version: ClassVar[str] = f"1 (task {prompt_wording.VERSION})"
    has_system: ClassVar[bool] = False
    pictures_last: ClassVar[bool] = True
    _factor: ClassVar[int] = 32  # px of a token's side, as in Qwen3-VL
    _answer: ClassVar[str] = "<think></think>\n<action>{}</action>\n<conclusion></conclusion>"
    _thinking: ClassVar[str] = "<think>{}</think>\n"
    _spot: ClassVar[str] = "box"
    _place: ClassVar[str] = "({},{})"
    _swipe: ClassVar[str] = "Scroll"
    _launch: ClassVar[str] = "Launch"
    _answering: ClassVar[str] = "Finished"
    """Call that gives the person an answer."""

    def read(self, output: str, *, frame: ModelFrame) -> Reading:
        """Read the action of an answer; the module's docstring gives the rules.

        >>> frame = ModelFrame(size=(1000, 1000), screen=(1080, 2400))
        >>> UIVenus15().read("<action>Click(box=(499,500))</action>", frame=frame).actions
        (Click(x=539, y=1200, content=None),)
        """
        return read_action(output, frame)

    def write(self, action: Action, *, frame: ModelFrame) -> str | None:
        """Write an action in this agent's grammar; None if it has no equivalent."""
        match action:
            case Click() | LongClick():
                name = "Click" if isinstance(action, Click) else "LongPress"
                return f"{name}({self._spot}={self._write_place(*frame.numbers(action.x, action.y))})"
            case Scroll():
                ends = write_swipe(action, frame, self._write_place)
                return ends and f"{self._swipe}(start={ends[0]}, end={ends[1]})"
            case Type() if action == ENTER:
                return "PressEnter()"
            case Type():
                return f"Type(content={quote_text(action.text)})"
            case PressBack() | PressHome() | PressRecent():
                return f"Press{action.name.removeprefix('press_').capitalize()}()"
            case Wait():
                return "Wait()"
            case Finished(content=content) if content:
                return f"{self._answering}(content={quote_text(content)})"
            case Finished():
                return "Finished(content='')"
            case Ask(text=text):
                return f"CallUser(content={quote_text(text)})"

    def _write_place(self, x: float, y: float) -> str:
        return self._place.format(*(min(round(at), _LAST) for at in (x, y)))

    def _list_actions(self, language: Language) -> str:
        """The calls of the prompt, one a line, with their meaning."""
        colon = "：" if language == "zh" else ": "
        words = {
            "spot": self._spot,
            "swipe": self._swipe,
            "launch": self._launch,
            "one": self._place.format("x1", "y1"),
            "two": self._place.format("x2", "y2"),
        }
        return "\n".join(
            f"- {call.format(**words)}{colon}{meaning}"
            for call, meaning in _MEANINGS[language].items()
            if not call.startswith("Answer") or self._answering == "Answer"
        )

    def _messages(self, question: PictureQuestion) -> tuple[Message, ...]:
        language = question.language
        text = _PROMPT[language].format(
            role=_ROLE[language],
            actions=self._list_actions(language),
            task=question.task,
            note=NOTE[language],
            steps=self._history(question),
        )
        return (Message(role="user", text=text, images=(question.picture,), images_last=True),)

    def _history(self, question: PictureQuestion) -> str:
        """A line per step, counted from 0 as in the agent's own code."""
        steps = (
            prompt_wording.make_data_line(self._step_text(answer.text), question.language)
            for answer in question.earlier
        )
        lines = [f"Step {number}: {text}" for number, text in enumerate(steps)]
        return "\n".join(lines) or _NO_STEPS[question.language]

    def _step_text(self, output: str) -> str:
        """Return the thought and the call of an answer in their tags, or else the whole answer."""
        split = split_thinking(output)
        try:
            step = find_step(split.text)
        except ActionSyntaxError:
            return output
        if not step.calls:
            return output
        return f"<think>{split.thought}</think><action>{step.text.strip()}</action>"


class UIVenus2(ConversationFormat, UIVenus15):
    """UI-Venus 2: everything in the system message, then screens and answers in turn.

    Args:
        max_pixels: Maximum pixels of a picture; None to send screenshots unscaled. Coordinates do not depend
            on it.
        max_pictures: Maximum number of pictures in a prompt, the current one included; None for 3, as in the
            call of the model's README.

    Raises:
        UsageError: A limit that is too small for a picture, or no picture.
    """

    name = "ui-venus-2"
    traits = OWN_FORMATS["ui-venus-2"].traits
    has_system = True
    own_pictures = 3
    _answer = "<think></think>\n<action>{}</action>"
    _spot, _place, _swipe, _launch, _answering = "point", "({}, {})", "Swipe", "LaunchApp", "Answer"

    def _messages(self, question: PictureQuestion) -> tuple[Message, ...]:
        language = question.language
        system = _SYSTEM[language].format(
            role=_ROLE[language],
            actions=self._list_actions(language),
            task=question.task,
            note=NOTE[language],
        )
        earlier, current = _LABELS[language]
        return (
            Message(role="system", text=system),
            *self._repeat_turns(question, earlier),
            Message(role="user", text=f"{current}\n", images=(question.picture,), images_last=True),
        )

    def _repeat_turns(self, question: PictureQuestion, label: str) -> Iterator[Message]:
        """The earlier turns; a screen without its picture is an empty message, as in the agent's own code."""
        for answer, pictures in self._list_turns(question):
            yield Message(role="user", text=label if pictures else "", images=pictures, images_last=True)
            yield Message(role="assistant", text=answer.text)


_NO_STEPS: Mapping[Language, str] = {"zh": "还没有任何步骤。", "en": "None yet."}
_LABELS: Mapping[Language, tuple[str, str]] = {
    "zh": ("先前的截图：", "当前的截图："),
    "en": ("History Screenshot:", "Current Screenshot:"),
}
