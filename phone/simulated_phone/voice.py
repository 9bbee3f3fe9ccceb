"""Voice input of an app: a dialog whose phrase is typed or chosen, and conversion of Chinese numerals."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from simulated_phone.goals.app_definition import Handler, PageFunction, Strategy, choose
from simulated_phone.goals.steps import Open, Step, Tap, TypeText
from simulated_phone.language.language import CHINESE, find_locale, messages
from simulated_phone.language.spoken_numbers import chinese_with_digits, write_english_digits
from simulated_phone.machine.handler_context import HandlerContext
from simulated_phone.screens.layouts.lists import Chips
from simulated_phone.screens.layouts.widgets import Button, Field, Icon, Space
from simulated_phone.screens.nodes import action_ref
from simulated_phone.screens.pages import BACK, Dialog
from simulated_phone.screens.theme import BLUE, WHITE

_ = messages(__name__)

LISTEN = action_ref("listen")
"""Action of a microphone button: it opens the app's page "voice"."""

LISTENS = _("说出或输入您的指令")
"""The hint of the field for what is said."""
_SPEAK, _LISTENING, _CANCEL, _DONE = _("请说，我在听…"), _("正在聆听"), _("取消"), _("完成")
_UNKNOWN, _NOTHING = _("没有听懂，请再说一遍"), _("请先说出指令")


def page(*phrases: str) -> PageFunction:
    """The page "voice" of an app: what one can say, and a field for what was said."""
    items = [(phrase, action_ref("say", phrase=phrase), False) for phrase in phrases]
    dialog = Dialog(
        title=_SPEAK,
        body=[
            Icon("mic", _LISTENING, size=34, color=WHITE, plate=BLUE, room=72),
            Field("heard", LISTENS, submit=action_ref("heard"), enter=_DONE),
            Space(8),
            Chips(items, pad=0),
        ],
        buttons=[Button(_CANCEL, BACK, style="tonal"), Button(_DONE, action_ref("heard"))],
    )
    return lambda view: dialog


def handlers(understand: Callable[[HandlerContext, str], bool]) -> Mapping[str, Handler]:
    """The handlers of a page "voice"; `understand` acts on the phrase and says whether it could."""

    def say(context: HandlerContext, phrase: str) -> None:
        context.back()
        context.fact("said", phrase=phrase)
        if not understand(context, phrase):
            context.toast(_UNKNOWN)

    def heard(context: HandlerContext) -> None:
        if phrase := context.field("heard").strip():
            say(context, phrase)
        else:
            context.toast(_NOTHING)

    def listen(context: HandlerContext) -> None:
        context.go("voice")
        context.focus("heard")

    return {"say": say, "heard": heard, "listen": listen}


def make_voice_strategy(package: str, phrase: str, *then: Step) -> Strategy:
    """The strategy "voice": open the app, say the phrase, then the further steps.

    The phrase may name the goal's arguments in braces.
    """
    steps = (Open(package), Tap(_("语音")), TypeText(phrase, into=LISTENS), Tap(_("完成")), *then)
    return Strategy("voice", steps)


def says(phrase: str, pattern: str) -> bool:
    """Whether the phrase holds words of a pattern, in capitals or not.

    >>> says("Turn OFF the alarm", "off|cancel"), says("七点的闹钟", "关")
    (True, False)
    """
    return re.search(pattern, phrase, re.IGNORECASE) is not None


def find_name(phrase: str, names: Sequence[str]) -> str | None:
    """The longest of the names that the phrase holds; None if it holds none.

    >>> find_name("播放晴天", ["晴天", "晴", "晴天娃娃"])
    '晴天'
    """
    name = choose(phrase, names)
    return name if name is not None and name in phrase else None


def find_last_name(phrase: str, names: Sequence[str]) -> str | None:
    """The name that the phrase holds last, the longest where two end there; None if it holds none.

    For values that may also be a word of the command itself.

    >>> find_last_name("扫描文档到工作", ["文档", "工作"]), find_last_name("扫描文档到文档", ["文档", "工作"])
    ('工作', '文档')
    """
    held = [name for name in names if name in phrase]
    return max(held, key=lambda name: (phrase.rindex(name) + len(name), len(name)), default=None)


def write_digits(phrase: str) -> str:
    """The phrase with numbers below 1000 written as digits, and with English times as 24 hours.

    >>> write_digits("早上七点二十五分")
    '早上7点25分'
    """
    chinese = find_locale(__name__) == CHINESE
    return chinese_with_digits(phrase) if chinese else write_english_digits(phrase)


def find_number(phrase: str) -> int | None:
    """The first number of a phrase, in digits or in words below 1000; None if it has none.

    >>> find_number("转200元给王静"), find_number("充五十元话费"), find_number("查余额")
    (200, 50, None)
    """
    found = re.search(r"\d+", phrase) or re.search(r"\d+", write_digits(phrase))
    return int(found[0]) if found else None
