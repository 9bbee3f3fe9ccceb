"""Each bundle is verified in a child process: one beyond the limits is refused, and the others go on."""

from __future__ import annotations

import os
import signal
import sys
import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from shutil import copytree

import pyarrow
import pytest
from pyarrow import parquet

from board.tests.fingertip_leaderboard.bundle_factory import Workshop
from fingertip_dataset.errors import DatasetError, RunError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_leaderboard import RefusalKind, verify_bundle, verify_bundles
from fingertip_leaderboard.commands import verify_limits
from fingertip_leaderboard.verify.check_bundle import check_bundle
from fingertip_leaderboard.verify.check_outcome import Embedders
from fingertip_leaderboard.verify.process import child_process, process_limits
from fingertip_leaderboard.verify.process.forked_process import ForkedProcess
from fingertip_leaderboard.verify.process.process_limits import VerifyLimits
from fingertip_leaderboard.verify.verify_bundle import verify_on
from tests.shared_datasets import manifest_again

LATER = datetime.now(UTC) + timedelta(hours=1)
ONLY_LINUX = pytest.mark.skipif(sys.platform != "linux", reason="other systems have no limit of memory")


def heavy(workshop: Workshop, place: Path, *, megabytes: int) -> Path:
    """A bundle whose answers take that much memory, written to a folder."""
    parts = workshop.parts("model")
    each = min(390_000, (megabytes << 20) // len(parts.tasks))
    for task in parts.tasks:
        task["reasoning"] = "x" * each
    assert each * len(parts.tasks) > megabytes * 900_000
    return parts.write(place)


@ONLY_LINUX
def test_a_bundle_that_takes_too_much_memory_is_refused_and_the_others_go_on(
    workshop: Workshop, tmp_path: Path
) -> None:
    first = workshop.parts("model").write(tmp_path / "first")
    large = heavy(workshop, tmp_path / "large", megabytes=3)
    last = workshop.parts("ours").write(tmp_path / "last")
    limits = VerifyLimits(megabytes=8)
    found = verify_bundles([first, large, last, large], workshop.sample, now=LATER, limits=limits)
    assert [report.accepted for report in found] == [True, False, True, False]
    (problem,) = found[1].problems
    assert problem.kind == RefusalKind.OVER_MEMORY
    assert problem.reason == "verifying it took over 8 MB of memory; --memory-limit allows more"
    assert verify_bundle(large, workshop.sample, now=LATER).accepted


def test_a_system_without_a_limit_of_memory_is_a_remark(
    workshop: Workshop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = workshop.parts("model").write(tmp_path / "bundle")
    assert (child_process.NO_MEMORY_LIMIT in verify_bundle(place, workshop.sample, now=LATER).remarks) == (
        sys.platform != "linux"
    )
    monkeypatch.setattr(process_limits, "STATUS", tmp_path / "none")
    report = verify_bundle(place, workshop.sample, now=LATER)
    assert report.accepted
    assert report.remarks[-1] == "verified without a limit of memory, which this system does not have"


def test_a_bundle_that_takes_too_long_is_refused_alone(workshop: Workshop, tmp_path: Path) -> None:
    places = [workshop.parts(seed).write(tmp_path / seed) for seed in ("model", "ours")]
    found = verify_bundles(places, workshop.sample, now=LATER, limits=VerifyLimits(seconds=1e-6))
    for report in found:
        (problem,) = report.problems
        assert problem.kind == RefusalKind.OVER_TIME
        assert problem.file == str(report.path)
        assert report.scores is None
    assert all(report.accepted for report in verify_bundles(places, workshop.sample, now=LATER))


def test_the_report_is_the_one_of_a_check_in_this_process(workshop: Workshop, tmp_path: Path) -> None:
    for seed in ("judged", "ours", "replayed screens", "phone"):
        place = workshop.parts(seed).write(tmp_path / seed)
        data = BuiltDataset.open(workshop.dataset_of(seed))
        (apart,) = child_process.check_bundles([place], [data], LATER, VerifyLimits())
        here = check_bundle(place, [data], Embedders(), LATER)
        assert here.report.accepted
        assert apart == here


@ONLY_LINUX
def test_a_copy_of_this_process_verifies_as_one_of_its_own_and_ends(
    workshop: Workshop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(threading, "active_count", lambda: 1)  # of a command, not of this test's runner
    place = workshop.parts("model").write(tmp_path / "bundle")
    apart = verify_bundle(place, workshop.sample, now=LATER)
    with child_process.fork_verifier():
        copy = child_process._find_verifier()
        assert isinstance(copy.process, ForkedProcess)
        assert verify_bundle(place, workshop.sample, now=LATER) == apart
        limited = verify_bundle(place, workshop.sample, now=LATER, limits=VerifyLimits(seconds=1e-6))
        assert [problem.kind for problem in limited.problems] == [RefusalKind.OVER_TIME]
        os.kill(copy.process.pid, signal.SIGKILL)
        with pytest.raises(RunError, match="the verifying process"):
            verify_bundle(place, workshop.sample, now=LATER)
        assert verify_bundle(place, workshop.sample, now=LATER) == apart
    assert copy.closed
    with pytest.raises(ChildProcessError):
        os.waitpid(copy.process.pid, os.WNOHANG)


def test_beside_another_thread_the_process_is_one_of_its_own() -> None:
    done = threading.Event()
    thread = threading.Thread(target=done.wait)
    thread.start()
    try:
        with child_process.fork_verifier():
            assert not isinstance(child_process._find_verifier().process, ForkedProcess)
    finally:
        done.set()
        thread.join()


def test_a_path_relative_to_the_working_directory_and_one_that_is_no_unicode(
    workshop: Workshop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workshop.parts("model").write(tmp_path / os.fsdecode(b"bundle\xff"))
    monkeypatch.chdir(tmp_path)
    for path in (Path(os.fsdecode(b"bundle\xff")), Path(os.fsdecode(b"./bundle\xff/../bundle\xff"))):
        report = verify_bundle(path, workshop.sample, now=LATER)
        assert report.accepted, report.problems
        assert report.path == path
        assert report.scores is not None
        assert report.scores.folder == path


def test_modules_in_the_working_directory_are_not_imported(
    workshop: Workshop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The user is in the folder of a bundle, which holds a json.py."""
    place = workshop.parts("model").write(tmp_path / "bundle")
    for name in ("json.py", "pydantic.py", "fingertip_leaderboard.py"):
        (place / name).write_text("import os\nos._exit(3)\n", encoding="utf-8")
    child_process._verifier(os.getpid()).close()
    child_process._verifier.cache_clear()
    monkeypatch.chdir(place)
    monkeypatch.setattr(sys, "path", ["", *sys.path])
    report = verify_bundle(Path(), workshop.sample, now=LATER)
    assert {problem.kind for problem in report.problems} == {RefusalKind.UNKNOWN_FILE}


@pytest.mark.soak
def test_an_error_of_the_call_reaches_the_caller(workshop: Workshop, tmp_path: Path) -> None:
    """A dataset that is gone says nothing about the bundle."""
    place = workshop.parts("model").write(tmp_path / "bundle")
    built = BuiltDataset.open(workshop.sample)
    with pytest.raises(DatasetError, match="no built dataset: `fingertip build` makes one") as raised:
        verify_on([place, place], [replace(built, path=tmp_path / "gone")], now=LATER)
    assert raised.value.file == str(tmp_path / "gone")
    assert verify_bundle(place, workshop.sample, now=LATER).accepted


def test_a_bundle_that_the_checks_fail_on_is_refused_alone(workshop: Workshop, tmp_path: Path) -> None:
    """A fault of the verifier, here on a dataset without times, does not stop the others."""
    data = copytree(workshop.sample, tmp_path / "data")
    for shard in data.rglob("text/test_suggestion*.parquet"):
        table = parquet.read_table(shard)
        names = table.column_names
        place_of = names.index("time")
        time = table.field("time")
        table = table.set_column(place_of, time, pyarrow.nulls(len(table), time.type))
        parquet.write_table(table, shard)
    manifest_again(data)
    parts = workshop.parts("model")
    parts.head["run"]["dataset"]["data_sha256"] = BuiltDataset.open(data).manifest.data_sha256
    place = parts.write(tmp_path / "bundle")
    report, other = verify_bundles([place, tmp_path / "none"], data, now=LATER)
    assert {problem.kind for problem in other.problems} == {RefusalKind.NO_BUNDLE}
    assert [problem.kind for problem in report.problems] == [RefusalKind.CHECK_FAILED]


@pytest.mark.soak
def test_a_bundle_whose_embedder_cannot_be_loaded_is_refused_alone(
    workshop: Workshop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A verifier without the model still scores the bundles that do not need it."""
    monkeypatch.setenv("HF_HOME", str(tmp_path / "no models"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    parts = workshop.parts("model")
    parts.head["scores"]["embedder"] = "official"
    places = [parts.write(tmp_path / "a"), workshop.parts("ours").write(tmp_path / "b")]
    places.append(parts.write(tmp_path / "c"))
    first, other, last = verify_bundles(places, workshop.sample, now=LATER)
    assert other.accepted
    for report in (first, last):
        (problem,) = report.problems
        assert problem.kind == RefusalKind.NO_EMBEDDER
        assert problem.reason.startswith("not scored: this verifier cannot load the embedder official: ")
        assert problem.reason.endswith(": call again once it is in this computer's cache")
        assert "--embedder" not in problem.reason


def test_the_options_of_the_commands_have_the_default_limits() -> None:
    assert VerifyLimits() == VerifyLimits(seconds=verify_limits.SECONDS, megabytes=verify_limits.MEGABYTES)


@pytest.mark.soak
def test_a_killed_verifying_process_is_an_error_and_the_next_call_has_a_new_one(
    workshop: Workshop, tmp_path: Path
) -> None:
    place = workshop.parts("model").write(tmp_path / "bundle")
    assert verify_bundle(place, workshop.sample, now=LATER).accepted
    process = child_process._verifier(os.getpid()).process
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    with pytest.raises(RunError, match="the verifying process"):
        verify_bundle(place, workshop.sample, now=LATER)
    assert verify_bundle(place, workshop.sample, now=LATER).accepted
