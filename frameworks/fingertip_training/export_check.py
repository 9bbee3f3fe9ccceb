"""Check an exported folder: the frameworks' own loaders accept rows that cannot be trained on."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from fingertip_dataset.errors import DatasetError, MissingExtraError, ModelError
from fingertip_dataset.path_arguments import accept_path_texts
from fingertip_training.export_record import ExportedSplit, ExportRecord
from fingertip_training.framework_rows import PLACEHOLDER, Row


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportCheck:
    """Findings of a check; rows that are wrong are errors.

    Attributes:
        rows: Number of rows of all files.
        pictures: Number of pictures of all rows.
        longest: Tokens of the longest row, without those of its pictures; None without a tokenizer.
        cut: Number of rows that are longer than the maximum.
        unlabelled: Number of rows of which nothing of the answer is within the maximum.
        joined: Number of rows for ms-swift in which messages of one role follow one another. It joins their
            texts, so its prompt is not the one that the model's chat template writes.
    """

    rows: int
    pictures: int
    longest: int | None = None
    cut: int = 0
    unlabelled: int = 0
    joined: int = 0


CountTokens = Callable[[Sequence[Mapping[str, str]]], int]
"""Number of tokens of messages with role and content."""


@accept_path_texts
def check_export(
    folder: Path, *, count_tokens: CountTokens | None = None, max_length: int | None = None
) -> ExportCheck:
    """Check every row of an export.

    Each row has a message of the user and ends with an answer that is not empty, has as many placeholders as
    pictures, and each picture is a file; a pair has two different answers; the number of rows is that of the
    record.

    Args:
        folder: Folder that `fingertip export` wrote.
        count_tokens: From `token_counter`; None to count none.
        max_length: Maximum tokens of a row in training, for the counts of rows beyond it.

    Raises:
        DatasetError: The folder is no export, or a row is wrong; the message names file and line.
    """
    record = ExportRecord.read(folder)
    known: set[str] = set()
    rows = pictures = cut = unlabelled = joined = 0
    longest = None if count_tokens is None else 0
    for split in record.splits:
        count = 0
        for count, row in enumerate(_read_rows(folder, split), start=1):
            problem = _problem(row, record, folder, known)
            if problem:
                raise DatasetError(f"{problem}: export again", file=folder / split.file, line=count)
            pictures += len(row.get("images", ()))
            joined += record.format == "ms-swift" and _has_successive_roles(row)
            if count_tokens is not None:
                tokens, prompt = _count_row(row, count_tokens)
                longest = max(longest or 0, tokens)
                if max_length is not None and tokens > max_length:
                    cut += 1
                    unlabelled += prompt >= max_length
        if count != split.rows:
            raise DatasetError(
                f"expected {split.rows} rows, got {count}: export again", file=folder / split.file
            )
        rows += count
    return ExportCheck(
        rows=rows, pictures=pictures, longest=longest, cut=cut, unlabelled=unlabelled, joined=joined
    )


def _has_successive_roles(row: Row) -> bool:
    return any(one.get("role") == other.get("role") for one, other in pairwise(_messages(row)))


def _count_row(row: Row, count_tokens: CountTokens) -> tuple[int, int]:
    """Tokens of a row, of a pair with its longer answer, and those of its prompt."""
    *prompt, answer = [{"role": one["role"], "content": _text(one)} for one in _messages(row)]
    worse = _find_rejected(row)
    answers = [answer] if worse is None else [answer, {"role": "assistant", "content": worse}]
    return max(count_tokens([*prompt, one]) for one in answers), count_tokens(prompt)


def token_counter(tokenizer: str) -> CountTokens:
    """The function that counts the tokens of messages in a model's chat template.

    Args:
        tokenizer: Folder of a checkpoint, or its name on the Hub.

    Raises:
        MissingExtraError: The package transformers is not installed.
        ModelError: The tokenizer cannot be loaded, or has no chat template.
    """
    try:
        from transformers import AutoTokenizer
    except ImportError:
        raise MissingExtraError("transformers", "embeddings") from None
    try:
        loaded = AutoTokenizer.from_pretrained(tokenizer)
    except (OSError, ValueError) as error:
        raise ModelError(f"the tokenizer {tokenizer} cannot be loaded: {error}") from error
    if not loaded.chat_template:
        raise ModelError(f"the tokenizer {tokenizer} has no chat template")

    def count(messages: Sequence[Mapping[str, str]]) -> int:
        text = loaded.apply_chat_template([dict(message) for message in messages], tokenize=False)
        return len(loaded(text, add_special_tokens=False)["input_ids"])

    return count


def _read_rows(folder: Path, split: ExportedSplit) -> Iterator[Row]:
    file = folder / split.file
    try:
        if file.suffix == ".parquet":
            yield from _read_parquet_rows(file)
            return
        with file.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                try:
                    row = json.loads(line)
                except ValueError:
                    row = None
                if not isinstance(row, dict):
                    raise DatasetError("expected a row as JSON: export again", file=file, line=number)
                yield row
    except OSError as error:
        raise DatasetError(f"the file cannot be read: {error.strerror or error}", file=file) from None
    except UnicodeDecodeError:
        raise DatasetError("the file is not UTF-8: export again", file=file) from None


def _read_parquet_rows(file: Path) -> Iterator[Row]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(file) as parquet:
            for batch in parquet.iter_batches(batch_size=8):
                yield from batch.to_pylist()
    except pa.ArrowException as error:
        raise DatasetError(f"the file is not Parquet: {error}: export again", file=file) from None


def _messages(row: Row) -> list[Any]:
    """Messages of a row with its answer, of a pair the better one."""
    chosen = row.get("chosen") or ()
    answers = [chosen] if isinstance(chosen, Mapping) else [*(row.get("completion") or chosen)]
    return [*(row.get("prompt") or row.get("messages") or ()), *answers]


def _find_rejected(row: Row) -> str | None:
    """Text of the worse answer of a pair; None of a row that is no pair, "" for a broken one."""
    if "rejected_response" in row:
        text = row["rejected_response"]
        return text if isinstance(text, str) else ""
    worse = row.get("rejected")
    if worse is None:
        return None
    message = worse[0] if isinstance(worse, list) and len(worse) == 1 else worse
    return _text(message) if isinstance(message, Mapping) and message.get("role") == "assistant" else ""


def _problem(row: Row, record: ExportRecord, folder: Path, known: set[str]) -> str:
    """Describe the fault of a row; "" for a row without fault."""
    trl = record.format == "trl"
    messages = _messages(row)
    if not messages or not all(isinstance(one, Mapping) for one in messages):
        return "the row has no messages"
    if messages[-1].get("role") != "assistant" or not _text(messages[-1]).strip():
        return "the row has no answer"
    name = "completion" if record.pairs is None else "chosen"
    if trl and len(row.get(name) or ()) != 1:
        return f"expected one message in {name}"
    worse = _find_rejected(row)
    if (worse is None) != (record.pairs is None):
        return (
            "the row has no worse answer" if worse is None else "the row is a pair, and the export has none"
        )
    if worse is not None and worse.strip() in ("", _text(messages[-1]).strip()):
        return "expected two different answers in a pair"
    if not any(one.get("role") == "user" for one in messages):
        return "the row has no message of the user"
    images = row.get("images", [])
    if ("images" in row) != record.with_pictures:
        return "the row has pictures, and the export has none" if images else "the row has no column images"
    wanted = _placeholders(messages, trl=trl)
    if wanted is not None and wanted != len(images):
        return f"expected a placeholder for each picture, got {wanted} for {len(images)} pictures"
    return _missing(images, folder, known)


def _missing(images: list[Any], folder: Path, known: set[str]) -> str:
    for name in images:
        # the pictures of a Parquet file are within it
        if isinstance(name, Mapping) and name.get("bytes"):
            continue
        if name in known:
            continue
        if not isinstance(name, str) or not (folder / name).is_file():
            return f"the picture {name!r} is not there"
        known.add(name)
    return ""


def _placeholders(messages: list[Any], *, trl: bool) -> int | None:
    """Number of placeholders of pictures; None where the framework puts pictures before the first text."""
    if not trl:
        return sum(_text(message).count(PLACEHOLDER) for message in messages)
    contents = [message.get("content") for message in messages]
    if all(isinstance(content, str) for content in contents):
        return None
    return len([part for content in contents for part in content if part.get("type") == "image"])


def _text(message: Mapping[str, Any]) -> str:
    content = message.get("content")
    if isinstance(content, str):
        return content
    return "".join(part.get("text") or "" for part in content or ())
