"""Failed attempts: the server's message, and whether a retry can help."""

from __future__ import annotations

import json
import math
import os
import re
import ssl
from collections.abc import Callable, Mapping
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import Literal

from fingertip_dataset.errors import list_causes
from fingertip_dataset.release.problems import printable
from fingertip_models.chat.body_text import decode_body
from fingertip_models.chat.context_refusals import advise_on_length, find_excess
from fingertip_models.options import ModelOptions

LONGEST_WAIT_S = 300.0
"""Maximum wait requested by a server that is respected; otherwise the request fails until a later run."""

ERROR_LENGTH = 300
"""Maximum length in characters of a server's message in an error."""


WRONG_PATH = (404, 405)
"""Statuses of a path that a server does not have."""

_VERSION = re.compile(r"/v\d")
_UNTRUSTED = (18, 19, 20, 21)
"""OpenSSL's codes of certificates of an unknown authority: self-signed, or without a chain to a known one."""

_OUT_OF_DATE = (9, 10)
"""OpenSSL's codes of certificates that are not valid yet, or no longer."""

_OTHER_NAME = (62, 64)
"""OpenSSL's codes of certificates of another host name or IP address."""

_PLAIN_HTTP = re.compile(r"WRONG_VERSION_NUMBER|RECORD_LAYER_FAILURE|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST")
_NOT_HTTP = re.compile(r"illegal status line")
_CLOSED = re.compile(r"BrokenPipe|ConnectionReset|disconnected without sending|EndOfStream")
_LIMIT = re.compile(r"max_(?:completion_|new_)?tokens|maximum context|context (?:length|size|window)")
_PROMPT = re.compile(
    r"(?:prompt|input) is too long|keep the first \d+ tokens|exceeds? the available context"
    r"|range of input length|reduce the length of the (?:messages|input|prompt)|context_length_exceeded"
)
_LOADING = re.compile(
    r"(?<!un)(?<!down)loading|(?:is|being|been|not) (?:yet )?(?:loaded|initiali[sz]ed)|initiali[sz]ing"
    r"|warm(?:ing)?[ -]?up|start(?:ing|s)[ -]up|(?:is|still|server) starting"
    r"|not (?:yet )?(?:ready|started|healthy)|estimated_time"
    r"|加载中?|载入中?|启动中|正在启动|初始化|预热|未就绪",
    re.IGNORECASE,
)
_BUSY = re.compile(
    r"busy|over-?load|capacity|quota|rate.?limit|too many|concurren|congest|maintenance|throttl|exhaust"
    r"|slots?\b|no (?:available|healthy) (?:provider|channel|endpoint)|繁忙|过载|限流|维护|无可用",
    re.IGNORECASE,
)
_SPENT = re.compile(r"insufficient_quota|exceeded your current quota")
_NOT_TAKEN = (
    r"(?:unsupported|not support|unknown|unrecognized|not permitted|not allowed|unexpected|only the default)"
)
_PICTURES = re.compile(
    r"at most \d+ (?:image|picture)|too many (?:images|pictures)|only (?:supports? )?(?:one|1|a single) image"
)
_BLIND = re.compile(
    r"image input is not supported|mmproj|not a multi-?modal model|(?:not|n't) support (?:images?|vision)"
    r"|support image input|missing data required for image|unknown variant `?image_url"
    r"|image_url is only supported",
    re.IGNORECASE,
)
"""Refusals of a picture by a model without them: llama.cpp, vLLM, OpenRouter, Ollama, DeepSeek, OpenAI."""
_PIXELS = re.compile(
    r"(?:image|picture).{0,60}(?:too (?:large|big)|exceeds|size limit|maximum (?:size|resolution))"
)
_STREAM = re.compile(r"\bstream")
_TEMPLATE = re.compile(
    r"(?:no|default|provide a|without a|not have a) chat.?template|chat.?template is not set"
)
_SYSTEM = re.compile(r"system.{0,40}(?:role|message|prompt)|(?:role|message|prompt).{0,40}system")


