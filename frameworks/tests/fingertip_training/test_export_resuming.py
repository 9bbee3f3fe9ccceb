"""An interrupted export goes on from its finished chunks, and is refused where its bytes would differ."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from fingertip_dataset import FingerTipError, UsageError
from fingertip_dataset.errors import RunError
from fingertip_training import ExportOrder, ExportRecord, export_samples
from fingertip_training.sample_export import reuse_export
from tests.command_line import fingertip

ORDER = ExportOrder(track="joint", agent="qwen2.5-vl", max_pixels=20_000, validation=True)


@pytest.fixture(scope="module")
def whole(people: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole") / "export"
    export_samples(people, folder, ORDER)
    return folder


@pytest.fixture(autouse=True)
def small_chunks(whole: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks of fewer episodes than those of the export to which others are compared."""
    monkeypatch.setattr("fingertip_training.export_chunks.CHUNK_EPISODES", 3)


def list_files(folder: Path) -> dict[str, bytes]:
    files = {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}
    record = json.loads(files.pop("export.json"))
    return {**files, "record": json.dumps({**record, "created": ""}).encode()}


def swap(one: Path, other: Path) -> None:
    first, second = one.read_bytes(), other.read_bytes()
    one.write_bytes(second)
    other.write_bytes(first)


@contextmanager
def interrupted(people: Path, out: Path, order: ExportOrder = ORDER, *, after: int = 2) -> Iterator[Path]:
    """An export that was interrupted after some chunks; yields its unfinished folder."""
    chunks = 0

    def count(stage: str, done: int, total: int) -> None:
        nonlocal chunks
        chunks += bool(done)
        if chunks > after:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        export_samples(people, out, order, on_progress=count)
    assert not out.exists()
    yield out.with_name(f"{out.name}.partial")


def test_an_interrupted_export_goes_on_and_has_the_same_bytes(
    people: Path, whole: Path, tmp_path: Path
) -> None:
    for after in (0, 3, 6):
        out = tmp_path / str(after)
        with interrupted(people, out, after=after) as partial:
            assert len(list((partial / "chunks").glob("*.json"))) == after + 1
            # a reader of the finished export never sees these
            assert not list((partial / "export").glob("*.jsonl"))
        export_samples(people, out, ORDER)
        assert list_files(out) == list_files(whole)
        assert [path.name for path in tmp_path.iterdir() if path.name.endswith(".partial")] == []


def test_finished_chunks_are_not_written_again(people: Path, tmp_path: Path) -> None:
    out, seen = tmp_path / "export", list[dict[str, tuple[int, int]]]()
    with interrupted(people, out, after=2) as partial:
        pass

    def look(stage: str, done: int, total: int) -> None:
        files = [(file, file.stat()) for file in (partial / "chunks").glob("*.json*")]
        seen.append({file.name: (state.st_ino, state.st_mtime_ns) for file, state in files})

    export_samples(people, out, ORDER, on_progress=look)
    assert len(seen[0]) == 6
    assert seen[0].items() <= seen[-1].items()
    assert len(seen[-1]) > 6


def test_an_export_that_was_killed_near_its_end_goes_on(people: Path, whole: Path, tmp_path: Path) -> None:
    out = tmp_path / "export"
    with interrupted(people, out, after=9) as partial:
        (partial / "export" / ".train.jsonl.shuffled").write_text("{}\n")
    export_samples(people, out, ORDER)
    assert list_files(out) == list_files(whole)
    # it had its name already
    partial.mkdir()
    (partial / "plan.json").write_text("{}")
    (partial / "chunks").mkdir()
    with pytest.raises(UsageError, match="the folder exists"):
        export_samples(people, out, ORDER)
    assert list(tmp_path.iterdir()) == [out]


@pytest.mark.parametrize(
    "damage",
    [
        lambda partial: max((partial / "chunks").glob("*.jsonl")).write_bytes(b"{}\n"),
        lambda partial: max((partial / "chunks").glob("*.jsonl")).unlink(),
        lambda partial: max((partial / "chunks").glob("*.json")).write_text("{"),
        lambda partial: swap(*sorted((partial / "chunks").glob("*.jsonl"))[:2]),
        lambda partial: swap(*sorted((partial / "chunks").glob("*.json"))[:2]),
        lambda partial: [
            file.write_bytes(b"\xff\xd8\xff" + bytes(file.stat().st_size - 3))
            for file in (partial / "export" / "images").rglob("*.jpg")
        ],
        lambda partial: [file.unlink() for file in (partial / "export" / "images").rglob("*.jpg")],
        lambda partial: [file.write_bytes(b"") for file in (partial / "export" / "images").rglob("*.jpg")],
        lambda partial: (partial / "chunks" / ".train-execution-00000.1").write_text("{}\n"),
        lambda partial: (partial / "export" / "train.jsonl").write_text("{}\n"),
    ],
)
def test_a_chunk_that_is_not_whole_is_written_again(
    people: Path, whole: Path, tmp_path: Path, damage: Callable[[Path], object]
) -> None:
    out = tmp_path / "export"
    with interrupted(people, out) as partial:
        damage(partial)
    export_samples(people, out, ORDER)
    assert list_files(out) == list_files(whole)


def test_the_number_of_processes_changes_no_byte(people: Path, whole: Path, tmp_path: Path) -> None:
    export_samples(people, tmp_path / "two", ORDER, workers=2)
    assert list_files(tmp_path / "two") == list_files(whole)


