"""The file of inferred intents: a line about how they were inferred, then a line per episode."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal

from pydantic import BaseModel, Field

from fingertip_dataset.errors import RunError, UsageError
from fingertip_dataset.frozen_model import FrozenModel, OmitDefaults
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_runs.line_log import LineLog, ReadLine, read_lines, validate_json

InferenceOutcome = Literal["answered", "nothing", "cut", "unreadable", "failed"]
"""What became of an episode: an intent; nothing to summarise; an answer that the token limit cut, or that is
not what was asked for; a query that failed. Only the first has an intent."""


class InferenceSource(FrozenModel):
    """First line: how the intents were inferred.

    Attributes:
        data_sha256: Hash of the dataset of the episodes.
        method: "rule" or the model's name, with the version of the rule or of the prompt.
        settings: All that the texts depend on besides the episodes.
    """

    kind: Literal["source"] = "source"
    version: Literal[1] = 1
    data_sha256: str
    method: str
    settings: dict[str, Any]


ANSWERS = ".answers"
"""Ending of the folder beside the file that keeps a model's answers, a judge's, and requests of a batch."""


class InferredIntent(OmitDefaults):
    """The intent inferred for one episode.

    Attributes:
        episode_id: The episode.
        text: The intent; "" without one.
        outcome: What became of the episode.
        output: The model's answer, verbatim; "" for a rule.
        reason: Why a query failed; "" otherwise.
        prompt_tokens: Tokens of the prompt; None if not reported.
        completion_tokens: Tokens of the answer; None if not reported.
        seconds: Seconds until the answer.
    """

    OMIT_DEFAULTS: ClassVar[frozenset[str]] = frozenset(
        {"output", "reason", "prompt_tokens", "completion_tokens", "seconds"}
    )

    kind: Literal["intent"] = "intent"
    episode_id: str = Field(min_length=1)
    text: str
    outcome: InferenceOutcome
    output: str = ""
    reason: str = ""
    prompt_tokens: int | None = Field(default=0, ge=0)
    completion_tokens: int | None = Field(default=0, ge=0)
    seconds: float = Field(default=0.0, ge=0)


InferredLine = InferenceSource | InferredIntent


class InferredHistory(FrozenModel):
    """In run.json of track 1: that earlier intents are inferred ones, and which.

    Attributes:
        file: Absolute path of the file; "" in a bundle.
        sha256: SHA-256 of its content.
        method: As in `InferenceSource`.
        episodes: Number of episodes in the file.
        without: Number of them without an intent; they are left out of every history.
    """

    file: str
    sha256: str
    method: str
    episodes: int = Field(ge=0)
    without: int = Field(ge=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class InferredIntents:
    """A file of inferred intents.

    Attributes:
        file: The file.
        sha256: SHA-256 of its content.
        source: How they were inferred.
        intents: Episode id -> its last line.
    """

    file: Path
    sha256: str
    source: InferenceSource
    intents: Mapping[str, InferredIntent]

    @property
    def history(self) -> InferredHistory:
        """The record of a run that shows them."""
        return InferredHistory(
            file=str(self.file.absolute()),
            sha256=self.sha256,
            method=self.source.method,
            episodes=len(self.intents),
            without=sum(not one.text for one in self.intents.values()),
        )


def read_inferred(file: Path, built: BuiltDataset) -> InferredIntents:
    """Reads a file of inferred intents of a dataset.

    Raises:
        UsageError: There is no such file, it has no first line, or it is of another dataset.
        RunError: A line is broken.
    """
    if not file.is_file():
        raise UsageError("there is no such file: `fingertip infer-intents` writes one", file=file)
    source, intents = split_lines(read_lines(file, read_inferred_line()), file)
    if source.data_sha256 != built.manifest.data_sha256:
        raise UsageError(f"the intents were inferred from another dataset than {built.path}", file=file)
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    return InferredIntents(file=file, sha256=digest, source=source, intents=intents)


def reread_inferred(record: InferredHistory, built: BuiltDataset) -> InferredIntents:
    """Reads the file of a run's record again.

    Raises:
        UsageError: It is gone, of another dataset, or has changed since the run began.
        RunError: A line is broken.
    """
    found = read_inferred(Path(record.file), built)
    if found.sha256 != record.sha256:
        raise UsageError(
            "the file of inferred intents has changed since the run began: give it as it was, or "
            "another --out",
            file=Path(record.file),
        )
    return found


def split_lines(
    lines: tuple[InferredLine, ...], file: Path
) -> tuple[InferenceSource, dict[str, InferredIntent]]:
    """The first line, and the last line of each episode.

    Raises:
        UsageError: The first line does not say how the intents were inferred.
    """
    if not lines or not isinstance(lines[0], InferenceSource):
        raise UsageError(
            "the file does not begin with how the intents were inferred: `fingertip infer-intents` "
            "writes one",
            file=file,
        )
    return lines[0], {line.episode_id: line for line in lines if isinstance(line, InferredIntent)}


def open_inferred(file: Path, source: InferenceSource) -> LineLog[InferredLine]:
    """The file, open to append, with `source` as its first line.

    A file without any intent, as a refused call leaves it, begins anew, unless it waits for a batch.

    Raises:
        UsageError: The file holds intents that were inferred otherwise.
        RunError: It cannot be written, another process holds it, or a line is broken.
    """
    log: LineLog[InferredLine] = LineLog(file, read_inferred_line())
    try:
        if log.lines[:1] != (source,) and not _holds_intents(log.lines) and not _waits(file):
            log.clear()
        if not log.lines:
            log.append(source)
            log.lines = (source,)
        earlier, _ = split_lines(log.lines, file)
        if earlier != source:
            raise UsageError(
                f"the file holds intents inferred by {earlier.method}"
                f"{'' if earlier.method != source.method else ' of other data or settings'}, not by "
                f"{source.method} of this call: another method needs another --out",
                file=file,
            )
    except BaseException:
        log.close()
        raise
    return log


def _holds_intents(lines: tuple[InferredLine, ...]) -> bool:
    return any(isinstance(line, InferredIntent) and line.outcome != "failed" for line in lines)


def _waits(file: Path) -> bool:
    from fingertip_models.batch_files import request_files

    return bool(request_files(file.with_name(file.name + ANSWERS)))


class _InferredKind(BaseModel):
    kind: Literal["source", "intent"]


def read_inferred_line() -> ReadLine[InferredLine]:
    """A parser of the file's lines; it refuses a second line about how they were inferred."""
    lines = 0

    def read(text: bytes, file: Path, line: int) -> InferredLine:
        nonlocal lines
        lines += 1
        if validate_json(_InferredKind, text, file, line).kind == "intent":
            return validate_json(InferredIntent, text, file, line)
        if lines > 1:
            raise RunError("the line on how the intents were inferred stands twice", file=file, line=line)
        return validate_json(InferenceSource, text, file, line)

    return read
