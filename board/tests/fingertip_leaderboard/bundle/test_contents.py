"""Invalid folders and archives are refused before their records are read."""

from __future__ import annotations

import os
import stat
import struct
import threading
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

import pytest

from board.tests.fingertip_leaderboard.bundle_factory import Workshop
from fingertip_leaderboard import RefusalKind, verify_bundle
from fingertip_leaderboard.bundle.bundle_files import LIMITS
from fingertip_leaderboard.bundle.contents import open_contents
from fingertip_leaderboard.bundle.refusal import Refusals

Files = dict[str, bytes]


@pytest.fixture
def files(workshop: Workshop) -> Files:
    return workshop.parts("replayed screens").files()


def write(place: Path, files: Files, *more: tuple[str | ZipInfo, bytes], method: int = ZIP_DEFLATED) -> Path:
    with ZipFile(place, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
        for entry, content in more:
            archive.writestr(entry, content)
    return place


def entry(name: str, mode: int = 0o100644) -> ZipInfo:
    info = ZipInfo("x")
    info.filename = info.orig_filename = name
    info.external_attr = mode << 16
    info.create_system = 3
    return info


def kinds(place: Path, workshop: Workshop) -> set[RefusalKind]:
    report = verify_bundle(place, workshop.sample)
    assert report.scores is None
    assert all(problem.reason for problem in report.problems)
    return {problem.kind for problem in report.problems}


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("/etc/passwd", RefusalKind.PATH_TRICK),
        ("../outside.json", RefusalKind.PATH_TRICK),
        ("screens/../../x.png", RefusalKind.PATH_TRICK),
        ("screens/./x.png", RefusalKind.PATH_TRICK),
        ("..\\outside.json", RefusalKind.PATH_TRICK),
        ("C:/windows/x", RefusalKind.PATH_TRICK),
        ("steps.jsonl\0.png", RefusalKind.PATH_TRICK),
        ("step\u0455.jsonl", RefusalKind.BAD_NAME),
        ("caf\u00e9.json", RefusalKind.BAD_NAME),
        ("line\nbreak", RefusalKind.BAD_NAME),
        ("setup.py", RefusalKind.UNKNOWN_FILE),
        (".env", RefusalKind.UNKNOWN_FILE),
        ("screens/101__20250306_222323/1/run.sh", RefusalKind.UNKNOWN_FILE),
        ("screens/101__20250306_222323/1/001.svg", RefusalKind.UNKNOWN_FILE),
        ("tasks.jsonl", RefusalKind.UNKNOWN_FILE),
        ("trajectories/00001/001.png", RefusalKind.UNKNOWN_FILE),
        ("trajectories/00001/run.sh", RefusalKind.UNKNOWN_FILE),
        ("more.zip", RefusalKind.NESTED_ARCHIVE),
        ("more.tar.gz", RefusalKind.NESTED_ARCHIVE),
        ("STEPS.jsonl", RefusalKind.CASE_COLLISION),
    ],
)
def test_an_unexpected_file_name_is_refused(
    workshop: Workshop, files: Files, tmp_path: Path, name: str, kind: RefusalKind
) -> None:
    place = write(tmp_path / "bundle.zip", files, (entry(name), b"x"))
    assert kinds(place, workshop) == {kind}
    assert {path.name for path in tmp_path.iterdir()} == {"bundle.zip"}


def test_a_duplicate_entry_is_refused(workshop: Workshop, files: Files, tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="Duplicate name"):
        place = write(tmp_path / "bundle.zip", files, ("steps.jsonl", b"{}\n"))
    assert kinds(place, workshop) == {RefusalKind.DUPLICATE_ENTRY}


@pytest.mark.parametrize(
    ("mode", "kind"),
    [
        (stat.S_IFLNK | 0o777, RefusalKind.LINK),
        (stat.S_IFCHR | 0o644, RefusalKind.SPECIAL_FILE),
        (stat.S_IFIFO | 0o644, RefusalKind.SPECIAL_FILE),
    ],
)
def test_an_entry_that_is_not_a_regular_file_is_refused(
    workshop: Workshop, files: Files, tmp_path: Path, mode: int, kind: RefusalKind
) -> None:
    steps = files.pop("steps.jsonl")
    place = write(tmp_path / "bundle.zip", files, (entry("steps.jsonl", mode), steps))
    assert kinds(place, workshop) == {kind}


def test_a_high_compression_ratio_is_refused(workshop: Workshop, files: Files, tmp_path: Path) -> None:
    files["steps.jsonl"] = b" " * (20 << 20)
    assert kinds(write(tmp_path / "bundle.zip", files), workshop) == {RefusalKind.ZIP_BOMB}


