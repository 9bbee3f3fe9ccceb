"""Rows of a TRL export as a `datasets` dataset, and the check of what becomes of them in training.

A row is a prompt with its answer, or with two answers of which the first is preferred.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fingertip_dataset.errors import DatasetError, InputError

if TYPE_CHECKING:
    from datasets import Dataset

TRAIN_ROWS = "train.jsonl"
"""Name of the file of training rows."""

NO_LABEL = -100
"""Label of a token that is not learned."""

LINE = "line"
"""Column of a row's line number in the file, from 1."""

LONGEST_MADE = 8
"""Number of the longest samples that are made before training starts, with their pictures."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingRows:
    """The rows of an export.

    Attributes:
        file: The file.
        sha256: Its SHA-256.
        count: Number of rows.
        pictures: Number of pictures in all rows.
        as_parts: Whether the content of a message is a list of parts.
        pairs: Whether they are preference pairs.
    """

    file: Path
    sha256: str
    count: int
    pictures: int
    as_parts: bool
    pairs: bool = False

    def dataset(self, cache: Path, *, with_images: bool) -> Dataset:
        """Return the rows as a dataset; pictures are opened when a row is read.

        Args:
            cache: Folder for the rows as Arrow files.
            with_images: Whether rows have a column of pictures; a vision model wants one even if it is empty.
        """
        from datasets import Dataset, Features, Image, List, Value

        text = Value("string")
        content: Any = List({"type": text, "text": text}) if self.as_parts else text
        messages = List({"role": text, "content": content})
        columns: dict[str, Any] = {"prompt": messages, LINE: Value("int64")}
        columns |= dict.fromkeys(list_answer_columns(self.pairs), messages)
        if with_images:
            columns["images"] = List(Image())
        made: Dataset = Dataset.from_generator(
            _examples,
            features=Features(columns),
            cache_dir=str(cache),
            gen_kwargs={"file": str(self.file), "sha256": self.sha256, "with_images": with_images},
        )
        return made


def list_answer_columns(pairs: bool) -> tuple[str, ...]:
    """Names of the columns of a row's answers, of a pair the better one first."""
    return ("chosen", "rejected") if pairs else ("completion",)


def read_rows(folder: Path) -> TrainingRows:
    """Read the training rows of an export once, for their checksum and counts.

    Raises:
        DatasetError: There are none, or a row is not as TRL reads it; a picture is missing.
    """
    file = folder / TRAIN_ROWS
    digest, count, pictures, as_parts, pairs = hashlib.sha256(), 0, 0, False, 0
    for number, line, row in read_lines(file):
        digest.update(line)
        count += 1
        images = row.get("images") or []
        pictures += len(images)
        for name in images:
            if not (folder / name).is_file():
                raise DatasetError(
                    f"the picture {name} is missing: export again",
                    file=file,
                    line=number,
                    episode_id=row.get("episode_id"),
                )
        as_parts = as_parts or not isinstance(row["prompt"][0]["content"], str)
        pairs += "rejected" in row
    if not count:
        raise DatasetError("the export has no training row: export more episodes", file=file)
    if pairs not in {0, count}:
        raise DatasetError("some rows are preference pairs and others are not: export again", file=file)
    return TrainingRows(
        file=file,
        sha256=digest.hexdigest(),
        count=count,
        pictures=pictures,
        as_parts=as_parts,
        pairs=pairs > 0,
    )


Collate = Callable[[list[dict[str, Any]]], Any]
"""Makes a batch of tensors of rows."""


class CheckedCollator:
    """Collator of TRL that refuses samples without a label, or longer than the model takes.

    A sample whose answer was cut off has a loss of 0 and no effect, and the training would go on silently.

    Args:
        collate: TRL's collator.
        file: File of the rows, for messages.
        longest: Maximum tokens of a sequence; None for no limit.
    """

    def __init__(self, collate: Collate, file: Path, longest: int | None) -> None:
        self._collate = collate
        self._file = file
        self._longest = longest

    def __call__(self, examples: list[dict[str, Any]]) -> Any:  # noqa: ANN401 - a batch of tensors
        """Make a batch.

        Raises:
            InputError: A sample has no label, or is too long.
        """
        lines = [example[LINE] for example in examples]
        batch = leave_line_out(self._collate)(examples)
        for line, labels, mask in zip(lines, batch["labels"], batch["attention_mask"], strict=True):
            check_sample(
                int(mask.sum()), bool((labels != NO_LABEL).any()), self._longest, file=self._file, line=line
            )
        return batch


