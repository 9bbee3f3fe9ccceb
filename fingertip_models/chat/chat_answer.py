"""A model's answer, and its parsing from a server's response."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

MOST_TOKENS = 10_000_000
"""Maximum plausible token count; larger ones are treated as unknown."""

CUT = ("length", "max_tokens")
"""Finish reasons of an answer cut by the token limit, of OpenAI and of other providers."""

FILTERED = "content_filter"
"""Finish reason of an answer that the server's content filter ended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelAnswer:
    """A model's answer with its time and token counts.

    Attributes:
        text: The answer without its reasoning; may be empty. Lone surrogates are replaced by U+FFFD; control
            characters are kept, because the text is data.
        reasoning: Reasoning of a thinking model; "" if it shows none.
        seconds: Time from the request to the last byte of the answer, of the successful attempt: without
            failed attempts and waits of this client, with any wait in the server's queue.
        prompt_tokens: Prompt tokens as the server counts them; None if missing or implausible.
        completion_tokens: Completion tokens as the server counts them, with reasoning if the server includes
            it; None if missing or implausible.
        model: Name of the model in the server's response.
        attempts: Number of requests sent.
        finish_reason: The server's reason why the model stopped: "length" if the answer was cut.
        reasoning_tokens: Tokens of the reasoning, if the server counts them.
        cached: Whether the answer comes from a cache; then all other fields are those of the first time.
        first_token_s: Seconds from the request to the first token of the reasoning or the answer; None if the
            answer was not streamed.
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
        """Whether the token limit cut the answer."""
        return is_cut(self.finish_reason)

    @property
    def refusal(self) -> str:
        """Reason for a missing answer if the server's content filter left no text; otherwise ""."""
        filtered = (self.finish_reason or "").casefold() == FILTERED and not self.text.strip()
        return f"no text, finish reason {FILTERED}" if filtered else ""


def is_cut(finish_reason: str | None) -> bool:
    """Whether a finish reason means that the token limit cut the answer.

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
    """Read the answer from the JSON of a chat completion.

    No field is trusted: a field of a wrong type is treated as missing.

    Args:
        body: JSON with `choices`, of which the first is read.
        model: Name of the requested model, for responses that give none.
        seconds: Time of the successful attempt.
        attempts: Number of requests sent.
        first_token_s: Time until the first token of a streamed answer.
    """
    choices = body.get("choices")
    choice = _mapping(choices[0]) if isinstance(choices, list) and choices else {}
    message = _mapping(choice.get("message"))
    thought, content = _read_content(message)
    fields = [message.get("reasoning_content"), message.get("reasoning"), thought]
    within, text = split_reasoning(whole(content))
    # some servers send the same reasoning in two fields
    reasoning = list(dict.fromkeys(whole(part).strip() for part in fields if isinstance(part, str)))
    usage = _mapping(body.get("usage"))
    completion = count(usage.get("completion_tokens"))
    name, finish = body.get("model"), choice.get("finish_reason")
    return ModelAnswer(
        text=text,
        reasoning="\n".join(part for part in (*reasoning, within) if part),
        seconds=seconds,
        # a prompt has tokens: 0 means not counted
        prompt_tokens=count(usage.get("prompt_tokens")) or None,
        # servers that do not count send 0
        completion_tokens=None if completion == 0 and content else completion,
        model=whole(name) if isinstance(name, str) and name else model,
        attempts=attempts,
        finish_reason=whole(finish) if isinstance(finish, str) else None,
        reasoning_tokens=count(_mapping(usage.get("completion_tokens_details")).get("reasoning_tokens")),
        first_token_s=first_token_s,
    )


def split_reasoning(content: str) -> tuple[str, str]:
    """Split an answer into the reasoning within `<think>` tags at its beginning, and the rest.

    Without a closing tag the model was cut during its reasoning, and there is no answer. If only the opening
    tag is missing, the chat template has put it into the prompt.

    >>> split_reasoning("<think>早上</think>买咖啡")
    ('早上', '买咖啡')
    >>> split_reasoning("click(coordinates=(1,2), content='<think>')")
    ('', "click(coordinates=(1,2), content='<think>')")
    """
    start = content.lstrip()
    opened = start.startswith("<think>")
    before, end, after = start.removeprefix("<think>").partition("</think>")
    # some chat templates put the opening tag into the prompt
    if opened or (end and "<think>" not in before):
        return before.strip(), after.lstrip()
    return "", content


def whole(text: str) -> str:
    r"""Join surrogate pairs, and replace lone surrogates, which cannot be encoded.

    >>> whole("\ud83d\ude00 \ud83d") == "😀 \ufffd"
    True
    """
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def count(value: object) -> int | None:
    """Validate a token count; None if it is implausible.

    >>> [count(value) for value in (12, -1, 1e9, "12", True, None)]
    [12, None, None, None, None, None]
    """
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_TOKENS:
        return value
    return None


def _read_content(message: Mapping[str, object]) -> tuple[str, str]:
    """Return reasoning and text of a message's content, which is a text, a list of parts, or missing."""
    content = message.get("content")
    if content is None:
        content = message.get("refusal") or ""
    if isinstance(content, str):
        return "", content
    if not isinstance(content, list):
        return "", json.dumps(content, ensure_ascii=False)
    parts = [_mapping(part) for part in content]
    thoughts = [_mapping(inner) for part in parts for inner in _items(part.get("thinking"))]
    return _join_texts(thoughts), _join_texts(parts)


def _join_texts(parts: list[Mapping[str, object]]) -> str:
    return "".join(text for part in parts if isinstance(text := part.get("text"), str))


def _items(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}
