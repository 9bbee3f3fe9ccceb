"""Inputs of a scan: episodes of a raw release or of a built dataset, with every text and screen.

All files of an episode's folder are read, also screens of no step, and folders that `build` rejects: what is
private there is published with the release. Moments of simulated people
are read as episodes of one screen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from fingertip_dataset.errors import AccessibilityTreeError, DatasetError, ReleaseError
from fingertip_dataset.parquet.features import EXTRA, MOMENTS, Config
from fingertip_dataset.release.action_lines import ACTION_FILE, read_action_lines
from fingertip_dataset.release.moment_files import MAX_MOMENTS_BYTES
from fingertip_dataset.release.raw_folder import RawFolder, read_file
from fingertip_dataset.release.screens.content import MAX_IMAGE_BYTES
from fingertip_dataset.release.screens.screen_files import IMAGE_SUFFIXES, TREE_SUFFIX, parse_screen_file
from fingertip_dataset.release.spelling import normalize_time
from fingertip_dataset.release.surveys import MAX_SURVEY_BYTES, SURVEY_FILE
from fingertip_dataset.release.user_folders import MOMENTS_FILE, MOMENTS_FOLDER, UserFolder
from fingertip_dataset.ui_tree.accessibility import parse_tree
from fingertip_dataset.ui_tree.tree_xml import MAX_BYTES
from fingertip_privacy.finds import FindPlace, ScanProblem
from fingertip_privacy.scan.scanned_texts import (
    MAX_TEXT,
    STRUCTURE,
    Source,
    TextField,
    action_field,
    list_json_texts,
    list_loose_fields,
    list_survey_fields,
    list_tree_fields,
    parsed,
    read_json,
    without_bounds,
)
from fingertip_privacy.tree_source import list_tag_texts, list_texts_between_tags, may_hold_number, tree_text

_DEPTH = 3
"""Depth of folders read below an episode's; the release has one level."""

MOMENT_TERMS = frozenset({"version", "drifts", "time", "kind", "condition", "episode"})
"""Fields of moments.jsonl that programs write."""

