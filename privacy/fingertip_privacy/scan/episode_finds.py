"""Second half of a scan: private parts of a group of episodes, with the roster of each person."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from fingertip_privacy.finds import Find, FindKind, FindPlace, make_find, private_file
from fingertip_privacy.recognisers.recognise import recognise, resolve
from fingertip_privacy.recognisers.recognised_span import RecognisedSpan, TextInput
from fingertip_privacy.scan.roster import Roster
from fingertip_privacy.scan.scan_inputs import EpisodeContent, read_unit
from fingertip_privacy.scan.scan_settings import ScanSettings
from fingertip_privacy.scan.scanned_texts import Box, TextField
from fingertip_privacy.scan.screen_readings import (
    EpisodeReading,
    ScanJob,
    ScreenReading,
    input_of,
    line_inputs,
    package_of,
    read_stored_readings,
)
from fingertip_privacy.scan.screen_text import ScreenLine, find_wrapped_pairs, part_box, simplified

_ALIKE = 78.0
"""Least similarity of a value in a tree and what OCR read of it, from 0 to 100."""

_SHORT, _ALIKE_IF_SHORT = 4, 50.0
"""Most characters of a short value, and the least similarity of one."""

_LEAST_PART = 3
"""Least number of characters of a value that a line has to show."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FindJob:
    """A group whose screens were read, with the names of its people.

    Attributes:
        scan: The group.
        names: User -> names of the person's roster.
    """

    scan: ScanJob
    names: Mapping[str, tuple[str, ...]]


def find_in_group(job: FindJob, folder: Path) -> str:
    """Find the private parts of a group and write them; returns the name of the file.

    Args:
        job: The group, whose readings are in the folder.
        folder: Folder of the files.

    Raises:
        DatasetError: A shard cannot be read.
        InputError: The readings are broken.
        OSError: The file could not be written (for example, disk full).
    """
    scan = job.scan
    rosters = {user: Roster.of(names) for user, names in job.names.items()}
    readings = read_stored_readings(folder / scan.readings_file)
    contents = (content for unit in scan.units for content in read_unit(scan.root, unit, pictures=False))
    with private_file(folder / scan.finds_file) as stream:
        for content, reading in zip(contents, readings, strict=True):
            roster = rosters.get(content.user, Roster.of(()))
            # two rules may find the same place in pixels
            found = {find.id: find for find in find_in_episode(content, reading, roster, scan.settings)}
            for find in found.values():
                stream.write(f"{find.model_dump_json()}\n".encode())
    return scan.finds_file


def find_in_episode(
    content: EpisodeContent, reading: EpisodeReading, roster: Roster, settings: ScanSettings
) -> Iterator[Find]:
    """Yield the finds of an episode: texts first, then screens."""
    for text in content.texts:
        yield from find_in_text(text, roster, settings, app=content.app)
    read = {(screen.step, screen.file): screen for screen in reading.screens}
    for screen in content.screens:
        in_tree = [find for text in screen.texts for find in find_in_text(text, roster, settings)]
        yield from in_tree
        shown = read.get((screen.step, screen.file))
        if shown is not None:
            package = package_of(screen, content)
            yield from _find_on_screen(shown, content, package, in_tree, roster, settings)


def find_in_text(text: TextField, roster: Roster, settings: ScanSettings, *, app: str = "") -> Iterator[Find]:
    """Yield the finds of one text."""
    for span in _spans(input_of(text, app), roster, settings):
        yield make_find(
            kind=span.kind,
            user=text.user,
            episode=text.episode,
            step=text.step,
            place=text.place,
            file=text.file,
            field=text.field,
            start=span.start,
            end=span.end,
            box=text.box,
            text=text.text[span.start : span.end],
            confidence=span.confidence,
            why=_why(span, settings),
        )


def _why(span: RecognisedSpan, settings: ScanSettings, read_by: str = "") -> str:
    return f"{span.rule} (rules {settings.rules}{f', text by {read_by}' if read_by else ''})"


def _spans(given: TextInput, roster: Roster, settings: ScanSettings) -> list[RecognisedSpan]:
    found = list(_recognised(given, settings.kinds))
    if FindKind.NAME in settings.kinds:
        found = resolve([*found, *roster.find(given)])
    return [span for span in found if span.confidence >= settings.least_confidence]


@lru_cache(maxsize=1 << 15)
def _recognised(given: TextInput, kinds: tuple[FindKind, ...]) -> tuple[RecognisedSpan, ...]:
    """Cached, because equal texts are shown again and again: half of a recording's are."""
    return tuple(recognise(given, kinds))


@dataclass(frozen=True, slots=True)
class _PixelSpan:
    """A span of a line of a screenshot."""

    line: ScreenLine
    start: int
    end: int
    span: RecognisedSpan
    text: str

    @property
    def box(self) -> Box:
        return part_box(self.line, self.start, self.end)


