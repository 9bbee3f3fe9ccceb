"""Every command of docs/submit.md and docs/board.md runs, in its order, against a Hub on loopback."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
import yaml

from fingertip_leaderboard import verify_bundle
from tests.fingertip_leaderboard.bundle_factory import Workshop
from tests.fingertip_leaderboard.hub_server import Hub

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
TOKEN = "hf_" + "0therS3cret" * 3
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", flags=re.MULTILINE | re.DOTALL)

DRIVER = """
import json, runpy, sys
from fingertip_cli.main import main

if __name__ == "__main__":
    for line in sys.stdin:
        sys.argv = json.loads(line)
        try:
            if sys.argv[0] == "python":
                runpy.run_path(sys.argv[1])
                sys.exit(0)
            main()
        except SystemExit as ended:
            print(f"=== {ended.code or 0} {sys.argv}", flush=True)
"""
"""Runs commands one after another in one process, each by its entry point, to import libraries once."""


@pytest.fixture(scope="module")
def hub() -> Iterator[Hub]:
    server = Hub(TOKEN)
    server.new_repo("dataset", "board/submissions")
    server.new_repo("model", "you/agent-7b")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.end()
    thread.join()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, workshop: Workshop) -> Path:
    made = tmp_path_factory.mktemp("page")
    (made / "fingertip-sim").symlink_to(workshop.simulated)
    (made / "driver.py").write_text(DRIVER, encoding="utf-8")
    return made


def blocks(page: str, language: str) -> list[str]:
    text = (DOCS / page).read_text(encoding="utf-8")
    return [block for name, block in BLOCK.findall(text) if name == language]


def commands(page: str) -> list[list[str]]:
    return [shlex.split(line) for block in blocks(page, "bash") for line in block.splitlines()]


def run(
    calls: Sequence[Sequence[str]], folder: Path, hub: Hub, **more: str
) -> subprocess.CompletedProcess[str]:
    known = {name: value for name, value in os.environ.items() if not name.startswith("HF_")}
    env = known | {"HF_ENDPOINT": hub.endpoint, "HF_HOME": str(folder / "hf"), "HF_HUB_DISABLE_XET": "1"}
    lines = "".join(json.dumps(list(call)) + "\n" for call in calls)
    return subprocess.run(
        [sys.executable, "driver.py"], cwd=folder, env=env | more, input=lines,
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip


def globbed(part: str, folder: Path) -> list[str]:
    """Expand a word of a command like a shell."""
    found = sorted(str(path.relative_to(folder)) for path in folder.glob(part)) if "*" in part else []
    return found or [part]


def codes(done: subprocess.CompletedProcess[str]) -> list[str]:
    return re.findall(r"^=== (\w+) ", done.stdout, flags=re.MULTILINE)


def without_token(folder: Path, *texts: str) -> None:
    assert [text for text in texts if TOKEN in text] == []
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert len(files) > 10
    assert [path for path in files if TOKEN.encode() in path.read_bytes()] == []


@pytest.fixture(scope="module")
def submitted(folder: Path, hub: Hub) -> subprocess.CompletedProcess[str]:
    """The page's commands, run in its order."""
    calls = commands("submit.md")
    assert {call[0] for call in calls} == {"fingertip"}
    done = run(calls, folder, hub, HF_TOKEN=TOKEN, HF_DEBUG="1")
    assert codes(done) == ["0"] * len(calls), done.stdout + done.stderr
    return done


def test_the_pages_commands_open_pull_requests(
    submitted: subprocess.CompletedProcess[str], folder: Path, hub: Hub
) -> None:
    submissions, model = hub.repos["dataset", "board/submissions"], hub.repos["model", "you/agent-7b"]
    for name, request in zip(("habit", "imitate"), submissions.opened[:2], strict=True):
        sent = {file.rpartition("/")[2]: content for file, content in request.files.items()}
        assert sent == {file.name: file.read_bytes() for file in (folder / "bundles" / name).iterdir()}
        report = verify_bundle(folder / "bundles" / name, folder / "fingertip-sim")
        assert report.sha256 is not None
        assert f"`{report.sha256}`" in request.text
        assert f"opened: {hub.endpoint}/datasets/board/submissions/discussions/{request.number}" in (
            submitted.stdout
        )
    (results,) = model.opened
    (text,) = results.files.values()
    assert {entry["source"]["url"] for entry in yaml.safe_load(text)} == {
        f"{hub.endpoint}/datasets/board/submissions/discussions/2"
    }
    assert "Nothing was sent: --push sends it." in submitted.stdout


