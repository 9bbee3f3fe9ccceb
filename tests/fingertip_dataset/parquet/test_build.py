from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Literal

import pytest
from rapidfuzz import fuzz

from fingertip_dataset.errors import DatasetError, ReleaseError, UsageError
from fingertip_dataset.parquet.build import build, build_part
from fingertip_dataset.parquet.build_plan import BuildConfig, BuildPlan
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.parquet.manifest import Manifest
from fingertip_dataset.parquet.staging import Staging
from fingertip_dataset.parquet.staging_lock import staging_lock
from fingertip_dataset.release.checking import check_release
from fingertip_dataset.release.read_release import read_release
from fingertip_dataset.split_names import SPLITS
from tests.fixtures.drawn_sample import sample_release
from tests.shared_datasets import built_sample

RAW, TABLES = sample_release() / "raw", sample_release() / "tables"
STEPS = 420
PROFILE = "user_id,sex,age,occupation,address,marital_status,phone_brand"


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built_sample(tmp_path_factory)


@pytest.fixture(scope="module")
def long_release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ten episodes of 420 steps: several shards. Every screen is a link to one of two files of the sample."""
    folder = tmp_path_factory.mktemp("long")
    shots = next(RAW.glob("*/*/Screenshots"))
    image, tree = next(shots.glob("*.jpg")), next(shots.glob("*.xml"))
    for name, content in (("1.jpg", image.read_bytes()), ("1.xml", tree.read_bytes())):
        (folder / name).write_bytes(content)
    for day in range(10, 20):
        episode = folder / "raw" / "3" / f"202503{day}_081500"
        (episode / "Screenshots").mkdir(parents=True)
        survey = {"scenario": "住所", "app": "com.a", "intentDescription": f"听第{day}首歌"}
        (episode / "survey_result.json").write_text(json.dumps(survey), encoding="utf-8")
        lines = [json.dumps({f"{step}.jpg": "wait()"}) for step in range(100, 100 + STEPS)]
        (episode / "action.jsonl").write_text("\n".join(lines), encoding="utf-8")
        for step in range(100, 100 + STEPS):
            os.link(folder / "1.jpg", episode / "Screenshots" / f"{step}.jpg")
            os.link(folder / "1.xml", episode / "Screenshots" / f"tree_{step}.xml")
    return folder / "raw"


def content(folder: Path) -> dict[str, str]:
    """Every Parquet file with its hash."""
    files = sorted(folder.rglob("*.parquet"))
    return {str(f.relative_to(folder)): hashlib.sha256(f.read_bytes()).hexdigest() for f in files}


def call(*arguments: object) -> list[str]:
    return [sys.executable, "-c", "from fingertip_cli.main import main; main()", *map(str, arguments)]


def test_the_manifest_counts_what_is_there(dataset: Path) -> None:
    built = BuiltDataset.open(dataset)
    manifest = built.manifest
    built.verify()
    for split in SPLITS:
        rows = list(built.rows(split, config="default"))
        assert manifest.splits[split].model_dump() == {
            "episodes": len(rows),
            "steps": sum(len(row["actions"]) for row in rows),
            "screenshots": sum(image is not None for row in rows for image in row["screenshots"]),
            "trees": sum(tree is not None for row in rows for tree in row["accessibility_trees"]),
            "users": len({row["user_id"] for row in rows}),
            "apps": len({row["app"] for row in rows}),
            "categories": len({row["intent_category"] for row in rows if row["intent_category"]}),
        }
    assert content(dataset) == {shard.file: shard.sha256 for shard in manifest.shards}
    assert manifest.provenance == "sample"
    assert manifest.split_method == "official tables"


def test_problems_are_those_of_a_check(dataset: Path) -> None:
    check = check_release(RAW, TABLES)
    manifest = BuiltDataset.open(dataset).manifest
    assert manifest.problems == check.counts
    assert manifest.episodes.model_dump() == {
        "given": check.given,
        "kept": check.kept,
        "rejected": check.rejected,
    }


def test_rows_match_the_release(dataset: Path) -> None:
    built = BuiltDataset.open(dataset)
    rows = {row["episode_id"]: row for split in SPLITS for row in built.rows(split)}
    assert len(rows) == built.manifest.episodes.kept
    for episode_id, row in rows.items():
        user, _, moment = episode_id.partition("__")
        folder = next(RAW.glob(f"**/{user}/{moment}"))
        survey = json.loads((folder / "survey_result.json").read_text(encoding="utf-8"))
        lines = (folder / "action.jsonl").read_text(encoding="utf-8").splitlines()
        assert [row["user_id"], row["scenario"], row["app"], row["intent"]] == [
            survey[key] for key in ("user_id", "scenario", "app", "intentDescription")
        ]
        assert f"{row['time']:%Y%m%d_%H%M%S}" == moment
        assert row["time"].utcoffset().total_seconds() == 8 * 3600
        assert [step["raw"] for step in row["actions"]] == [
            next(iter(json.loads(line).values())) for line in lines
        ]


def closest(row: dict[str, Any], candidates: list[dict[str, Any]]) -> dict[str, Any] | None:
    """The expected reference of a row: the first candidate of the most similar intent."""
    recorded = [one for one in candidates if any(step["raw"] for step in one["actions"])]
    if not recorded:
        return None
    # rounded: two equal shares of different lengths may differ in their last digit
    best = max(recorded, key=lambda one: round(fuzz.ratio(row["intent"], one["intent"]), 6))
    return {
        "episode_id": best["episode_id"],
        "intent": best["intent"],
        "similarity": pytest.approx(fuzz.ratio(row["intent"], best["intent"]) / 100, abs=1e-6),
        "actions": [step["raw"] for step in best["actions"] if step["raw"]],
    }


@pytest.mark.parametrize("protocol", ["online", "strict"])
def test_every_split_has_the_references_of_a_slow_search(
    protocol: Literal["online", "strict"], dataset: Path, tmp_path: Path
) -> None:
    if protocol == "strict":
        dataset = tmp_path / "strict"
        build(RAW, dataset, tables=TABLES, config=BuildConfig(history="strict"))
    built = BuiltDataset.open(dataset)
    assert (built.manifest.history, built.manifest.references_on_every_split) == (protocol, True)
    rows = {row["episode_id"]: row for split in SPLITS for row in built.rows(split)}
    pool = list(built.rows("train")) if protocol == "strict" else list(rows.values())
    known = {row["episode_id"] for row in pool}
    pool.sort(key=lambda row: (int(row["user_id"]), row["time"]))
    for split in SPLITS:
        shown = 0
        for row in built.rows(split):
            own = [one for one in pool if one["user_id"] == row["user_id"] and one["time"] < row["time"]]
            other = [one for one in pool if {one["user_type"], row["user_type"]} == {1, 2}]
            assert row["same_user_reference"] == closest(row, own)
            assert row["other_type_reference"] == closest(row, other)
            shown += row["same_user_reference"] is not None
            assert {one["episode_id"] for one in row["previous_intents"]} <= known
        assert shown > 0


def test_references_that_only_the_execution_test_had_are_told(dataset: Path, tmp_path: Path) -> None:
    old = Path(shutil.copytree(dataset, tmp_path / "old"))
    manifest = json.loads((old / "manifest.json").read_text(encoding="utf-8"))
    (old / "manifest.json").write_text(json.dumps(manifest | {"schema_version": 2}), encoding="utf-8")
    BuiltDataset.open(dataset).require_references()
    with pytest.raises(DatasetError) as error:
        BuiltDataset.open(old).require_references()
    assert str(error.value) == (
        "the dataset was built before references were on all splits: build it again with `fingertip build` "
        f"(file {old})"
    )


def test_without_tables_the_rule_splits(tmp_path: Path) -> None:
    manifest = build(RAW, tmp_path / "ruled", config=BuildConfig(seed=3))
    assert (manifest.split_method, manifest.seed) == ("rule A.5", 3)
    assert manifest.splits["train"].episodes > manifest.splits["test_suggestion"].episodes > 0


def test_every_engine_makes_the_same_bytes(dataset: Path, tmp_path: Path) -> None:
    build(RAW, tmp_path / "two", tables=TABLES, workers=2)
    for part in (3, 1, 2):
        done = build_part(RAW, tmp_path / "parts", part=part, parts=3, tables=TABLES)
        assert (done is None) == (part != 2)
    assert content(tmp_path / "two") == content(tmp_path / "parts") == content(dataset)
    names = ("manifest.json", "subsets.json", "README.md")
    for name in names:
        assert (tmp_path / "two" / name).read_bytes() == (tmp_path / "parts" / name).read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["parts", "two"]


def test_a_repeated_part_returns_the_finished_dataset(dataset: Path, tmp_path: Path) -> None:
    out = Path(shutil.copytree(dataset, tmp_path / "out"))
    again = build_part(RAW, out, part=1, parts=2, tables=TABLES)
    assert again == Manifest.read(dataset / "manifest.json")
    assert content(out) == content(dataset)


def test_a_build_continues_from_the_shards_of_parts(dataset: Path, tmp_path: Path) -> None:
    assert build_part(RAW, tmp_path / "out", part=1, parts=2, tables=TABLES) is None
    made = {file: file.stat().st_ino for file in (tmp_path / "out.partial").glob("*.shard")}
    build(RAW, tmp_path / "out", tables=TABLES)
    assert content(tmp_path / "out") == content(dataset)
    assert set(made.values()) <= {file.stat().st_ino for file in (tmp_path / "out").rglob("*.parquet")}


@pytest.mark.soak
def test_a_killed_build_leaves_nothing_loadable_and_resumes(long_release: Path, tmp_path: Path) -> None:
    undisturbed = build(long_release, tmp_path / "undisturbed")
    shards = len(undisturbed.shards) // 2
    assert shards >= 5
    out, partial = tmp_path / "killed", tmp_path / "killed.partial"
    process = subprocess.Popen(
        call("build", long_release, "--out", out, "--workers", 2), stderr=subprocess.DEVNULL
    )
    until = time.monotonic() + 120
    while not list(partial.glob("*.record")):
        assert time.monotonic() < until
        time.sleep(0.002)
    workers = children(process.pid)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert not out.exists()
    made = {file.name: file.stat().st_ino for file in partial.glob("*.shard")}
    assert 0 < len(list(partial.glob("*.record"))) < shards
    assert not [file for file in partial.rglob("*") if file.suffix in (".parquet", ".json", ".md", ".arrow")]
    while any(Path(f"/proc/{worker}").exists() for worker in workers):
        assert time.monotonic() < until, "a worker outlived its parent"
        time.sleep(0.01)
    build(long_release, out)
    assert content(out) == content(tmp_path / "undisturbed")
    kept = set(made.values()) & {file.stat().st_ino for file in out.rglob("*.parquet")}
    assert len(kept) >= 2
    assert not partial.exists()


def children(pid: int) -> list[str]:
    if not Path("/proc").is_dir():
        return []
    return Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()


def test_a_build_killed_while_finishing_resumes(dataset: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert build_part(RAW, out, part=1, parts=1000, tables=TABLES) is None
    plan = BuildPlan(read_release(RAW, TABLES), BuildConfig())
    staging = Staging(out, plan.fingerprint)
    hidden = staging.folder / f".finished-{plan.fingerprint[:16]}"
    (hidden / "data").mkdir(parents=True)
    (hidden / "README.md").write_text("---\nconfigs: []\n---\n", encoding="utf-8")
    [made] = staging.folder.glob("default-*.shard")
    name = made.name.split(".")[0].removeprefix("default-")
    made.rename(hidden / "data" / f"{name}.parquet")
    build(RAW, out, tables=TABLES)
    assert content(out) == content(dataset)
    assert not staging.folder.exists()


def test_a_dataset_that_another_job_finishes_meanwhile_is_taken(tmp_path: Path) -> None:
    out, other = tmp_path / "out", []

    def let_another_job_build(what: str, done: int, total: int) -> None:
        if what == "shards" and not other:
            other.append(build_part(RAW, out, part=1, parts=1, tables=TABLES))

    ours = build_part(RAW, out, part=1, parts=1, tables=TABLES, on_progress=let_another_job_build)
    assert [ours] == other
    BuiltDataset.open(out).verify()
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("config", [BuildConfig(), BuildConfig(seed=5)])
def test_a_second_build_of_a_folder_is_refused_while_the_first_runs(
    tmp_path: Path, config: BuildConfig
) -> None:
    out, refused = tmp_path / "out", []

    def build_again(what: str, done: int, total: int) -> None:
        if not refused:
            with pytest.raises(
                UsageError, match="another build writes this folder: wait for it, or give"
            ) as got:
                build(RAW, out, tables=TABLES, config=config)
            with pytest.raises(UsageError, match="another build writes this folder"):
                build_part(RAW, out, part=1, parts=1, tables=TABLES)
            refused.append(got)

    build(RAW, out, tables=TABLES, on_progress=build_again)
    assert refused
    BuiltDataset.open(out).verify()
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_build_that_fails_leaves_no_empty_folder(maker: Any, tmp_path: Path) -> None:  # noqa: ANN401
    maker.episode()
    maker.table("total.csv", maker.row())
    (maker.raw / "train_set.csv").write_bytes("user_id,time\n".encode("utf-16"))
    with pytest.raises(
        ReleaseError, match="the table cannot be read, so its split is not known: expected UTF-8"
    ):
        build(maker.raw, tmp_path / "out")
    assert not (tmp_path / "out.partial").exists()


def test_a_lock_of_a_removed_folder_is_not_held(tmp_path: Path) -> None:
    """Finishing removes the folder and its lock: who waited for that lock takes the one of the new folder."""
    folder, first, held = tmp_path / "out.partial", threading.Event(), threading.Event()

    def wait() -> None:
        first.set()
        with staging_lock(folder):
            assert not held.is_set()

    with ThreadPoolExecutor(1) as pool:
        with staging_lock(folder):
            waiting = pool.submit(wait)
            assert first.wait(60)
            shutil.rmtree(folder)
            with staging_lock(folder):
                held.set()
                time.sleep(0.2)
                held.clear()
        waiting.result(60)


@pytest.mark.soak
def test_a_full_disk_is_one_line_and_the_build_resumes(dataset: Path, tmp_path: Path) -> None:
    arguments = ("build", RAW, "--tables", TABLES, "--out", tmp_path / "out")
    for workers in (1, 2):
        limited = ["bash", "-c", 'ulimit -f 200; exec "$@"', "bash", *call(*arguments, "--workers", workers)]
        done = subprocess.run(limited, capture_output=True, text=True, check=False)
        lines = [line for line in done.stderr.splitlines() if not line.startswith(("folders", "shards"))]
        assert done.returncode == 2
        assert len(lines) == 1, done.stderr
        assert "failed: File too large" in lines[0]
        assert not (tmp_path / "out").exists()
    build(RAW, tmp_path / "out", tables=TABLES)
    assert content(tmp_path / "out") == content(dataset)


def test_overwrite_replaces_a_dataset_and_nothing_else(dataset: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    build(RAW, out, tables=TABLES)
    with pytest.raises(UsageError, match="the folder holds a built dataset: --overwrite replaces it"):
        build(RAW, out, tables=TABLES)
    build(RAW, out, overwrite=True)
    assert Manifest.read(out / "manifest.json").split_method == "rule A.5"
    build(RAW, out, tables=TABLES, overwrite=True)
    assert content(out) == content(dataset)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("all of it", encoding="utf-8")
    for place in (tmp_path / "mine", tmp_path / "mine" / "thesis.txt"):
        with pytest.raises(UsageError, match="is not a built dataset"):
            build(RAW, place, tables=TABLES, overwrite=True)
    (tmp_path / "link").symlink_to(tmp_path / "mine")
    with pytest.raises(UsageError, match="the output folder is a link"):
        build(RAW, tmp_path / "link", tables=TABLES, overwrite=True)
    (tmp_path / "link").unlink()
    assert (tmp_path / "mine" / "thesis.txt").read_text(encoding="utf-8") == "all of it"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine", "out"]


@pytest.mark.parametrize("place", [".", "out", "sub/out"])
def test_the_release_is_never_written_into(maker: Any, place: str) -> None:  # noqa: ANN401
    maker.episode()
    before = sorted(maker.raw.rglob("*"))
    with pytest.raises(UsageError):
        build(maker.raw, maker.raw / place)
    assert sorted(maker.raw.rglob("*")) == before


def test_a_release_without_episodes_is_refused(maker: Any, tmp_path: Path) -> None:  # noqa: ANN401
    maker.episode(survey=b"", folder="3/20250310_081530")
    with pytest.raises(ReleaseError, match="none of the 1 episodes can be used"):
        build(maker.raw, tmp_path / "out")
    assert not (tmp_path / "out.partial").exists()


def test_wrong_calls_of_build(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="expected at least one worker, got 0"):
        build(RAW, tmp_path / "out", workers=0)
    with pytest.raises(UsageError, match="expected engine local or ray, got 'spark'"):
        build(RAW, tmp_path / "out", engine="spark")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="expected a part from 1 to 2, got 3"):
        build_part(RAW, tmp_path / "out", part=3, parts=2)
    with pytest.raises(UsageError, match="got 'model' without encode"):
        BuildConfig(references="model")
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(DatasetError, match=r"reading the release or writing .* failed: Not a directory"):
        build(RAW, tmp_path / "file" / "out")


@pytest.mark.parametrize("text", ["\ud800", "\x00", "x" * 20_000, "---\nlicense: mit\n---"])
def test_any_release_can_be_built(maker: Any, tmp_path: Path, text: str) -> None:  # noqa: ANN401
    survey = maker.survey(scenario=text, app=text, intentDescription=f"买{text}", provenance=text)
    lines = [{"11.jpg": f"click(coordinates=(5, 6), content='{text}')"}, {"12.jpg": f"type(text='{text}')"}]
    raw_lines = "\n".join(map(json.dumps, lines)).encode()
    maker.episode(survey=json.dumps(survey).encode(), lines=raw_lines)
    maker.table("user_profile.csv", f"3,女,{9**99},{text!r},北京,,华为", header=PROFILE)
    build(maker.raw, tmp_path / "out")
    built = BuiltDataset.open(tmp_path / "out")
    row = next(built.rows("test_suggestion"))
    output = "\ufffd" if text == "\ud800" else text
    assert row["intent"].strip() == f"买{output}".strip()
    assert [step["raw"] for step in row["actions"]] == [
        next(iter(line.values())).replace(text, output) for line in lines
    ]
    assert row["user_profile"]["age"] is None


def test_progress_is_reported(tmp_path: Path) -> None:
    output: list[tuple[str, int, int]] = []
    build(RAW, tmp_path / "out", tables=TABLES, on_progress=lambda *where: output.append(where))
    assert output[-1] == ("shards", 4, 4)
    assert ("folders", 48, 48) in output
