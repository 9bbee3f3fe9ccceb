"""Check an exported folder: the frameworks' own loaders accept rows that cannot be trained on."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fingertip_dataset.errors import DatasetError
from fingertip_training.export_record import ExportedSplit, ExportRecord
from fingertip_training.framework_rows import PLACEHOLDER, Row


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportCheck:
    """What a check found; rows that are wrong are errors.

    Attributes:
        rows: Number of rows of all files.
        pictures: Number of pictures of all rows.
    """

    rows: int
    pictures: int


def check_export(folder: Path) -> ExportCheck:
    """Check every row of an export.

    Each row has a message of the user and ends with an answer that is not empty, has as many placeholders as
    pictures, and each picture is a file; the number of rows is that of the record.

    Args:
        folder: Folder that `fingertip export` wrote.

    Raises:
        DatasetError: The folder is no export, or a row is wrong; the message names file and line.
    """
    record = ExportRecord.read(folder)
    known: set[str] = set()
    rows = pictures = 0
    for split in record.splits:
        count = 0
        for number, row in _rows(folder, split):
            problem = _problem(row, record, folder, known)
            if problem:
                raise DatasetError(f"{problem}: export again", file=folder / split.file, line=number)
            pictures += len(row.get("images", ()))
            count += 1
        if count != split.rows:
            raise DatasetError(
                f"expected {split.rows} rows, got {count}: export again", file=folder / split.file
            )
        rows += count
    return ExportCheck(rows=rows, pictures=pictures)


def _rows(folder: Path, split: ExportedSplit) -> Iterator[tuple[int, Row]]:
    file = folder / split.file
    try:
        with file.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                try:
                    row = json.loads(line)
                except ValueError:
                    row = None
                if not isinstance(row, dict):
                    raise DatasetError("expected a row as JSON: export again", file=file, line=number)
                yield number, row
    except OSError as error:
        raise DatasetError(f"the file cannot be read: {error.strerror or error}", file=file) from None
    except UnicodeDecodeError:
        raise DatasetError("the file is not UTF-8: export again", file=file) from None


def _problem(row: Row, record: ExportRecord, folder: Path, known: set[str]) -> str:
    """What is wrong with a row; "" for nothing."""
    trl = record.format == "trl"
    messages = [*row.get("prompt", ()), *row.get("completion", ())] if trl else row.get("messages", [])
    if not messages or not all(isinstance(one, Mapping) for one in messages):
        return "the row has no messages"
    if messages[-1].get("role") != "assistant" or not _text(messages[-1]).strip():
        return "the row has no answer"
    if trl and len(row["completion"]) != 1:
        return f"expected one answer, got {len(row['completion'])}"
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