Unready = Literal["", "perhaps", "loading"]


class Failure(Exception):
    """Attempt without an answer; the client catches it.

    Args:
        message: What came instead of an answer, as the text after "got".
        again: Whether a retry may succeed.
        wait_s: Wait in seconds that the server requests before a retry.
        unreachable: Whether there was no connection at all: nothing listens, or nobody has the address.
        slow: Whether the time was up.
        unready: Whether the server is not ready yet: "loading" if it says so, "perhaps" if a status 503 has
            no other reason, "" otherwise.

    Attributes:
        advice: What to change, as the end of the error; "" if nothing is known to help.
        attempts: Number of requests sent until this failure was the last.
    """

    def __init__(
        self,
        message: str,
        *,
        again: bool,
        wait_s: float | None = None,
        unreachable: bool = False,
        slow: bool = False,
        unready: Unready = "",
    ) -> None:
        super().__init__(message)
        self.message = message
        self.again = again
        self.wait_s = wait_s
        self.unreachable = unreachable
        self.slow = slow
        self.unready = unready
        self.advice = ""
        self.attempts = 1


def make_refusal(status: int, body: str, headers: Mapping[str, str], now: datetime) -> Failure:
    """Make the failure of an HTTP error status; 408, 409, 429 and 5xx are retried when the server allows.

    A quota that is used up, which OpenAI reports as 429, is not retried: waiting brings nothing.

    Args:
        status: HTTP status.
        body: Body of the response as text.
        headers: Headers with lower-case names, or a case-insensitive mapping.
        now: Current time with a time zone, from which a date to wait for is counted.
    """
    again = (status in (408, 409, 429) or status >= 500) and not _SPENT.search(body)
    wait_s = retry_after(headers, now) if again else None
    text = read_error_text(body).removeprefix(f"{status}").lstrip(": ") or "nothing"
    message = f"status {status}: {text}"
    if _BLIND.search(text):
        blind = "this model takes no pictures: name one that sees them, or send none"
        return Failure(f"{message} ({blind})", again=False)
    if wait_s is not None and wait_s > LONGEST_WAIT_S:
        return Failure(f"{message}; it asks to wait {wait_s:.0f} s, too long", again=False)
    return Failure(message, again=again, wait_s=wait_s, unready=find_unready(status, body))


def find_unready(status: int, body: str) -> Unready:
    """Find out whether a server refuses because it still loads its model.

    >>> find_unready(503, '{"error": {"message": "Loading model", "type": "unavailable_error"}}')
    'loading'
    >>> find_unready(503, "<html>Service Unavailable</html>"), find_unready(503, "overloaded, try later")
    ('perhaps', '')
    """
    if status not in (409, 425, 429) and status < 500:
        return ""
    if _LOADING.search(body):
        return "loading"
    return "perhaps" if status == 503 and not _BUSY.search(body) else ""


def add_advice(failure: Failure, status: int, body: str, options: ModelOptions) -> Failure:
    """Add to a failure which option to change, if the server refuses a setting of the request.

    Args:
        failure: A failure made by `make_refusal`.
        status: HTTP status.
        body: Body of the response as text.
        options: Options of the request.
    """
    if status in WRONG_PATH and not options.on_azure and not _VERSION.search(options.endpoint):
        return Failure(f"{failure.message} (does the base URL end in /v1?)", again=failure.again)
    # only these are about the content of the request
    if status not in (400, 413, 422):
        return failure
    if (excess := find_excess(body, options.max_tokens)) is not None:
        return Failure(f"status {status}: {excess}", again=False)
    advice = _find_advice(body.casefold(), options)
    if advice is None:
        return failure
    return Failure(f"{failure.message} ({advice})", again=failure.again, wait_s=failure.wait_s)


