"""Requests to a model as files, in the batch format of OpenAI that most providers accept, and their results.

A request's `custom_id` is the name of its task and a part of the sha256 of the request, so that an answer to
another prompt, or with other parameters, is never matched to it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fingertip_dataset.errors import InputError, ModelError, RunError, UsageError
from fingertip_dataset.release.problems import printable
from fingertip_models.cache import AppendOnlyCache
from fingertip_models.chat.chat_answer import ModelAnswer, read_answer
from fingertip_models.chat.chat_failures import read_error_text
from fingertip_models.chat.request import make_request_body
from fingertip_models.messages import Message
from fingertip_models.options import ModelOptions
from fingertip_models.responses import answer_record, read_answer_record, request_key

URL = "/v1/chat/completions"
MOST_LINES = 50_000
"""Maximum number of requests in a file, as OpenAI allows."""
MOST_MB = 100
"""Maximum size of a file in megabytes, as OpenAI allows."""
REFUSED = (400, 403, 413, 422)
"""HTTP statuses by which a server refuses the content of a request, so that it would refuse it again."""
DIGITS = 20
"""Number of sha256 digits at the end of a custom_id, which may have 64 characters with the longest name."""


class Waiting(Exception):
    """A request without an answer yet; the runner catches it.

    Args:
        key: sha256 of the request.
        body: JSON of the request.
    """

    def __init__(self, key: str, body: Mapping[str, Any]) -> None:
        super().__init__("the batch has no answer to this request yet")
        self.key = key
        self.body = body


class BatchModel:
    """A model whose answers come later, in files; a missing answer raises `Waiting`.

    Args:
        options: Options of the model.
        folder: Folder of the requests and of answers.jsonl, the answers read so far; made when needed.

    Raises:
        UsageError: The options request a stream, or name several servers.
    """

    def __init__(self, options: ModelOptions, folder: Path) -> None:
        if options.stream:
            raise UsageError("--stream is for servers: batch files are not streamed")
        if options.further_urls:
            raise UsageError("batch files go to one provider: give one --base-url, or none")
        self.options = options
        self.folder = folder
        self._opened: AppendOnlyCache | None = None
        self._refused: dict[str, str] = {}

    def settings(self) -> Mapping[str, object]:
        """Return the options and the backend "batch"."""
        return {**self.options.settings(), "backend": "batch"}

    def ask(self, messages: Sequence[Message]) -> ModelAnswer:
        """Return the answer read from a results file; its seconds are 0, because the files lack timings.

        Raises:
            Waiting: No results file had an answer.
            ModelError: The server refused the request, by a results file read before; or its content filter
                left no text of the answer.
            InputError: The stored answer is invalid, or an image has an unknown format.
        """
        key = request_key(self, messages)
        value = self._answers.get(key[:DIGITS])
        if value is None:
            if refusal := self._refused.get(key[:DIGITS]):
                raise self._error(refusal)
            raise Waiting(key, make_request_body(self.options, messages))
        answer = read_answer_record(value, self._answers, cached=False)
        if answer.refusal:
            raise self._error(answer.refusal)
        return answer

    async def ask_async(self, messages: Sequence[Message]) -> ModelAnswer:
        """Return `ask(messages)`, which does not block."""
        return self.ask(messages)

    def read(self, results: Path) -> BatchResults:
        """Read the answers of a results file; see `read_results`.

        Raises:
            InputError: The file cannot be read, or is empty.
            RunError: An answer could not be written (for example, disk full).
        """
        read = read_results(results, self._open_request_ids(), self._answers, model=self.options.model)
        self._refused |= read.refused
        return read

    def write(
        self,
        waiting: Iterable[tuple[str, Waiting]],
        *,
        most_lines: int = MOST_LINES,
        most_mb: float = MOST_MB,
    ) -> tuple[Path, ...]:
        """Write all open requests to requests-001.jsonl and so on, replacing earlier request files.

        Args:
            waiting: Pairs of task id and request; consumed one at a time to save memory.
            most_lines: Maximum number of requests in a file.
            most_mb: Maximum size of a file in megabytes; a single larger request has a file of its own.

        Returns:
            Paths of the files; empty if no request is open.

        Raises:
            RunError: The files could not be written.
        """
        folder = self.folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
            # of a call that was interrupted while it wrote
            for leftover in folder.glob(".requests-*.tmp"):
                leftover.unlink()
            parts = _write_parts(folder, waiting, most_lines, int(most_mb * 1_000_000))
            # only after all new parts are complete, so that an error keeps the old files
            for earlier in request_files(folder):
                earlier.unlink()
            return tuple(part.rename(folder / part.name[1:].removesuffix(".tmp")) for part in parts)
        except OSError as error:
            raise RunError(
                f"requests could not be written, {error.strerror or error}: the same call writes them again",
                file=folder,
            ) from error

    def close(self) -> None:
        """Close answers.jsonl; repeated calls do nothing."""
        if self._opened is not None:
            self._opened.close()
            self._opened = None

    def _error(self, got: str) -> ModelError:
        return ModelError(f"{self.options.model} did not answer: {got}")

    @property
    def _answers(self) -> AppendOnlyCache:
        if self._opened is None:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._opened = AppendOnlyCache(self.folder / "answers.jsonl")
        return self._opened

    def _open_request_ids(self) -> Iterator[str]:
        """Yield the custom_id of each open request, from the request files."""
        for file in request_files(self.folder):
            for _, line in _read_lines(file):
                yield json.loads(line)["custom_id"]


def custom_id(name: str, key: str) -> str:
    """Return the custom_id of a request: the task's name and the beginning of the request's sha256.

    >>> custom_id("30__20250302_090000", "0123456789abcdef0123456789abcdef")
    '30__20250302_090000-0123456789abcdef0123'
    """
    return f"{name}-{key[:DIGITS]}"


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
    """List the request files of a folder, in order."""
    return tuple(sorted(folder.glob("requests-*.jsonl")))


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchResults:
    """Counts of a results file.

    Attributes:
        answers: Number of lines with a new answer.
        repeated: Number of lines with an answer known before; the first one is kept.
        problems: Description of each other line.
        refused: End of the custom_id -> the server's message, of each request that it refused.
    """

    answers: int
    repeated: int
    problems: tuple[str, ...]
    refused: Mapping[str, str]


def read_results(
    file: Path, request_ids: Iterable[str], answers: AppendOnlyCache, *, model: str
) -> BatchResults:
    """Read the answers in a provider's results file and store them.

    Lines may be in any order, and error files have the same format.

    Args:
        file: JSON Lines file.
        request_ids: custom_id of every open request; answered requests are known from `answers`.
        answers: Cache that stores the answers.
        model: Name of the model, for results that give none.

    Raises:
        InputError: The file cannot be read, or is empty.
        RunError: An answer could not be written (for example, disk full).
    """
    is_open = set(request_ids).__contains__
    problems: list[str] = []
    refused: dict[str, str] = {}
    new = repeated = lines = 0
    for number, text in _read_lines(file):
        lines += 1
        try:
            name, answer, refusal = _read_result(text, model)
            # results are untrusted: a file of another run must not add answers
            if not is_open(name) and name[-DIGITS:] not in answers:
                raise ValueError(
                    f"expected the custom_id of a request of this run, got {printable(name, 80)}"
                )
        except ValueError as error:
            problems.append(f"line {number}: {error}")
            continue
        if answer is None:
            problems.append(f"line {number}: the batch failed for {printable(name, 80)}: {refusal}")
            refused[name[-DIGITS:]] = refusal
            continue
        before = len(answers)
        answers.put(name[-DIGITS:], answer_record(answer))
        new += len(answers) > before
        repeated += len(answers) == before
    if not lines:
        raise InputError("the file of results is empty: download it again from the batch API", file=file)
    return BatchResults(answers=new, repeated=repeated, problems=tuple(problems), refused=refused)


def _read_lines(file: Path) -> Iterator[tuple[int, bytes]]:
    try:
        with file.open("rb") as opened:
            for number, line in enumerate(opened, start=1):
                if line.strip():
                    yield number, line
    except OSError as error:
        raise InputError(f"the results cannot be read: {error.strerror or error}", file=file) from error


def _read_result(text: bytes, model: str) -> tuple[str, ModelAnswer | None, str]:
    """Parse custom_id, and the answer or the refusal of a line; a ValueError describes any other line."""
    try:
        result = json.loads(text)
    except (ValueError, RecursionError):
        excerpt = printable(text.decode("utf-8", "replace").strip(), 80)
        raise ValueError(f"expected JSON, got {excerpt}") from None
    name = result.get("custom_id") if isinstance(result, dict) else None
    if not isinstance(name, str):
        raise ValueError(
            "the line has no custom_id, so its request is unknown: give the file as the batch API returned it"
        )
    response = result.get("response")
    # a failed request has no response, or one with another status
    body = response.get("body") if isinstance(response, dict) else None
    status = response.get("status_code", 200) if isinstance(response, dict) else None
    if status != 200 or not isinstance(body, dict) or not body.get("choices"):
        failure = result.get("error") or body or "nothing"
        if status in REFUSED:
            return name, None, f"status {status}: {read_error_text(json.dumps(failure))}"
        raise ValueError(
            f"the batch failed for {printable(name, 80)}: {read_error_text(json.dumps(failure))}"
        )
    return name, read_answer(body, model=model, seconds=0.0, attempts=1), ""
