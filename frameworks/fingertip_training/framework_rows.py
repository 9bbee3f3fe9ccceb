"""Rows of the frameworks, from samples."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from fingertip_models.messages import Message
from fingertip_training.export_order import RowFormat
from fingertip_training.training_sample import TrainingSample

Row = dict[str, Any]

PLACEHOLDER = "<image>"
"""Stands for a picture in a text of LLaMA-Factory and ms-swift."""

RESERVED = (PLACEHOLDER, "<video>", "<audio>")
"""Texts that LLaMA-Factory and ms-swift replace wherever they stand."""

DATASET_INFO = "dataset_info.json"


def row_maker(format: RowFormat, *, with_pictures: bool, as_parts: bool) -> RowMaker:
    """The function that makes a row.

    Args:
        format: Framework.
        with_pictures: Whether rows have a column of pictures; a row without one has an empty list.
        as_parts: TRL: whether the content of a message is a list of parts. Texts alone would put the pictures
            into the first message of the user, wherever they belong.

    Returns:
        Function of a sample and the paths of its pictures, relative to the export.
    """

    def trl(sample: TrainingSample, pictures: Sequence[str]) -> Row:
        prompt = [
            {"role": message.role, "content": _content(message, as_parts=as_parts)}
            for message in sample.messages
        ]
        answers = [
            [
                {
                    "role": "assistant",
                    "content": _content(Message(role="assistant", text=text), as_parts=as_parts),
                }
            ]
            for text in sample.answers
        ]
        names = ("completion",) if sample.rejected is None else ("chosen", "rejected")
        origin = {"episode_id": sample.episode_id, "step": sample.step}
        kind = {"kind": sample.kind} if sample.kind else {}
        written = dict(zip(names, answers, strict=True))
        return {**_pictures(pictures, with_pictures), "prompt": prompt, **written, **origin, **kind}

    def messages(sample: TrainingSample, pictures: Sequence[str]) -> Row:
        rows: list[Row] = [
            {"role": message.role, "content": _mark_pictures(message), **_unlearned(message, format)}
            for message in sample.messages
        ]
        answers = [{"role": "assistant", "content": text} for text in sample.answers]
        shown = _pictures(pictures, with_pictures)
        if sample.rejected is None:
            return {"messages": [*rows, *answers], **shown}
        if format == "llama-factory":
            return {"messages": rows, "chosen": answers[0], "rejected": answers[1], **shown}
        return {"messages": [*rows, answers[0]], "rejected_response": sample.rejected, **shown}

    return trl if format == "trl" else messages


RowMaker = Callable[[TrainingSample, Sequence[str]], Row]


def has_reserved_text(sample: TrainingSample, format: RowFormat) -> bool:
    """Whether a text of the sample has a placeholder that the framework would take for a picture."""
    if format == "trl":
        return False
    texts = (*(message.text for message in sample.messages), *sample.answers)
    return any(word in text for word in RESERVED for text in texts)


def dataset_info(files: Mapping[str, str], *, with_pictures: bool, pairs: bool = False) -> Row:
    """Content of LLaMA-Factory's dataset_info.json.

    Args:
        files: Name of a dataset -> its file.
        with_pictures: Whether rows have a column of pictures.
        pairs: Whether rows are preference pairs.
    """
    names = ("messages", *(("chosen", "rejected") if pairs else ()), *(("images",) if with_pictures else ()))
    columns = {name: name for name in names}
    ranking = {"ranking": True} if pairs else {}
    tags = {
        "role_tag": "role",
        "content_tag": "content",
        "user_tag": "user",
        "assistant_tag": "assistant",
        "system_tag": "system",
    }
    return {
        name: {"file_name": file, "formatting": "sharegpt", **ranking, "columns": columns, "tags": tags}
        for name, file in files.items()
    }


def _content(message: Message, *, as_parts: bool) -> str | list[dict[str, str]]:
    if not as_parts:
        return message.text
    # pictures where our clients send them, and no empty text beside them
    words = [{"type": "text", "text": message.text}] if message.text or not message.images else []
    pictures = [{"type": "image"} for _ in message.images]
    return [*words, *pictures] if message.images_last else [*pictures, *words]


def _unlearned(message: Message, format: RowFormat) -> Row:
    """Mark an earlier answer of a conversation: ms-swift learns every answer of a row that is not marked."""
    return {"loss": False} if format == "ms-swift" and message.role == "assistant" else {}


def _mark_pictures(message: Message) -> str:
    marks = PLACEHOLDER * len(message.images)
    return message.text + marks if message.images_last else marks + message.text


def _pictures(paths: Sequence[str], with_pictures: bool) -> Row:
    return {"images": list(paths)} if with_pictures else {}
