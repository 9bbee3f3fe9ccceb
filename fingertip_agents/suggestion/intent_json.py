"""Choice of the intent among the fields of a JSON answer.

A field is an intent by its name (`is_intent_name`), or by being the only text of an object. Reasons,
confidences and the like are none. If two different texts could be the intent, there is none:
which of them counts would be a guess.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

from fingertip_agents.parsing.reading import CONVERTED, LEFT_OUT
from fingertip_dataset.release.problems import printable

APPS = ("app", "appname", "application", "应用", "应用名", "应用名称")
"""Fields with the app of an intent, as `fold_name` spells them."""

_CALL_NAMES = ("name", "function", "functionname", "tool", "toolname", "recipientname", "action")
_CALL_ARGUMENTS = (
    "arguments",
    "parameters",
    "args",
    "input",
    "toolinput",
    "toolarguments",
    "actioninput",
    "params",
    "kwargs",
)

MOST_NAMES = 5
"""Maximum number of left out fields that a note names."""

_ABOUT = re.compile(
    r"^why$|motiv|reason|explan|rational|justif|confiden|probab|likel|score|weight|thought|think|analy"
    r"|evidence|basis|context"
    r"|time|date|location|place|type|categor|language|note|comment|summary|profile|status|step|history"
    r"|理由|原因|解释|依据|分析|思考|推理|置信|概率|可能性|得分|说明|时间|地点|场景|类型|类别|语言|证据|背景|备注|总结|步骤|历史|为什么|缘由",
)
"""In names of fields about an intent; "likely_intent" is told apart by `_CORE`."""

_CORE = re.compile(
    r"(?:the|user|owner|users|predicted|predict|final|next|most|likely|current|best|top|suggested"
    r"|inferred|possible|main|primary"
    r"|用户|主人|机主|预测|推测|最终|最|可能|下一步|下一个|当前|此刻|推荐|主要|的)*"
    r"(?:intents?|intentions?|predictions?|suggestions?|answers?|tasks?|goals?|意图|预测|推测|建议|答案|回答|任务|目标)"
    r"(?:text|sentence|description|zh|en|cn|描述|文本|句子|内容|\d)?"
    r"|(?:the|users?|owners?|most|likely|predicted|suggested|用户的?|主人的?|最可能的?|预测的?)*"
    r"(?:(?:next|upcoming)(?:action|step|move|activity)|下一步(?:的?(?:操作|行动|动作|活动))?|接下来的?(?:操作|行动|动作|活动))",
)
_WEAK = re.compile(
    r"text|sentence|content|output|outputs|result|results|response|value|message|句子|内容|文本|结果|输出|回复"
)
_HAN = re.compile("[\u4e00-\u9fff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonIntent:
    """The intent of a JSON answer.

    Attributes:
        text: The intent; "" without one.
        notes: What was left out or converted.
        ambiguous: Whether two different texts could be the intent.
    """

    text: str = ""
    notes: tuple[str, ...] = ()
    ambiguous: bool = False


AMBIGUOUS = JsonIntent(ambiguous=True)


def fold_name(name: str) -> str:
    """Fold the spelling of a field's name.

    >>> fold_name("User_Intent"), fold_name("userIntent ")
    ('userintent', 'userintent')
    """
    return "".join(char for char in name.casefold() if char.isalnum())


def is_intent_name(name: str) -> bool:
    """Whether a field is an intent by its name.

    >>> [is_intent_name(name) for name in ("User intent", "用户意图", "next_task", "intent_reason", "why")]
    [True, True, True, False, False]
    """
    folded = fold_name(name)
    if _CORE.fullmatch(folded):
        return True
    return (
        ("intent" in folded or "意图" in folded) and not _ABOUT.search(folded) and not folded.endswith("id")
    )


def find_json_intent(value: object) -> JsonIntent | None:
    """Find the intent in a JSON value; None if it has no text at all that could be one.

    >>> find_json_intent({"用户意图": "看消息", "理由": "早上"})
    JsonIntent(text='看消息', notes=('left_out: fields 理由',), ambiguous=False)
    >>> find_json_intent({"intent": "看消息", "task": "点餐"}).ambiguous
    True
    """
    if isinstance(value, str):
        return JsonIntent(text=value)
    if isinstance(value, list):
        return _choose_first(value)
    if not isinstance(value, Mapping):
        return None
    if (arguments := _find_arguments(value)) is not None:
        return find_json_intent(arguments)
    named = [name for name in value if is_intent_name(name)]
    weak = [name for name in value if _WEAK.fullmatch(fold_name(name))]
    for names in (named, weak):
        found = _choose_field(value, names)
        if found is not None:
            return found
    others = [name for name in value if _is_possible(name)]
    found = _choose_field(value, others)
    if found is not None:
        return found
    texts = [name for name, inner in value.items() if isinstance(inner, str)]
    if len(texts) == 1 and fold_name(texts[0]) in APPS:
        return JsonIntent(text=value[texts[0]])
    return None if value and not named else JsonIntent()


def _find_arguments(value: Mapping[str, object]) -> object:
    """The arguments of a call of a tool, or the calls of a message; None if an object is neither."""
    folded = {fold_name(name): inner for name, inner in value.items()}
    calls = folded.get("toolcalls")
    if isinstance(calls, list | Mapping) and calls:
        return calls
    function = folded.get("function") or folded.get("functioncall") or folded.get("toolcall")
    if isinstance(function, Mapping):
        return function
    if not any(isinstance(folded.get(name), str) for name in _CALL_NAMES):
        return None
    arguments = next((folded[name] for name in _CALL_ARGUMENTS if name in folded), None)
    if isinstance(arguments, str):
        try:
            read = json.loads(arguments, strict=False)
        except (ValueError, RecursionError):
            return None
        return read if isinstance(read, Mapping) else None
    return arguments if isinstance(arguments, Mapping) else None


def find_weighted_text(value: Mapping[str, object]) -> str | None:
    """Find the text of an object with an intent and its probability; None without a field named as one."""
    named = [name for name in value if is_intent_name(name)]
    weak = [name for name in value if _WEAK.fullmatch(fold_name(name))]
    texts = [str(value[name]) for name in (*named, *weak) if isinstance(value[name], str)]
    return add_app(value, texts[0]) if texts else None


def add_app(named: Mapping[str, object], intent: str) -> str:
    """Combine an intent with the app of another JSON field, unless the intent already contains it.

    Args:
        named: Fields of the JSON object.
        intent: Text of the field with the intent.

    >>> add_app({"App": "微信", "intent": "看消息"}, "看消息"), add_app({"app": "微信"}, "打开微信看消息")
    ('打开微信，看消息', '打开微信看消息')
    >>> add_app({"app": "Clock"}, "set an alarm for 7")
    'Open Clock, set an alarm for 7'
    """
    apps = (
        inner.strip() for name, inner in named.items() if fold_name(name) in APPS and isinstance(inner, str)
    )
    app = next(apps, "")
    if not any(map(str.isalnum, app)) or not intent.strip() or app.casefold() in intent.casefold():
        return intent
    if _HAN.search(app + intent):
        return f"打开{app}，{intent.strip()}"
    return f"Open {app}, {intent.strip()}"


def _is_possible(name: str) -> bool:
    folded = fold_name(name)
    return folded not in APPS and not _ABOUT.search(folded)


def _choose_first(items: list[object]) -> JsonIntent | None:
    """The first intent of a list, as models put the likeliest first."""
    if not items:
        return JsonIntent()
    found = [one for item in items if (one := find_json_intent(item)) is not None]
    if not found:
        return None
    notes = (f"{LEFT_OUT}: {len(found) - 1} more candidates",) if len(found) > 1 else ()
    first = found[0]
    return JsonIntent(text=first.text, notes=first.notes + notes, ambiguous=first.ambiguous)


def _choose_field(value: Mapping[str, object], names: list[str]) -> JsonIntent | None:
    """The intent in the fields of these names, which have the same text or only one has any."""
    found: dict[str, tuple[str, JsonIntent]] = {}
    for name in names:
        inner = value[name]
        one = find_json_intent(inner) if isinstance(inner, str | list | Mapping) else None
        if one is not None and one.ambiguous:
            return AMBIGUOUS
        if one is not None and one.text.strip():
            found.setdefault(" ".join(one.text.split()), (name, one))
    if len(found) > 1:
        return AMBIGUOUS
    if not found:
        return None
    name, chosen = next(iter(found.values()))
    text = add_app(value, chosen.text)
    notes = list(chosen.notes)
    if text != chosen.text:
        notes.append(f"{CONVERTED}: app and intent to one sentence")
    unused = [other for other in value if other != name and fold_name(other) not in APPS]
    if unused:
        notes.append(f"{LEFT_OUT}: fields {printable(', '.join(unused[:MOST_NAMES]))}")
    return JsonIntent(text=text, notes=tuple(notes))
