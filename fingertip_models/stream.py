"""A streamed chat completion put together: server-sent events in, the JSON of a whole answer out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from fingertip_models.chat_failures import Failure, read_body, words

DONE = "[DONE]"

REASONING = ("reasoning_content", "reasoning")
"""Fields of a delta in which servers send what a thinking model thinks."""


class Assembly:
    """Takes the bytes of a stream as they come.

    A stream is whole when it has a finish reason or the end mark; what breaks off before is a failure, never
    half an answer. A server that does not stream at all and sends one JSON body is read as well.

    Attributes:
        begun: Whether a token has come, of the reasoning or of the answer.
    """

    def __init__(self) -> None:
        self.begun = False
        self._rest = b""
        self._plain: list[bytes] = []
        self._events = 0
        self._done = False
        self._parts: list[object] = []
        self._fields: dict[str, list[str]] = {name: [] for name in (*REASONING, "refusal")}
        self._top: dict[str, object] = {}
        self._finish: object = None

    def feed(self, content: bytes) -> None:
        """Takes the next bytes, cut anywhere.

        Raises:
            Failure: An event is no JSON, or an error of the server.
        """
        *lines, self._rest = (self._rest + content).split(b"\n")
        for line in lines:
            self._take(line)

    def body(self) -> Mapping[str, object]:
        """The whole answer, as a server that does not stream sends it; at the end of the stream.

        Raises:
            Failure: The stream ended before its answer did, or was none.
        """
        rest, self._rest = self._rest, b""
        if not (self._events and _is_cut(rest)):
            self._take(rest)
        if not self._events:
            return read_body(b"\n".join(self._plain))
        if self._finish is None and not self._done:
            raise Failure("a stream that ended before its answer did", again=True)
        texts = [part for part in self._parts if isinstance(part, str)]
        whole: object = "".join(texts)
        if len(texts) != len(self._parts):
            whole = [_as_part(part) for part in self._parts]
        message: dict[str, object] = {"role": "assistant", "content": whole}
        message |= {name: "".join(found) for name, found in self._fields.items() if found}
        if not self._parts and self._fields["refusal"]:
            message["content"] = None
        return {**self._top, "choices": [{"message": message, "finish_reason": self._finish}]}

    def _take(self, line: bytes) -> None:
        """One line: of an event its data, of a plain body its text."""
        line = line.rstrip(b"\r")
        if not line.startswith(b"data:"):
            if not self._events and line and not line.startswith((b":", b"event:", b"id:", b"retry:")):
                self._plain.append(line)
            return
        self._events += 1
        data = line.removeprefix(b"data:").strip().decode("utf-8", "replace")
        if data.startswith(DONE):
            self._done = True
        elif data:
            self._chunk(_parsed(data))

    def _chunk(self, chunk: Mapping[str, Any]) -> None:
        self._top |= {name: chunk[name] for name in ("model", "usage") if chunk.get(name)}
        choices = chunk.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        if not isinstance(choice, dict):
            return
        if choice.get("index") not in (0, None):
            return
        self._finish = choice.get("finish_reason") or self._finish
        delta = choice.get("delta") or choice.get("message")
        if not isinstance(delta, dict):
            return
        content = delta.get("content")
        if isinstance(content, str) and content:
            self._parts.append(content)
            self.begun = True
        elif isinstance(content, list) and content:
            self._parts.extend(content)
            self.begun = True
        for name, found in self._fields.items():
            piece = delta.get(name)
            if isinstance(piece, str) and piece:
                found.append(piece)
                self.begun = True


def _parsed(data: str) -> Mapping[str, Any]:
    try:
        chunk = json.loads(data)
    except (ValueError, RecursionError):
        raise Failure(f"an event that is no JSON in its stream: {words(data)}", again=True) from None
    if not isinstance(chunk, dict) or chunk.get("error"):
        read_body(data.encode())  # which fails, and knows whether to ask again
        raise Failure(f"no chat completion: {words(data)}", again=False)
    return chunk


def _is_cut(line: bytes) -> bool:
    """Whether a last line without an end is no whole event."""
    data = line.removeprefix(b"data:").strip()
    try:
        json.loads(data)
    except (ValueError, RecursionError):
        return data.decode("utf-8", "replace") != DONE
    return False


def _as_part(part: object) -> object:
    return {"type": "text", "text": part} if isinstance(part, str) else part
