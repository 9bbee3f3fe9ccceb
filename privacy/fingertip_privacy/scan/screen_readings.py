"""First half of a scan: the screens of a group of episodes are read, and names are collected for the rosters.

What was read is kept in a file for each group, which is private as the data are, until the scan is complete.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from fingertip_dataset.errors import InputError
from fingertip_dataset.frozen_model import FrozenModel
from fingertip_dataset.pictures import open_screenshot
from fingertip_dataset.plain_pictures import write_plain
from fingertip_dataset.release.screens.images import read_image_header
from fingertip_dataset.screen_decoder import open_grey, open_reduced
from fingertip_privacy.finds import FindKind, FindPlace, ScanProblem, private_file
from fingertip_privacy.recognisers.recognised_span import TextInput
from fingertip_privacy.scan.face_boxes import MODEL as FACE_MODEL
from fingertip_privacy.scan.face_boxes import SHORT_SIDE, find_faces
from fingertip_privacy.scan.qr_codes import find_codes
from fingertip_privacy.scan.roster import find_roster_names
from fingertip_privacy.scan.scan_inputs import ContentKind, EpisodeContent, ScreenContent, Unit, read_unit
from fingertip_privacy.scan.scan_settings import ScanSettings
from fingertip_privacy.scan.scanned_texts import Box, TextField
from fingertip_privacy.scan.screen_text import ScreenLine, label_of, read_lines, simplified

if TYPE_CHECKING:
    from PIL import Image

ON_SCREEN = frozenset({FindPlace.TREE, FindPlace.ACTION})
"""Places whose texts are lines and labels of a screen, not sentences."""

_JPEG = b"\xff\xd8"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanJob:
    """A group of episodes to scan in any process.

    Attributes:
        root: Folder of the release or dataset.
        name: Name of the group's files.
        fingerprint: Fingerprint of data and settings.
        units: Its episodes.
        settings: Settings of the scan.
    """

    root: Path
    name: str
    fingerprint: str
    units: tuple[Unit, ...]
    settings: ScanSettings

    @property
    def readings_file(self) -> str:
        """Name of the file of what was read."""
        return f"{self.name}.{self.fingerprint[:16]}.readings"

    @property
    def finds_file(self) -> str:
        """Name of the file of the group's finds."""
        return f"{self.name}.{self.fingerprint[:16]}.finds"


class PixelPart(FrozenModel):
    """A face or a code in a screenshot."""

    kind: FindKind
    box: Box
    text: str
    confidence: float
    why: str


class ScreenReading(FrozenModel):
    """Lines and codes that were read in a screenshot.

    Attributes:
        step: Index of the step; None for a screen of no step.
        file: Path of the screenshot, or of the shard.
        lines: Text, box and confidence of each line.
        parts: Faces and codes.
    """

    step: int | None
    file: str
    lines: tuple[tuple[str, Box, float], ...]
    parts: tuple[PixelPart, ...]

    def screen_lines(self) -> tuple[ScreenLine, ...]:
        """The lines as records."""
        return tuple(ScreenLine(text=text, box=box, confidence=score) for text, box, score in self.lines)


class EpisodeReading(FrozenModel):
    """Line of a group's file: the readings of an episode.

    Attributes:
        names: Name -> number of pages that show it as that of a person.
        screenshots: Number of screenshots that were read.
        trees: Number of trees that were read.
        problems: What could not be read.
        kind: Whether it is of an episode, a moment or neither.
    """

    user: str
    episode: str
    screens: tuple[ScreenReading, ...]
    names: dict[str, int]
    screenshots: int
    trees: int
    problems: tuple[ScanProblem, ...]
    kind: ContentKind = "episode"


def read_group(job: ScanJob, folder: Path) -> str:
    """Read the screens of a group, unless that is done; returns the name of its file.

    Args:
        job: The group.
        folder: Folder of the files.

    Raises:
        MissingExtraError: A package of the extra is not installed.
        DatasetError: A shard cannot be read.
        OSError: The file could not be written (for example, disk full).
    """
    file = folder / job.readings_file
    if not file.exists():
        with private_file(file) as stream:
            for unit in job.units:
                for content in read_unit(job.root, unit, pictures=job.settings.reads_pictures):
                    reading = _read_episode(content, job.settings)
                    stream.write(f"{reading.model_dump_json()}\n".encode())
    return file.name