def _find_advice(text: str, options: ModelOptions) -> str | None:
    """Which option to change, by what a server said in lower case; None if it names nothing that we send."""
    limit = options.limit_field
    if limit == "max_tokens" and "max_completion_tokens" in text:
        return f"give --extra-body max_completion_tokens={options.max_tokens}"
    if limit == "max_completion_tokens" and _is_refused(limit, text):
        return f"give --extra-body max_tokens={options.max_tokens}"
    if _TEMPLATE.search(text):
        return "serve a model that is tuned for chats, or give the server the model's chat template"
    if _PICTURES.search(text):
        return "send fewer pictures, such as by a smaller --screenshots, or raise the server's own limit"
    if _PIXELS.search(text):
        return "give --max-pixels, or a smaller one"
    if _PROMPT.search(text):
        return advise_on_length()
    if _LIMIT.search(text):
        return f"give a smaller --max-tokens than {options.max_tokens}"
    if options.stream and _is_refused("stream_options", text):
        return "give --extra-body stream_options=null: tokens are then not counted"
    if options.temperature is not None and _is_refused("temperature", text):
        return "give --temperature none"
    if options.seed is not None and _is_refused("seed", text):
        return "leave out --seed, or give --extra-body seed=null to send none"
    if not options.stream and _STREAM.search(text):
        return "give --stream"
    if options.system_role == "keep" and _SYSTEM.search(text):
        return "give --no-system"
    return None


def _is_refused(name: str, text: str) -> bool:
    """Whether a server says that it does not take a field.

    >>> _is_refused("temperature", "unsupported value: 'temperature' does not support 0.0 with this model.")
    True
    >>> _is_refused("seed", "extra inputs are not permitted: seed"), _is_refused("seed", "unseeded")
    (True, False)
    """
    found = rf"{_NOT_TAKEN}.{{0,60}}\b{name}\b|\b{name}\b.{{0,60}}{_NOT_TAKEN}"
    return re.search(found, text, re.S) is not None


def make_connection_failure(error: BaseException, endpoint: str) -> Failure:
    """Make the failure of a connection; certificates and the wrong protocol are not retried.

    Args:
        error: Error of the HTTP client, whose causes are searched.
        endpoint: Base URL.
    """
    causes = list_causes(error)
    for cause in causes:
        if isinstance(cause, Failure):
            return cause
        if isinstance(cause, ssl.SSLCertVerificationError):
            return Failure(
                f"a TLS certificate that does not verify: {_describe_certificate(cause)}", again=False
            )
    encrypted = endpoint.startswith("https:")
    last = find_first_cause(error)
    if encrypted and _PLAIN_HTTP.search(last):
        advice = "does it speak plain HTTP there? then give http:// in the base URL"
        return Failure(f"something other than TLS from the server ({advice})", again=False)
    if not encrypted and _NOT_HTTP.search(last):
        advice = "does it speak TLS there? then give https:// in the base URL"
        return Failure(f"something other than HTTP from the server ({advice})", again=False)
    if any(isinstance(cause, ssl.SSLError) for cause in causes):
        return Failure(f"a TLS error, {last}", again=True)
    hint = " (if the server speaks TLS, give https://)" if not encrypted and _CLOSED.search(last) else ""
    # by name, because the HTTP client differs with the version of the SDK
    unreachable = any(type(cause).__name__ == "ConnectError" for cause in causes)
    words = _describe_connection(causes[-1])
    return Failure(f"a connection error, {words}{hint}", again=True, unreachable=unreachable)


def make_timeout_failure(
    error: BaseException, timeout_s: float, connect_s: float, endpoint: str, *, streamed: bool, begun: bool
) -> Failure:
    """Make the failure of an attempt that took too long.

    Args:
        error: Error of the deadline, or of the HTTP client.
        timeout_s: Deadline of the attempt in seconds, or in a stream of its next token.
        connect_s: Deadline of opening a connection in seconds.
        endpoint: Base URL.
        streamed: Whether a stream was requested.
        begun: Whether a token had come.
    """
    # by name, because the HTTP client differs with the version of the SDK
    if any(type(cause).__name__ == "ConnectTimeout" for cause in list_causes(error)):
        hint = " (does it speak TLS there?)" if endpoint.startswith("https:") else ""
        return Failure(f"no connection within {connect_s:g} s{hint}", again=True, unreachable=True)
    what = "no further token" if begun else "nothing whole"
    advice = "for a slow model: --stream, which waits as long as tokens come, or a longer --timeout"
    if streamed:
        advice = "for a slow model: a longer --timeout, which each token of a --stream starts anew"
    failure = Failure(f"{what} within {timeout_s:g} s", again=True, slow=True)
    failure.advice = advice
    return failure


