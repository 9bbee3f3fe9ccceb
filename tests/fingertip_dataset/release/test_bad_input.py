"""Whatever lies in the folder: no exception but ours, no hang, no memory, and the counts add up."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fingertip_dataset.errors import ReleaseError, UsageError
from fingertip_dataset.release.checking import ReleaseCheck, check_release
from fingertip_dataset.release.read_release import read_release
from fingertip_dataset.release.screens.content import read_content
from tests.examples import examples
from tests.vectors import read_vectors

if TYPE_CHECKING:
    from tests.fingertip_dataset.conftest import RawMaker

VECTORS = read_vectors(__file__)


SLOW = settings(deadline=None, max_examples=examples(120), suppress_health_check=list(HealthCheck))

NAMES = st.sampled_from(
    [
        *["3", "03", "74", "guest", "tables", "20250310_081530", "20250311_081530", "notes"],
        *["Screenshots", "11.jpg", "12.png", "13.jpg"],
        *["survey_result.json", "action.jsonl", "tree_11.xml", "12.xml"],
        *["total.csv", "train_set.csv", "test_suggestion.csv", "user_profile.csv"],
        *("2025-03-10 08:15:30", "Screenshots (1)", "\udcff\udcfe", "a\nb", "\x1b[31m"),
        *("[bold]x[/bold]", ".hidden", "住所", "x" * 200),
    ]
)
TEXTS = st.sampled_from(
    [
        b"",
        b"\x00",
        b"\xff\xd8\xff\xd9",
        b"\x89PNG\r\n\x1a\n",
        b"<hierarchy><node text='a'/></hierarchy>",
        b"<hierarchy",
        b"[" * 3000,
        b'{"11.jpg": "wait()"}\n{"12.png": "click(coordinates=(1, 2))"}\nnope\n{"13.jpg": 1}',
        b'{"user_id": "3", "time": "20250310_081530", "scenario": "a", "app": "b", "intentDescription": "c"}',
        b'{"intentDescription": "\\ud800", "user_id": [], "provenance": {"a": 1}}',
        b"user_id,time,scenario,app,intentDescription,intentClass\n3,20250310_081530,a,b,c,d\n3,20250310_081530,a,b,e,d",
        b"\xef\xbb\xbfuser_id,sex,age\n3,f,ten\n4,f,\n4,m,\n",
        b'user_id,time,scenario,app,intentDescription\n"3',
    ]
)
CONTENT = st.one_of(TEXTS, st.binary(max_size=60))
TREES = st.recursive(
    st.one_of(CONTENT, st.sampled_from(["pipe", "loop", "outside", "up", "dead"])),
    lambda inner: st.dictionaries(NAMES, inner, max_size=5),
    max_leaves=14,
)
EPISODE = st.fixed_dictionaries(
    {},
    optional={
        "survey_result.json": CONTENT,
        "action.jsonl": CONTENT,
        "Screenshots": st.dictionaries(NAMES, CONTENT, max_size=4),
        "Screenshots_2": TREES,
    },
)


def plant(path: Path, tree: object) -> None:
    """Write a tree of folders, files and links; what the system refuses is left out."""
    try:
        match tree:
            case dict():
                path.mkdir(parents=True, exist_ok=True)
                for name, inner in tree.items():
                    plant(path / os.fsencode(name).decode(errors="surrogateescape"), inner)
            case bytes():
                path.write_bytes(tree)
            case "pipe":
                os.mkfifo(path)
            case str():
                targets = {"loop": path.name, "outside": "/etc", "up": "..", "dead": "nowhere"}
                path.symlink_to(targets[tree])
    except OSError:
        pass


def check(maker: RawMaker, raw: Path) -> ReleaseCheck | None:
    """Check a release as the command does, and hold the result to what is promised."""
    try:
        found = check_release(raw)
    except (ReleaseError, UsageError):
        return None
    maker.assert_adds_up(found)
    json.dumps([str(problem) for problem in found.problems], ensure_ascii=False).encode()
    release = read_release(raw)
    ids = [episode.episode_id for episode in release.episodes]
    assert len(ids) == len(set(ids)) == found.kept
    assert {*ids} <= {intent.episode_id for intent in release.intents}
    for episode in release.episodes:
        contents, problems = read_content(release.root, episode)
        assert len(contents) == len(episode.steps)
        lost = [problem.kind for problem in problems if problem.kind in ("corrupt_screenshot", "broken_tree")]
        output = [(step.screenshot, step.tree) for step in episode.steps]
        read = [(content.screenshot, content.tree) for content in contents]
        nulls = [sum(value is None for pair in pairs for value in pair) for pairs in (output, read)]
        assert nulls[1] - nulls[0] == len(lost)
        for path in (path for pair in output for path in pair if path):
            assert (release.root / path).resolve().is_relative_to(release.root)
            path.encode()
        episode.intent.text.encode()
    return found


@SLOW
@given(tree=st.dictionaries(NAMES, TREES, max_size=5))
def test_any_tree_of_folders(maker: RawMaker, tree: dict[str, object]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        plant(Path(folder) / "raw", tree)
        (Path(folder) / "raw").mkdir(exist_ok=True)
        check(maker, Path(folder) / "raw")


@SLOW
@given(
    episodes=st.dictionaries(
        st.sampled_from(["3/20250310_081530", "3/3/20250310_081530", "03/20250311_081530"]), EPISODE
    ),
    tables=st.dictionaries(
        st.sampled_from(["total.csv", "train_set.csv", "test_suggestion.csv", "user_profile.csv"]), CONTENT
    ),
)
def test_any_episodes_with_any_tables(
    maker: RawMaker, episodes: dict[str, object], tables: dict[str, bytes]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        raw = Path(folder) / "raw"
        (raw / "3").mkdir(parents=True)
        for path, inner in episodes.items():
            plant(raw / path, inner)
        for name, data in tables.items():
            plant(raw / name, data)
        found = check(maker, raw)
        assert found is not None
        assert found.given == len(episodes)


DAMAGE = st.tuples(
    st.sampled_from(
        ["cut", "flip", "insert", "repeat", "delete", "double", "swap", "link", "pipe", "rename"]
    ),
    st.integers(0, 2**32),
    st.integers(0, 2**32),
)


def damage(raw: Path, how: str, which: int, where: int) -> None:
    """Break one file of a release in one way."""
    files = sorted(path for path in raw.rglob("*") if path.is_file() and not path.is_symlink())
    if not files:
        return
    path = files[which % len(files)]
    data = path.read_bytes()
    at = where % (len(data) + 1)
    changes = {
        "cut": data[:at],
        "flip": data[:at]
        + bytes(byte ^ (where >> 8 & 255 or 1) for byte in data[at : at + 1])
        + data[at + 1 :],
        "insert": data[:at] + (b"\0", b"\xff", b"\n", b'"', b"<", b",")[where % 6] + data[at:],
        "repeat": data[:at] + data[: min(at, 5000)] * 3 + data[at:],
    }
    if how in changes:
        path.write_bytes(changes[how])
    elif how == "double":
        # pipes are not copied
        with suppress(shutil.Error):
            shutil.copytree(path.parent, path.parent.with_name(f"{path.parent.name}x"), dirs_exist_ok=True)
    elif how == "swap":
        other = files[where % len(files)]
        theirs = other.read_bytes()
        other.write_bytes(data)
        path.write_bytes(theirs)
    elif how == "rename":
        path.rename(path.with_name(f"{where % 100}{path.name[-4:]}"))
    else:
        path.unlink()
        if how == "link":
            path.symlink_to("/etc/hostname" if where % 2 else files[where % len(files)])
        if how == "pipe":
            os.mkfifo(path)


@SLOW
@given(damages=st.lists(DAMAGE, min_size=1, max_size=6))
def test_mutations_of_real_files(
    maker: RawMaker, real_release: Path, damages: list[tuple[str, int, int]]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        raw = Path(folder) / "raw"
        for part in ("3/20240702_151231", "74/74/20220808_093500", "5/5/20200528_173538"):
            shutil.copytree(real_release / "raw" / part, raw / part, copy_function=shutil.copyfile)
        shutil.copytree(real_release / "tables", raw / "tables", copy_function=shutil.copyfile)
        for folder_path in (raw, *raw.rglob("*/")):
            folder_path.chmod(0o755)
        for how, which, where in damages:
            damage(raw, how, which, where)
        found = check(maker, raw)
        assert found is not None
        # a folder that is copied beside its original is one more to account for
        assert 3 <= found.given <= 3 + len(damages)


@pytest.mark.parametrize("file", VECTORS["a_pipe_in_place_of_a_file_does_not_hang"])
def test_a_pipe_in_place_of_a_file_does_not_hang(maker: RawMaker, file: str) -> None:
    path = maker.episode() / file
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
    os.mkfifo(path)
    found = check(maker, maker.raw)
    assert found is not None
    assert {"unreadable_file", "unreadable_table"} & {*found.counts}


@pytest.mark.parametrize(
    "name", ["\udcff.jpg", "a\x1b[2J.jpg", "a\nb.jpg", "[red]x[bold].jpg", "住" * 80 + ".jpg"]
)
def test_names_of_any_kind_are_named_safely(maker: RawMaker, name: str) -> None:
    path = maker.episode()
    (path / "Screenshots" / name).write_bytes(maker.jpeg)
    found = check(maker, maker.raw)
    assert found is not None
    (problem,) = found.problems
    assert problem.kind in ("unreadable_file", "unused_screenshot")
    assert problem.file is not None
    assert problem.file.isprintable()


@contextmanager
def without_rights(path: Path) -> Iterator[None]:
    """Take the rights away, also from root, who would not notice."""
    root = os.geteuid() == 0
    mode = path.stat().st_mode
    path.chmod(0)
    if root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)
        path.chmod(mode)


@pytest.mark.parametrize(("file", "expected"), VECTORS["what_cannot_be_opened_is_named"])
def test_what_cannot_be_opened_is_named(maker: RawMaker, file: str, expected: dict[str, int]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        maker.raw = Path(folder) / "raw"
        maker.episode()
        maker.table(
            "user_profile.csv", "3,f,20,a,b,c,d", header="user_id,sex,age,occupation,address,family,phone"
        )
        maker.check()
        with without_rights(maker.raw / file):
            found = check_release(maker.raw)
        assert {kind: n for kind, n in found.counts.items() if kind != "unused_profile"} == expected
        maker.assert_adds_up(found)


def test_a_release_that_cannot_be_listed_is_a_wrong_call(maker: RawMaker) -> None:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        maker.raw = Path(folder) / "raw"
        maker.episode()
        with without_rights(maker.raw), pytest.raises(UsageError, match="permission denied"):
            check_release(maker.raw)


LIMITED = """
import resource, sys
from pathlib import Path
import lxml.etree
from fingertip_dataset.release.checking import check_release
resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[2]) * 2**20, -1))
check = check_release(Path(sys.argv[1]))
print(check.given, check.kept, len(check.problems))
"""


def test_memory_is_bounded(maker: RawMaker) -> None:
    entities = b"".join(b'<!ENTITY a%d "%s">' % (i, b"&a%d;" % (i - 1) * 50) for i in range(1, 30))
    bombs = {
        "11.xml": b'<!DOCTYPE a [<!ENTITY a0 "aaaa">' + entities + b"]><hierarchy>&a29;</hierarchy>",
        "12.xml": b"<node>" * 10**6,
    }
    header = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + (100_000).to_bytes(4, "big") * 2 + b"\x08\2\0\0\0"
    images = {"11.jpg": header + b"\0\0\0\0IEND\xaeB`\x82", "12.jpg": b"\xff\xd8" + b"\xff\xe0\0\2" * 10**6}
    lines = b'{"11.jpg": "' + b"[" * 10**6 + b'"}\n' + b"\n" * 10**6 + b"[" * 10**6 + b"\n"
    path = maker.episode(images=images, trees=bombs, lines=lines, survey=b'{"a":' * 10**5)
    (path / "Screenshots/13.jpg").write_bytes(b"")
    with (path / "Screenshots/13.jpg").open("wb") as file:
        file.truncate(2**40)
    maker.table("total.csv", maker.row(), *["4," + "," * 90_000] * 100, "x" * 10**6)
    maker.table("train_set.csv", header=",".join(["user_id"] * 10**6))
    maker.table("test_suggestion.csv", header='"' + "x" * 10**7)
    run = subprocess.run(
        [sys.executable, "-c", LIMITED, str(maker.raw), "400"],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert run.stderr == ""
    assert run.stdout.split()[:2] == ["1", "1"]
