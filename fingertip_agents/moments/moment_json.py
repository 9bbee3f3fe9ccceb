"""Reader of JSON that answers a moment: the intent, the probability that something is wanted, a decision.

Fields are known by their names in either language, wherever they stand. Of several candidates the one with
the highest probability counts, or the first if they have none. An intent next to a decision against any, and
a list of both without probabilities, can be read in two ways, so they have no reading.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from fingertip_agents.moments.nothing_wanted import states_nothing
from fingertip_agents.moments.stated_probability import read_probability
from fingertip_agents.parsing.reading import CONVERTED, LEFT_OUT
from fingertip_agents.suggestion.intent_json import find_json_intent, fold_name, is_intent_name
from fingertip_dataset.release.problems import printable

PROBABILITY = "wanted"
"""Field of the requested form: the probability that the person wants something."""

MAX_DEPTH = 8
"""Maximum depth at which fields are looked for."""

_WANTED = re.compile(r"want|need|需要|想")
_SURE = re.compile(
    r"probab|^prob|^p$|likel|chance|confiden|certain|^sure|score|概率|可能性|几率|置信|把握|确信|信心|自信|确定"
    r"|得分|分数"
)
_AGAINST = re.compile(r"silen|quiet|nothing|noth|glance|沉默|安静|静默|无意图|没有意图|不打扰|无需")
_FOR = re.compile(
    r"want|need|suggest|offer|speak|intent|should|interrupt|propos|意图|需要|想|打扰|建议|开口|提出"
)
_DECISION = re.compile(r"(?:the|final)?(?:decision|choice|verdict|action|决定|判断|选择|行动)")
_SPEAKS = {"suggest", "speak", "offer", "propose", "intent", "yes", "建议", "提出", "开口", "是", "提"}
_YES, _NO = {"yes", "true", "是", "需要", "要"}, {"no", "false", "否", "不", "不需要"}


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonMoment:
    """An answer in JSON.

    Attributes:
        intent: Text of the intent; "" if the answer is that nothing is wanted; None if it has no intent.
        probability: The stated probability; None without one.
        sure: Whether the probability is that of the answer, by its name, and not that something is wanted.
        ambiguous: Whether it could be read in two ways.
        notes: What was left out or converted.
    """

    intent: str | None
    probability: float | None = None
    sure: bool = False
    ambiguous: bool = False
    notes: tuple[str, ...] = ()


@dataclass(slots=True)
class _Fields:
    """The fields of an object by what they mean; `rest` may hold the intent."""

    probability: float | None = None
    sure: bool = False
    wants: bool | None = None
    rest: dict[str, object] | None = None
    notes: tuple[str, ...] = ()


def find_json_moment(value: object) -> JsonMoment | None:
    """Find the answer in a value of JSON; None if it has neither an intent nor a probability.

    >>> find_json_moment({"intent": "看消息", "wanted": 0.8}).intent
    '看消息'
    >>> found = find_json_moment({"意图": None, "置信度": "90%"})
    >>> (found.intent, found.probability, found.sure)
    ('', 0.9, True)
    >>> find_json_moment({"speak": False, "intent": "看消息"}).ambiguous
    True
    """
    found = list(_find_all(value, 0))
    if not found and value == []:
        return JsonMoment(intent="")
    return _choose(found) if found else None


def choose_moment(found: Sequence[JsonMoment]) -> JsonMoment:
    """Choose among several answers, at least one."""
    return _choose(list(dict.fromkeys(found)))


def _choose(found: Sequence[JsonMoment]) -> JsonMoment:
    if len(found) == 1:
        return found[0]
    named = [one for one in found if one.intent is not None] or list(found)
    note = (f"{LEFT_OUT}: {len(found) - 1} more candidates",)
    if all(one.probability is not None for one in named):
        best = max(named, key=lambda one: one.probability or 0.0)
        return replace(best, notes=best.notes + note)
    if any(one.intent for one in named) and any(one.intent == "" for one in named):
        return replace(named[0], ambiguous=True, notes=note)
    return replace(named[0], notes=named[0].notes + note)


def _find_all(value: object, depth: int) -> Iterator[JsonMoment]:
    """Each answer in a value, the outermost ones."""
    if depth > MAX_DEPTH:
        return
    if isinstance(value, list):
        for item in value:
            if isinstance(item, str) and item.strip():
                yield _of_text(item)
            elif (pair := _read_pair(item)) is not None:
                yield pair
            else:
                yield from _find_all(item, depth + 1)
    elif isinstance(value, Mapping):
        one = _read_object(value)
        if one is not None:
            yield one
            return
        for inner in value.values():
            if isinstance(inner, str) and inner.lstrip().startswith("{"):
                try:
                    inner = json.loads(inner, strict=False)
                except (ValueError, RecursionError):
                    continue
            yield from _find_all(inner, depth + 1)


def _of_text(text: str, probability: float | None = None, notes: tuple[str, ...] = ()) -> JsonMoment:
    return JsonMoment(
        intent="" if states_nothing(text) else text, probability=probability, sure=True, notes=notes
    )


def _read_pair(item: object) -> JsonMoment | None:
    """An answer as a list of text and probability; None for anything else."""
    if isinstance(item, list) and len(item) == 2 and isinstance(item[0], str):
        probability = read_probability(item[1])
        return None if probability is None else _of_text(item[0], probability)
    return None


def _read_object(value: Mapping[str, object]) -> JsonMoment | None:
    """The answer that the fields of an object give; None if none of them is part of one."""
    fields = _sort_fields(value)
    rest = fields.rest or {}
    named = [name for name in rest if is_intent_name(name)]
    known = fields.probability is not None or fields.wants is not None or fields.notes or named
    if not known:
        return _read_distribution(value)
    intent, notes, ambiguous = _find_intent(rest, named)
    inner = None if fields.probability is not None else _find_inner_probability(rest, named)
    if fields.wants is False:
        ambiguous = ambiguous or bool(intent)
        intent = intent or ""
    return JsonMoment(
        intent=intent,
        probability=fields.probability if inner is None else inner.probability,
        sure=fields.sure if inner is None else inner.sure,
        ambiguous=ambiguous,
        notes=(*fields.notes, *notes),
    )


def _sort_fields(value: Mapping[str, object]) -> _Fields:
    found = _Fields(rest={})
    chances: list[tuple[bool, str, object]] = []
    for name, inner in value.items():
        folded = fold_name(name)
        wants = _read_decision(folded, inner, intent=is_intent_name(name))
        if wants is not None:
            found.wants = wants if found.wants is not False else False
        elif is_intent_name(name) or not isinstance(inner, int | float | str) or isinstance(inner, bool):
            found.rest[name] = inner  # type: ignore[index]
        elif (_WANTED.search(folded) or _SURE.search(folded)) and _may_be_chance(inner):
            chances.append((not _WANTED.search(folded), name, inner))
        elif not (_DECISION.fullmatch(folded) and str(inner).strip().casefold() in _SPEAKS):
            found.rest[name] = inner  # type: ignore[index]
    for sure, name, inner in sorted(chances, key=lambda one: one[0]):
        probability = read_probability(inner)
        if probability is None:
            found.notes += (f"{LEFT_OUT}: {printable(f'{name} {inner}', 60)}, which is no probability",)
        elif found.probability is None:
            found.probability, found.sure = probability, sure
            if not _is_equal(inner, probability):
                found.notes += (f"{CONVERTED}: {printable(f'{name} {inner}', 60)} to a probability",)
    return found


def _may_be_chance(value: object) -> bool:
    """Whether a value is a number or a text that begins as one or is a word for a probability."""
    return not isinstance(value, str) or read_probability(value) is not None or _is_number(value)


def _is_equal(value: object, probability: float) -> bool:
    """Whether a value is this number, or a text of it, as JSON with other quotes is read."""
    if isinstance(value, str):
        return _is_number(value) and float(value) == probability
    return value == probability


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _read_decision(folded: str, value: object, *, intent: bool) -> bool | None:
    """Whether a field says that something is wanted; None if it says neither."""
    word = value.strip().casefold() if isinstance(value, str) else ""
    if isinstance(value, str) and _DECISION.fullmatch(folded):
        return False if states_nothing(value) or word in _NO else None
    if not isinstance(value, bool) and (intent or word not in _YES | _NO):
        return None
    yes = value if isinstance(value, bool) else word in _YES
    if _AGAINST.search(folded):
        return not yes
    if intent:
        return None if yes else False
    return yes if _FOR.search(folded) else None


def _find_intent(
    rest: Mapping[str, object], named: Sequence[str]
) -> tuple[str | None, tuple[str, ...], bool]:
    """The text of the intent, "" for nothing, None without a field for one; notes; whether ambiguous."""
    if not rest:
        return None, (), False
    if named and all(not rest[name] for name in named):
        return "", (), False
    found = find_json_intent(rest)
    if found is None:
        return None, (), False
    if found.ambiguous:
        return None, found.notes, True
    return ("" if states_nothing(found.text) else found.text), found.notes, False


def _find_inner_probability(rest: Mapping[str, object], named: Sequence[str]) -> JsonMoment | None:
    """The answer within the field of the intent, if that has a probability."""
    for name in named:
        for one in _find_all(rest[name], 1):
            if one.probability is not None:
                return one
    return None


def _read_distribution(value: Mapping[str, object]) -> JsonMoment | None:
    """The likeliest of an object from intent to probability; None for any other object."""
    chances = {text: read_probability(inner) for text, inner in value.items()}
    if not chances or any(chance is None or isinstance(value[text], str) for text, chance in chances.items()):
        return None
    return _choose([_of_text(text, chance) for text, chance in chances.items()])
