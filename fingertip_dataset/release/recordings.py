"""Recordings: action.jsonl and the screens of an episode's folder, joined into steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from fingertip_dataset.episodes import Step
from fingertip_dataset.errors import ReleaseError
from fingertip_dataset.release.action_lines import ACTION_FILE, ActionLine, read_action_lines
from fingertip_dataset.release.episode_folders import EpisodeFolder
from fingertip_dataset.release.problems import Problem, ProblemKind
from fingertip_dataset.release.raw_folder import Listing, RawFolder, is_utf8
from fingertip_dataset.release.screens.screen_files import (
    IMAGE_SUFFIXES,
    TREE_SUFFIX,
    Join,
    ScreenFile,
    in_time,
    join_screens,
    named_screen,
    parse_screen_file,
)
from fingertip_dataset.release.surveys import SURVEY_FILE
from fingertip_dataset.release.user_folders import report_unexpected


@dataclass(frozen=True, slots=True)
class Recording:
    """Steps of an episode.

    Attributes:
        steps: One step per line of action.jsonl; without lines, one step without an action per screenshot, in
            order of time.
        problems: Problems of the recording.
    """

    steps: tuple[Step, ...]
    problems: tuple[Problem, ...]


def read_recording(raw: RawFolder, folder: EpisodeFolder, listing: Listing) -> Recording:
    """Read the steps of an episode.

    Args:
        raw: The release.
        folder: Folder of the episode.
        listing: Listing of the folder.
    """
    reader = _RecordingReader(raw, folder, listing)
    images, trees = reader.screens()
    lines = reader.lines()
    if lines:
        recorded = [(line.raw, line.action) for line in lines]
        keys = [None if line.name is None else named_screen(line.name) for line in lines]
        join = join_screens(keys, images, trees)
        reader.check_lines(lines, keys, join)
    else:
        images = in_time(images)
        recorded = [("", None)] * len(images)
        join = join_screens(images, images, trees)
    reader.check_trees(lines, join)
    reader.check_unused(join.unused)
    steps = tuple(
        Step(
            raw=text,
            action=action,
            screenshot=image.path if image else None,
            tree=tree.path if tree else None,
        )
        for (text, action), image, tree in zip(recorded, join.screenshots, join.trees, strict=True)
    )
    return Recording(steps, tuple(reader.problems))


@dataclass(slots=True)
class _RecordingReader:
    """Reader of one episode's folder, which collects its problems."""

    raw: RawFolder
    folder: EpisodeFolder
    listing: Listing
    problems: list[Problem] = field(default_factory=list)

    def note(self, kind: ProblemKind, detail: str, file: str, line: int | None = None) -> None:
        problem = Problem(kind=kind, detail=detail, episode_id=self.folder.episode_id, file=file, line=line)
        self.problems.append(problem)

    def report_unexpected(self, path: str, expected: str) -> None:
        self.problems.append(report_unexpected(path, expected, self.folder.episode_id))

    def screens(self) -> tuple[list[ScreenFile], list[ScreenFile]]:
        """List the screenshots and trees of all folders whose names begin with Screenshots."""
        listing, own = self.listing, self.folder.path
        names = [name for name in listing.folders if name.lower().startswith("screenshots") and is_utf8(name)]
        expected = frozenset((*names, ACTION_FILE, SURVEY_FILE))
        for name in (*listing.files, *listing.folders):
            if name not in expected:
                self.report_unexpected(
                    f"{own}/{name}", f"{SURVEY_FILE}, {ACTION_FILE} or a folder Screenshots*"
                )
        if not names:
            self.note(ProblemKind.NO_SCREENSHOT_FOLDER, "expected a folder Screenshots*, got none", own)
        if len(names) > 1:
            detail = f"expected one folder Screenshots*, got {', '.join(names)}"
            self.note(ProblemKind.SEVERAL_SCREENSHOT_FOLDERS, detail, own)
        images: list[ScreenFile] = []
        trees: list[ScreenFile] = []
        for name in names:
            self._sort_screens(f"{own}/{name}", images, trees)
        return images, trees

    def _sort_screens(self, path: str, images: list[ScreenFile], trees: list[ScreenFile]) -> None:
        listing = self.raw.list(path)
        self.problems += listing.problems(path, self.folder.episode_id)
        for name in listing.files:
            file = parse_screen_file(f"{path}/{name}")
            if file.suffix in IMAGE_SUFFIXES:
                images.append(file)
            elif file.suffix == TREE_SUFFIX:
                trees.append(file)
            else:
                self.report_unexpected(f"{path}/{name}", "a file .jpg, .jpeg, .png or .xml")
        for name in listing.folders:
            self.report_unexpected(f"{path}/{name}", "a file .jpg, .jpeg, .png or .xml")

    def lines(self) -> tuple[ActionLine, ...]:
        """Read the lines of action.jsonl; without readable lines, report a problem and return none."""
        file = f"{self.folder.path}/{ACTION_FILE}"
        fault = f"expected lines in {ACTION_FILE}, got an empty file"
        lines: tuple[ActionLine, ...] = ()
        if ACTION_FILE not in self.listing.names():
            fault = f"expected {ACTION_FILE}, got none"
        elif ACTION_FILE not in self.listing.files:
            fault = "expected a regular file of the release, got another kind or a link that leaves it"
        else:
            try:
                lines, problems = read_action_lines(self.raw.path(file), file, self.folder.episode_id)
                self.problems += problems
            except ReleaseError as error:
                fault = error.message
        if not lines:
            self.note(ProblemKind.MISSING_ACTIONS, fault, file)
        return lines

    def check_lines(self, lines: Sequence[ActionLine], keys: Sequence[ScreenFile | None], join: Join) -> None:
        """Report steps without a screenshot of their name, repeated names, and times that go backwards."""
        file = f"{self.folder.path}/{ACTION_FILE}"
        first_lines: dict[str, int] = {}
        latest = 0
        for step, (line, key, image) in enumerate(zip(lines, keys, join.screenshots, strict=True)):
            if image is None:
                detail = f"expected {line.name or 'a screenshot'}, got none"
                self.note(ProblemKind.MISSING_SCREENSHOT, detail, file, line.number)
            elif step in join.by_position:
                detail = f"expected {line.name or 'a name'}, got {image.name} in its place"
                self.note(ProblemKind.SCREENSHOT_BY_POSITION, detail, file, line.number)
            if line.name is None or key is None:
                continue
            first = first_lines.setdefault(line.name, line.number)
            if first != line.number:
                detail = f"expected a name of its own, got that of line {first}"
                self.note(ProblemKind.REPEATED_STEP_NAME, detail, file, line.number)
            moment = key.moment or latest
            if moment < latest:
                detail = f"expected a time after {latest}, got {moment}"
                self.note(ProblemKind.STEPS_OUT_OF_ORDER, detail, file, line.number)
            latest = moment

    def check_trees(self, lines: Sequence[ActionLine], join: Join) -> None:
        """Report steps without a tree, by their line or, without lines, by their screenshot."""
        file = f"{self.folder.path}/{ACTION_FILE}"
        for step, (image, tree) in enumerate(zip(join.screenshots, join.trees, strict=True)):
            if tree is None and lines:
                detail = f"expected the tree of {lines[step].name or 'the step'}, got none"
                self.note(ProblemKind.MISSING_TREE, detail, file, lines[step].number)
            elif tree is None and image is not None:
                detail = f"expected the tree of {image.name}, got none"
                self.note(ProblemKind.MISSING_TREE, detail, image.path)

    def check_unused(self, unused: Sequence[ScreenFile]) -> None:
        """Report screenshots and trees that belong to no step."""
        for file in unused:
            kind = ProblemKind.UNUSED_TREE if file.suffix == TREE_SUFFIX else ProblemKind.UNUSED_SCREENSHOT
            self.note(kind, f"expected a step of that moment, got none for {file.name}", file.path)
