"""Every command of docs/submit.md and docs/board.md runs, in its order, against a Hub on loopback."""

from __future__ import annotations

import json
import os
import re
import shlex
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
import yaml

from board.tests.fingertip_leaderboard.bundle_factory import Workshop
from board.tests.fingertip_leaderboard.hub_server import Hub
from fingertip_leaderboard import verify_bundle
from tests.command_session import CommandResults, CommandSession, command_session

ROOT = Path(__file__).parents[3]
DOCS = ROOT / "docs"
TOKEN = "hf_" + "0therS3cret" * 3
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", flags=re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def hub() -> Iterator[Hub]:
    server = Hub(TOKEN)
    server.new_repo("dataset", "board/submissions")
    server.new_repo("dataset", "board/large")
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
    return made


def blocks(page: str, language: str) -> list[str]:
    text = (DOCS / page).read_text(encoding="utf-8")
    return [block for name, block in BLOCK.findall(text) if name == language]


def commands(page: str) -> list[list[str]]:
    return [shlex.split(line) for block in blocks(page, "bash") for line in block.splitlines()]


@pytest.fixture(scope="module")
def session(folder: Path, hub: Hub) -> Iterator[CommandSession]:
    """Runs commands with that Hub; HF_DEBUG shows every request on standard error."""
    known = {name: value for name, value in os.environ.items() if not name.startswith("HF_")}
    env = {"HF_ENDPOINT": hub.endpoint, "HF_HOME": str(folder / "hf"), "HF_HUB_DISABLE_XET": "1"}
    with command_session(folder, known | env | {"HF_DEBUG": "1"}) as started:
        yield started


def globbed(part: str, folder: Path) -> list[str]:
    """Expand a word of a command like a shell."""
    found = sorted(str(path.relative_to(folder)) for path in folder.glob(part)) if "*" in part else []
    return found or [part]


def without_token(folders: Sequence[Path], *texts: str) -> None:
    assert [text for text in texts if TOKEN in text] == []
    files = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    assert len(files) > 10
    assert [path for path in files if TOKEN.encode() in path.read_bytes()] == []


@pytest.fixture(scope="module")
def submitted(session: CommandSession) -> CommandResults:
    """The page's commands, run in its order."""
    calls = commands("submit.md")
    assert {call[0] for call in calls} == {"fingertip"}
    done = session.run(calls, HF_TOKEN=TOKEN)
    assert done.codes == [0] * len(calls), done.stdout + done.stderr
    return done


@pytest.mark.install
def test_the_pages_commands_open_pull_requests(submitted: CommandResults, folder: Path, hub: Hub) -> None:
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


@pytest.mark.install
def test_the_token_is_only_in_its_header(submitted: CommandResults, folder: Path, hub: Hub) -> None:
    assert "authorization: <TOKEN>" in submitted.stderr  # HF_DEBUG shows every request
    without_token([folder], submitted.stdout, submitted.stderr)
    assert hub.output(TOKEN) == []
    assert all(
        query.headers.get("authorization") == f"Bearer {TOKEN}"
        for query in hub.requests
        if "agent-harnesses" not in query.path
    )


WRONG = {
    "--repo board/submissions": "--repo needs --dataset",
    "--push": "--push needs --repo OWNER/NAME",
    "--repo board --dataset fingertip-sim": "expected --repo as OWNER/NAME",
    "--repo a/b --dataset fingertip-sim --model-repo a/b": "--model-repo and --benchmark go together",
    "--repo a/b --dataset fingertip-sim --push": "nobody is logged in at http://127.0.0.1",
    "--repo a/b --dataset nowhere": "nowhere",
}


@pytest.fixture(scope="module")
def board(submitted: CommandResults, session: CommandSession, folder: Path, hub: Hub) -> CommandResults:
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
    wrong.append(["fingertip", "submit", "sim-runs/habit", "--repo", "a/b", "--dataset", "fingertip-sim"])
    before = len(hub.requests)
    done = session.run([*right, ["python", "block.py"], *wrong])
    assert done.codes == [0] * (len(right) + 1) + [2] * len(wrong), done.stdout + done.stderr
    assert len(hub.requests) == before
    return done


@pytest.mark.install
def test_each_wrong_call_is_a_one_line_error(board: CommandResults) -> None:
    output = [*WRONG.values(), "the bundle of a run needs --name"]
    # before them are the stages of the hidden tests
    for expected, line in zip(output, board.stderr.splitlines()[-len(output) :], strict=True):
        assert expected in line


@pytest.mark.install
@pytest.mark.usefixtures("board")
def test_the_board_has_the_submissions_of_the_hub(hub: Hub, folder: Path) -> None:
    shown = json.loads((folder / "space" / "verified.json").read_text(encoding="utf-8"))
    assert {row["card"]["name"] for row in shown["submissions"]} == {"Habit", "Imitate"}
    assert shown["refused"] == []
    ran = json.loads((folder / "space" / "hidden-tests.json").read_text(encoding="utf-8"))
    assert [one["result"]["card"]["name"] for one in ran["records"]] == ["habit", "imitate"]
    benchmark = yaml.safe_load((folder / "eval.yaml").read_text(encoding="utf-8"))
    (results,) = hub.repos["model", "you/agent-7b"].opened
    (text,) = results.files.values()
    tasks = {entry["dataset"]["task_id"] for entry in yaml.safe_load(text)}
    assert tasks
    assert tasks <= {task["id"] for task in benchmark["tasks"]}


@pytest.mark.install
def test_large_files_and_a_stored_login(
    session: CommandSession, folder: Path, hub: Hub, workshop: Workshop, tmp_path: Path
) -> None:
    bundle = workshop.parts("replayed screens").write(tmp_path / "bundle")
    (folder / "hf").mkdir(exist_ok=True)
    login = folder / "hf" / "token"
    login.write_text(TOKEN, encoding="utf-8")
    call = ["fingertip", "submit", str(bundle), "--repo", "board/large", "--push"]
    call += ["--dataset", str(workshop.sample)]
    try:
        done = session.run([call, call])
    finally:
        login.unlink()
    assert done.codes == [0, 2], done.stdout + done.stderr
    (request,) = hub.repos["dataset", "board/large"].opened
    sent = request.files
    assert {name.split("/", 2)[2]: content for name, content in sent.items()} == {
        file.relative_to(bundle).as_posix(): file.read_bytes() for file in bundle.rglob("*") if file.is_file()
    }
    assert len(hub.large) > 1
    assert "for this submission" in done.stderr
    without_token([folder, tmp_path], done.stdout, done.stderr)


@pytest.mark.parametrize("page", ["submit.md", "board.md"])
def test_every_link_has_a_target(page: str) -> None:
    links = re.findall(r"\]\((?!http|#)([^)#]+)", (DOCS / page).read_text(encoding="utf-8"))
    assert links
    assert [link for link in links if not (DOCS / link).exists()] == []
