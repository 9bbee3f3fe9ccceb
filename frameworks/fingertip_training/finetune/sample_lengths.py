"""Tokens of every sample of a vision model before training, from its texts and the sizes of its pictures.

No pixel of a picture is read: a blank one of each size goes through the base's own processor once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from PIL import Image

from fingertip_dataset.errors import DatasetError, InputError
from fingertip_dataset.pictures import read_picture_size
from fingertip_training.finetune.sft_rows import (
    TrainingRows,
    check_sample,
    list_answer_columns,
    read_lines,
)

_PICTURE = [{"role": "user", "content": [{"type": "image"}, {"type": "text", "text": "x"}]}]

OnMeasured = Callable[[int], None]
"""Called with the number of samples measured so far."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleLength:
    """Length of a sample, with its pictures.

    Attributes:
        line: Its line in the file of rows, from 1.
        prompt: Tokens of the prompt.
        answer: Tokens of the answer, of a pair those of the longer one.
    """

    line: int
    prompt: int
    answer: int


def sample_lengths(rows: TrainingRows, processor: Any) -> Iterator[SampleLength]:  # noqa: ANN401
    """Measure the samples as TRL's collator for vision models makes them, in their order.

    Args:
        rows: The rows.
        processor: Processor of a vision model of transformers.

    Raises:
        DatasetError: A picture is missing or no picture.
    """
    from trl.data_utils import apply_chat_template, prepare_multimodal_messages

    count, picture_tokens = _counter(processor), _picture_counter(processor)
    for line, _, row in read_lines(rows.file):
        sizes = [_size(rows, name, line) for name in row.get("images") or []]
        answers = list_answer_columns(rows.pairs)
        texts = apply_chat_template(
            {
                "prompt": prepare_multimodal_messages(row["prompt"], images=sizes),
                **{name: prepare_multimodal_messages(row[name]) for name in answers},
            },
            processor,
        )
        yield SampleLength(
            line=line,
            prompt=count(texts["prompt"]) + sum(map(picture_tokens, sizes)),
            answer=max(count(texts[name]) for name in answers),
        )


def check_lengths(
    rows: TrainingRows,
    processor: Any,  # noqa: ANN401
    *,
    longest: int | None,
    max_length: int | None,
    on_measured: OnMeasured | None = None,
) -> list[int]:
    """Check that every sample is within the model's length, and that a cut leaves a part of its answer.

    Args:
        rows: The rows.
        processor: Processor of a vision model of transformers.
        longest: Maximum tokens of a sequence; None for no limit.
        max_length: Tokens after which a sample is cut; None for no cut.
        on_measured: Called after each sample.

    Returns:
        Lines of the samples, the longest first.

    Raises:
        InputError: A sample is too long, or nothing of its answer is left.
        DatasetError: A picture is missing or no picture.
    """
    found = []
    for length in sample_lengths(rows, processor):
        tokens = length.prompt + length.answer
        kept = tokens if max_length is None else min(tokens, max_length)
        check_sample(kept, kept > length.prompt, longest, file=rows.file, line=length.line)
        found.append((tokens, length.line))
        if on_measured:
            on_measured(len(found))
    return [line for _, line in sorted(found, reverse=True)]


def _counter(processor: Any) -> Callable[[str], int]:  # noqa: ANN401
    tokenizer = processor.tokenizer

    def count(text: str) -> int:
        return len(tokenizer(text, add_special_tokens=False)["input_ids"])

    return count


def _picture_counter(processor: Any) -> Callable[[tuple[int, int]], int]:  # noqa: ANN401
    """Function of width and height of a picture: the tokens that the processor adds to its placeholder."""
    text, count = processor.apply_chat_template(_PICTURE, tokenize=False), _counter(processor)

    @cache
    def tokens(size: tuple[int, int]) -> int:
        made = processor(images=[Image.new("RGB", size)], text=[text], add_special_tokens=False)
        return len(made["input_ids"][0]) - count(text)

    return tokens


def _size(rows: TrainingRows, name: str, line: int) -> tuple[int, int]:
    """Width and height of a picture, px, from its header."""
    try:
        return read_picture_size((rows.file.parent / name).read_bytes())
    except (OSError, InputError) as error:
        what = f"the picture {name} cannot be read: export again"
        raise DatasetError(what, file=rows.file, line=line) from error
