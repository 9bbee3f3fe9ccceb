"""Messages about paths: what is there, where it was looked for, and what was probably meant."""

from __future__ import annotations

import json
import shlex
import zipfile
from pathlib import Path

import pytest

from fingertip_dataset.errors import UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.parquet.loading import load
from fingertip_dataset.path_kinds import MARKS, NOTHING, explain_missing, explain_wrong_path, find_path_kind
from fingertip_dataset.release.read_release import read_release


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory: a dataset `Sim`, one within `deep`, a run `runs/habit`, and an empty folder."""
    for folder, mark in {
        "Sim": "manifest.json",
        "deep/inner": "manifest.json",
        "my data/实验": "manifest.json",
        "runs/habit": "run.json",
        "bundles/habit": "bundle.json",
    }.items():
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / mark).write_text("{}", encoding="utf-8")
    (tmp_path / "Sim" / "data").mkdir()
    (tmp_path / "empty").mkdir()
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.txt").touch()
    monkeypatch.chdir(tmp_path)
    return tmp_path


NO_DATASET = "no built dataset: `fingertip build` makes one; "


@pytest.mark.parametrize(
    ("path", "wanted", "message"),
    [
        ("nowhere", "a built dataset", "there is no folder nowhere in {place}"),
        ("a/b/c", "a built dataset", "there is no folder a in {place}"),
        ("sim", "a built dataset", "there is no folder sim in {place}: did you mean Sim?"),
        ("Simm", "a built dataset", "there is no folder Simm in {place}: did you mean Sim?"),
        ("SIM/data", "a built dataset", "there is no folder SIM in {place}: did you mean Sim/data?"),
        ("inner", "a built dataset", "there is no folder inner in {place}: did you mean deep/inner?"),
        ("NOTES", "a built dataset", "there is no folder NOTES in {place}: did you mean notes?"),
        ("deep", "a built dataset", "this folder has one in it: give deep/inner"),
        ("my data", "a built dataset", "this folder has one in it: give 'my data/实验'"),
        ("Sim/data", "a built dataset", "this is a part of one: give its folder, {place}/Sim"),
        ("empty", "a built dataset", "this folder is empty"),
        ("notes", "a built dataset", "this folder has no manifest.json"),
        ("runs", "a run", "this folder has one in it: give runs/habit"),
        ("runs/habbit", "a run", "there is no folder habbit in {place}/runs: did you mean runs/habit?"),
        ("habit", "a run", "there is no folder habit in {place}: did you mean runs/habit?"),
        ("bundle", "a bundle", "there is no folder bundle in {place}"),
    ],
)
def test_what_is_at_a_path_is_said(path: str, wanted: str, message: str, place: Path) -> None:
    assert explain_missing(Path(path), wanted) == f"{NOTHING[wanted]}; {message.format(place=place)}"
    if "did you mean" not in message:
        return
    whole = explain_missing(place / path, wanted)
    meant = shlex.split(whole.rpartition("did you mean ")[2].rstrip("?"))
    assert Path(*meant).is_dir()
    assert Path(*meant).is_absolute()


def test_a_name_on_the_hub_is_answered_with_the_call_that_brings_it(place: Path) -> None:
    words = explain_missing(Path("qinglongyang/fingertip-20k"), "a built dataset")
    assert "`hf download qinglongyang/fingertip-20k --repo-type dataset --local-dir fingertip-20k`" in words
    assert "`fingertip build fingertip-20k --out DATASET`" in words
    for other in ("runs/fingertip-20k", "/abs/name", "a/b/c", "../b", "no name/b"):
        assert "hf download" not in explain_missing(Path(other), "a built dataset")
    assert "hf download" not in explain_missing(Path("owner/name"), "a run")


@pytest.mark.parametrize(
    "address",
    [
        "https://huggingface.co/datasets/board/sim",
        "https://huggingface.co/datasets/board/sim/tree/main",
        "https://hf-mirror.com/datasets/board/sim/",
        "hf://datasets/board/sim",
    ],
)
def test_an_address_on_the_hub_is_answered_like_the_name(address: str, place: Path) -> None:
    message = explain_missing(Path(address), "a built dataset")
    assert "`hf download board/sim --repo-type dataset --local-dir sim`" in message, message


@pytest.mark.parametrize(
    ("member", "kind"),
    [("Sim/manifest.json", "a zip file"), ("habit/bundle.json", "a bundle"), (None, "a bundle")],
)
def test_a_zip_file_is_a_bundle_only_with_the_mark_of_one(member: str | None, kind: str, place: Path) -> None:
    packed = place / "given.zip"
    packed.write_bytes(b"broken")
    if member is not None:
        with zipfile.ZipFile(packed, "w") as file:
            file.writestr(member, "{}")
    message = explain_missing(packed, "a built dataset")
    assert message.startswith(f"this is {kind}, not a built dataset: ")
    assert ("unpack it" in message) == (kind == "a zip file")


def test_a_run_in_place_of_its_dataset_names_it_if_it_is_there(place: Path) -> None:
    run = place / "runs" / "habit"
    plain = "this is a run, not a built dataset: give the dataset that the run is of"
    assert explain_missing(run, "a built dataset") == plain
    for path, message in (
        (place / "Sim", f"this is a run, not a built dataset: it is of the dataset {place / 'Sim'}"),
        (place / "gone", plain),
    ):
        (run / "run.json").write_text(json.dumps({"dataset": {"path": str(path)}}), encoding="utf-8")
        assert explain_missing(run, "a built dataset") == message
    assert explain_missing(place / "Sim", "a run").startswith("this is a built dataset, not a run: ")


def test_every_wanted_kind_has_words_for_nothing(place: Path) -> None:
    for wanted in NOTHING:
        assert explain_missing(Path("nowhere"), wanted).startswith(("no ", "expected "))
    assert set(NOTHING) - {"a raw release", "a folder of bundles"} <= set(MARKS.values())


@pytest.mark.parametrize("packed", [False, True])
def test_a_folder_of_bundles_is_named_with_its_bundles_and_the_call(packed: bool, place: Path) -> None:
    folder = place / "all of them"
    (folder / ".hidden").mkdir(parents=True)
    (folder / "notes").mkdir()
    names = [f"{name}.zip" if packed else name for name in ("d", "c", "b", "a")]
    for number, name in enumerate(names):
        if packed:
            with zipfile.ZipFile(folder / name, "w") as file:
                file.writestr("bundle.json", "{}")
        else:
            (folder / name).mkdir()
            (folder / name / "bundle.json").write_text("{}", encoding="utf-8")
        message = explain_wrong_path(folder, "a bundle")
        assert message is not None
        if not number:
            assert message == f"this folder has one bundle in it: give '{folder / name}'"
    end = ".zip" if packed else ""
    assert message == (
        f"this is a folder of 4 bundles, a{end}, b{end}, c{end} and 1 other: give each, `fingertip verify "
        f"'{folder}'/*{end}`, or `fingertip leaderboard '{folder}'` for a board of all"
    )
    assert find_path_kind(folder) == "a folder of bundles"
    assert explain_wrong_path(folder, "a folder of bundles") is None


def test_a_folder_whose_folder_has_the_bundles_names_them(place: Path) -> None:
    (place / "benchmark" / "bundles" / "b").mkdir(parents=True)
    (place / "benchmark" / "bundles" / "b" / "bundle.json").touch()
    message = explain_wrong_path(place / "benchmark", "a bundle")
    assert message == f"this folder has one bundle in it: give {place}/benchmark/bundles/b"
    (place / "benchmark" / "bundles" / "c").mkdir()
    (place / "benchmark" / "bundles" / "c" / "bundle.json").touch()
    message = explain_wrong_path(place / "benchmark", "a bundle")
    assert message is not None
    assert message.startswith("its folder bundles is a folder of 2 bundles, b, c: give each, ")


@pytest.mark.parametrize("path", ["x" * 300, "用" * 90, "a/" * 3000])
def test_a_path_that_no_file_system_takes_is_one_line(path: str) -> None:
    for call in (
        lambda: load("train", path=path),
        lambda: load(path),
        lambda: BuiltDataset.open(Path(path)),
        lambda: read_release(Path(path)),
    ):
        with pytest.raises(UsageError) as raised:
            call()
        assert raised.value.message.startswith(f"the path {Path(path).as_posix()[:30]}... has ")
        assert len(str(raised.value)) < 150
