"""Questions to a model as files, in the batch format of OpenAI that most providers take, and their answers.

A request's `custom_id` is the name of who asks, a task id, and a part of the sha256 of the request: an answer
to another prompt, or with other parameters, is never taken for one to this.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fingertip_dataset.errors import InputError, RunError, UsageError
from fingertip_dataset.release.problems import printable
from fingertip_models.cache import AppendOnlyCache
from fingertip_models.chat_answer import ModelAnswer, read_answer
from fingertip_models.chat_failures import words
from fingertip_models.messages import Message
from fingertip_models.options import ModelOptions
from fingertip_models.request import request_body
from fingertip_models.responses import kept, read_kept, request_key

URL = "/v1/chat/completions"
MOST_LINES = 50_000
"""Requests of a file; OpenAI takes no more."""
MOST_MB = 100
"""Megabytes of a file, likewise."""
DIGITS = 20
"""Of the sha256 that a custom_id ends in: with the longest name it stays within the 64 letters of all."""


class Waiting(Exception):
    """A question that has no answer yet; it never leaves the runner.

    Args:
        key: sha256 of the request.
        body: Its JSON.
    """

    def __init__(self, key: str, body: Mapping[str, Any]) -> None:
        super().__init__("expected an answer of the batch, got none yet")
        self.key = key
        self.body = body


class BatchModel:
    """A model whose answers come later, in files: what is not there yet is `Waiting`.

    Args:
        options: Which model, and how it is asked.
        folder: Of the requests, and of answers.jsonl, which holds what came; made when it is needed.

    Raises:
        UsageError: The options ask for a stream.
    """

    def __init__(self, options: ModelOptions, folder: Path) -> None:
        if options.stream:
            raise UsageError("--stream is for servers: batch files are not streamed")
        self.options = options
        self.folder = folder
        self._opened: AppendOnlyCache | None = None

    def settings(self) -> Mapping[str, object]:
        """The options, and that nothing was measured in time."""
        return {**self.options.settings(), "backend": "batch"}

    def ask(self, messages: Sequence[Message]) -> ModelAnswer:
        """What a results file had for this; its seconds are 0, for none says them.

        Raises:
            Waiting: None had anything.
            InputError: What was kept is no answer, or a picture is none.
        """
        key = request_key(self, messages)
        value = self._answers.get(key[:DIGITS])
        if value is None:
            raise Waiting(key, request_body(self.options, messages))
        return read_kept(value, self._answers, cached=False)

    async def ask_async(self, messages: Sequence[Message]) -> ModelAnswer:
        """As `ask`, which waits for nothing."""
        return self.ask(messages)

    def read(self, results: Path) -> BatchResults:
        """Takes the answers of a results file; see `read_results`.

        Raises:
            InputError: It cannot be read, or is empty.
            RunError: There is no room for an answer.
        """
        return read_results(results, self._queried(), self._answers, model=self.options.model)

    def write(
        self,
        waiting: Iterable[tuple[str, Waiting]],
        *,
        most_lines: int = MOST_LINES,
        most_mb: float = MOST_MB,
    ) -> tuple[Path, ...]:
        """Writes what is open; see `_write_requests`."""
        return _write_requests(self.folder, waiting, most_lines=most_lines, most_mb=most_mb)

    def close(self) -> None:
        """Closes answers.jsonl; a second time does nothing."""
        if self._opened is not None:
            self._opened.close()
            self._opened = None

    @property
    def _answers(self) -> AppendOnlyCache:
        if self._opened is None:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._opened = AppendOnlyCache(self.folder / "answers.jsonl")
        return self._opened

    def _queried(self) -> Iterator[str]:
        """custom_id of each request that is open, from the files as they were written."""
        for file in request_files(self.folder):
            for _, line in _lines(file):
                yield json.loads(line)["custom_id"]


def custom_id(name: str, key: str) -> str:
    """Of a request: who asks, and the beginning of its sha256.

    >>> custom_id("30__20250302_090000", "0123456789abcdef0123456789abcdef")
    '30__20250302_090000-0123456789abcdef0123'
    """
    return f"{name}-{key[:DIGITS]}"


def _write_requests(
    folder: Path,
    waiting: Iterable[tuple[str, Waiting]],
    *,
    most_lines: int = MOST_LINES,
    most_mb: float = MOST_MB,
) -> tuple[Path, ...]:
    """Writes requests-001.jsonl and so on; earlier ones are gone after it, for these are all that is open.

    Args:
        folder: Made where it is missing.
        waiting: Who asks, a task id, and what; read as they are written, one in memory at a time.
        most_lines: Of a file.
        most_mb: Of a file, in megabytes; a single request that is larger has a file of its own.

    Returns:
        The files; none where nothing is open.

    Raises:
        RunError: They cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for leftover in folder.glob(".requests-*.tmp"):
            leftover.unlink()
        beside = _write_parts(folder, waiting, most_lines, int(most_mb * 1_000_000))
        for old in request_files(folder):
            old.unlink()
        return tuple(part.rename(folder / part.name[1:].removesuffix(".tmp")) for part in beside)
    except OSError as error:
        raise RunError(
            f"expected room for requests, got {error.strerror or error}: the same call writes them again",
            file=folder,
        ) from error