def _describe_connection(error: BaseException) -> str:
    """Return the operating system's words for a failed connection, such as "connection refused"."""
    if not isinstance(error, OSError) or not error.errno:
        return find_first_cause(error)
    # names that cannot be resolved have negative numbers, and words of their own
    words = os.strerror(error.errno) if error.errno > 0 else str(error.strerror)
    return words[:1].lower() + words[1:]


def find_first_cause(error: BaseException) -> str:
    """Return the lowest error of a chain, mostly that of the operating system."""
    last = list_causes(error)[-1]
    return f"{type(last).__name__}: {last}"


def _describe_certificate(error: ssl.SSLCertVerificationError) -> str:
    """Return why a certificate does not verify, and what to do."""
    why = getattr(error, "verify_message", "") or str(error)
    code = getattr(error, "verify_code", 0)
    if code in _UNTRUSTED:
        return f"{why} (if you trust it, set SSL_CERT_FILE to a file with the certificate of its authority)"
    if code in _OUT_OF_DATE:
        return f"{why} (renew it on the server, or correct this computer's clock)"
    if code in _OTHER_NAME:
        return f"{why} (give the name that the certificate has in the base URL)"
    return why


def read_body(content: bytes | str, mask: Callable[[str], str] = str) -> Mapping[str, object]:
    """Parse the JSON of a chat completion.

    Args:
        content: Body of the response, or its text.
        mask: Mask of the key for the text of an error.

    Raises:
        Failure: The body is not a chat completion. Some servers send an error with status 200; its code
            decides whether to retry. A completion without choices and without an error is retried, and one
            that breaks off.
    """
    text = content if isinstance(content, str) else decode_body(content)
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        message = read_error_text(mask(text))
        if text.lstrip().startswith("{") and not text.rstrip().endswith("}"):
            raise Failure(f"JSON that breaks off: {message}", again=True) from None
        raise Failure(f"no JSON: {message} (does the base URL end in /v1?)", again=False) from None
    fields = body if isinstance(body, dict) else {}
    choices = fields.get("choices")
    if isinstance(choices, list) and choices and isinstance(choices[0], dict):
        return fields
    error = fields.get("error")
    code = error.get("code") if isinstance(error, dict) else None
    # some gateways send an error with status 200 and the code in the body
    again = isinstance(code, int) and (code in (408, 409, 429) or 500 <= code < 600)
    # an empty list of choices without an error: an overloaded server
    again = again or ("choices" in fields and not error)
    excess = find_excess(text) if error else None
    if excess is not None:
        raise Failure(f"an error: {excess}", again=False)
    message = f"no chat completion: {read_error_text(mask(text))}"
    raise Failure(message, again=again, unready=find_unready(code, text) if again and code else "")


def read_error_text(body: str) -> str:
    r"""Return the message of an error response in one printable line.

    >>> read_error_text('{"error": {"message": "wrong\\n key", "type": "auth"}}')
    'wrong key'
    >>> read_error_text("")
    'nothing'
    """
    try:
        error = json.loads(body)
    except (ValueError, RecursionError):
        error = body
    for key in ("error", "message", "detail"):
        if isinstance(error, dict) and error.get(key):
            error = error[key]
    text = error if isinstance(error, str) else json.dumps(error, ensure_ascii=False)
    return printable(" ".join(text.split()), ERROR_LENGTH) or "nothing"


def retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """Return the wait that a server requests: `retry-after-ms`, or `Retry-After` in seconds or as a date.

    Args:
        headers: Headers of the response.
        now: Current time with a time zone.

    Returns:
        Seconds, 0 for a past date; None if the header is missing or invalid.

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
