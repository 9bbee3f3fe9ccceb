r"""MAI-UI: `<thinking>...</thinking>` and the function `mobile_use`, with a list of actions of its own.

Points are 0 to 999 of 999 parts of the screen: 999 lies beyond the last pixel and is read as it. The picture
may have any size. The prompt has the last three screens; each earlier answer is written again from its
thinking and its call, as in the agent's own code. An answer without a call stands as it is.

Facts are from Tongyi-MAI/MAI-UI, commit 4dd07b9 (`src/prompt.py`, `src/mai_naivigation_agent.py`). Its reader
refuses an answer without thinking, a missing closing tag, and the `\'` within JSON that its own prompt asks
for; they are read here.

`swipe` has a word and perhaps a point. Nothing in the repository says whether the word is the way of the
finger or the side to reveal, so it is a setting; by default it is the finger's way, as in two benchmarks that
drive the model. `drag` moves a thing, as there is a swipe beside it, and has no equivalent, nor have a double
click and tools of others. `ask_user` asks the person. The rest is read as Qwen's `mobile_use`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import ClassVar, Literal

from fingertip_agents.formats import prompt_wording
from fingertip_agents.formats.conversation_format import ConversationFormat
from fingertip_agents.formats.mobile_use import (
    ARGUMENTS,
    TOOL,
    convert_call,
    find_call,
    find_call_start,
    read_mobile_use,
)
from fingertip_agents.formats.picture_format import PictureQuestion, ThousandthsFormat, check_choice
from fingertip_agents.own_agents import OWN_FORMATS
from fingertip_agents.parsing.json_calls import JsonCall
from fingertip_agents.parsing.native_syntax import ENTER, NOTE, refuse_call
from fingertip_agents.parsing.points import find_json_point
from fingertip_agents.parsing.reading import Reading
from fingertip_agents.screens.coordinates import OPPOSITE, ModelFrame
from fingertip_dataset.actions import (
    DIRECTIONS,
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

SwipeDirection = Literal["finger", "content"]

_SYSTEM: Mapping[Language, str] = {
    "zh": """\
你看着截图操作一部安卓手机，替机主完成任务，做法尽量和机主平时一样。你会看到任务、之前的动作和截图，每次只做接下来的一步。

## 输出格式
先在 <thinking> 里写想法，再在 <tool_call> 里写一个调用：
```
<thinking>
...
</thinking>
<tool_call>
{{"name": "mobile_use", "arguments": <下面的一个 JSON>}}
</tool_call>
```

## 动作空间
坐标为 0 到 999：x 从左到右，y 从上到下，原点在左上角。

{actions}

## 注意
- 想法里先写简短的计划，最后用一句话说这一步要操作哪个元素。
- {note}""",
    "en": """\
You look at screenshots and operate an Android phone for its owner, as far as possible the way the owner \
would. You are given the task, your earlier actions and screenshots; each time, do the next step only.

## Output Format
Write your thought in <thinking>, then one call in <tool_call>:
```
<thinking>
...
</thinking>
<tool_call>
{{"name": "mobile_use", "arguments": <one of the JSON objects below>}}
</tool_call>
```

## Action Space
Coordinates go from 0 to 999: x from left to right, y from top to bottom; the origin is the upper left corner.

{actions}

