"""Preflight of an endpoint: a small request, and the server's list of models."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import cache
from io import BytesIO
from typing import Any

from fingertip_dataset.release.problems import printable
from fingertip_models.chat.body_text import decode_body
from fingertip_models.chat.request import make_request_body
from fingertip_models.messages import Message
from fingertip_models.options import LIMITS, ModelOptions

SMALL_TEXT = "Answer with the word OK."
"""Text of the small request."""

SMALL_SYSTEM = "You answer in one word."
"""System message of the small request, where those of the run have one."""

SMALL_TOKENS = 16
"""Maximum tokens of its answer, which is not read."""

SMALL_TIMEOUT_S = 30.0
"""Maximum seconds of the small request after a failure, and of the list of models."""

SMALL_RETRIES = 2
"""How often a failed preflight is repeated: a user waits for it."""

QUICK_CONNECT_S = 8.0
"""Maximum seconds until a preflight has a connection: a user waits for it."""

PICTURE_SIDE = 64
"""Sides of the small picture in px; some models refuse sides below 28."""

_OTHER = re.compile(r"[^0-9a-z\u0100-\uffff]")

LONGEST_NAME = 500
"""Maximum characters of a name that a server may give its model, which each request repeats."""

MOST_NAMED = 5
"""Maximum number of a server's models that an error names."""


def make_small_request(options: ModelOptions, *, picture: bool, system: bool = False) -> dict[str, Any]:
    """Make a request with the settings of a run, but a short text and a short answer.

    Args:
        options: Options of the run.
        picture: Whether it has a picture of one colour.
        system: Whether it has a system message, which some models refuse.
    """
    images = (_make_picture(),) if picture else ()
    messages = [Message(role="user", text=SMALL_TEXT, images=images)]
    if system:
        messages.insert(0, Message(role="system", text=SMALL_SYSTEM))
    request = make_request_body(options, messages)
    limits = [name for name in LIMITS if name in request]
    return {**request, **{name: min(request[name], SMALL_TOKENS) for name in limits}}


def find_missing_model(content: bytes, model: str) -> str | None:
    """Return what is wrong with the name of a model, by the server's list; None if nothing is.

    Only a list that can be read and is not empty counts. A listed name may lack the model's variant after a
    colon, or have a folder before it, as several providers have it.

    Args:
        content: Body of the answer to `GET /models`.
        model: Name of the requested model.

    >>> listed = b'{"data": [{"id": "models/gemini"}, {"id": "qwen"}]}'
    >>> find_missing_model(listed, "gemini") is None, find_missing_model(listed, "Qwen:free") is None
    (True, True)
    >>> find_missing_model(listed, "gpt")
    'no model gpt in its list, which has models/gemini, qwen'
    """
    names = _read_names(content)
    wanted = model.casefold()
    for name in (one.casefold() for one in names):
        if wanted == name or name.endswith(f"/{wanted}") or wanted.startswith(f"{name}:"):
            return None
    if not names:
        return None
    shown = ", ".join(printable(name, LONGEST_NAME) for name in names[:MOST_NAMED])
    more = f" and {len(names) - MOST_NAMED:,} others" if len(names) > MOST_NAMED else ""
    return f"no model {model} in its list, which has {shown}{more}"


def find_only_model(content: bytes, model: str) -> str | None:
    """Return the name of a server's only model, if it is not the requested one; None otherwise.

    >>> find_only_model(b'{"data": [{"id": "/models/SmolLM2.Q4_1.gguf"}]}', "smol")
    '/models/SmolLM2.Q4_1.gguf'
    >>> find_only_model(b'{"data": [{"id": "smol"}]}', "smol") is None
    True
    """
    names = set(_read_names(content))
    only = next(iter(names)) if len(names) == 1 else model
    return only if only != model and len(only) <= LONGEST_NAME and only.isprintable() else None


def describe_only_model(options: ModelOptions, only: str) -> str:
    """Return the note that a server's only model is taken, whatever the name of the requested one."""
    return (
        f"{options.endpoint} has no model {options.model}, but only {printable(only, 200)}: that one is "
        "asked, and the run is named after --model"
    )


def describe_other_model(options: ModelOptions, requested: str, answered: str) -> str:
    """Return the note that another model than the requested one answers."""
    return (
        f"{options.endpoint} answers as the model {printable(answered, 200)}, not as {requested}: see which "
        "model it has loaded"
    )


def is_same_model(requested: str, answered: str) -> bool:
    """Whether a model that answers is the requested one: servers add a date, a folder or an end of a file.

    >>> is_same_model("gpt-4.1", "gpt-4.1-2025-04-14"), is_same_model("qwen", "/models/Qwen.gguf")
    (True, True)
    >>> is_same_model("qwen3-vl-8b", "llama-3-8b")
    False
    """
    if requested == answered:
        return True
    first, second = (_shorten_name(name) for name in (requested, answered))
    return first in second or second in first


def _shorten_name(name: str) -> str:
    """Return a name in small letters and digits, without its folders, its variant, and the end of a file."""
    base = name.casefold().rstrip("/").replace("\\", "/").rpartition("/")[2].partition(":")[0]
    return _OTHER.sub("", base.removesuffix(".gguf"))


def _read_names(content: bytes) -> Sequence[str]:
    """Read the names of a list of models; () if it is none."""
    try:
        body = json.loads(decode_body(content))
    except (ValueError, RecursionError):
        return ()
    # a bare list, and "models", are of servers that have a list of their own
    models = (body.get("data") or body.get("models")) if isinstance(body, dict) else body
    entries = models if isinstance(models, list) else []
    fields = [entry if isinstance(entry, dict) else {"id": entry} for entry in entries]
    names = [entry.get("id") or entry.get("name") or entry.get("model") for entry in fields]
    return [name for name in names if isinstance(name, str) and name]


@cache
def _make_picture() -> bytes:
    from PIL import Image

    stream = BytesIO()
    Image.new("RGB", (PICTURE_SIDE, PICTURE_SIDE), "white").save(stream, "PNG")
    return stream.getvalue()