def test_a_too_large_file_is_refused(workshop: Workshop, files: Files, tmp_path: Path) -> None:
    folder = lay(tmp_path / "bundle", files)
    with (folder / "bundle.json").open("ab") as file:
        file.truncate(LIMITS["bundle.json"] + 1)
    assert kinds(folder, workshop) == {RefusalKind.TOO_LARGE}


CENTRAL, END = b"PK\x01\x02", b"PK\x05\x06"
"""Beginnings of an entry of a .zip's directory, and of its end."""


def patched(content: bytes, place: int, layout: str, *values: int) -> bytes:
    """The archive with other numbers at a place."""
    changed = bytearray(content)
    struct.pack_into(layout, changed, place, *values)
    return bytes(changed)


def small_size(content: bytes) -> bytes:
    """The directory says 10 bytes, but the file unpacks to more."""
    return patched(content, content.rfind(CENTRAL, 0, content.rfind(b"steps.jsonl")) + 24, "<I", 10)


def overlapping(content: bytes) -> bytes:
    """The second file begins where the first one does."""
    first = content.find(CENTRAL)
    (offset,) = struct.unpack_from("<I", content, first + 42)
    return patched(content, content.find(CENTRAL, first + 4) + 42, "<I", offset)


def commented(content: bytes) -> bytes:
    return patched(content, content.rfind(END) + 20, "<H", 8) + b"<script>"


def with_zip64(content: bytes) -> bytes:
    at = content.rfind(END)
    return content[:at] + b"PK\x06\x07" + bytes(16) + content[at:]