## Note
- Begin the thought with a short plan, and end it with a sentence that names this step's element.
- {note}""",
}

_ACTIONS: Mapping[Language, Sequence[tuple[str, str]]] = {
    "zh": (
        ('{"action": "click", "coordinate": [x, y]}', ""),
        ('{"action": "long_press", "coordinate": [x, y]}', ""),
        ('{"action": "type", "text": ""}', "在有焦点的输入框里输入"),
        ('{"action": "swipe", "direction": "up, down, left or right", "coordinate": [x, y]}', "swipe"),
        ('{"action": "open", "text": "app_name"}', "按名字打开应用"),
        ('{"action": "system_button", "button": "back, home, menu or enter"}', "menu 显示最近的应用"),
        ('{"action": "wait"}', ""),
        ('{"action": "terminate", "status": "success or fail"}', ""),
        ('{"action": "answer", "text": "xxx"}', "回答机主，任务随之结束"),
    ),
    "en": (
        ('{"action": "click", "coordinate": [x, y]}', ""),
        ('{"action": "long_press", "coordinate": [x, y]}', ""),
        ('{"action": "type", "text": ""}', "type into the field that has the focus"),
        ('{"action": "swipe", "direction": "up, down, left or right", "coordinate": [x, y]}', "swipe"),
        ('{"action": "open", "text": "app_name"}', "open an app by its name"),
        ('{"action": "system_button", "button": "back, home, menu or enter"}', "menu: the recent apps"),
        ('{"action": "wait"}', ""),
        ('{"action": "terminate", "status": "success or fail"}', ""),
        ('{"action": "answer", "text": "xxx"}', "answer the owner, which ends the task"),
    ),
}

_SWIPES: Mapping[Language, Mapping[SwipeDirection, str]] = {
    "zh": {
        "finger": "手指移动的方向，up 显示下面的内容；coordinate 是起点，可以不写",
        "content": "想看到的内容在哪一边；coordinate 是起点，可以不写",
    },
    "en": {
        "finger": "the way of the finger, up shows what is below; coordinate, where it starts, is optional",
        "content": "the side of the content to reveal; coordinate, where it starts, is optional",
    },
}


class MaiUI(ConversationFormat, ThousandthsFormat):
    """MAI-UI on a phone.

    Args:
        max_pixels: Maximum pixels of a picture; None to send screenshots unscaled. Coordinates do not depend
            on it.
        max_pictures: Maximum number of pictures in a prompt, the current one included; None for 3, as in the
            agent's own code.
        swipe_direction: What the word of a swipe is: the way of the "finger" or the side of the "content" to
            reveal.

    Raises:
        UsageError: `swipe_direction` is neither, a limit is too small for a picture, or there is no picture.
    """

    name = "mai-ui"
    traits = OWN_FORMATS["mai-ui"].traits
    version = f"1 (task {prompt_wording.VERSION})"
    own_pictures = 3
    _factor: ClassVar[int] = 32  # px of a token's side, as in Qwen3-VL
    _thinking: ClassVar[str] = "<thinking>\n{}\n</thinking>\n"
    _answer = (
        f'<thinking>\n\n</thinking>\n<tool_call>\n{{{{"name": "{TOOL}", "arguments": {{}}}}}}\n</tool_call>'
    )

    def __init__(
        self,
        *,
        max_pixels: int | None = None,
        max_pictures: int | None = None,
        swipe_direction: SwipeDirection = "finger",
    ) -> None:
        check_choice("swipe_direction", swipe_direction, ("finger", "content"))
        super().__init__(max_pixels=max_pixels, max_pictures=max_pictures)
        self._swipe_direction: SwipeDirection = swipe_direction

    @property
    def settings(self) -> Mapping[str, object]:
        """The pixel limit of a picture, the number of pictures, and the meaning of a swipe's word."""
        return {**super().settings, "swipe_direction": self._swipe_direction}

    def read(self, output: str, *, frame: ModelFrame) -> Reading:
        """Read the action of an answer; the module's docstring gives the rules.

        >>> frame = ModelFrame(size=(999, 999), screen=(1080, 2400))
        >>> MaiUI().read('{"action": "swipe", "direction": "up"}', frame=frame).actions
        (Scroll(x=540, y=1200, direction='down'),)
        """
        convert = partial(_convert_call, swipe_direction=self._swipe_direction)
        return read_mobile_use(output, frame, convert=convert, arguments=_ARGUMENTS)

    def write(self, action: Action, *, frame: ModelFrame) -> str | None:
        """Write an action as arguments of `mobile_use`; None if it has no equivalent."""
        return json.dumps(self._write_arguments(action, frame), ensure_ascii=False)

    def _write_arguments(self, action: Action, frame: ModelFrame) -> dict[str, object]:
        match action:
            case Click() | LongClick():
                name = "click" if isinstance(action, Click) else "long_press"
                return {"action": name, "coordinate": _write_place(action, frame)}
            case Scroll(direction=side):
                word = OPPOSITE[side] if self._swipe_direction == "finger" else side
                return {"action": "swipe", "direction": word, "coordinate": _write_place(action, frame)}
            case Type() if action == ENTER:
                return {"action": "system_button", "button": "enter"}
            case Type(text=text):
                return {"action": "type", "text": text}
            case PressBack() | PressHome() | PressRecent():
                button = {"press_back": "back", "press_home": "home", "press_recent": "menu"}[action.name]
                return {"action": "system_button", "button": button}
            case Wait():
                return {"action": "wait"}
            case Finished(content=content) if content:
                return {"action": "answer", "text": content}
            case Finished():
                return {"action": "terminate", "status": "success"}
            case Ask(text=text):
                return {"action": "ask_user", "text": text}

    def _frame(self, size: tuple[int, int]) -> ModelFrame:
        return ModelFrame(size=(999, 999), screen=size, beyond=1)

    def _messages(self, question: PictureQuestion) -> tuple[Message, ...]:
        language = question.language
        swipe = _SWIPES[language][self._swipe_direction]
        lines = (
            f"{call} # {swipe if meaning == 'swipe' else meaning}" if meaning else call
            for call, meaning in _ACTIONS[language]
        )
        system = _SYSTEM[language].format(actions="\n".join(lines), note=NOTE[language])
        return (
            Message(role="system", text=system),
            Message(role="user", text=question.task),
            *self._repeat_turns(question),
            Message(role="user", text="", images=(question.picture,)),
        )

    def _repeat_turns(self, question: PictureQuestion) -> Iterator[Message]:
        for answer, pictures in self._list_turns(question):
            if pictures:
                yield Message(role="user", text="", images=pictures)
            yield Message(role="assistant", text=rewrite_answer(answer.text))