def _write_parts(
    folder: Path, waiting: Iterable[tuple[str, Waiting]], most_lines: int, most_bytes: int
) -> list[Path]:
    parts: list[Path] = []
    lines = size = 0
    for name, request in waiting:
        line = _request_line(name, request)
        if not parts or lines >= most_lines or size + len(line) > most_bytes:
            parts.append(folder / f".requests-{len(parts) + 1:03}.jsonl.tmp")
            parts[-1].write_bytes(b"")
            lines = size = 0
        with parts[-1].open("ab") as file:
            file.write(line)
        lines, size = lines + 1, size + len(line)
    return parts


def _request_line(name: str, waiting_request: Waiting) -> bytes:
    request = {
        "custom_id": custom_id(name, waiting_request.key),
        "method": "POST",
        "url": URL,
        "body": waiting_request.body,
    }
    return json.dumps(request, ensure_ascii=False).encode() + b"\n"


def request_files(folder: Path) -> tuple[Path, ...]:
    """The files of requests in a folder, in their order."""
    return tuple(sorted(folder.glob("requests-*.jsonl")))


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchResults:
    """What a results file brought.

    Attributes:
        answers: Lines with an answer that is new.
        repeated: Lines with an answer that was there already; the first one stays.
        problems: What all other lines are, a line of words each.
    """

    answers: int
    repeated: int
    problems: tuple[str, ...]


def read_results(
    file: Path, request_ids: Iterable[str], answers: AppendOnlyCache, *, model: str
) -> BatchResults:
    """Reads the answers that a provider sent and keeps them.

    Lines may come in any order, and files of errors have the same form.

    Args:
        file: JSON lines.
        request_ids: custom_id of every request that is open; those that were answered are known.
        answers: Where they are kept, for `BatchModel`.
        model: Its name, where the provider does not give one.

    Raises:
        InputError: The file cannot be read, or is empty.
        RunError: There is no room for an answer.
    """
    is_open = set(request_ids).__contains__
    problems: list[str] = []
    new = repeated = lines = 0
    for number, text in _lines(file):
        lines += 1
        try:
            name, answer = _read_result(text, model)
            if not is_open(name) and name[-DIGITS:] not in answers:
                shown = printable(name, 80)
                raise ValueError(f"expected the custom_id of a request of this run, got {shown}")
        except ValueError as error:
            problems.append(f"line {number}: {error}")
            continue
        before = len(answers)
        answers.put(name[-DIGITS:], kept(answer))
        new += len(answers) > before
        repeated += len(answers) == before
    if not lines:
        raise InputError("expected results, got an empty file", file=file)
    return BatchResults(answers=new, repeated=repeated, problems=tuple(problems))


def _lines(file: Path) -> Iterator[tuple[int, bytes]]:
    try:
        with file.open("rb") as opened:
            for number, line in enumerate(opened, start=1):
                if line.strip():
                    yield number, line
    except OSError as error:
        raise InputError(f"expected a file of results, got {error.strerror or error}", file=file) from error


def _read_result(text: bytes, model: str) -> tuple[str, ModelAnswer]:
    """custom_id and answer of a line; a ValueError says what it is instead."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        excerpt = printable(text.decode("utf-8", "replace").strip(), 80)
        raise ValueError(f"expected JSON, got {excerpt}") from None
    name = found.get("custom_id") if isinstance(found, dict) else None
    if not isinstance(name, str):
        raise ValueError("expected a custom_id, got none")
    response = found.get("response")
    body = response.get("body") if isinstance(response, dict) else None
    status = response.get("status_code", 200) if isinstance(response, dict) else None
    if status != 200 or not isinstance(body, dict) or not body.get("choices"):
        failed = found.get("error") or body or "nothing"
        raise ValueError(f"expected an answer for {printable(name, 80)}, got {words(json.dumps(failed))}")
    return name, read_answer(body, model=model, seconds=0.0, attempts=1)