def test_another_dataset_in_the_same_folder_is_read_anew(
    people: Path, english_people: Path, tmp_path: Path
) -> None:
    order, dataset = ExportOrder(track="suggestion", history="all"), tmp_path / "dataset"
    shutil.copytree(people, dataset)
    export_samples(dataset, tmp_path / "one", order)
    shutil.rmtree(dataset)
    shutil.copytree(english_people, dataset)
    export_samples(dataset, tmp_path / "two", order)
    export_samples(english_people, tmp_path / "three", order)
    rows = [(tmp_path / name / "train.jsonl").read_bytes() for name in ("one", "two", "three")]
    assert rows[0] != rows[1] == rows[2]


def test_pictures_that_were_put_into_the_rows_are_made_again(people: Path, tmp_path: Path) -> None:
    order = ExportOrder(track="execution", agent="qwen2.5-vl", max_pixels=20_000, embed=True)
    export_samples(people, tmp_path / "whole", order)
    with interrupted(people, tmp_path / "export", order, after=0) as partial:
        for file in (partial / "export" / "images").rglob("*.jpg"):
            file.unlink()
    export_samples(people, tmp_path / "export", order)
    assert list_files(tmp_path / "export") == list_files(tmp_path / "whole")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda plan: plan["options"].update(seed=7), "seed is 7 there, 0 here"),
        (lambda plan: plan["options"].pop("agent"), "agent is None there, 'qwen2.5-vl' here"),
        (lambda plan: plan.update(manifest_sha256="0" * 64), "the dataset is another, or has changed"),
        (lambda plan: plan.update(decoder="another 1.0"), r"another decoder .*another 1\.0 there, pillow"),
        (lambda plan: plan["source"]["packages"].update(numpy="1.0"), "the code has changed"),
        (lambda plan: plan["agents"]["execution"]["settings"].update(prompt="x"), "the prompt has changed"),
    ],
)
def test_an_unfinished_export_of_another_call_is_refused_and_stays(
    people: Path, tmp_path: Path, change: Callable[[dict[str, Any]], object], message: str
) -> None:
    out = tmp_path / "export"
    with interrupted(people, out) as partial:
        plan = json.loads((partial / "plan.json").read_text())
        change(plan)
        (partial / "plan.json").write_text(json.dumps(plan))
    before = sorted(partial.rglob("*"))
    with pytest.raises(RunError, match=message):
        export_samples(people, out, ORDER)
    assert sorted(partial.rglob("*")) == before
    (partial / "plan.json").write_text("{")
    with pytest.raises(FingerTipError, match=r"plan\.json is damaged: remove the folder"):
        export_samples(people, out, ORDER)


def test_a_folder_that_is_taken_is_left_alone(people: Path, tmp_path: Path) -> None:
    out, partial = tmp_path / "export", tmp_path / "export.partial"
    partial.mkdir()
    (partial / "mine.txt").write_text("mine")
    with pytest.raises(UsageError, match="no unfinished export: remove it, or give another --out"):
        export_samples(people, out, ORDER)
    (partial / "mine.txt").unlink()
    lock = os.open(partial, os.O_RDONLY | os.O_DIRECTORY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    with pytest.raises(UsageError, match="another export writes this folder: wait for it"):
        export_samples(people, out, ORDER)
    os.close(lock)
    partial.rmdir()
    partial.write_text("a file")
    with pytest.raises(UsageError, match="the name is taken"):
        export_samples(people, out, ORDER)
    partial.unlink()
    partial.symlink_to(tmp_path)
    with pytest.raises(UsageError, match="the name is taken"):
        export_samples(people, out, ORDER)


def test_an_order_that_cannot_be_filled_leaves_nothing(people: Path, tmp_path: Path) -> None:
    order = ExportOrder(track="suggestion", episodes=10_000)
    with pytest.raises(UsageError, match="too few for --episodes"):
        export_samples(people, tmp_path / "export", order)
    assert list(tmp_path.iterdir()) == []


def test_the_samples_of_a_finetuning_go_on_too(people: Path, whole: Path, tmp_path: Path) -> None:
    out = tmp_path / "samples"
    with interrupted(people, out):
        pass
    reuse_export(people, out, ORDER)
    assert list_files(out) == list_files(whole)
    assert reuse_export(people, out, ORDER) == ExportRecord.read(out)


def test_the_command_takes_a_number_of_processes(people: Path, tmp_path: Path) -> None:
    call = ("export", people, "--track", "execution", "--format", "trl", "--out", tmp_path / "export")
    done = fingertip(*call, "--agent", "cogagent", "--workers", 1, "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["decoder"].startswith("pillow ")
    assert not (tmp_path / "export.partial").exists()


@pytest.mark.install
def test_two_interrupts_end_an_export_of_processes_at_once(people: Path, tmp_path: Path) -> None:
    out, plan = tmp_path / "export", tmp_path / "export.partial" / "plan.json"
    call = ["export", people, "--track", "joint", "--format", "trl", "--agent", "qwen2.5-vl", "--val"]
    command = [sys.executable, "-m", "fingertip_cli", *map(str, call), "--workers=2", f"--out={out}"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True) as process:
        while process.poll() is None and not plan.exists():
            time.sleep(0.01)
        # the workers are starting
        time.sleep(0.3)
        for _ in range(2):
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGINT)
            time.sleep(0.05)
        _, errors = process.communicate(timeout=30)
    assert "stopped" in errors
    assert "Traceback" not in errors