BROKEN: dict[str, tuple[RefusalKind, Callable[[bytes], bytes]]] = {
    "something before it": (RefusalKind.BROKEN_ZIP, lambda content: b"#!/bin/sh\n" + content),
    "cut": (RefusalKind.BROKEN_ZIP, lambda content: content[: len(content) // 2]),
    "a byte wrong": (RefusalKind.BROKEN_ZIP, lambda content: patched(content, 200, "B", content[200] ^ 255)),
    "empty": (RefusalKind.BROKEN_ZIP, lambda content: b""),
    "no archive": (RefusalKind.BROKEN_ZIP, lambda content: b"not an archive"),
    "a wrong size in the directory": (RefusalKind.BROKEN_ZIP, small_size),
    "files that overlap": (RefusalKind.ZIP_BOMB, overlapping),
    "an encrypted file": (
        RefusalKind.ENCRYPTED,
        lambda content: patched(
            content, content.find(CENTRAL) + 8, "B", content[content.find(CENTRAL) + 8] | 1
        ),
    ),
    "a comment behind the files": (RefusalKind.BROKEN_ZIP, commented),
    "a directory of too many files": (
        RefusalKind.BROKEN_ZIP,
        lambda content: patched(content, content.rfind(END) + 8, "<HH", 60_000, 60_000),
    ),
    "a zip64 directory": (RefusalKind.BROKEN_ZIP, with_zip64),
}
"""Name -> kind of the refusal, and what is done to the bytes of an archive."""


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_zip_is_refused(workshop: Workshop, files: Files, tmp_path: Path, name: str) -> None:
    kind, change = BROKEN[name]
    # stored, so that a byte is that of a file; a file whose size lies needs one that unpacks
    place = write(
        tmp_path / "bundle.zip", files, method=ZIP_STORED if name in list(BROKEN)[:5] else ZIP_DEFLATED
    )
    place.write_bytes(change(place.read_bytes()))
    assert kinds(place, workshop) == {kind}


def test_another_compression_method_is_refused(workshop: Workshop, files: Files, tmp_path: Path) -> None:
    assert kinds(write(tmp_path / "bundle.zip", files, method=ZIP_BZIP2), workshop) == {
        RefusalKind.BROKEN_ZIP
    }


def lay(folder: Path, files: Files) -> Path:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return folder


def test_links_in_a_folder_are_refused(workshop: Workshop, files: Files, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("{}\n")
    del files["steps.jsonl"]
    folder = lay(tmp_path / "bundle", files)
    (folder / "steps.jsonl").symlink_to(tmp_path / "secret")
    assert kinds(folder, workshop) == {RefusalKind.LINK}
    (tmp_path / "link").symlink_to(folder)
    assert kinds(tmp_path / "link", workshop) == {RefusalKind.LINK}


def test_a_pipe_in_a_folder_is_refused(workshop: Workshop, files: Files, tmp_path: Path) -> None:
    del files["steps.jsonl"]
    folder = lay(tmp_path / "bundle", files)
    os.mkfifo(folder / "steps.jsonl")
    assert kinds(folder, workshop) == {RefusalKind.SPECIAL_FILE}


def test_an_unexpected_folder_is_refused(workshop: Workshop, files: Files, tmp_path: Path) -> None:
    folder = lay(tmp_path / "bundle", files)
    (folder / ".git" / "hooks").mkdir(parents=True)
    assert kinds(folder, workshop) == {RefusalKind.UNKNOWN_FILE}


def test_a_missing_bundle_is_refused(workshop: Workshop, tmp_path: Path) -> None:
    assert kinds(tmp_path / "none", workshop) == {RefusalKind.NO_BUNDLE}
    (tmp_path / "empty").mkdir()
    assert kinds(tmp_path / "empty", workshop) == {RefusalKind.MISSING_FILE}


def test_a_zip_with_folder_entries_is_accepted(workshop: Workshop, files: Files, tmp_path: Path) -> None:
    place = write(tmp_path / "bundle.zip", files, ("screens/", b""), ("screens/101__20250306_222323/", b""))
    assert zipfile.is_zipfile(place)
    assert verify_bundle(place, workshop.sample).accepted


@pytest.mark.parametrize(
    ("swap", "problem"),
    [
        ("a link", "symbolic link"),
        ("a pipe", "bytes, got 0"),
        ("a longer file", "bytes, got more"),
        ("a shorter file", "bytes, got 2"),
        ("nothing", "No such file"),
    ],
)
def test_a_file_that_is_swapped_after_the_check_is_not_read(
    files: Files, tmp_path: Path, swap: str, problem: str
) -> None:
    bundle = tmp_path / "bundle"
    for name, content in files.items():
        (bundle / name).parent.mkdir(parents=True, exist_ok=True)
        (bundle / name).write_bytes(content)
    victim = bundle / "steps.jsonl"
    with open_contents(bundle, Refusals()) as contents:
        assert contents is not None
        assert contents.read(victim.name) == files[victim.name]
        victim.unlink()
        if swap == "a link":
            # of the same size, so that only the link tells
            (tmp_path / "private").write_bytes(b"x" * len(files[victim.name]))
            victim.symlink_to(tmp_path / "private")
        elif swap == "a pipe":
            os.mkfifo(victim)
        elif swap != "nothing":
            victim.write_bytes(files[victim.name] * 2 if swap == "a longer file" else b"{}")
        with pytest.raises(OSError, match=problem):
            contents.read(victim.name)


@pytest.mark.parametrize("swapped", ["", "screens", "screens/101__20250306_222323"])
def test_a_folder_that_is_swapped_for_a_link_after_the_check_is_not_followed(
    files: Files, tmp_path: Path, swapped: str
) -> None:
    """The link leads to a copy with the same names and sizes, so that only the link tells."""
    bundle, private = lay(tmp_path / "bundle", files), tmp_path / "private"
    lay(private, {name: b"x" * len(content) for name, content in files.items()})
    victim = next(name for name in files if name.startswith("screens/101__20250306_222323/"))
    with open_contents(bundle, Refusals()) as contents:
        assert contents is not None
        (bundle / swapped).rename(tmp_path / "moved")
        (bundle / swapped).symlink_to(private / swapped)
        if swapped:
            with pytest.raises(OSError, match=r"Not a directory|symbolic links"):
                contents.read(victim)
        else:
            # the folder that was checked is still the one that is read
            assert contents.read(victim) == files[victim]


@pytest.mark.parametrize("swapped", ["bundle", "bundle/screens"])
def test_a_folder_that_is_swapped_all_the_time_leads_nowhere(
    files: Files, tmp_path: Path, swapped: str
) -> None:
    """Another thread swaps it for a link and back; content of the link's target is never read."""
    bundle, private = lay(tmp_path / "bundle", files), tmp_path / "private"
    lay(private, {name: b"x" * len(content) for name, content in files.items()})
    target = private / Path(swapped).relative_to("bundle")
    stop = threading.Event()

    def swap() -> None:
        place, aside = tmp_path / swapped, tmp_path / "aside"
        while not stop.is_set():
            place.rename(aside)
            place.symlink_to(target)
            place.unlink()
            aside.rename(place)

    attacker = threading.Thread(target=swap)
    attacker.start()
    read = tries = 0
    try:
        # the folder is there some of the time, however slow the machine is
        while tries < 200 or not read:
            tries += 1
            with open_contents(bundle, Refusals()) as contents:
                for name in contents.sizes if contents else ():
                    with suppress(OSError):
                        assert contents.read(name) == files[name]
                        read += 1
    finally:
        stop.set()
        attacker.join()


def test_a_system_that_follows_every_link_takes_archives_only(
    files: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(os, "O_NOFOLLOW")
    found = Refusals()
    with open_contents(lay(tmp_path / "bundle", files), found) as contents:
        assert contents is None
    assert [one.reason for one in found.refusals] == [
        "the bundle cannot be read: this system cannot open a folder without following links: give a .zip, "
        "or use Linux or macOS"
    ]
    with open_contents(write(tmp_path / "bundle.zip", files), Refusals()) as contents:
        assert contents is not None
