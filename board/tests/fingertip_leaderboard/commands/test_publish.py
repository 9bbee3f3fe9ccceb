"""`fingertip publish` against a Hub on loopback: the preview, the commit, and what is refused."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from subprocess import CompletedProcess

import pytest
import yaml

from board.tests.fingertip_leaderboard.hub_server import Hub, refusal, served_hub
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.parquet.manifest import MANIFEST, Manifest
from fingertip_dataset.release.redaction import Redaction
from fingertip_metrics.install import MODULES
from tests.command_line import fingertip
from tests.shared_datasets import simulated_people

TOKEN = "hf_" + "publ1sh" * 5
REPO = "xiaohong/fingertip-sim"

Publish = Callable[..., CompletedProcess[str]]

pytestmark = pytest.mark.install


@pytest.fixture
def hub() -> Iterator[Hub]:
    with served_hub(TOKEN) as server:
        yield server


@pytest.fixture
def publish(hub: Hub, tmp_path: Path) -> Publish:
    known = {name: value for name, value in os.environ.items() if not name.startswith("HF_")}
    env = known | {
        "HF_ENDPOINT": hub.endpoint, "HF_TOKEN": TOKEN, "HF_HOME": str(tmp_path / "hf"),
        "HF_HUB_DISABLE_XET": "1",
    }  # fmt: skip
    return lambda *arguments: fingertip("publish", *arguments, cwd=tmp_path, env=env)


@pytest.fixture
def dataset(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset of simulated people that the test may change."""
    return Path(shutil.copytree(simulated_people(tmp_path_factory) / "dataset", tmp_path / "built"))


def line_of(done: CompletedProcess[str]) -> str:
    """The last line on stderr, below the progress of an upload."""
    assert done.returncode == 2, done
    assert TOKEN not in done.stderr
    assert "Traceback" not in done.stderr
    return done.stderr.splitlines()[-1]


def with_manifest(dataset: Path, **changes: object) -> Path:
    manifest = Manifest.read(dataset / MANIFEST)
    manifest.model_copy(update=changes).write(dataset / MANIFEST)
    return dataset


def test_a_preview_lists_every_file_and_sends_nothing(hub: Hub, publish: Publish, dataset: Path) -> None:
    done = publish(dataset, "--repo", REPO)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Nothing was sent: --push sends it." in done.stdout
    assert "simulated\n" in done.stdout
    assert "licence apache-2.0" in done.stdout
    assert hub.requests == []
    found = json.loads(publish(dataset, "--repo", REPO, "--json").stdout)
    assert set(found["files"]) == {
        *(str(path.relative_to(dataset)) for path in dataset.rglob("*") if path.is_file()), "eval.yaml",
    }  # fmt: skip
    assert found["bytes"] == sum(found["files"].values())
    assert found["published"] is None


def test_a_published_dataset_is_the_one_that_was_built(
    hub: Hub, publish: Publish, dataset: Path, tmp_path: Path
) -> None:
    done = publish(dataset, "--repo", REPO, "--push")
    assert done.returncode == 0, done.stderr
    assert f"published: {hub.endpoint}/datasets/{REPO}" in done.stdout
    repo = hub.repos["dataset", REPO]
    assert repo.private
    assert len(repo.titles) == 1
    there = tmp_path / "there"
    for name, content in repo.files.items():
        (there / name).parent.mkdir(parents=True, exist_ok=True)
        (there / name).write_bytes(content)
    BuiltDataset.open(there).verify()
    benchmark = yaml.safe_load((there / "eval.yaml").read_text(encoding="utf-8"))
    assert "simulated" in benchmark["name"]
    assert {task["split"] for task in benchmark["tasks"]} == {"test_suggestion", "test_execution"}
    assert hub.output(TOKEN) == []


def test_another_build_replaces_the_first_and_leaves_nothing_of_it(
    hub: Hub, publish: Publish, dataset: Path
) -> None:
    assert publish(dataset, "--repo", REPO, "--push").returncode == 0
    repo = hub.repos["dataset", REPO]
    name = next(name for name in repo.files if name.startswith("data/train"))
    old = name.replace("-of-00001", "-of-00002")
    manifest = json.loads(repo.files[MANIFEST])
    for shard in manifest["shards"]:
        shard["file"] = old if shard["file"] == name else shard["file"]
    repo.files[MANIFEST] = json.dumps(manifest).encode()
    repo.files[old] = repo.files.pop(name)
    repo.files["notes.md"] = b"by the owner"
    done = publish(dataset, "--repo", REPO, "--push")
    assert done.returncode == 0, done.stderr
    assert old not in repo.files
    assert repo.files[name] == (dataset / name).read_bytes()
    assert repo.files["notes.md"] == b"by the owner"