def rewrite_answer(output: str) -> str:
    r"""Write an answer again from its thinking and its call; one without a call stays as it is.

    >>> print(rewrite_answer("<thinking>\nBack.</thinking>\n{'action': 'wait'}"))
    <thinking>
    Back.
    </thinking>
    <tool_call>
    {"name":"mobile_use","arguments":{"action":"wait"}}
    </tool_call>
    """
    split = split_thinking(output)
    try:
        call = find_call(split.text, TOOL)
    except ActionSyntaxError:
        return output
    thought = split.thought or split.text[: find_call_start(split.text)].strip()
    written = {"name": TOOL, "arguments": call.arguments}
    # as the model writes it: JSON's escapes would make six letters of a Chinese character
    text = json.dumps(written, ensure_ascii=False, separators=(",", ":"))
    return f"<thinking>\n{thought}\n</thinking>\n<tool_call>\n{text}\n</tool_call>"


_ARGUMENTS: Mapping[str, Sequence[str]] = {
    **ARGUMENTS,
    "swipe": ("direction", "coordinate", "coordinate2"),
    "drag": ("start_coordinate", "end_coordinate"),
    "double_click": ("coordinate",),
    "ask_user": ("text",),
}
"""Name of an action -> its arguments."""


def _convert_call(call: JsonCall, verb: str, frame: ModelFrame, *, swipe_direction: SwipeDirection) -> Action:
    if verb == "drag":
        refuse_call(verb)
    # two ends are a finger's path, as in other forms of the function
    if verb != "swipe" or call.given("direction") is None:
        return convert_call(call, verb, frame)
    word = call.text("direction").strip().lower()
    if word not in DIRECTIONS:
        raise ActionSyntaxError(f"expected direction up, down, left or right, got {word[:40]!r}")
    side = OPPOSITE[DIRECTIONS[word]] if swipe_direction == "finger" else DIRECTIONS[word]
    numbers = find_json_point(call, verb, "coordinate")
    x, y = frame.center if numbers is None else frame.point(numbers)
    return Scroll(x=x, y=y, direction=side)


def _write_place(action: Click | LongClick | Scroll, frame: ModelFrame) -> list[int]:
    return [round(at) for at in frame.numbers(action.x, action.y)]