ContentKind = Literal["episode", "moment", "file"]
"""An episode, a moment, or what of a person's moments belongs to none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RawUnit:
    """An episode's folder of a raw release.

    Attributes:
        folder: Path relative to the release.
        app: Package of the episode's app; "" if unknown.
        steps: Path of a screenshot or tree, relative to the release -> index of its step.
    """

    user: str
    episode: str
    folder: str
    app: str
    steps: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class MomentsUnit:
    """The moments of a person in a raw release.

    Attributes:
        folder: Folder of their screens, relative to the release; it may be missing.
        list_file: Path of moments.jsonl, relative to the release; None without one.
    """

    user: str
    folder: str
    list_file: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ShardUnit:
    """A row group of a shard of a built dataset.

    Attributes:
        file: Path of the shard, relative to the dataset.
        group: Number of the row group.
        config: "default", or "moments" for a shard of moments.
    """

    file: str
    group: int
    config: Config = "default"


Unit = RawUnit | MomentsUnit | ShardUnit


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenContent:
    """A screen of an episode.

    Attributes:
        step: Index of the step; None for a screen of no step.
        file: Path of the screenshot, or of the shard.
        screenshot: Bytes of the screenshot; None if there is none, or if pictures were not wanted.
        has_screenshot: Whether there is one.
        texts: Texts of its tree.
        has_tree: Whether it has a tree that can be read.
    """

    step: int | None
    file: str
    screenshot: bytes | None
    has_screenshot: bool
    texts: tuple[TextField, ...]
    has_tree: bool


@dataclass(slots=True, kw_only=True)
class EpisodeContent:
    """Everything of an episode, or of a moment, that is scanned.

    Attributes:
        episode: Id of the episode or moment.
        app: Package of the episode's app; "" if unknown.
        kind: Whether it is an episode, a moment or neither.
        screens: Its screens.
        texts: Texts outside of trees.
        problems: What could not be read.
    """

    user: str
    episode: str
    app: str
    kind: ContentKind = "episode"
    screens: list[ScreenContent] = field(default_factory=list)
    texts: list[TextField] = field(default_factory=list)
    problems: list[ScanProblem] = field(default_factory=list)

    def note(self, detail: str, file: str) -> None:
        """Add a problem."""
        self.problems.append(ScanProblem(detail=detail, file=file, episode=self.episode))


def read_unit(root: Path, unit: Unit, *, pictures: bool) -> Iterator[EpisodeContent]:
    """Yield the episodes of a unit: one of a folder, several of a row group or of a person's moments.

    Args:
        root: Folder of the release or dataset.
        unit: The unit.
        pictures: Whether to read the screenshots.

    Raises:
        DatasetError: A shard cannot be read.
    """
    if isinstance(unit, RawUnit):
        yield _read_folder(root, unit, pictures=pictures)
    elif isinstance(unit, MomentsUnit):
        yield from _read_moments(root, unit, pictures=pictures)
    else:
        yield from _read_group(root, unit, pictures=pictures)


def _read_folder(root: Path, unit: RawUnit, *, pictures: bool) -> EpisodeContent:
    content = EpisodeContent(user=unit.user, episode=unit.episode, app=unit.app)
    raw = RawFolder.open(root)
    images: dict[int | str, str] = {}
    trees: dict[int | str, str] = {}
    for path in _list_files(raw, unit.folder):
        source = Source(user=content.user, episode=content.episode, step=unit.steps.get(path), file=path)
        content.texts += source.list_file_name()
        parts = parse_screen_file(path)
        # screens of no step are joined by the moment in their names
        key = unit.steps.get(path, f"{parts.moment or path}")
        if parts.suffix in IMAGE_SUFFIXES:
            images[key] = path
        elif parts.suffix == TREE_SUFFIX:
            trees[key] = path
        elif parts.name == ACTION_FILE:
            _read_actions(raw, path, content)
        elif parts.name == SURVEY_FILE:
            _read_survey(raw, path, content)
        else:
            content.note("a file of another kind was not scanned", path)
    for key in sorted({*images, *trees}, key=str):
        step = key if isinstance(key, int) else None
        content.screens.append(
            _screen(raw, content, step, images.get(key), trees.get(key), pictures=pictures)
        )
    return content


def _list_files(raw: RawFolder, folder: str, depth: int = 0) -> Iterator[str]:
    listing = raw.list(folder)
    yield from (f"{folder}/{name}" for name in listing.files)
    if depth < _DEPTH:
        for name in listing.folders:
            yield from _list_files(raw, f"{folder}/{name}", depth + 1)


def _screen(
    raw: RawFolder,
    content: EpisodeContent,
    step: int | None,
    image: str | None,
    tree: str | None,
    *,
    pictures: bool,
) -> ScreenContent:
    texts, data = None, None
    if tree is not None:
        source = Source(user=content.user, episode=content.episode, step=step, file=tree)
        try:
            texts = _read_tree_texts(read_file(raw.path(tree), MAX_BYTES), source, content)
        except ReleaseError as error:
            content.note(f"the tree was not scanned: {error.message}", tree)
    if image is not None and pictures:
        try:
            data = read_file(raw.path(image), MAX_IMAGE_BYTES)
        except ReleaseError as error:
            content.note(f"the screenshot was not scanned: {error.message}", image)
    return ScreenContent(
        step=step,
        file=image or "",
        screenshot=data,
        has_screenshot=image is not None,
        texts=texts or (),
        has_tree=texts is not None,
    )


def _read_tree_texts(xml: bytes | str, source: Source, content: EpisodeContent) -> tuple[TextField, ...]:
    written = xml if isinstance(xml, str) else tree_text(xml)[0]
    # bytes that are no characters cannot be written to the report
    written = written.encode("utf-8", "replace").decode()
    beside = [
        source.text(FindPlace.TREE, f"text {number}", text[:MAX_TEXT])
        for number, text in enumerate(list_texts_between_tags(written), 1)
    ]
    for name, text in list_tag_texts(written):
        technical = name.partition("@")[2] in STRUCTURE or "@" not in name
        if not technical or may_hold_number(text):
            beside.append(source.text(FindPlace.TREE, name, text[:MAX_TEXT], is_technical=technical))
    try:
        tree = parse_tree(xml)
    except AccessibilityTreeError as error:
        content.note(
            f"the tree is broken, its texts were scanned without boxes: {error.message}", source.file
        )
        return (*list_loose_fields(written, source), *beside)
    if without_bounds(tree):
        content.note("the tree has no bounds: its finds have no box", source.file)
    return (*list_tree_fields(tree, source), *beside)


def _read_actions(raw: RawFolder, path: str, content: EpisodeContent) -> None:
    try:
        lines, _ = read_action_lines(raw.path(path), path, content.episode)
    except ReleaseError as error:
        content.note(f"the actions were not scanned: {error.message}", path)
        return
    for number, line in enumerate(lines):
        source = Source(user=content.user, episode=content.episode, step=number, file=path)
        text = action_field(line.raw, line.action, f"line {line.number}", source)
        if text is not None:
            content.texts.append(text)


def _read_survey(raw: RawFolder, path: str, content: EpisodeContent) -> None:
    source = Source(user=content.user, episode=content.episode, step=None, file=path)
    try:
        fields = read_json(read_file(raw.path(path), MAX_SURVEY_BYTES))
    except ReleaseError as error:
        content.note(f"the survey was not scanned: {error.message}", path)
        return
    if fields is None:
        content.note("the survey was not scanned: expected a JSON object", path)
    else:
        content.texts += list_survey_fields(fields, source)


def list_moment_units(users: Iterable[UserFolder]) -> Iterator[MomentsUnit]:
    """Yield the moments of each person of a release who has any."""
    for user in users:
        listed = MOMENTS_FILE in user.listing.files
        if listed or MOMENTS_FOLDER in user.listing.folders:
            yield MomentsUnit(
                user=user.user_id,
                folder=f"{user.path}/{MOMENTS_FOLDER}",
                list_file=f"{user.path}/{MOMENTS_FILE}" if listed else None,
            )


def list_moments_id(user: str) -> str:
    """Id that stands in finds for what of a person's moments belongs to none.

    >>> list_moments_id("3")
    '3__moments'
    """
    return f"{user}__moments"


def find_moment_id(user: str, folder: str, path: str) -> str:
    """Id of the moment that a file in the folder of a person's moments belongs to.

    >>> find_moment_id("3", "3/moments", "3/moments/20250310_081530.jpg")
    '3__20250310_081530'
    """
    return name_moment(user, path.removeprefix(f"{folder}/").rpartition(".")[0])


def name_moment(user: str, time: object) -> str:
    """Id of the moment of a time in a list of moments; `list_moments_id` if it is no time.

    >>> name_moment("3", "20250310_081530"), name_moment("3", "2025-03-10 08:15:30"), name_moment("3", None)
    ('3__20250310_081530', '3__moments', '3__moments')
    """
    return f"{user}__{time}" if is_moment_time(time) else list_moments_id(user)


def is_moment_time(value: object) -> bool:
    """Whether a value is a time as the names of moments have it."""
    return isinstance(value, str) and normalize_time(value) == value


def _read_moments(root: Path, unit: MomentsUnit, *, pictures: bool) -> Iterator[EpisodeContent]:
    """Yield each moment, with its screens and its line of the list, then what belongs to none."""
    raw, rest = RawFolder.open(root), list_moments_id(unit.user)
    texts = _read_moment_list(raw, unit)
    screens: dict[str, list[str]] = {}
    for path in _list_files(raw, unit.folder):
        screens.setdefault(find_moment_id(unit.user, unit.folder, path), []).append(path)
    for moment in (*sorted({*texts, *screens} - {rest}), rest):
        content = EpisodeContent(
            user=unit.user, episode=moment, app="", kind="file" if moment == rest else "moment"
        )
        if moment == rest:
            for problem in raw.list(unit.folder).problems(unit.folder):
                content.note(problem.detail, problem.file or unit.folder)
        for text in texts.get(moment, ()):
            if isinstance(text, str):
                content.note(text, unit.list_file or "")
            else:
                content.texts.append(text)
        _read_moment_screens(raw, content, screens.get(moment, ()), pictures=pictures)
        yield content


def _read_moment_screens(
    raw: RawFolder, content: EpisodeContent, paths: Sequence[str], *, pictures: bool
) -> None:
    """Read the screens of a moment: each picture with the tree of its name, in step 0."""
    step = 0 if content.kind == "moment" else None
    trees: dict[str, str] = {}
    images: list[str] = []
    for path in paths:
        source = Source(user=content.user, episode=content.episode, step=step, file=path)
        content.texts += source.list_file_name()
        suffix = parse_screen_file(path).suffix
        if suffix in IMAGE_SUFFIXES:
            images.append(path)
        elif suffix == TREE_SUFFIX:
            trees[path.rpartition(".")[0]] = path
        else:
            content.note("a file of another kind was not scanned", path)
    for image in images:
        tree = trees.pop(image.rpartition(".")[0], None)
        content.screens.append(_screen(raw, content, step, image, tree, pictures=pictures))
    for tree in trees.values():
        content.screens.append(_screen(raw, content, step, None, tree, pictures=pictures))


def _read_moment_list(raw: RawFolder, unit: MomentsUnit) -> dict[str, list[TextField | str]]:
    """Moment id -> texts of its line of moments.jsonl, or a problem in words."""
    found: dict[str, list[TextField | str]] = {}
    rest = list_moments_id(unit.user)
    if unit.list_file is None:
        return found
    try:
        lines = read_file(raw.path(unit.list_file), MAX_MOMENTS_BYTES).splitlines()
    except ReleaseError as error:
        return {rest: [f"the moments were not scanned: {error.message}"]}
    for number, line in enumerate(lines, 1):
        fields = read_json(line)
        moment = name_moment(unit.user, fields.get("time") if fields is not None else None)
        source = Source(user=unit.user, episode=moment, step=None, file=unit.list_file)
        own = found.setdefault(moment, [])
        if fields is None:
            # a line that is no JSON is text like any other
            text = line.decode("utf-8", "replace")[:MAX_TEXT]
            own.append(source.text(FindPlace.SURVEY, f"line {number}@raw", text))
            continue
        for name, value, technical in list_json_texts(fields, technical=MOMENT_TERMS):
            own.append(source.text(FindPlace.SURVEY, f"line {number}@{name}", value, is_technical=technical))
    return found


_COLUMNS = (
    "episode_id", "user_id", "user_profile", "scenario", "app", "intent", "accessibility_trees", "actions",
    "previous_intents", "same_user_reference", "other_type_reference",
)  # fmt: skip
_OF_OTHERS = ("previous_intents", "same_user_reference", "other_type_reference")
"""Columns made of other episodes."""
_OF_PROGRAMS = frozenset({"user_id", "time", "app", "episode_id"})
"""Columns and fields that programs write."""


def _read_group(root: Path, unit: ShardUnit, *, pictures: bool) -> Iterator[EpisodeContent]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    names = [*_COLUMNS, *(["screenshots"] if pictures else ["screenshots.list.element.path"])]
    try:
        with pq.ParquetFile(root / unit.file) as parquet:
            present = parquet.schema_arrow.names
            names = [name for name in (*names, *EXTRA) if name.partition(".")[0] in present]
            # a row at a time: with screens an episode takes several megabytes
            for batch in parquet.iter_batches(1, row_groups=[unit.group], columns=names, use_threads=False):
                for row in batch.to_pylist():
                    yield _read_row(row, unit, pictures=pictures)
    except (pa.ArrowException, OSError) as error:
        raise DatasetError(f"the Parquet shard cannot be read: {error}", file=root / unit.file) from error


def _read_row(row: Mapping[str, Any], unit: ShardUnit, *, pictures: bool) -> EpisodeContent:
    file = unit.file
    kind: ContentKind = "moment" if unit.config == MOMENTS else "episode"
    # the app of a moment's intent is not open yet
    app = "" if kind == "moment" else row["app"] or ""
    content = EpisodeContent(user=row["user_id"], episode=row["episode_id"], app=app, kind=kind)
    whole = Source(user=content.user, episode=content.episode, step=None, file=file)
    content.texts.append(whole.text(FindPlace.INTENT, "intent", row["intent"] or ""))
    of_row = {name: row[name] for name in ("scenario", "user_profile", "app", "episode_id")}
    for name, text, technical in list_json_texts(of_row, technical=_OF_PROGRAMS):
        content.texts.append(whole.text(FindPlace.SURVEY, name, text, is_technical=technical))
    for number, value in enumerate(row.get("extra") or ()):
        content.texts.append(
            whole.text(FindPlace.SURVEY, f"extra.{number}@{value['name']}", value["value"][:MAX_TEXT])
        )
    for name, text, technical in list_json_texts(
        {name: row.get(name) for name in _OF_OTHERS}, technical=_OF_PROGRAMS
    ):
        content.texts.append(whole.text(FindPlace.INDEX, name, text, is_technical=technical))
    for number, action in enumerate(row.get("actions") or ()):
        source = Source(user=content.user, episode=content.episode, step=number, file=file)
        raw = action["raw"] or ""
        touched = action_field(raw, parsed(raw), f"actions.{number}", source)
        if touched is not None:
            content.texts.append(touched)
    trees, images = row["accessibility_trees"] or (), row["screenshots"] or ()
    for number in range(max(len(trees), len(images))):
        source = Source(user=content.user, episode=content.episode, step=number, file=file)
        xml = trees[number] if number < len(trees) else None
        image = images[number] if number < len(images) else None
        texts = None if xml is None else _read_tree_texts(xml, source, content)
        content.screens.append(
            ScreenContent(
                step=number,
                file=file,
                screenshot=image["bytes"] if image is not None and pictures else None,
                has_screenshot=image is not None,
                texts=texts or (),
                has_tree=texts is not None,
            )
        )
    return content
