"""Requests to an OpenAI-compatible endpoint, for single calls and for batches."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from fingertip_dataset.errors import InputError, UsageError
from fingertip_models.chat.chat_answer import whole
from fingertip_models.messages import Message
from fingertip_models.options import ModelOptions

PICTURES = ((b"\x89PNG\r\n\x1a\n", "image/png"), (b"\xff\xd8\xff", "image/jpeg"), (b"GIF8", "image/gif"))


def make_request_body(options: ModelOptions, messages: Sequence[Message]) -> dict[str, Any]:
    """Make the JSON of a chat completion request.

    Raises:
        UsageError: There is no message.
        InputError: An image is neither PNG, JPEG, GIF nor WebP.

    >>> body = make_request_body(ModelOptions(model="m"), [Message(role="user", text="早")])
    >>> body["messages"], body["temperature"], body["max_completion_tokens"]
    ([{'role': 'user', 'content': '早'}], 0.0, 8192)
    """
    if not messages:
        raise UsageError("a request to a model needs one message or more")
    messages = merge_system(options, messages)
    settings: dict[str, object] = {"temperature": options.temperature, "seed": options.seed}
    if options.limit_field:
        settings[options.limit_field] = options.max_tokens
    settings |= options.extra_body
    return {
        "model": options.model,
        "messages": [{"role": message.role, "content": _make_content(message)} for message in messages],
        **{name: value for name, value in settings.items() if value is not None},
    }


def has_picture(request: Mapping[str, Any]) -> bool:
    """Return whether a request made by `make_request_body` has a picture."""
    return any(not isinstance(message["content"], str) for message in request["messages"])


def has_system(request: Mapping[str, Any]) -> bool:
    """Return whether a request made by `make_request_body` has a system message."""
    return any(message["role"] == "system" for message in request["messages"])


def merge_system(options: ModelOptions, messages: Sequence[Message]) -> tuple[Message, ...]:
    r"""Merge system messages into the user message if the options request it.

    >>> options = ModelOptions(model="m", system_role="merge")
    >>> merge_system(options, [Message(role="system", text="简短。"), Message(role="user", text="早")])
    (Message(role='user', text='简短。\n\n早'),)
    """
    system = "\n\n".join(message.text for message in messages if message.role == "system")
    if options.system_role == "keep" or not system:
        return tuple(messages)
    others = [message for message in messages if message.role != "system"]
    if not others or others[0].role != "user":
        return (Message(role="user", text=system), *others)
    return (replace(others[0], text=f"{system}\n\n{others[0].text}"), *others[1:])


def _make_content(message: Message) -> str | list[dict[str, object]]:
    """Return the content of a message: plain text without images, because some servers accept only that."""
    text = whole(message.text)
    if not message.images:
        return text
    pictures: list[dict[str, object]] = [
        {"type": "image_url", "image_url": {"url": make_data_uri(image)}} for image in message.images
    ]
    # servers refuse an empty part
    words: list[dict[str, object]] = [{"type": "text", "text": text}] if text else []
    return [*words, *pictures] if message.images_last else [*pictures, *words]


def make_data_uri(image: bytes) -> str:
    """A picture as a data URI.

    Raises:
        InputError: It is neither PNG, JPEG, GIF nor WebP.
    """
    kinds = [kind for start, kind in PICTURES if image.startswith(start)]
    if image[:4] == b"RIFF" and image[8:12] == b"WEBP":
        kinds = ["image/webp"]
    if not kinds:
        raise InputError(
            f"expected a PNG, JPEG, GIF or WebP picture, got {len(image)} bytes of something else"
        )
    return f"data:{kinds[0]};base64,{b64encode(image).decode('ascii')}"
