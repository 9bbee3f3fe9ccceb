"""Parser of a model's answer with one intent: the intent, and the outcome of parsing.

An answer has one outcome, the first of these that applies:

- "nothing": the answer has no letter and no digit; the intent is "".
- "refused": the model declines to answer and gives no sentence in the requested form; the intent is "".
  An apology alone is a refusal; with further text only if that states an inability ("无法", "unable"),
  because "对不起，我爱你" may be the name of a song.
- "long": more than the one requested sentence. The intent is the first sentence in the requested form, which
  follows a label ("意图：", "Intent:") or matches `OPENING`. If it begins its line, the rest of the line
  belongs to it ("打开美团。点一份饭。") up to a reason, a closing remark, or another sentence that opens an
  app. Without such a sentence the intent is the whole answer, cut to `MAX_INTENT` characters.
- "wrapped": JSON, a code fence, a tag, quotes, Markdown, a list number or a label was removed.
- "control": control characters were removed.
- "answered": one sentence as requested, in any language.

If JSON names an app in another field and the intent does not contain it, both are combined in the requested
form, "打开微信，看消息", or "Open WeChat, read messages" where neither is Chinese.

Only the first `MAX_READ` characters are parsed. The complete answer stays in `Suggestion.output`, which the
release protocol scores.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

AnswerOutcome = Literal["answered", "control", "wrapped", "long", "refused", "nothing"]

MAX_INTENT = 500
"""Maximum characters of an intent; people write about 20."""

MAX_READ = 20_000
"""Maximum characters of an answer that are parsed."""

MAX_PEELS = 20
"""Maximum number of wrapping layers removed from an answer."""

OPENING = re.compile(
    r"(?:请|帮我|我?想要?|我?要)?(?:打开|启动|进入|使用|通过|用|去|在)|(?:open|launch|start|use|using)\b",
    re.IGNORECASE,
)
"""Beginning of a sentence in the requested form: opening or using an app."""

KEYS = (
    "intent", "predicted_intent", "prediction", "suggestion", "sentence", "answer", "task", "text",
    "意图", "预测意图", "预测", "建议", "句子", "答案", "任务",
)  # fmt: skip
"""JSON fields searched for the intent, in this order."""

APPS = ("app", "app_name", "application", "应用", "应用名", "应用名称")
"""JSON fields with the app of an intent."""

_LABEL = re.compile(
    r"[*_`\s]*(?:"
    r"(?:(?:预测|推测|用户|主人|当前|此刻|最可能|可能|下一个|最终)的?){0,3}"
    r"(?:意图|预测|推测|建议|答案|回答|任务)(?:是|为)?"
    r"|(?:(?:the|my|user['’]?s|owner['’]?s|predicted|likely|most|next|final)\s+){0,4}"
    r"(?:intent|intention|prediction|suggestion|answer|task|output)(?:\s+is)?"
    r")[*_`\s]*[:：][*_`]*\s*",
    re.IGNORECASE,
)
_ANNOUNCES = re.compile(r"意图|预测|推测|建议|答案|回答|intent|prediction|answer|suggestion", re.IGNORECASE)
_BULLET = re.compile(
    r"#{1,6}\s+|>\s*|[-*+]\s+|[•·●]\s*|\d{1,2}(?:[.)]\s+|[.．、）](?!\d)\s*)|[（(]\d{1,2}[)）]\s*"
)
_FENCE = re.compile(r"```(?:[\w+-]*[ \t]*\n)?(.*?)(?:```|\Z)", re.DOTALL)
_KEYED = re.compile(
    r"""[{,]\s*["'“]?(?:""" + "|".join(KEYS) + r""")["'”]?\s*[:：]\s*["'“]([^"'”\n}]*)""", re.IGNORECASE
)
_JSON_START = re.compile(r"""\{\s*(?:["'“}]|\w+["'”]?\s*:)|\[\s*["{\[\]]""")
# strict=False: models write line breaks into JSON strings
_DECODER = json.JSONDecoder(strict=False)
_EMPHASIS = re.compile(r"(\*\*|~~)(?=[^\s*~])([^*~\n]{1,500})\1")
_TAGGED = re.compile(r"<([A-Za-z_]{1,20})>(.*)</\1>|\\boxed\{(.*)\}", re.DOTALL)
_PAIRS = {'"': '"', "'": "'", "“": "”", "‘": "’", "「": "」", "『": "』", "`": "`", "*": "*", "_": "_"}
_STOP = re.compile(
    r"“[^”\n]{0,200}”|「[^」\n]{0,200}」|《[^》\n]{0,200}》|\"[^\"\n]{0,200}\""
    r"|(?P<stop>\n|[。！？]+|(?<=[a-z]{3})[.!?](?=\s))"
)
_APOLOGY = re.compile(
    r"(?:非常|很)?抱歉|对不起|不好意思|(?:i['’]?m |i am )?(?:very |so )?sorry\b", re.IGNORECASE
)
_UNABLE = re.compile(
    r"无法|不能|没法|没有办法|帮不了|做不到|不知道|不(?:太)?确定|不清楚|难以|没有足够|(?:信息|资料)(?:不足|不够|有限)"
    r"|不(?:便|会|愿)?(?:回答|提供|透露|预测)"
    r"|cannot|can['’]?t\b|can not|unable|not able|won['’]t|don['’]t know|not (?:have )?enough|not sure",
    re.IGNORECASE,
)
_OPENS = re.compile(r"(?:请|帮我|我?想要?|我?要)?(?:打开|启动)|(?:open|launch)\b", re.IGNORECASE)
_CLAUSE = re.compile(r"[,，:：;；]\s*")
_ASIDE = re.compile(
    r"[（(]|因为|理由|原因|由于|依据|根据|考虑到?|鉴于|这是|这个|这样|这与|该|以上|如果|若|希望|祝|说明|备注|注[：:]|他|她|用户|主人"
    r"|(?:because|reason|since|this|that|as|the|based|hope|note|let me|i|it|he|she|they|user|bye|thanks?)\b",
    re.IGNORECASE,
)
"""Beginning of a sentence that comments on the intent and is no part of it."""

_REFUSAL = re.compile(
    r"作为.{0,12}(?:AI|人工智能|模型|助手).{0,12}(?:无法|不能)"
    r"|我?(?:无法|不能|没法|没有办法)(?:确定|预测|推测|判断|得知|知道|提供|回答|给出)|(?:信息|资料)不足"
    r"|i (?:cannot|can['’]?t|can not|am (?:unable|not able)|won['’]t)\b"
    r"|as an ai\b.{0,40}(?:cannot|can['’]t|unable)|unable to (?:predict|determine|answer)"
    r"|not enough information|(?:无|未知|不知道|没有|none|null|n/a|unknown)\W*\Z",
    re.IGNORECASE,
)
_HAN = re.compile("[\u4e00-\u9fff]")
_ANSI = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")
_BREAKS = re.compile("\r\n?|[\v\f\x85\u2028\u2029]")
_JOINERS = "\u200c\u200d"


@dataclass(frozen=True, slots=True, kw_only=True)
class IntentAnswer:
    """A parsed answer; `intent` is one line, "" without an intent."""

    intent: str
    outcome: AnswerOutcome


def read_intent(output: str) -> IntentAnswer:
    r"""Read the intent in any answer.

    >>> read_intent("打开网易云音乐，听歌。")
    IntentAnswer(intent='打开网易云音乐，听歌。', outcome='answered')
    >>> read_intent('```json\n{"intent": "打开网易云音乐，听歌"}\n```')
    IntentAnswer(intent='打开网易云音乐，听歌', outcome='wrapped')
    >>> read_intent("现在是早上八点。\n**意图：** 打开网易云音乐，听歌\n理由：习惯。")
    IntentAnswer(intent='打开网易云音乐，听歌', outcome='long')
    """
    shown = remove_controls(output[:MAX_READ]).strip()
    text = _unwrap(shown)
    sentences = list(_split_sentences(text))
    if not sentences:
        return IntentAnswer(intent="", outcome="nothing")
    first = sentences[0].words
    if len(sentences) == 1 and not _is_refusal(first):
        if len(first) > MAX_INTENT:
            return IntentAnswer(intent=first[:MAX_INTENT].strip(), outcome="long")
        return IntentAnswer(intent=first, outcome=_choose_outcome(output[:MAX_READ], shown, first))
    formed = [number for number, one in enumerate(sentences) if one.labelled and not _is_refusal(one.words)]
    formed += [number for number, one in enumerate(sentences) if OPENING.match(one.words)]
    if formed:
        return IntentAnswer(intent=_add_rest(sentences, formed[0])[:MAX_INTENT].strip(), outcome="long")
    if _is_refusal(first):
        return IntentAnswer(intent="", outcome="refused")
    return IntentAnswer(intent=" ".join(text.split())[:MAX_INTENT].strip(), outcome="long")


def _is_refusal(sentence: str) -> bool:
    """Whether a sentence declines to answer and gives no intent."""
    # an apology may come before an intent
    if any(_OPENS.match(clause) for clause in _CLAUSE.split(sentence)):
        return False
    apology = _APOLOGY.match(sentence)
    if apology is None:
        return bool(_REFUSAL.match(sentence))
    rest = sentence[apology.end() :]
    return not _has_letters(rest) or bool(_UNABLE.search(rest))


def _add_rest(sentences: Sequence[_Sentence], number: int) -> str:
    """A sentence and, if it is the first of its line, the sentences of the line that continue it."""
    chosen = sentences[number]
    words = chosen.words
    # what follows an intent within a line of comments is a comment, too
    if number and sentences[number - 1].line == chosen.line:
        return words
    for one in sentences[number + 1 :]:
        if one.line != chosen.line or one.marked or _ASIDE.match(one.words) or _OPENS.match(one.words):
            break
        words += one.words if words.endswith(("。", "！", "？")) else f" {one.words}"
    return words


def remove_controls(text: str) -> str:
    r"""Remove terminal escapes, control and invisible characters; line ends become \n."""
    text = _BREAKS.sub("\n", _ANSI.sub("", text)).replace("\t", " ")
    return "".join(
        char
        for char in text
        if char == "\n" or char in _JOINERS or unicodedata.category(char) not in ("Cc", "Cf", "Cs")
    )


def _unwrap(text: str) -> str:
    """Remove wrappers of the whole answer: code fence, tag, JSON, quotes."""
    for _ in range(MAX_PEELS):
        inner = remove_controls(_find_inside(text.strip())).strip()
        if inner == text:
            break
        text = inner
    return text


def _find_inside(text: str) -> str:
    fence = _FENCE.search(text)
    # an unclosed fence ends with the text, as in output cut at the token limit
    if fence and fence[1].strip():
        return fence[1]
    if tagged := _TAGGED.fullmatch(text):
        return tagged[2] or tagged[3] or ""
    found = _read_json(text)
    return _remove_quotes(text) if found is None else found


def _remove_quotes(text: str) -> str:
    """Remove one pair of enclosing quotes."""
    end = _PAIRS.get(text[:1])
    inner = text[1:-1]
    # quotes within mean that the outer ones enclose only parts
    if len(text) < 3 or text[-1] != end or text[0] in inner or end in inner:
        return text
    return inner


def _read_json(text: str) -> str | None:
    """Return the sentence in valid or broken JSON; "" for JSON without a sentence, None without JSON."""
    start = _JSON_START.search(text)
    try:
        if text[:1] == '"':
            value, end = _DECODER.raw_decode(text)
            return value if end == len(text) and isinstance(value, str) else None
        if start is None:
            return None
        return _find_within(_DECODER.raw_decode(text, start.start())[0])
    except (ValueError, RecursionError):
        keyed = _KEYED.search(text)
        return keyed[1] if keyed else None


def add_app(named: Mapping[str, object], intent: str) -> str:
    """Combine an intent with the app of another JSON field, unless the intent already contains it.

    Args:
        named: Fields of the JSON object, with lower-case names.
        intent: Value of one of `KEYS`.

    >>> add_app({"app": "微信", "intent": "看消息"}, "看消息"), add_app({"app": "微信"}, "打开微信看消息")
    ('打开微信，看消息', '打开微信看消息')
    >>> add_app({"app": "Clock"}, "set an alarm for 7")
    'Open Clock, set an alarm for 7'
    """
    app = next((found.strip() for key in APPS if isinstance(found := named.get(key), str)), "")
    if not _has_letters(app) or not intent.strip() or app.casefold() in intent.casefold():
        return intent
    if _HAN.search(app + intent):
        return f"打开{app}，{intent.strip()}"
    return f"Open {app}, {intent.strip()}"


def _find_within(value: object) -> str | None:
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        # a list of intents: the first one, as models put the likeliest first
        return next(
            (found for item in value if (found := _find_within(item)) is not None), None if value else ""
        )
    if not isinstance(value, Mapping):
        return None
    named = {key.strip().casefold(): inner for key, inner in value.items()}
    for name in KEYS:
        if name in named:
            inside = named[name]
            return add_app(named, inside) if isinstance(inside, str) else _find_within(inside) or ""
    texts = [inner for inner in value.values() if isinstance(inner, str)]
    nested = [inner for inner in value.values() if isinstance(inner, list | Mapping)]
    # with several texts none is known to be the intent
    if len(texts) == 1 and not nested:
        return texts[0]
    return next(
        (found for inner in nested if (found := _find_within(inner)) is not None), None if value else ""
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sentence:
    """A sentence of an answer.

    Attributes:
        words: Text of the sentence without wrappers.
        labelled: Whether a label marks it as the answer.
        marked: Whether a label, a list mark or quotes were removed.
        line: Number of its line, from 0.
    """

    words: str
    labelled: bool
    marked: bool
    line: int


def _split_sentences(text: str) -> Iterator[_Sentence]:
    """Each sentence with a letter or digit, without wrappers.

    A line that ends with a colon announces the next line; as the last line it is a sentence itself.
    """
    parts = [
        (number, part)
        for number, line in enumerate(text.split("\n"))
        for part in _split(line)
        if _has_letters(part)
    ]
    announced = False
    for number, (line, part) in enumerate(parts):
        if part.rstrip("*_ ").endswith((":", "：")) and number + 1 < len(parts):
            announced = bool(_ANNOUNCES.search(part))
            continue
        words, labelled = _remove_marks(part)
        if _has_letters(words):
            yield _Sentence(words=words, labelled=labelled or announced, marked=words != part, line=line)
        announced = False


def _split(text: str) -> Iterator[str]:
    start = 0
    for match in _STOP.finditer(text):
        if match["stop"]:
            yield text[start : match.end()].strip()
            start = match.end()
    yield text[start:].strip()


def _remove_marks(text: str) -> tuple[str, bool]:
    """Remove list mark, label, quotes and emphasis; return the text and whether it had a label."""
    labelled = False
    for _ in range(MAX_PEELS):
        before = text
        text = _EMPHASIS.sub(r"\2", text)
        if bullet := _BULLET.match(text):
            text = text[bullet.end() :]
        if label := _LABEL.match(text):
            text, labelled = text[label.end() :], True
        text = _remove_quotes(text.strip())
        if text == before:
            break
    return text.strip(), labelled


def _has_letters(text: str) -> bool:
    return any(char.isalnum() for char in text)


def _choose_outcome(output: str, shown: str, intent: str) -> AnswerOutcome:
    if intent != shown:
        return "wrapped"
    breaks = _BREAKS.sub("\n", output).replace("\t", " ").strip()
    return "answered" if breaks == shown else "control"
