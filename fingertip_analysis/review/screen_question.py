"""Questions about the last screens of an attempt: pictures, and data that cannot speak to the judge.

Whatever a person or an agent wrote or typed stands in escaped strings of one JSON object, cut if it is long,
and an answer must repeat a code that is a hash of all of it and of the pictures. This is the form of the
question whether two intents are the same (`fingertip_metrics.judges.prompt`).
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fingertip_dataset.errors import InputError
from fingertip_dataset.pictures import write_jpeg
from fingertip_dataset.screen_decoder import open_within
from fingertip_metrics.judges.prompt import derive_data_code, write_block
from fingertip_models.messages import Language, Message

SCREENS = 4
"""Number of last screens sent, including the one at the end."""

LONG_SIDE = 1024
"""Longer side of a picture that is sent, px."""

LONGEST_TEXT = 500
"""Number of characters of a text that are sent; the rest is counted."""

FIRST_ACTIONS, LAST_ACTIONS = 20, 80
"""Numbers of actions sent from the beginning and the end of a longer attempt."""

_CAPTIONS: Mapping[Language, tuple[str, str]] = {
    "zh": ("第 {} 个动作之前", "结束时"),
    "en": ("before action {}", "at the end"),
}

_CUT: Mapping[Language, tuple[str, str, str]] = {
    "zh": ("意图或应用", "第 {} 个动作", "{}：后面 {} 个字符没有列出"),
    "en": ("task or app", "action {}", "{}: {} more characters are left out"),
}

_LEFT_OUT: Mapping[Language, str] = {
    "zh": "第 {} 到第 {} 个动作没有列出",
    "en": "actions {} to {} are left out",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenQuestion:
    """Messages to a judge that looks at screens, and the code that its answer must repeat."""

    messages: tuple[Message, ...]
    code: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownAction:
    """An action as a judge gets it.

    Attributes:
        fields: Entry of the column `actions` (`list_action_fields`).
        shares: Its place, as shares of the screen's width and height by "x" and "y"; empty if it has none.
        note: A remark of ours; "" for none.
    """

    fields: Mapping[str, object]
    shares: Mapping[str, float]
    note: str = ""


def write_screen_question(
    prompt: str,
    *,
    task: str,
    app: str,
    actions: Sequence[ShownAction],
    screens: Sequence[tuple[str, bytes]],
    language: Language,
) -> ScreenQuestion:
    """Write the question about the last screens of an attempt.

    Labels that an agent or a recording gives to what is tapped are left out.

    Args:
        prompt: Text of the system message.
        task: The person's intent.
        app: Its app.
        actions: All actions, in order; of more than 100 the first 20 and the last 80 are sent.
        screens: Caption and JPEG of each picture, oldest first.
        language: Language of our own words in the data.
    """
    cuts: list[str] = []
    place, numbered, cut = _CUT[language]
    shown: list[Mapping[str, object]] = []

    def bound(text: str, where: str) -> str:
        if len(text) > LONGEST_TEXT:
            cuts.append(cut.format(where, len(text) - LONGEST_TEXT))
        return text[:LONGEST_TEXT]

    data: dict[str, object] = {"task": bound(task, place), "app": bound(app, place)}
    for number, action in _pick_ends(actions):
        where = numbered.format(number)
        entry = {name: action.fields.get(name) for name in ("direction", "text", "answer")}
        texts = {name: bound(str(value), where) for name, value in entry.items() if value is not None}
        note = {"note": action.note} if action.note else {}
        kind = bound(str(action.fields["type"]), where)
        shown.append({"number": number, "action": kind, **action.shares, **texts, **note})
    if len(shown) < len(actions):
        cuts.append(_LEFT_OUT[language].format(FIRST_ACTIONS + 1, len(actions) - LAST_ACTIONS))
    data |= {"actions": shown, "pictures": [caption for caption, _ in screens]}
    if cuts:
        data["left_out"] = cuts
    pictures = tuple(picture for _, picture in screens)
    hashes = [hashlib.sha256(picture).hexdigest() for picture in pictures]
    code = derive_data_code("fingertip screens", prompt, data, hashes)
    return ScreenQuestion(
        messages=(
            Message(role="system", text=prompt),
            Message(role="user", text=write_block({"code": code, **data}), images=pictures),
        ),
        code=code,
    )


def caption_screen(number: int | None, language: Language) -> str:
    """Say for a judge which screen a picture shows.

    Args:
        number: Number from 1 of the action that it stood before; None for the screen at the end.
        language: Language of the caption.

    >>> caption_screen(3, "en"), caption_screen(None, "zh")
    ('before action 3', '结束时')
    """
    before, last = _CAPTIONS[language]
    return last if number is None else before.format(number)


def measure_shares(fields: Mapping[str, object], size: tuple[int, int]) -> dict[str, float]:
    """Measure the place of an action as shares of the screen's width and height, within it.

    >>> measure_shares({"x": 50.0, "y": 9999.0}, (100, 400))
    {'x': 0.5, 'y': 1.0}
    """
    return {
        axis: round(min(max(value / length, 0.0), 1.0), 3)
        for axis, length in zip("xy", size, strict=True)
        if isinstance(value := fields.get(axis), float) and math.isfinite(value) and length > 0
    }


def shrink_picture(content: bytes) -> bytes | None:
    """Return a screen as a small JPEG for a model; None if it is not readable."""
    try:
        return write_jpeg(open_within(content, LONG_SIDE))
    except InputError:
        return None


def _pick_ends(actions: Sequence[ShownAction]) -> list[tuple[int, ShownAction]]:
    """The actions that are sent, each with its number from 1."""
    numbered = list(enumerate(actions, start=1))
    if len(numbered) <= FIRST_ACTIONS + LAST_ACTIONS:
        return numbered
    return numbered[:FIRST_ACTIONS] + numbered[-LAST_ACTIONS:]
