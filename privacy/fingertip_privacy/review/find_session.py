"""The session of finds: each rater confirms, rejects and adds private parts of a release or dataset."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Annotated

from pydantic import Field

from fingertip_dataset.errors import UsageError
from fingertip_dataset.frozen_model import FrozenModel
from fingertip_dataset.pictures import read_picture_size
from fingertip_dataset.times import now
from fingertip_privacy.find_context import FoundPicture, ReviewedData
from fingertip_privacy.find_decisions import (
    ADDED,
    DecisionLine,
    FindDecision,
    FindDecisions,
    Verb,
    adder,
    decisions_of,
    open_decisions,
)
from fingertip_privacy.finds import Find, FindKind, FindPlace, make_find, read_finds
from fingertip_runs.annotation import AnnotationSession, shuffle_place

Pixel = Annotated[int, Field(ge=0, le=100_000)]


class FindAnnotation(FrozenModel):
    """A rater's decision on a find.

    Attributes:
        decision: "confirm" or "reject".
        alike: Whether it also holds for every other find of the session of the same kind and text.
    """

    decision: Verb
    alike: bool = False


class AddedBox(FrozenModel):
    """A box that a rater drew.

    Attributes:
        kind: What it is.
        box: (left, top, right, bottom) in px of the stored screenshot, right and bottom exclusive.
        text: What stands there; "" if the rater wrote nothing.
    """

    kind: FindKind
    box: tuple[Pixel, Pixel, Pixel, Pixel]
    text: str = Field(default="", max_length=500)


def select_finds(
    report: Path, *, kinds: Collection[FindKind] = (), user: str | None = None, sample: int | None = None
) -> tuple[Find, ...]:
    """The finds of a report to look at.

    Args:
        report: The report's folder.
        kinds: Their kinds; empty for all.
        user: Id of the user whose they are; None for all.
        sample: Maximum number; of more, those with the smallest sha256 of their ids, the same on every
            machine. None for all.

    Raises:
        InputError: The finds are missing or broken.
    """
    found = [
        find for find in read_finds(report) if (not kinds or find.kind in kinds) and user in (None, find.user)
    ]
    if sample is None or len(found) <= sample:
        return tuple(found)
    drawn = sorted(found, key=lambda find: hashlib.sha256(find.id.encode()).digest())[:sample]
    ids = {find.id for find in drawn}
    return tuple(find for find in found if find.id in ids)


class FindSession(AnnotationSession[Find, FindAnnotation, DecisionLine]):
    """Finds to look at, and the decisions on them. A context manager.

    The finds of one screen come one after the other; the order of the screens is shuffled by the rater's
    name. A rater sees only their own decisions and additions.

    Args:
        report: The report's folder; decisions.jsonl is written there.
        data: What the report was made from.
        finds: The finds to decide on, and screens of `unfound_screens`.

    Raises:
        UsageError: There is no find.
        FingerTipError: decisions.jsonl cannot be written, is held by another process, or has a broken line.
    """

    def __init__(self, report: Path, data: ReviewedData, finds: Sequence[Find]) -> None:
        if not finds:
            raise UsageError("the report has no such find: there is nothing to review", file=report)
        self._report, self._data = report, data
        self._groups: dict[tuple[str, ...], list[Find]] = {}
        self._alike: dict[tuple[FindKind, str], list[str]] = {}
        for find in finds:
            self._groups.setdefault(_screen(find), []).append(find)
            self._alike.setdefault((find.kind, find.text), []).append(find.id)
        super().__init__([report], open_decisions)
        self._lines: list[DecisionLine] = []
        self._added: dict[tuple[str, str], Find] = {}
        self._begin({find.id: find for group in self._groups.values() for find in sorted(group, key=_place)})

    def order(self, rater: str) -> tuple[str, ...]:
        """All keys: screen by screen, from top to bottom, the screens shuffled by the rater's name."""
        screens = sorted(self._groups, key=lambda screen: shuffle_place(rater, *screen))
        return tuple(find.id for screen in screens for find in sorted(self._groups[screen], key=_place))

    def alike(self, key: str) -> tuple[str, ...]:
        """Keys of the finds of the same kind and text, this one too; only this one if it has no text."""
        find = self[key]
        return tuple(self._alike[find.kind, find.text]) if find.text else (key,)

    def neighbours(self, key: str) -> tuple[Find, ...]:
        """The other finds of the same screen or file, from top to bottom."""
        find = self[key]
        return tuple(one for one in sorted(self._groups[_screen(find)], key=_place) if one.id != key)

    def picture(self, key: str) -> FoundPicture | None:
        """The screenshot of a find's step; None if there is none."""
        with self._lock:
            return self._data.picture(self[key])

    def field_text(self, key: str) -> str | None:
        """The whole text of a find's field; see `ReviewedData.field_text`."""
        with self._lock:
            return self._data.field_text(self[key])

    def decisions(self) -> FindDecisions:
        """All decisions in the file, on any find of the report."""
        with self._lock:
            return decisions_of(self._lines)

    def added(self, key: str, rater: str) -> tuple[Find, ...]:
        """The boxes that the rater has added on the screen of a find, and not taken back."""
        screen = _screen(self[key])
        with self._lock:
            found = tuple(self._added.values())
        return tuple(find for find in found if adder(find) == rater and _screen(find) == screen)

    def add(self, key: str, rater: str, annotation: FindAnnotation) -> None:
        """Appends a decision, and the same for all finds that are alike if it says so; synced to the disk.

        Raises:
            KeyError: There is no find of that key.
            RunError: A line could not be written (for example, disk full).
        """
        with self._lock:
            for one in self.alike(key) if annotation.alike else (key,):
                super().add(one, rater, annotation)
                self._remember(self._labels[one, rater])

    def add_box(self, key: str, rater: str, drawn: AddedBox) -> Find:
        """Appends a find that the rater drew on the screen of another find; it is on the disk then.

        Raises:
            KeyError: There is no find of that key.
            UsageError: The find has no screenshot, or the box is empty or outside of it.
            InputError: The screenshot is no picture.
            RunError: The line could not be written (for example, disk full).
        """
        find, picture = self[key], self.picture(key)
        if picture is None:
            raise UsageError("there is no screenshot to draw on")
        left, top, right, bottom = drawn.box
        width, height = read_picture_size(picture.content)
        if not (left < right <= width and top < bottom <= height):
            raise UsageError(f"expected a box within the screenshot of {width} x {height} px")
        fields = find.model_dump(exclude={"id"}) | drawn.model_dump()
        added = make_find(
            **fields
            | {
                "place": FindPlace.SCREENSHOT,
                "file": picture.file,
                "field": "",
                "start": None,
                "end": None,
                "confidence": 1.0,
                "why": f"{ADDED}{rater}",
            }
        )
        self._append(added)
        return added

    def take_back(self, find: str, rater: str) -> None:
        """Rejects a box that the rater has added.

        Raises:
            KeyError: The rater has added no such box.
            RunError: The line could not be written (for example, disk full).
        """
        with self._lock:
            if (find, rater) not in self._added:
                raise KeyError(find)
        at = now().isoformat(timespec="milliseconds")
        self._append(FindDecision(find=find, decision="reject", rater=rater, time=at))

    def _append(self, line: DecisionLine) -> None:
        with self._lock:
            self._logs[self._report].append(line)
            self._remember(line)

    def _remember(self, line: DecisionLine) -> None:
        self._lines.append(line)
        if isinstance(line, Find):
            self._added[line.id, adder(line)] = line
        elif line.decision == "reject":
            # a box that is taken back can be drawn again
            self._added.pop((line.find, line.rater), None)

    def _folders(self, item: Find) -> Sequence[Path]:
        return (self._report,)

    def _record(self, key: str, rater: str, annotation: FindAnnotation, at: datetime) -> FindDecision:
        return FindDecision(
            find=key, decision=annotation.decision, rater=rater, time=at.isoformat(timespec="milliseconds")
        )

    def _find_labelled(self, folder: Path, label: DecisionLine) -> tuple[str, str] | None:
        if isinstance(label, Find) or label.find not in self._items:
            return None
        return label.find, label.rater

    def _identity(self, key: str) -> tuple[str, ...]:
        return (key,)

    def _earlier_lines(self) -> Iterator[tuple[Path, DecisionLine]]:
        for folder, line in super()._earlier_lines():
            self._remember(line)
            yield folder, line


def _screen(find: Find) -> tuple[str, ...]:
    """Key of the finds that are shown together: those of a step, else those of a file."""
    if find.episode is None or find.step is None:
        return "", find.file, find.episode or ""
    return find.episode, str(find.step)


def _place(find: Find) -> tuple[int, int, int, str, int]:
    """Sort key on a screen: boxes from top to bottom, then texts."""
    left, top, _, _ = find.box or (0, 0, 0, 0)
    return find.box is None, top, left, find.field, find.start or 0
