"""A model's answer, and its parsing from a server's response."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fingertip_models.chat.body_text import BOM
from fingertip_models.chat.message_parts import REASONING, read_parts
from fingertip_models.chat.tool_calls import ToolCall, convert_xml_calls, read_call_fields
from fingertip_models.thinking import SplitOutput, split_thinking

MOST_TOKENS = 10_000_000
"""Maximum plausible token count; larger ones are treated as unknown."""

CUT = ("length", "max_tokens")
"""Finish reasons of an answer cut by the token limit, of OpenAI and of other providers."""

FILTERED = "content_filter"
"""Finish reason of an answer that the server's content filter ended."""


CALLS_IN_FIELD = (
    "the call came in the field tool_calls, not in the text, and was taken from there; formats of agents read"
    " the text: start the server without its parser of tool calls (vLLM: without --tool-call-parser)"
)
ALL_IN_REASONING = (
    "the text of the answer is empty, and everything came as reasoning (reasoning_content): start the server "
    "without its parser of reasoning (vLLM: without --reasoning-parser), or turn thinking off "
    "(--extra-body chat_template_kwargs='{\"enable_thinking\": false}')"
)
CALL_IN_REASONING = (
    "the call came at the end of the reasoning (reasoning_content), not in the text, and was taken from "
    "there: start the server without its parser of reasoning (vLLM: without --reasoning-parser), or take a "
    "newer version of it"
)
AFTER_END = "the model went on behind the end of its answer; that part was left out"
CALL_IN_XML = "the call was written as XML, and was converted to JSON"


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
        notes: Sentences on how the text was found where it did not simply stand in the answer.
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
    notes: tuple[str, ...] = ()

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
    message = _read_message(choice)
    content = read_parts(message.get("content"))
    if message.get("content") is None:
        content = read_parts(message.get("refusal"))
    fields = [*(message.get(name) for name in REASONING), content.reasoning]
    output = split_thinking(whole(content.text).removeprefix(BOM))
    # some servers send the same reasoning in two fields
    thoughts = list(dict.fromkeys(whole(part).strip() for part in fields if isinstance(part, str)))
    name, finish = body.get("model"), choice.get("finish_reason")
    finish = whole(finish) if isinstance(finish, str) else None
    calls = (*content.calls, *read_call_fields(message))
    # reasoning within the text is no field that a server has filled
    unread = is_cut(finish) or bool(output.thought)
    text, apart, notes = find_text(output, "\n".join(filter(None, thoughts)), calls, cut=unread)
    usage = _mapping(body.get("usage"))
    completion = count(usage.get("completion_tokens"))
    return ModelAnswer(
        text=text,
        reasoning="\n".join(filter(None, (apart, output.thought))),
        seconds=seconds,
        # a prompt has tokens: 0 means not counted
        prompt_tokens=count(usage.get("prompt_tokens")) or None,
        # servers that do not count send 0
        completion_tokens=None if completion == 0 and text else completion,
        model=whole(name) if isinstance(name, str) and name else model,
        attempts=attempts,
        finish_reason=finish,
        reasoning_tokens=count(_mapping(usage.get("completion_tokens_details")).get("reasoning_tokens")),
        first_token_s=first_token_s,
        notes=notes,
    )


def find_text(
    output: SplitOutput, reasoning: str, calls: Sequence[ToolCall] = (), *, cut: bool = False
) -> tuple[str, str, tuple[str, ...]]:
    r"""Find the text that formats read, the reasoning, and notes on what did not simply stand in the answer.

    Calls become JSON between `<tool_call>` tags, behind the text. An answer without a text is not taken from
    its reasoning, which may have drafts; but a call that ends the reasoning is one that the server's parser
    of reasoning has kept back.

    Args:
        output: The answer without its reasoning.
        reasoning: The reasoning that came in a field of its own; "" without one.
        calls: Calls in fields of their own.
        cut: Whether the token limit cut the answer.

    >>> xml = "<tool_call><function=f><parameter=at>[4, 8]</parameter></function></tool_call>"
    >>> find_text(SplitOutput(text=""), f"Tap it.\n{xml}")[:2]
    ('<tool_call>\n{"name": "f", "arguments": {"at": [4, 8]}}\n</tool_call>', 'Tap it.')
    """
    text, notes = output.text, [AFTER_END] if output.cut_off else []
    if calls:
        notes.append(CALLS_IN_FIELD)
        text = "\n".join(filter(None, (text.rstrip(), *(call.text for call in calls))))
    elif reasoning and not cut and not text.strip():
        at = _find_last_call(reasoning)
        notes.append(ALL_IN_REASONING if at < 0 else CALL_IN_REASONING)
        if at >= 0:
            text, reasoning = reasoning[at:], reasoning[:at].rstrip()
    text, converted = convert_xml_calls(text)
    if converted:
        notes.append(CALL_IN_XML)
    return text, reasoning, tuple(notes)


def _find_last_call(reasoning: str) -> int:
    """Find where the call begins with which a reasoning ends; -1 if it ends otherwise."""
    text = reasoning.rstrip()
    if text.endswith("</tool_call>"):
        return text.rfind("<tool_call>")
    function = text.rfind("<function=") if text.endswith("</function>") else -1
    tag = text.rfind("<tool_call>", max(0, function - 30), max(0, function))
    return function if tag < 0 else tag


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


def _read_message(choice: Mapping[str, object]) -> Mapping[str, object]:
    """Return the message of a choice; of a server of the older completions, or one that sends a bare text."""
    message = choice.get("message", choice.get("delta"))
    if message is None or isinstance(message, str):
        return {"content": choice.get("text") if message is None else message}
    return _mapping(message)


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}