def _find_on_screen(
    shown: ScreenReading,
    content: EpisodeContent,
    package: str,
    in_tree: Sequence[Find],
    roster: Roster,
    settings: ScanSettings,
) -> Iterator[Find]:
    lines = shown.screen_lines()
    spans = _find_line_spans(lines, package, roster, settings)
    spans += _find_tree_spans(lines, in_tree, spans)
    reader = f"faster-paddle {settings.ocr}"
    for one in spans:
        confidence = round(one.span.confidence * (0.5 + one.line.confidence / 2), 3)
        yield _pixel_find(
            shown, content, one.span.kind, one.box, one.text, confidence, _why(one.span, settings, reader)
        )
    for part in shown.parts:
        if part.confidence >= settings.least_confidence:
            yield _pixel_find(shown, content, part.kind, part.box, part.text, part.confidence, part.why)


def _pixel_find(
    shown: ScreenReading,
    content: EpisodeContent,
    kind: FindKind,
    box: Box,
    text: str,
    confidence: float,
    why: str,
) -> Find:
    return make_find(
        kind=kind,
        user=content.user,
        episode=content.episode,
        step=shown.step,
        place=FindPlace.SCREENSHOT,
        file=shown.file,
        field="",
        start=None,
        end=None,
        box=box,
        text=text,
        confidence=confidence,
        why=why,
    )


def _find_line_spans(
    lines: Sequence[ScreenLine], package: str, roster: Roster, settings: ScanSettings
) -> list[_PixelSpan]:
    """Spans of single lines, and of values that go on in the next line."""
    found: list[_PixelSpan] = []
    inputs = line_inputs(lines, package)
    for line, given in zip(lines, inputs, strict=True):
        for span in _spans(given, roster, settings):
            found.append(_PixelSpan(line, span.start, span.end, span, line.text[span.start : span.end]))
    labels = dict(zip(lines, inputs, strict=True))
    for upper, lower in find_wrapped_pairs(lines):
        edge, text = len(upper.text), simplified(upper.text + lower.text)
        for span in _spans(
            TextInput(text=text, label=labels[upper].label, package=package, is_line=False), roster, settings
        ):
            # a value that ends with the upper line is whole, unless it is an address
            ended = span.kind is not FindKind.ADDRESS and any(
                one.line is upper and one.span.kind is span.kind and one.end == edge for one in found
            )
            if not ended and span.start < edge < span.end:
                whole = text[span.start : span.end]
                found.append(_PixelSpan(upper, span.start, edge, span, whole))
                found.append(_PixelSpan(lower, 0, span.end - edge, span, whole))
    return _without_parts(found)


def _without_parts(found: Sequence[_PixelSpan]) -> list[_PixelSpan]:
    """Leave out spans within a larger one of their kind in the same line."""
    return [
        one
        for at, one in enumerate(found)
        if not any(
            other.line is one.line
            and other.span.kind is one.span.kind
            and other.start <= one.start
            and one.end <= other.end
            and (other.end - other.start > one.end - one.start or place < at)
            for place, other in enumerate(found)
            if place != at
        )
    ]


def _find_tree_spans(
    lines: Sequence[ScreenLine], in_tree: Sequence[Find], known: Sequence[_PixelSpan]
) -> list[_PixelSpan]:
    """Spans of values that the tree has and OCR read with errors, or in a line without its label."""
    from rapidfuzz import fuzz

    found: list[_PixelSpan] = []
    for find in in_tree:
        if find.box is None:
            continue
        for line in lines:
            if (
                len(line.text) < 2
                or not _inside(line.box, find.box)
                or _is_known(line, find, (*known, *found))
            ):
                continue
            short = len(find.text) <= _SHORT
            least = _ALIKE_IF_SHORT if short else _ALIKE
            aligned = fuzz.partial_ratio_alignment(find.text, simplified(line.text), score_cutoff=least)
            if aligned is None or aligned.dest_end - aligned.dest_start < min(_LEAST_PART, len(find.text)):
                continue
            # of few characters one may be wrong, but they stand where the node has them
            if short and aligned.score < _ALIKE and abs(aligned.dest_start - (find.start or 0)) > 1:
                continue
            span = RecognisedSpan(
                kind=find.kind,
                start=aligned.dest_start,
                end=aligned.dest_end,
                confidence=round(find.confidence * aligned.score / 100, 3),
                rule="value of the tree at this place",
            )
            text = line.text[span.start : span.end]
            found.append(_PixelSpan(line, span.start, span.end, span, text))
    return found


def _is_known(line: ScreenLine, find: Find, known: Sequence[_PixelSpan]) -> bool:
    return any(
        one.line is line and one.span.kind is find.kind and simplified(one.text) in find.text for one in known
    )


def _inside(line: Box, node: Box) -> bool:
    """Whether the middle of a line is within the bounds of a node."""
    x, y = (line[0] + line[2]) // 2, (line[1] + line[3]) // 2
    middle = (node[0] + node[2]) // 2
    return (node[0] <= x < node[2] or line[0] <= middle < line[2]) and node[1] <= y < node[3]
