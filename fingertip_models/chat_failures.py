"""Attempts that bring no answer: what the server said, and whether asking again can help."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from datetime import datetime
from email.utils import parsedate_to_datetime

from fingertip_dataset.release.problems import printable
from fingertip_models.options import ModelOptions

LONGEST_WAIT_S = 300.0
"""A server that wants a longer pause is not waited for; the question can be asked in a later run."""

WORDS = 300
"""Characters of a server's words that an error shows."""


_LIMIT = re.compile(r"max_(?:completion_|new_)?tokens|maximum context|context length|context window")
_STREAM = re.compile(r"\bstream")
_SYSTEM = re.compile(r"system.{0,40}(?:role|message|prompt)|(?:role|message|prompt).{0,40}system")


class Failure(Exception):
    """One attempt without an answer; never leaves the client.

    Args:
        message: What came instead, to stand after "got".
        again: Whether the next attempt may go better.
        wait_s: How long the server asks to wait before it, in seconds.
    """

    def __init__(self, message: str, *, again: bool, wait_s: float | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.again = again
        self.wait_s = wait_s


def refusal(status: int, body: str, headers: Mapping[str, str], now: datetime) -> Failure:
    """A status that is no success: 408, 409, 429 and 5xx are asked again, in the server's own time.

    Args:
        status: Of HTTP.
        body: As text, whatever it is.
        headers: Names in any case, or a mapping that takes any.
        now: With a time zone; a date to wait for counts from it.
    """
    again = status in (408, 409, 429) or status >= 500
    wait_s = retry_after(headers, now) if again else None
    message = f"status {status}: {words(body)}"
    if wait_s is not None and wait_s > LONGEST_WAIT_S:
        return Failure(f"{message}; it asks to wait {wait_s:.0f} s, too long", again=False)
    return Failure(message, again=again, wait_s=wait_s)


def advised(failure: Failure, status: int, body: str, options: ModelOptions) -> Failure:
    """The failure, with what to change where the server refuses how it was asked.

    Args:
        failure: From `refusal`.
        status: Of HTTP.
        body: As text, whatever it is.
        options: How it was asked.
    """
    lower = body.casefold()
    if status not in (400, 413, 422):
        return failure
    if _LIMIT.search(lower):
        advice = f"give a smaller --max-tokens than {options.max_tokens}"
    elif not options.stream and _STREAM.search(lower):
        advice = "give --stream"
    elif options.system_role == "keep" and _SYSTEM.search(lower):
        advice = "give --no-system"
    else:
        return failure
    return Failure(f"{failure.message} ({advice})", again=failure.again, wait_s=failure.wait_s)


def read_body(content: bytes) -> Mapping[str, object]:
    """The JSON of a chat completion.

    Raises:
        Failure: It is none. Some servers send an error with status 200; its code says whether to ask again.
            One without a choice and without an error is asked for again.
    """
    text = content.decode("utf-8", "replace")
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        raise Failure(f"no JSON: {words(text)} (does the base URL end in /v1?)", again=False) from None
    fields = body if isinstance(body, dict) else {}
    choices = fields.get("choices")
    if isinstance(choices, list) and choices and isinstance(choices[0], dict):
        return fields
    error = fields.get("error")
    code = error.get("code") if isinstance(error, dict) else None
    again = isinstance(code, int) and (code in (408, 409, 429) or 500 <= code < 600)
    again = again or ("choices" in fields and not error)
    raise Failure(f"no chat completion: {words(text)}", again=again)


def words(body: str) -> str:
    r"""What an error says, in one printable line.

    >>> words('{"error": {"message": "wrong\\n key", "type": "auth"}}')
    'wrong key'
    >>> words("")
    'nothing'
    """
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        found = body
    for key in ("error", "message", "detail"):
        if isinstance(found, dict) and found.get(key):
            found = found[key]
    text = found if isinstance(found, str) else json.dumps(found, ensure_ascii=False)
    return printable(" ".join(text.split()), WORDS) or "nothing"


def retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """Seconds that a server asks to wait: `Retry-After` in seconds or as a date, `retry-after-ms` before it.

    Args:
        headers: Of the answer.
        now: With a time zone.

    Returns:
        0 for a date that is past; None where the server does not say, or says nothing sensible.

    >>> from datetime import UTC, datetime
    >>> noon = datetime(2025, 5, 1, 12, tzinfo=UTC)
    >>> retry_after({"retry-after": "20"}, noon)
    20.0
    >>> retry_after({"retry-after": "Thu, 01 May 2025 12:01:00 GMT"}, noon)
    60.0
    """
    for name, unit in (("retry-after-ms", 1000), ("retry-after", 1)):
        try:
            seconds = float(headers.get(name, "")) / unit
        except ValueError:
            continue
        if seconds >= 0 and math.isfinite(seconds):
            return seconds
    try:
        date = parsedate_to_datetime(headers.get("retry-after", ""))
    except ValueError:
        return None
    return max(0.0, (date - now).total_seconds()) if date.tzinfo else None
