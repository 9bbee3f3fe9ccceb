"""Refusals of prompts that are too long for a server, in the words of many servers."""

from __future__ import annotations

import re

from fingertip_models.context import SHOW_LESS, describe_excess

WIDER = "load the model with a larger context on the server"
"""What helps besides shorter prompts and answers."""

_TOO_LONG = re.compile(
    r"max_model_len|context.{0,3}(?:length|size|window|limit)"
    r"|(?:prompt|input)s? (?:is|are) too long|maximum model length"
    r"|token count.{0,30}exceeds|(?:inputs|input length|input token).{0,60}must|exceed_context_size"
    r"|longer than the (?:model|maximum)|keep the first \d+ tokens|reduce the length of",
    re.IGNORECASE | re.DOTALL,
)
_AT_LEAST = re.compile(r"(?:prompt|input)[^.]{0,20} at least [\d,]+", re.IGNORECASE)
_ANSWER_ALONE = re.compile(r"max_tokens=\d+ cannot be greater", re.IGNORECASE)
# the first that fits counts; a sum before a > names the context last
_CONTEXT = (
    re.compile(r"\"n_ctx\": ?(\d+)"),
    re.compile(r"max_model_len[= ]+(\d+)"),
    re.compile(r"> ?([\d,]+)"),
    re.compile(r"context[ _](?:length|size|window|limit)[^\d.]{0,40}([\d,]+)", re.IGNORECASE),
    re.compile(r"maximum (?:model|input|sequence) length[^\d.]{0,12}([\d,]+)", re.IGNORECASE),
    re.compile(r"(?:allowed|must be <=|less than|maximum of)[^\d.]{0,4}([\d,]+)", re.IGNORECASE),
)
_PROMPT = (
    re.compile(r"\"n_prompt_tokens\": ?(\d+)"),
    re.compile(r"([\d,]+) (?:tokens )?(?:in|from|of) (?:the|your) (?:input|messages|prompt)", re.IGNORECASE),
    re.compile(r"(?:request|input|prompt|message)s? ?\((?:length )?([\d,]+)", re.IGNORECASE),
    re.compile(
        r"(?:resulted in|contains?|has)(?: at least)? ([\d,]+) (?:input |prompt )?tokens", re.IGNORECASE
    ),
    re.compile(r"keep the first ([\d,]+) tokens|too long: ([\d,]+)|limit: ([\d,]+) \+", re.IGNORECASE),
    re.compile(r"token count[^\d.]{0,12}([\d,]+)|Given: ([\d,]+)", re.IGNORECASE),
)
_ANSWER = (
    re.compile(r"([\d,]+) (?:tokens )?(?:in|for|from) the (?:completion|output|response)", re.IGNORECASE),
    re.compile(
        r"requested ([\d,]+) output tokens|is too large: ([\d,]+)|limit: [\d,]+ \+ ([\d,]+)", re.IGNORECASE
    ),
    re.compile(r"and ([\d,]+) `?max_new_tokens|max_tokens=(\d+) cannot", re.IGNORECASE),
)


def find_excess(text: str, max_tokens: int | None = None) -> str | None:
    """Return by how much a request was too long for a server, and what helps; None if that is not its reason.

    Args:
        text: Body of the server's refusal.
        max_tokens: Limit of the answer in the request.

    >>> print(find_excess('{"error": {"message": "request (3031 tokens) exceeds the available context size '
    ...     '(2048 tokens), try increasing it"}}').partition(": ")[0])
    a prompt of 3,031 tokens, 983 more than the context of 2,048
    >>> print(find_excess("This model's maximum context length is 8192 tokens. However, you requested 8292 "
    ...     "tokens (100 in the messages, 8192 in the completion).").partition(": ")[2])
    give --max-tokens 8092 or less
    >>> find_excess("unknown field") is None
    True
    """
    if not _TOO_LONG.search(text):
        return None
    context, prompt, answer = (_find_number(patterns, text) for patterns in (_CONTEXT, _PROMPT, _ANSWER))
    answer = answer or max_tokens or 0
    least = _AT_LEAST.search(text) is not None
    if context and prompt and prompt >= context:
        return describe_excess(prompt, context, wider=WIDER, at_least=least)
    if context and prompt and prompt + answer > context:
        return describe_excess(prompt, context, answer=answer, wider=WIDER, at_least=least)
    if context and not prompt and answer >= context and _ANSWER_ALONE.search(text):
        return (
            f"an answer of {answer:,} tokens does not fit into the context of {context:,}, which has the "
            "prompt, too: give a smaller --max-tokens"
        )
    return None


def advise_on_length() -> str:
    """Return what helps against a prompt that is too long by an unknown number of tokens."""
    return f"{WIDER}, or {SHOW_LESS}"


def _find_number(patterns: tuple[re.Pattern[str], ...], text: str) -> int:
    for pattern in patterns:
        if found := pattern.search(text):
            digits = next(filter(None, found.groups()), "").replace(",", "")
            return int(digits) if digits and len(digits) < 10 else 0
    return 0
