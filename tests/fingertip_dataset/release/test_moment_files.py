"""Moments of a release: each line is used or reported, and only simulated people have any."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fingertip_dataset.release.checking import check_release
from fingertip_dataset.release.problems import ProblemKind
from fingertip_dataset.release.read_release import Release, read_release
from fingertip_dataset.tasks.moments import MOMENTS_VERSION
from tests.suggestion_datasets import draw_release

HEAD = {"version": MOMENTS_VERSION, "patience": 2}
QUIET = {"time": "20250304_074500", "scenario": "住所", "kind": "glance", "wanted": 0.25, "right": 0.5}
WANTED = {**QUIET, "time": "20250304_075930", "kind": "intent", "episode": "20250304_080000"}
USER = "1"


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("moments")
    draw_release(folder)
    for survey in folder.rglob("survey_result.json"):
        text = json.loads(survey.read_text("utf-8")) | {"provenance": "simulated"}
        survey.write_text(json.dumps(text, ensure_ascii=False), encoding="utf-8")
    return folder


@pytest.fixture
def read(drawn: Path, tmp_path: Path) -> Callable[..., Release]:
    release = tmp_path / "release"
    shutil.copytree(drawn, release)

    def read_with(*lines: dict[str, Any] | str, head: dict[str, Any] | None = None) -> Release:
        own = next(path for path in release.rglob(USER) if path.is_dir())
        screens = own / "moments"
        screens.mkdir(exist_ok=True)
        for time in (QUIET["time"], WANTED["time"]):
            (screens / f"{time}.jpg").write_bytes(next(own.rglob("*.jpg")).read_bytes())
            (screens / f"{time}.xml").write_text("<hierarchy><node text='8'/></hierarchy>", "utf-8")
        first = HEAD if head is None else head
        given = (*([first] if first else []), *lines)
        written = [line if isinstance(line, str) else json.dumps(line) for line in given]
        (own / "moments.jsonl").write_text("\n".join(written) + "\n", encoding="utf-8")
        return read_release(own.parent, release / "tables" if (release / "tables").is_dir() else None)

    return read_with


def find_problems(release: Release) -> list[tuple[ProblemKind, str]]:
    kinds = (ProblemKind.BAD_MOMENT, ProblemKind.UNREADABLE_MOMENTS, ProblemKind.MISSING_SCREENSHOT)
    return [(one.kind, one.detail) for one in release.problems if one.kind in kinds]


def test_moments_are_read_in_the_order_of_time_with_the_intent_of_their_episode(
    read: Callable[..., Release],
) -> None:
    release = read(WANTED, QUIET)
    assert find_problems(release) == []
    quiet, wanted = release.moments
    assert (quiet.kind, quiet.intent, quiet.moment_id) == ("glance", None, "1__20250304_074500")
    assert wanted.intent is not None
    assert wanted.intent.episode_id == "1__20250304_080000"
    assert wanted.odds.wanted == 0.25
    assert release.patience == {USER: 2}
    assert wanted.screenshot is not None
    assert wanted.screenshot.endswith("moments/20250304_075930.jpg")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{", "the line is not valid at the file: Invalid JSON"),
        ({**QUIET, "wanted": 1.5}, "the line is not valid at wanted: "),
        ({**QUIET, "kind": "sleep"}, "the line is not valid at kind: "),
        ({**QUIET, "time": "8 o'clock"}, "expected a time YYYYMMDD_HHMMSS"),
        (
            {**QUIET, "episode": "20250304_080000"},
            "expected an episode for kind intent alone, got one for glance",
        ),
        ({**WANTED, "episode": None}, "expected an episode for kind intent alone, got none for intent"),
        ({**WANTED, "episode": "20250101_000000"}, "expected an episode of the release, got 20250101_000000"),
        ({**QUIET, "condition": "day"}, "expected a condition for false_routine alone, got day for glance"),
        ({**QUIET, "kind": "false_routine"}, "expected a condition for false_routine alone, got none"),
        (QUIET, "expected one such line, got a second of a moment at 20250304_074500"),
        (
            {**WANTED, "time": "20250304_080000"},
            "expected a look at most a minute before its episode 20250304_080000, got 20250304_080000",
        ),
        (
            {**WANTED, "time": "20250304_075859"},
            "expected a look at most a minute before its episode 20250304_080000, got 20250304_075859",
        ),
        (
            {**QUIET, "time": "20310304_074500"},
            "expected a look in the time of the person's episodes, got 20310304_074500",
        ),
    ],
)
def test_a_line_that_cannot_be_used_is_left_out_and_named(
    read: Callable[..., Release], line: dict[str, Any] | str, words: str
) -> None:
    release = read(QUIET, line, WANTED)
    assert [one.kind for one in release.moments] == ["glance", "intent"]
    ((kind, detail),) = find_problems(release)
    assert kind is ProblemKind.BAD_MOMENT
    assert words in detail
    (problem,) = [one for one in release.problems if one.kind is kind]
    assert problem.line == 3
    assert problem.file is not None
    assert problem.file.endswith("1/moments.jsonl")


def test_an_episode_has_one_look_before_it(read: Callable[..., Release]) -> None:
    release = read(WANTED, {**WANTED, "time": "20250304_075920"})
    assert len(release.moments) == 1
    assert (
        ProblemKind.BAD_MOMENT,
        "expected one such line, got a second of a look before the episode 20250304_080000",
    ) in find_problems(release)


def test_blank_lines_and_a_byte_order_mark_are_no_fault(read: Callable[..., Release]) -> None:
    release = read("\ufeff" + json.dumps(HEAD), "", QUIET, "  ", WANTED, head={})
    assert (len(release.moments), find_problems(release)) == (2, [])


def test_a_moment_without_its_picture_is_kept_and_reported(read: Callable[..., Release]) -> None:
    release = read({**QUIET, "time": "20250304_074600"})
    assert [one.screenshot for one in release.moments] == [None]
    ((kind, detail),) = find_problems(release)
    assert (kind, detail) == (
        ProblemKind.MISSING_SCREENSHOT,
        "expected moments/20250304_074600.jpg, got no file",
    )


@pytest.mark.parametrize(
    ("head", "words"),
    [
        ({**HEAD, "version": "9.0"}, f"expected moments of version {MOMENTS_VERSION}, got 9.0"),
        ({**HEAD, "patience": 0}, "the first line is not valid at patience: "),
    ],
)
def test_moments_of_another_version_are_left_out(
    read: Callable[..., Release], head: dict[str, Any], words: str
) -> None:
    release = read(QUIET, head=head)
    assert release.moments == ()
    ((kind, detail),) = find_problems(release)
    assert kind is ProblemKind.UNREADABLE_MOMENTS
    assert words in detail


def test_recordings_have_no_moments(read: Callable[..., Release], tmp_path: Path) -> None:
    for survey in tmp_path.rglob("survey_result.json"):
        text = json.loads(survey.read_text("utf-8"))
        del text["provenance"]
        survey.write_text(json.dumps(text, ensure_ascii=False), encoding="utf-8")
    release = read(QUIET)
    assert release.moments == ()
    assert [kind for kind, _ in find_problems(release)] == [ProblemKind.UNREADABLE_MOMENTS]


def test_check_opens_the_screens_of_moments(read: Callable[..., Release]) -> None:
    release = read(QUIET)
    (root,) = {release.root}
    (root / USER / "moments" / f"{QUIET['time']}.jpg").write_bytes(b"no picture")
    found = check_release(root, None)
    assert [one.file for one in found.problems if one.kind is ProblemKind.CORRUPT_SCREENSHOT] == [
        f"{USER}/moments/{QUIET['time']}.jpg"
    ]