def read_stored_readings(file: Path) -> Iterator[EpisodeReading]:
    """Yield the readings of a group's file.

    Raises:
        InputError: The file is broken.
    """
    with file.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            try:
                yield EpisodeReading.model_validate_json(line)
            except ValidationError:
                raise InputError(
                    "expected what a scan has read: delete the file", file=file, line=number
                ) from None


def _read_episode(content: EpisodeContent, settings: ScanSettings) -> EpisodeReading:
    screens: list[ScreenReading] = []
    names: Counter[str] = Counter()
    problems = list(content.problems)
    for screen in content.screens:
        names += find_roster_names(inputs_of(screen.texts))
        if screen.screenshot is None:
            continue
        try:
            reading = _read_screen(screen, screen.screenshot, settings)
        except InputError as error:
            detail = f"the screenshot was not scanned: {error.message}"
            problems.append(ScanProblem(detail=detail, file=screen.file, episode=content.episode))
            continue
        screens.append(reading)
        names += find_roster_names(line_inputs(reading.screen_lines(), package_of(screen, content)))
    for text in content.texts:
        if text.place is not FindPlace.INDEX:
            names += find_roster_names([input_of(text)])
    return EpisodeReading(
        user=content.user,
        episode=content.episode,
        screens=tuple(screens),
        names=dict(names),
        screenshots=len(screens),
        trees=sum(screen.has_tree for screen in content.screens),
        problems=tuple(problems),
        kind=content.kind,
    )


def _read_screen(screen: ScreenContent, data: bytes, settings: ScanSettings) -> ScreenReading:
    lines, parts = _read_pixels(data, settings)
    return ScreenReading(step=screen.step, file=screen.file, lines=lines, parts=parts)


# a screen often comes back within an episode, and OCR takes most of a scan
@lru_cache(maxsize=64)
def _read_pixels(
    data: bytes, settings: ScanSettings
) -> tuple[tuple[tuple[str, Box, float], ...], tuple[PixelPart, ...]]:
    """Text, box and confidence of each line of a screenshot, and its faces and codes."""
    read_image_header(data)
    grey, small, size = _open_views(data, with_faces=FindKind.FACE in settings.kinds)
    parts: list[PixelPart] = []
    if small is not None:
        parts += (
            PixelPart(kind=FindKind.FACE, box=box, text="", confidence=score, why=FACE_MODEL)
            for box, score in find_faces(small, size)
        )
    if FindKind.QR_CODE in settings.kinds:
        parts += (
            PixelPart(kind=FindKind.QR_CODE, box=box, text=text, confidence=0.99, why="zxing-cpp")
            for box, text in find_codes(grey)
        )
    # the OCR decodes the picture itself, in full
    lines = read_lines(write_plain(data), settings.ocr) if settings.ocr != "none" else ()
    return tuple((line.text, line.box, line.confidence) for line in lines), tuple(parts)


def _open_views(data: bytes, *, with_faces: bool) -> tuple[Image.Image, Image.Image | None, tuple[int, int]]:
    """The grey pixels of a screenshot, its colours as large as faces need them if they are wanted, its size.

    A JPEG gives each of them without decoding all of its colours; of other pictures all pixels are decoded.
    """
    try:
        if data.startswith(_JPEG) or not with_faces:
            grey = open_grey(data)
            return grey, open_reduced(data, SHORT_SIDE) if with_faces else None, grey.size
        image = open_screenshot(data)
        return image.convert("L"), image, image.size
    except InputError as error:
        reason = " ".join(str(error.__cause__).split())[:200]
        raise InputError(f"it cannot be decoded: {reason}") from None


def package_of(screen: ScreenContent, content: EpisodeContent) -> str:
    """Package of the app on a screen: the most frequent one in its tree, else the episode's."""
    packages = Counter(text.package for text in screen.texts if text.package)
    return packages.most_common(1)[0][0] if packages else content.app


def input_of(text: TextField, app: str = "") -> TextInput:
    """A text as the recognisers read it."""
    return TextInput(
        text=text.text,
        label=text.label,
        package=text.package or app,
        is_line=text.place in ON_SCREEN,
        is_technical=text.is_technical,
    )


def inputs_of(texts: Sequence[TextField]) -> list[TextInput]:
    """The texts of a tree as the recognisers read them."""
    return [input_of(text) for text in texts]


def line_inputs(lines: Sequence[ScreenLine], package: str) -> list[TextInput]:
    """The lines of a screenshot as the recognisers read them."""
    return [
        TextInput(text=simplified(line.text), label=simplified(label_of(line, lines)), package=package)
        for line in lines
    ]