def test_the_token_is_only_in_its_header(
    submitted: subprocess.CompletedProcess[str], folder: Path, hub: Hub
) -> None:
    assert "authorization: <TOKEN>" in submitted.stderr  # HF_DEBUG shows every request
    without_token(folder, submitted.stdout, submitted.stderr)
    assert hub.output(TOKEN) == []
    assert all(
        query.headers.get("authorization") == f"Bearer {TOKEN}"
        for query in hub.requests
        if "agent-harnesses" not in query.path
    )


WRONG = {
    "--repo board/submissions": "expected --dataset with --repo",
    "--push": "expected --repo OWNER/NAME with --push",
    "--repo board --dataset fingertip-sim": "expected --repo as OWNER/NAME",
    "--repo a/b --dataset fingertip-sim --model-repo a/b": "--model-repo and --benchmark together",
    "--repo a/b --dataset fingertip-sim --push": "expected somebody logged in at http://127.0.0.1",
    "--repo a/b --dataset nowhere": "nowhere",
}


@pytest.fixture(scope="module")
def board(
    submitted: subprocess.CompletedProcess[str], folder: Path, hub: Hub
) -> subprocess.CompletedProcess[str]:
    """The commands of docs/board.md in order, then the wrong calls, without a login."""
    for request in hub.repos["dataset", "board/submissions"].opened[:2]:  # as `hf download` has them
        for name, content in request.files.items():
            file = folder / "board" / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
    (code,) = blocks("board.md", "python")
    (folder / "block.py").write_text(code, encoding="utf-8")
    right = [[word for part in call for word in globbed(part, folder)] for call in commands("board.md")]
    wrong = [["fingertip", "submit", "bundles/habit", *words.split()] for words in WRONG]
    wrong.append(["fingertip", "submit", "runs/habit", "--repo", "a/b", "--dataset", "fingertip-sim"])
    before = len(hub.requests)
    done = run([*right, ["python", "block.py"], *wrong], folder, hub)
    assert codes(done) == ["0"] * (len(right) + 1) + ["2"] * len(wrong), done.stdout + done.stderr
    assert len(hub.requests) == before
    return done


def test_each_wrong_call_is_a_one_line_error(board: subprocess.CompletedProcess[str]) -> None:
    output = [*WRONG.values(), "expected --name for the bundle of a run"]
    for expected, line in zip(output, board.stderr.splitlines(), strict=True):
        assert expected in line


@pytest.mark.usefixtures("board")
def test_the_board_has_the_submissions_of_the_hub(hub: Hub, folder: Path) -> None:
    shown = json.loads((folder / "space" / "verified.json").read_text(encoding="utf-8"))
    assert {row["card"]["name"] for row in shown["submissions"]} == {"Habit", "Imitate"}
    assert shown["refused"] == []
    benchmark = yaml.safe_load((folder / "eval.yaml").read_text(encoding="utf-8"))
    (results,) = hub.repos["model", "you/agent-7b"].opened
    (text,) = results.files.values()
    tasks = {entry["dataset"]["task_id"] for entry in yaml.safe_load(text)}
    assert tasks
    assert tasks <= {task["id"] for task in benchmark["tasks"]}


def test_large_files_and_a_stored_login(folder: Path, hub: Hub, workshop: Workshop, tmp_path: Path) -> None:
    bundle = workshop.parts("replayed screens").write(tmp_path / "bundle")
    (folder / "hf").mkdir(exist_ok=True)
    login = folder / "hf" / "token"
    login.write_text(TOKEN, encoding="utf-8")
    call = ["fingertip", "submit", str(bundle), "--repo", "board/submissions", "--push"]
    call += ["--dataset", str(workshop.sample)]
    try:
        done = run([call, call], folder, hub)
    finally:
        login.unlink()
    assert codes(done) == ["0", "2"], done.stdout + done.stderr
    sent = hub.repos["dataset", "board/submissions"].opened[-1].files
    assert {name.split("/", 2)[2]: content for name, content in sent.items()} == {
        file.relative_to(bundle).as_posix(): file.read_bytes() for file in bundle.rglob("*") if file.is_file()
    }
    assert len(hub.large) > 1
    assert "expected a new submission, got pull request" in done.stderr
    without_token(folder, done.stdout, done.stderr)


@pytest.mark.parametrize("page", ["submit.md", "board.md"])
def test_every_link_has_a_target(page: str) -> None:
    links = re.findall(r"\]\((?!http|#)([^)#]+)", (DOCS / page).read_text(encoding="utf-8"))
    assert links
    assert [link for link in links if not (DOCS / link).exists()] == []
