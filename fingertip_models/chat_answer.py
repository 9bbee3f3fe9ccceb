"""One answer of a model, and how it is read out of what a server sends."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

MOST_TOKENS = 10_000_000
"""A count above this is a lie: no model reads or writes as many."""

CUT = ("length", "max_tokens")
"""Finish reasons that say so, in OpenAI's word and in that of others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelAnswer:
    """What a model answered, and what it cost.

    Attributes:
        text: The answer without its reasoning; "" where the model says nothing. Half surrogates are replaced
            by U+FFFD, control characters are left in: it is data.
        reasoning: What a thinking model wrote before it; "" where it shows none.
        seconds: From the request to the last byte of the answer, of the attempt that brought it: failed
            attempts and waits of our own are not in it, a wait in the server's own queue is.
        prompt_tokens: As the server counts; None where it does not, or counts what cannot be.
        completion_tokens: Likewise, reasoning included where the server includes it.
        model: As the server calls it.
        attempts: Requests sent.
        finish_reason: Why the model stopped, in the server's word: "length" when it was cut.
        reasoning_tokens: Those of the reasoning, where the server tells.
        cached: Whether it was answered before and nothing was sent; then all else is of the first time.
        first_token_s: Seconds from the request to the first token, of the reasoning or of the answer; None
            where the answer was not streamed.
    """

    text: str
    reasoning: str
    seconds: float
    prompt_tokens: int | None
    completion_tokens: int | None
    model: str
    attempts: int
    finish_reason: str | None
    reasoning_tokens: int | None = None
    cached: bool = False
    first_token_s: float | None = None

    @property
    def cut(self) -> bool:
        """Whether the limit of tokens ended it."""
        return is_cut(self.finish_reason)


def is_cut(finish_reason: str | None) -> bool:
    """Whether a finish reason says that the limit of tokens ended an answer.

    >>> is_cut("length"), is_cut("stop"), is_cut(None)
    (True, False, False)
    """
    return (finish_reason or "").casefold() in CUT


def read_answer(
    body: Mapping[str, object],
    *,
    model: str,
    seconds: float,
    attempts: int,
    first_token_s: float | None = None,
) -> ModelAnswer:
    """The answer in the JSON of a chat completion.

    Nothing in it is trusted: a field that is missing or of another type is as good as none.

    Args:
        body: With `choices`; more than one is more than was asked for, and the first is taken.
        model: The name that was asked for, where the server does not give one.
        seconds: Of the attempt that brought it.
        attempts: Requests sent.
        first_token_s: Until the first token, of a streamed answer.
    """
    choices = body.get("choices")
    choice = _mapping(choices[0]) if isinstance(choices, list) and choices else {}
    message = _mapping(choice.get("message"))
    thought, written = _content(message)
    fields = [message.get("reasoning_content"), message.get("reasoning"), thought]
    within, text = split_reasoning(whole(written))
    reasoning = list(dict.fromkeys(whole(part).strip() for part in fields if isinstance(part, str)))
    usage = _mapping(body.get("usage"))
    completion = count(usage.get("completion_tokens"))
    named, finish = body.get("model"), choice.get("finish_reason")
    return ModelAnswer(
        text=text,
        reasoning="\n".join(part for part in (*reasoning, within) if part),
        seconds=seconds,
        prompt_tokens=count(usage.get("prompt_tokens")) or None,
        completion_tokens=None if completion == 0 and written else completion,
        model=whole(named) if isinstance(named, str) and named else model,
        attempts=attempts,
        finish_reason=whole(finish) if isinstance(finish, str) else None,
        reasoning_tokens=count(_mapping(usage.get("completion_tokens_details")).get("reasoning_tokens")),
        first_token_s=first_token_s,
    )


def split_reasoning(content: str) -> tuple[str, str]:
    """Reasoning within `<think>` tags at the beginning of an answer, and the rest.

    Without a closing tag the model was cut while it thought: there is no answer. Where the opening tag alone
    is missing, the chat template has put it into the prompt.

    >>> split_reasoning("<think>早上</think>买咖啡")
    ('早上', '买咖啡')
    >>> split_reasoning("click(coordinates=(1,2), content='<think>')")
    ('', "click(coordinates=(1,2), content='<think>')")
    """
    start = content.lstrip()
    opened = start.startswith("<think>")
    before, end, after = start.removeprefix("<think>").partition("</think>")
    if opened or (end and "<think>" not in before):
        return before.strip(), after.lstrip()
    return "", content


def whole(text: str) -> str:
    r"""The text with pairs of surrogates joined, and half ones, which no file can hold, replaced.

    >>> whole("\ud83d\ude00 \ud83d") == "😀 \ufffd"
    True
    """
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def count(value: object) -> int | None:
    """A count of tokens; None for what cannot be one.

    >>> [count(value) for value in (12, -1, 1e9, "12", True, None)]
    [12, None, None, None, None, None]
    """
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_TOKENS:
        return value
    return None


def _content(message: Mapping[str, object]) -> tuple[str, str]:
    """Reasoning and text of a message's content, which is a text, a list of parts, or nothing."""
    content = message.get("content")
    if content is None:
        content = message.get("refusal") or ""
    if isinstance(content, str):
        return "", content
    if not isinstance(content, list):
        return "", json.dumps(content, ensure_ascii=False)
    parts = [_mapping(part) for part in content]
    thoughts = [_mapping(inner) for part in parts for inner in _items(part.get("thinking"))]
    return _joined(thoughts), _joined(parts)


def _joined(parts: list[Mapping[str, object]]) -> str:
    return "".join(text for part in parts if isinstance(text := part.get("text"), str))


def _items(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}