def leave_line_out(collate: Collate) -> Collate:
    """Return a collator that does not see the number of a row's line."""
    return lambda examples: collate([{k: v for k, v in one.items() if k != LINE} for one in examples])


def check_sample(tokens: int, has_label: bool, longest: int | None, *, file: Path, line: int) -> None:
    """Check a sample as it goes into the model.

    Raises:
        InputError: It has no label, or is too long.
    """
    if longest is not None and tokens > longest:
        problem = (
            f"has {tokens:,} tokens, the base takes {longest:,}: export with smaller pictures (--max-pixels) "
            "or less history"
        )
        raise _refusal(problem, file, line)
    if not has_label:
        problem = (
            "has no token of its answer left to learn: the setting max_length cuts it off, or the chat "
            "template leaves the answer out"
        )
        raise _refusal(problem, file, line)


def _refusal(problem: str, file: Path, line: int) -> InputError:
    """The error of a sample, with the episode and the step that the row was made of."""
    row = next((row for number, _, row in read_lines(file) if number == line), {})
    step = row.get("step")
    return InputError(
        f"the sample of step {step} {problem}" if step else f"the sample {problem}",
        file=file,
        line=line,
        episode_id=row.get("episode_id"),
    )


def check_prepared(dataset: Dataset, rows: TrainingRows, longest: int | None) -> None:
    """Check all samples of a text model, which TRL has made before training.

    Raises:
        InputError: A sample has no label, or is too long.
    """
    # TRL leaves out samples without a label, and notes it nowhere
    kept = set(dataset[LINE])
    for line in range(1, rows.count + 1):
        if line not in kept:
            check_sample(0, False, longest, file=rows.file, line=line)
    for batch in dataset.select_columns(["labels", LINE]).iter(batch_size=1000):
        for labels, line in zip(batch["labels"], batch[LINE], strict=True):
            has_label = any(label != NO_LABEL for label in labels)
            check_sample(len(labels), has_label, longest, file=rows.file, line=line)


def make_longest(dataset: Dataset, lines: Sequence[int], collate: Collate) -> None:
    """Make the longest samples of a vision model once, so that most failures come before training.

    Args:
        dataset: The rows, in the order of their lines.
        lines: Lines of the samples, the longest first.
        collate: The collator.

    Raises:
        InputError: One has no label, or is too long.
    """
    for line in lines[:LONGEST_MADE]:
        collate([dataset[line - 1]])


def read_lines(file: Path) -> Iterator[tuple[int, bytes, dict[str, Any]]]:
    """Read a file of rows: each line's number from 1, its bytes, and its row.

    Raises:
        DatasetError: The file cannot be read, or a line is not as TRL reads it.
    """
    try:
        with file.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                yield number, line, _row(line, file, number)
    except OSError as error:
        raise DatasetError(
            f"the training rows cannot be read: {error.strerror or error}", file=file
        ) from error


def _row(line: bytes, file: Path, number: int) -> dict[str, Any]:
    try:
        row = json.loads(line)
        whole = isinstance(row, dict) and all(
            isinstance(message["role"], str) and isinstance(message["content"], str | list)
            for part in ("prompt", *list_answer_columns("rejected" in row))
            for message in row[part] or [{}]
        )
    except (ValueError, KeyError, TypeError, UnicodeError):
        whole = False
    if not whole:
        raise DatasetError(
            "expected a row with a prompt and a completion: export again", file=file, line=number
        )
    return dict(row)


def _examples(file: str, sha256: str, with_images: bool) -> Iterator[dict[str, Any]]:
    """Rows for `Dataset.from_generator`, which reuses its files while the arguments are the same."""
    folder = Path(file).parent
    for number, _, row in read_lines(Path(file)):
        images = {"images": [str((folder / name).resolve()) for name in row.get("images") or []]}
        yield {
            "prompt": row["prompt"],
            **{name: row[name] for name in list_answer_columns("rejected" in row)},
            LINE: number,
            **(images if with_images else {}),
        }
