"""Reading of an answer's lines: an invented next turn, several candidates, and fields of one intent.

Without the stop strings of its server a model goes on with the turn of the user ("用户：谢谢"). This is no
part of the answer. Of candidates with names ("首选", "Option 1") the first counts, and lines with an app and
an operation are combined as the fields of JSON are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import zip_longest

from fingertip_agents.parsing.reading import LEFT_OUT
from fingertip_agents.suggestion.intent_hedges import OPENING
from fingertip_agents.suggestion.intent_json import APPS, find_json_intent, fold_name
from fingertip_agents.suggestion.intent_tokens import ends_with_entity

_STYLE = r"[ \t]*(?:#{1,6}[ \t]+|>[ \t]*|[-*•][ \t]+)?[*_\[【<]*"
_ASKER = r"(?:用户|user|human|q|question|问题?|提问|system|系统)"
_ANSWERER = r"(?:助手|助理|模型|assistant|model|ai|gpt|bot|a|answer|回答|答)"
_BEHIND_ROLE = r"[*_\]】>]*[ \t]*[:：][*_]*"
_TURN = re.compile(
    rf"^(?:{_STYLE}(?:(?P<asker>{_ASKER})|(?P<answerer>{_ANSWERER}))"
    rf"(?:{_BEHIND_ROLE}|[ \t]*$)|[ \t]*\[INST\])",
    re.IGNORECASE | re.MULTILINE,
)
_ANNOUNCED = re.compile(r"[:：][*_ ]*\Z")
_AGREED = re.compile(
    r"(?:好的|当然(?:可以)?|没问题|明白了?|收到|sure|okay|ok|certainly|of course|got it)\W*", re.IGNORECASE
)

_COMMENTS = re.compile(
    r"[*_#\s]*(?:分析|推理|思考|理由|原因|根据|基于|现在|此时|此刻|从|考虑|结合|截图|屏幕"
    r"|analysis|reason|thought|based|given|considering|looking|the (?:user|screen|time)|it is|it['’]s)",
    re.IGNORECASE,
)
"""Beginning of words before the line with the intent, which may have a role for a label."""

_RANK = (
    r"(?:(?:首选|次选|备选|备用)(?:方案|意图|项)?|其次|再次|最后|替代(?:方案)?|最可能|次可能"
    r"|第[一二三四五1-5](?:种|个|选择|可能|候选|意图)*|(?:方案|候选|选项|选择|可能性?|意图|预测|建议)[ ]?"
    r"[一二三四五1-5A-Ea-e]"
    r"|(?:option|candidate|prediction|intent|suggestion|choice|possibility"
    r"|alternative)[ ]?\#?(?:[1-5A-Ea-e]|one|two|three)"
    r"|(?:first|second|third)(?:[ ](?:choice|option|guess|candidate))?|primary|secondary"
    r"|alternative(?:ly)?|backup|fallback"
    r"|(?:most|less|next most)[ ]likely|top[ ]?(?:1|choice|pick)|runner-up)"
)
_LETTER = r"[A-Ea-e](?:[.)、）](?!\w{1,4}[.)])|[:：])"
_CANDIDATE = re.compile(
    rf"(?:^|(?<=[;；。\n]))(?:{_STYLE}{_RANK}[*_\]】]*[ \t]*(?:[:：\-—=]|(?:是|为)[:：]?|[*_])[*_]*"
    rf"|[ \t]*{_LETTER})[ \t]*",
    re.IGNORECASE | re.MULTILINE,
)
_OR = re.compile(
    r"^[ \t]*(?:或者?(?:是|说)?|或许也|也可能是?|or|alternatively|otherwise)(?:[ \t]*$|[:：，,][ \t]*)",
    re.IGNORECASE | re.MULTILINE,
)
_FIELD = re.compile(rf"{_STYLE}(?P<name>[\w ]{{1,20}}?)[*_\]】]*[ \t]*[:：][*_]*[ \t]*(?P<value>\S.*)")
_NEXT_FIELD = re.compile(
    r"[，,；;|][ \t]*(?=(?:操作|动作|意图|任务|行动|理由|原因"
    r"|action|intent|operation|task|reason)[ \t]*[:：])",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenLines:
    """The lines of an answer that hold its intent.

    Attributes:
        text: These lines.
        notes: What was left out or converted.
        ambiguous: Whether fields name two texts that could be the intent.
    """

    text: str
    notes: tuple[str, ...] = ()
    ambiguous: bool = False


def cut_next_turn(text: str) -> tuple[str, bool]:
    r"""Cut what follows the model's own turn; whether there was anything.

    A question of the user before the model's turn is left out, too.

    >>> cut_next_turn("打开微信\n用户：谢谢\n助手：不客气")
    ('打开微信', True)
    >>> cut_next_turn("用户：下一步做什么？\n助手：打开微信")
    ('打开微信', True)
    >>> cut_next_turn("根据截图，用户想要打开微信\n用户：谢谢\n助手：不客气")
    ('根据截图，用户想要打开微信', True)
    >>> [cut_next_turn(f"用户：做什么？\n{own}")[0] for own in ("**助手：**打开微信", "助手：**打开微信**")]
    ['打开微信', '**打开微信**']
    """
    start = 0
    turns = list(_TURN.finditer(text))
    for turn, later in zip_longest(turns, turns[1:]):
        before = text[start : turn.start()].strip()
        if turn["answerer"] and _is_question(before):
            start = _find_end(turn)
        elif before and not _ANNOUNCED.search(before) and not _AGREED.fullmatch(before):
            comments = _COMMENTS.match(before) or (turn["answerer"] and not OPENING.match(before))
            # a turn of the user that is answered is no label of the intent
            replied = turn["asker"] and later is not None and later["answerer"]
            if not start and comments and not replied:
                continue
            return text[start : turn.start()].strip(), True
    return (text[start:].strip(), True) if start else (text, False)


def choose_lines(text: str) -> ChosenLines:
    r"""Choose the first of several candidates, and combine the fields of one intent.

    >>> choose_lines("首选：看消息\n备选：点餐").text, choose_lines("应用：微信\n操作：看消息").text
    ('看消息', '打开微信，看消息')
    """
    candidates = list(_CANDIDATE.finditer(text))
    if len(candidates) > 1:
        first, second = candidates[:2]
        chosen = text[_find_end(first) : second.start()].strip()
        chosen = chosen if ends_with_entity(chosen) else chosen.rstrip("；;").strip()
        between = _ANNOUNCED.search(text[: first.start()].strip()) or not text[: first.start()].strip()
        if between and _has_letters(chosen):
            return ChosenLines(text=chosen, notes=(f"{LEFT_OUT}: more candidates",))
    other = _OR.search(text)
    if other and _has_letters(text[: other.start()]) and _has_letters(text[other.end() :]):
        return ChosenLines(text=text[: other.start()].strip(), notes=(f"{LEFT_OUT}: more candidates",))
    return _combine_fields(text) or ChosenLines(text=text)


def _combine_fields(text: str) -> ChosenLines | None:
    """The sentence of lines with an app and an operation; None if they are no such fields."""
    fields: dict[str, str] = {}
    for line in _NEXT_FIELD.sub("\n", text).split("\n"):
        if not line.strip():
            continue
        field = _FIELD.fullmatch(line.rstrip())
        if field is None or fold_name(field["name"]) in fields:
            return None
        fields[field["name"].strip()] = field["value"].strip("*_ \t")
    if len(fields) < 2 or not any(fold_name(name) in APPS for name in fields):
        return None
    found = find_json_intent(fields)
    if found is None or found.ambiguous or not found.text:
        return ChosenLines(text="", ambiguous=True)
    return ChosenLines(text=found.text, notes=found.notes)


def _find_end(label: re.Match[str]) -> int:
    """Where the words behind a label begin: marks at its end are its own only if others stand before."""
    words = label[0].rstrip("*_ \t")
    return label.end() if "*" in words or "_" in words else label.start() + len(words)


def _is_question(text: str) -> bool:
    """Whether a turn of the user asks the model, and is no intent itself."""
    turn = _TURN.match(text)
    return bool(turn and turn["asker"] and text.rstrip("*_ ").endswith(("?", "？")))


def _has_letters(text: str) -> bool:
    return any(map(str.isalnum, text))