def test_a_redacted_dataset_is_never_replaced_by_one_that_is_not(
    hub: Hub, publish: Publish, dataset: Path
) -> None:
    redaction = Redaction(
        date="2026-11-24", by="fingertip-20k 0.1.0", finds={"name": 3}, values={"name": 1}, confirmed=0,
        undecided=3, rejected=0, added=0, screenshots=1, reencoded=0, texts=2, simulations_removed=0,
        left_out=0,
    )  # fmt: skip
    before = Manifest.read(dataset / MANIFEST)
    with_manifest(dataset, version=4, redacted=redaction)
    done = publish(dataset, "--repo", REPO, "--push")
    assert "redacted by fingertip-20k 0.1.0: 3 finds" in done.stdout
    redacted = Manifest.read(dataset / MANIFEST)
    before.write(dataset / MANIFEST)
    assert "holds a redacted dataset" in line_of(publish(dataset, "--repo", REPO, "--push"))
    assert len(hub.repos["dataset", REPO].titles) == 1
    # the other way round the private parts would stay in the repo's history
    assert publish(dataset, "--repo", "xiaohong/first", "--push").returncode == 0
    redacted.write(dataset / MANIFEST)
    refused = line_of(publish(dataset, "--repo", "xiaohong/first", "--push"))
    assert "which stays in its history" in refused
    assert len(hub.repos["dataset", "xiaohong/first"].titles) == 1


def test_a_repo_with_the_files_of_others_is_left_alone(hub: Hub, publish: Publish, dataset: Path) -> None:
    hub.new_repo("dataset", REPO).files["weights.bin"] = b"1"
    hub.repos["dataset", REPO].private = True
    assert "has weights.bin and no manifest.json" in line_of(publish(dataset, "--repo", REPO, "--push"))
    assert hub.repos["dataset", REPO].titles == []


def test_what_is_public_is_public_by_word(hub: Hub, publish: Publish, dataset: Path) -> None:
    hub.new_repo("dataset", REPO)
    assert "is public: --public says" in line_of(publish(dataset, "--repo", REPO, "--push"))
    hub.new_repo("dataset", "xiaohong/private").private = True
    assert "leave it out" in line_of(publish(dataset, "--repo", "xiaohong/private", "--push", "--public"))
    assert hub.repos["dataset", "xiaohong/private"].titles == []
    unknown = with_manifest(dataset, licences=("unknown",))
    assert "--public needs a licence" in line_of(publish(unknown, "--repo", REPO, "--public"))
    assert hub.repos["dataset", REPO].files == {}


def test_metrics_and_boards_become_spaces(hub: Hub, publish: Publish, tmp_path: Path) -> None:
    for name in MODULES:
        done = publish(name, "--repo", f"xiaohong/{name}", "--push", "--public")
        assert done.returncode == 0, done.stderr
        space = hub.repos["space", f"xiaohong/{name}"]
        assert not space.private
        assert {"README.md", "app.py", f"{name}.py", "requirements.txt"} < set(space.files)
    assert "__pycache__" not in str(space.files.keys())


def test_a_space_with_the_own_token_is_not_sent(hub: Hub, publish: Publish, tmp_path: Path) -> None:
    space = tmp_path / "space"
    space.mkdir()
    (space / "README.md").write_bytes(b"---\r\nsdk: gradio\r\n---\r\n")
    (space / "app.py").write_text(f"TOKEN = {TOKEN!r}\n", encoding="utf-8")
    assert "app.py contains your token" in line_of(publish(space, "--repo", "xiaohong/board", "--push"))
    assert ("space", "xiaohong/board") not in hub.repos
    (space / "app.py").write_text("pass\n", encoding="utf-8")
    assert publish(space, "--repo", "xiaohong/board", "--push").returncode == 0
    assert hub.repos["space", "xiaohong/board"].private


def test_an_upload_that_broke_off_is_finished_by_the_same_call(
    hub: Hub, publish: Publish, dataset: Path
) -> None:
    hub.trouble = lambda made: refusal(500, "later") if "/commit/" in made.path else None
    call = (dataset, "--repo", REPO, "--push", "--public")
    assert "500" in line_of(publish(*call))
    assert hub.repos["dataset", REPO].titles == []
    hub.trouble = lambda made: None
    done = publish(*call)
    assert done.returncode == 0, done.stderr
    assert len(hub.repos["dataset", REPO].titles) == 1


def test_wrong_calls_and_failures_are_one_line(hub: Hub, publish: Publish, dataset: Path) -> None:
    expected = (
        "expected a built dataset, a Space's folder or one of fingertip_identification, fingertip_moments"
    )
    assert f"{expected}, fingertip_sim1" in line_of(publish("nothing", "--repo", REPO))
    assert "OWNER/NAME" in line_of(publish(dataset, "--repo", "me"))
    assert "403" in line_of(publish(dataset, "--repo", "board/other", "--push"))
    (dataset / "data").rename(dataset / "moved")
    assert "no file" in line_of(publish(dataset, "--repo", REPO, "--push"))
    (dataset / "moved").rename(dataset / "data")
    hub.trouble = lambda made: refusal(412, "A commit has happened") if "/commit/" in made.path else None
    assert "changed meanwhile" in line_of(publish(dataset, "--repo", REPO, "--push"))
