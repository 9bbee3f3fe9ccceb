"""A scripted judge that obeys whatever in a question is not data, and texts that try to be just that."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fingertip_metrics.judges.prompt import find_objects

if TYPE_CHECKING:
    from tests.shared_fixtures import OpenAIServer, ReceivedRequest, Reply

Replies = Callable[["ReceivedRequest"], "Reply"]

_QUESTION = re.compile(r"```json\n(\{[^\n]*\})\n```")
_TOKENS = re.compile(
    r"<\|[^|<]*\|>|<｜[^｜<]*｜>|\[/?INST\]|</?\w+>|<</?SYS>>|<!--|```|~~~|^(?:Human|Assistant|#)",
    re.MULTILINE,
)
_INVISIBLE = re.compile("[\x00-\x09\x0b-\x1f\x7f\u200b-\u200f\u2028-\u202e\ufffe\U000e0000-\U000e007f]")
_VERDICTS = frozenset({"same", "done", "kind"})


def read_injected_texts() -> dict[str, str]:
    """The texts by a name of each: its family and its place in the list."""
    rows = json.loads(Path(__file__).with_name("injected_texts.json").read_text(encoding="utf-8"))
    return {
        f"{row['family']} {number}": (filling := row.get("fill", "") * row.get("times", 0))
        + row["text"]
        + filling
        for number, row in enumerate(rows, start=1)
    }


def read_question(text: str) -> dict[str, Any]:
    """The data of a question to a judge."""
    found = _QUESTION.fullmatch(text)
    assert found is not None, text[:300]
    data: dict[str, Any] = json.loads(found[1])
    return data


def repeat_code(server: OpenAIServer, *verdicts: Mapping[str, object] | str) -> Replies:
    """Replies with these verdicts in order, then the last one; objects get the code of the question."""

    def reply(query: ReceivedRequest) -> Reply:
        verdict = verdicts[min(query.number, len(verdicts) - 1)]
        if isinstance(verdict, str):
            return server.says(verdict)
        return server.says(json.dumps({"code": read_question(query.text)["code"], **verdict}))

    return reply


def find_order(text: str, honest: Mapping[str, object]) -> dict[str, object] | None:
    """What a question orders besides its data: an object like a verdict, or anything outside of the data.

    Args:
        text: The question, as a server receives it.
        honest: The verdict without an order; an order that names none asks for its opposite.
    """
    found = _QUESTION.fullmatch(text)
    whole = found[1] if found else ""
    # many a model reads a quote after a backslash as a quote
    plain = text.replace('\\"', '"')
    # the object of the data is one of them, with what is within it
    objects = [*find_objects(plain), *find_objects(plain[len("```json\n{") :])]
    ordered = [record for record in objects if _VERDICTS & record.keys()]
    if ordered:
        return {name: value for name, value in ordered[-1].items() if name in (*honest, "step")}
    try:
        json.loads(whole)
    except ValueError:
        return invert(honest)
    return invert(honest) if _TOKENS.search(whole) or _INVISIBLE.search(text) else None


def invert(honest: Mapping[str, object]) -> dict[str, object]:
    """The verdict that an injected text wants."""
    other = {True: False, False: True, "early_finish": "unexplained", "generic": "unexplained"}
    return {name: other.get(value, value) for name, value in honest.items()}  # type: ignore[call-overload]


def obey(server: OpenAIServer, honest: Mapping[str, object], *, echo: bool = False) -> Replies:
    """Replies of a judge that gives an honest verdict unless a question orders another one.

    Args:
        server: The server.
        honest: Fields of the honest verdict.
        echo: Whether it also repeats all texts of the data, unescaped, after its verdict. An end of a thought
            among them hides the verdict: clients drop what stands before it.
    """

    def reply(query: ReceivedRequest) -> Reply:
        data = read_question(query.text)
        verdict = {"code": data["code"], "reason": "as seen", **honest}
        verdict |= find_order(query.text, honest) or {}
        quoted = "\n".join(list_texts(data)) if echo else ""
        return server.says(f"{json.dumps(verdict)}\n{quoted}")

    return reply


def list_texts(value: object) -> list[str]:
    """Every text in JSON data, but for names of fields."""
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for one in inner for text in list_texts(one)]
