"""Assembly of a streamed chat completion: server-sent events in, the JSON of the complete answer out."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from fingertip_models.chat.body_text import decode_body, find_charset
from fingertip_models.chat.chat_failures import Failure, read_body, read_error_text
from fingertip_models.chat.events import Events
from fingertip_models.chat.message_parts import REASONING, is_part, read_parts

DONE = "[DONE]"

NOT_PLAIN = (":", "event:", "id:", "retry:")

_LINE_END = re.compile(r"\r\n|\n|\r")


class Assembly:
    """Assembler of a stream's bytes into an answer.

    A stream is complete if it has a finish reason or the end mark; one that breaks off earlier is a failure,
    never half an answer. The single JSON body of a server that does not stream is accepted too.

    Args:
        mask: Mask of the key for the texts of errors.

    Attributes:
        content_type: Header `content-type`, which may declare an encoding; set before the first bytes.
        pieces: Number of pieces of the reasoning, the answer or a call that have been read.
        done: Whether the end mark has been read: what follows belongs to no answer.
    """

    def __init__(self, mask: Callable[[str], str] = str) -> None:
        self.content_type = ""
        self.pieces = 0
        self._mask = mask
        self._events = Events(self._decode)
        self._plain: list[bytes] = []
        self.done = False
        self._chosen = False
        self._parts: list[object] = []
        self._fields: dict[str, list[str]] = {name: [] for name in (*REASONING, "refusal")}
        self._calls: dict[object, dict[str, Any]] = {}
        self._top: dict[str, object] = {}
        self._finish: object = None

    def feed(self, content: bytes) -> None:
        """Process the next bytes, split anywhere.

        Raises:
            Failure: An event is not JSON, or is an error of the server.
        """
        for data in self._events.feed(content):
            self._add_event(data)
        # bytes before the first event matter only if the response is no stream
        if self._events.begun:
            self._plain.clear()
        else:
            self._plain.append(content)

    def body(self) -> Mapping[str, object]:
        """Return the complete answer in the form of a response that is not streamed; call it at the end.

        Raises:
            Failure: The stream ended before its answer did, or was not a stream of a chat completion.
        """
        # the standard drops an event without its end; servers leave out the last blank line
        self._add_event(tuple(part for part in _split_parts(self._events.rest()) if _is_whole(part)))
        if not self._events.begun:
            text = decode_body(b"".join(self._plain), self.content_type)
            return read_body(_remove_comments(text), self._mask)
        if self._finish is None and not self.done:
            raise Failure("a stream that ended before its answer did", again=True)
        if not self._chosen:
            raise Failure("no chat completion: a stream without a choice", again=True)
        texts = [part for part in self._parts if isinstance(part, str)]
        whole: object = "".join(texts)
        if len(texts) != len(self._parts):
            whole = [_as_part(part) for part in self._parts]
        message: dict[str, object] = {"role": "assistant", "content": whole}
        if self._calls:
            message["tool_calls"] = [{"type": "function", "function": call} for call in self._calls.values()]
        message |= {name: "".join(pieces) for name, pieces in self._fields.items() if pieces}
        # then `read_answer` takes the refusal as the text
        if not self._parts and self._fields["refusal"]:
            message["content"] = None
        return {**self._top, "choices": [{"message": message, "finish_reason": self._finish}]}

    def _decode(self, line: bytes) -> str:
        """Decode a line, which is UTF-8 by the standard, or else in the encoding that the server declares."""
        try:
            return line.decode()
        except UnicodeDecodeError:
            return line.decode(find_charset(self.content_type), "replace")

    def _add_event(self, lines: tuple[str, ...]) -> None:
        for part in map(str.strip, _split_parts(lines)):
            if part.startswith(DONE):
                self.done = True
            elif part:
                self._add_chunk(_parse_event(part, self._mask))

    def _add_chunk(self, chunk: Mapping[str, Any]) -> None:
        self._top |= {name: chunk[name] for name in ("model", "usage") if chunk.get(name)}
        choices = chunk.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        if not isinstance(choice, dict):
            return
        # some servers send several choices, though one was requested
        if choice.get("index") not in (0, None):
            return
        self._chosen = True
        # later chunks, such as that of the usage, have none
        self._finish = choice.get("finish_reason") or self._finish
        delta = choice.get("delta") or choice.get("message")
        if not isinstance(delta, dict):
            return
        content = delta.get("content")
        if content not in (None, "", []):
            if not isinstance(content, list):
                content = [content if is_part(content) else read_parts(content).text]
            self._parts.extend(content)
            self.pieces += 1
        for name, pieces in self._fields.items():
            piece = delta.get(name)
            if isinstance(piece, str) and piece:
                pieces.append(piece)
                self.pieces += 1
        calls = delta.get("tool_calls")
        for number, call in enumerate(calls if isinstance(calls, list) else ()):
            if isinstance(call, dict):
                self._add_call(call.get("index", number), call)
        if isinstance(delta.get("function_call"), dict):
            self._add_call("function_call", {"function": delta["function_call"]})

    def _add_call(self, index: object, piece: Mapping[str, Any]) -> None:
        """Add a piece of a call: its name comes once, the text of its arguments in pieces."""
        self.pieces += 1
        function = piece.get("function")
        if not isinstance(function, dict):
            return
        known = self._calls.setdefault(repr(index), {"name": "", "arguments": ""})
        known["name"] = known["name"] or function.get("name")
        arguments = function.get("arguments")
        if isinstance(arguments, str) and isinstance(known["arguments"], str):
            known["arguments"] += arguments
        elif arguments:
            known["arguments"] = arguments


def _parse_event(data: str, mask: Callable[[str], str]) -> Mapping[str, Any]:
    try:
        chunk = json.loads(data)
    except (ValueError, RecursionError):
        message = read_error_text(mask(data))
        raise Failure(f"an event that is no JSON in its stream: {message}", again=True) from None
    if not isinstance(chunk, dict) or chunk.get("error"):
        read_body(data, mask)  # raises the failure that decides whether to retry
        raise Failure(f"no chat completion: {read_error_text(mask(data))}", again=False)
    return chunk


def _split_parts(lines: tuple[str, ...]) -> tuple[str, ...]:
    """Return the data of an event: one text, or several if a server omits blank lines between events."""
    joined = "\n".join(lines)
    return lines if len(lines) > 1 and not _is_whole(joined) else (joined,)


def _is_whole(data: str) -> bool:
    try:
        json.loads(data)
    except (ValueError, RecursionError):
        return data.strip() == DONE
    return True


def _remove_comments(text: str) -> str:
    """Remove from a plain JSON body the comments that some servers send before it."""
    if text.startswith("{"):
        return text
    # not `splitlines`, which also cuts at characters that may stand within a text of JSON
    return "\n".join(line for line in _LINE_END.split(text) if not line.startswith(NOT_PLAIN))


def _as_part(part: object) -> object:
    return {"type": "text", "text": part} if isinstance(part, str) else part
