"""`fingertip hidden-test`: nothing of the secret or the tasks leaves, and the rows are the same again."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import pytest

from fingertip_dataset import BuiltDataset
from fingertip_leaderboard.agent_process.sandbox import why_no_sandbox
from fingertip_leaderboard.hidden_records import read_hidden_record, record_content
from fingertip_leaderboard.hidden_secret import read_secret
from fingertip_leaderboard.space.hidden_section import render_hidden
from fingertip_models.chat.preflight import SMALL_TEXT
from fingertip_recorder.published_sample import NAME
from tests.command_line import fingertip, started
from tests.shared_fixtures import OpenAIServer, ReceivedRequest, Reply

SMALL = ("--users", 5, "--episodes", 5, "--size", "270x600")

pytestmark = pytest.mark.install


@dataclass(frozen=True, slots=True)
class Place:
    """A folder with a secret, and the environment of commands, whose home and temporary folder are in it."""

    folder: Path

    @property
    def secret(self) -> Path:
        return self.folder / "secret.txt"

    @property
    def environment(self) -> Mapping[str, str]:
        own = {"HOME": "home", "TMPDIR": "temporary", "XDG_CACHE_HOME": "home/cache", "HF_HOME": "home/hf"}
        return {
            **os.environ,
            **{name: str(self.folder / path) for name, path in own.items()},
            "OPENAI_API_KEY": "a-key-of-the-tests",
        }

    def run(self, *words: object) -> Any:  # noqa: ANN401 - CompletedProcess[str]
        """`fingertip hidden-test WORDS` with the secret and the small size."""
        call = ["hidden-test", *words, "--seed-file", self.secret, *SMALL]
        return fingertip(*call, cwd=self.folder, env=self.environment)

    def left_over(self) -> list[Path]:
        """Files in the home and temporary folders."""
        return [file for name in ("home", "temporary") for file in (self.folder / name).rglob("*")]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    found = Place(tmp_path_factory.mktemp("hidden"))
    for name in ("home", "temporary"):
        (found.folder / name).mkdir()
    # the same tasks in every run of the tests
    found.secret.write_text(f"{hashlib.sha256(b'tests').hexdigest()}\n")
    found.secret.chmod(0o600)
    return found


@pytest.fixture(scope="module")
def made(place: Place) -> Path:
    """Private folder of a finished run of `imitate`."""
    work = place.folder / "private"
    (place.folder / "imitate.json").unlink(missing_ok=True)
    done = place.run("imitate", "--workers", 1, "--work", work, "--out", place.folder / "imitate.json")
    assert done.returncode == 0, done.stderr
    assert place.left_over() == []
    return work


@pytest.fixture(scope="module")
def private_texts(made: Path) -> frozenset[str]:
    """Texts that must not leave: ids, intents, earlier ones and actions of tasks, and the dataset's hash."""
    built = BuiltDataset.open(made / NAME)
    found = {built.manifest.data_sha256}
    for split in ("test_suggestion", "test_execution"):
        for row in built.rows(split):
            found |= {row["episode_id"], row["intent"], *(action["raw"] for action in row["actions"])}
            found |= {earlier["intent"] for earlier in row["previous_intents"]}
    return frozenset(text for text in found if (len(text) > 3 and not text.isascii()) or len(text) > 15)


def quoted(texts: frozenset[str], *outputs: str) -> list[str]:
    """The private texts in some outputs, also as JSON escapes them."""
    whole = "\n".join(outputs)
    return [text for text in texts if text in whole or json.dumps(text)[1:-1] in whole]


def deterministic(file: Path) -> bytes:
    return json.dumps(json.loads(file.read_bytes())["result"], ensure_ascii=False).encode()


class Watched:
    """A running command: every argument and variable of it and of the processes that it starts."""

    def __init__(self, process: BaseProcess) -> None:
        self._process = process
        self.seen: dict[int, bytes] = {}

    def watch(self) -> None:
        while self._process.exitcode is None:
            for pid in (self._process.pid or 0, *descendants(self._process.pid or 0)):
                for name in ("cmdline", "environ"):
                    with contextlib.suppress(OSError):  # it has ended
                        self.seen[pid] = self.seen.get(pid, b"") + Path(f"/proc/{pid}/{name}").read_bytes()
            self._process.join(0.05)


def descendants(pid: int) -> Iterator[int]:
    try:
        children = [
            int(one)
            for task in Path(f"/proc/{pid}/task").iterdir()
            for one in (task / "children").read_text().split()
        ]
    except OSError:
        return
    for child in children:
        yield child
        yield from descendants(child)


def test_a_new_secret_is_private_and_its_commitment_is_printed(tmp_path: Path) -> None:
    file = tmp_path / "secret.txt"
    done = fingertip("hidden-test", "--new-seed", file)
    assert done.returncode == 0, done.stderr
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert f"commitment {read_secret(file).commitment}" in done.stdout
    assert file.read_text().strip() not in done.stdout + done.stderr


@pytest.mark.soak
def test_the_same_agent_gets_the_same_result_and_leaves_nothing(
    place: Place, made: Path, private_texts: frozenset[str]
) -> None:
    """Another process, another number of workers, no folder that is kept."""
    out, streams = place.folder / "again.json", place.folder / "streams"
    streams.mkdir()
    call = ["hidden-test", "imitate", "--seed-file", place.secret, *SMALL, "--workers", 2, "--out", out]
    process = started(*call, output=streams, cwd=place.folder, env=place.environment)
    watched = Watched(process)
    watched.watch()
    output = [(streams / name).read_text(encoding="utf-8") for name in ("stdout", "stderr")]
    assert process.exitcode == 0, output
    assert deterministic(out) == deterministic(place.folder / "imitate.json")
    assert place.left_over() == []
    content = place.secret.read_text().strip()
    seed = read_secret(place.secret).seed("version 1, 5 users, 5 episodes, (270, 600)")
    assert len(watched.seen) > 2, "the command, its workers, and adb"
    for text in (content, str(seed), f"{seed:x}"):
        assert text.encode() not in b"".join(watched.seen.values())
        assert text not in "".join([*output, out.read_text(encoding="utf-8")])
    assert quoted(private_texts, *output, out.read_text(encoding="utf-8")) == []
    assert made.is_dir()


@pytest.mark.install
def test_the_private_folder_never_holds_the_secret(place: Place, made: Path) -> None:
    secret = read_secret(place.secret)
    seed = secret.seed("version 1, 5 users, 5 episodes, (270, 600)")
    needles = [secret.content, secret.content.hex().encode(), str(seed).encode(), f"{seed:x}".encode()]
    files = [file for file in made.rglob("*") if file.is_file()]
    assert len(files) > 10
    for file in files:
        assert stat.S_IMODE(file.stat().st_mode) & 0o077 == 0, file
        assert not any(needle in file.read_bytes() for needle in needles), file
    assert stat.S_IMODE(made.stat().st_mode) == 0o700


@pytest.mark.install
def test_a_record_holds_only_aggregates(place: Place, made: Path, private_texts: frozenset[str]) -> None:
    text = (place.folder / "imitate.json").read_text(encoding="utf-8")
    assert quoted(private_texts, text) == []
    (row,) = read_hidden_record(place.folder / "imitate.json").result.rows
    assert (row.tasks, row.users) == (5, 5)
    assert set(row.scores) >= {"sr2", "sim2"}
    for score in row.scores.values():
        assert score.mean is None or score.users >= 5, "a mean over fewer people would tell single values"
        assert score.mean is None or score.mean == round(score.mean, 4)
    assert made.name not in text


@pytest.mark.soak
def test_an_endpoint_that_echoes_prompts_brings_no_task_into_the_record(
    place: Place, made: Path, private_texts: frozenset[str], openai_server: OpenAIServer
) -> None:
    def echo(query: ReceivedRequest) -> Reply:
        return openai_server.says(json.dumps(query.body["messages"], ensure_ascii=False)[-2000:])

    openai_server.replies = echo
    out = place.folder / "echo.json"
    done = place.run(
        *("model", "--model", "echo", "--base-url", openai_server.base_url, "--format", "generalist"),
        *("--work", made, "--workers", 2, "--out", out, "--price-prompt", 1, "--price-completion", 2),
    )
    assert done.returncode == 0, done.stderr
    record = read_hidden_record(out)
    assert [row.track for row in record.result.rows] == ["suggestion", "execution"]
    prompts = "".join(json.dumps(one.body, ensure_ascii=False) for one in openai_server.requests)
    assert len(quoted(private_texts, prompts)) > 10, "the prompts hold what the record must not"
    text = out.read_text(encoding="utf-8")
    assert quoted(private_texts, text, done.stdout, done.stderr) == []
    assert "a-key-of-the-tests" not in text
    assert all(row.cost for row in record.result.rows)
    assert not list(place.folder.glob("*.jsonl"))
    assert place.left_over() == []


@pytest.mark.install
def test_an_error_that_quotes_a_prompt_is_not_printed(
    place: Place, made: Path, private_texts: frozenset[str], openai_server: OpenAIServer
) -> None:
    def refuse(query: ReceivedRequest) -> Reply:
        text = json.dumps(query.body["messages"], ensure_ascii=False)
        if SMALL_TEXT in text:
            return openai_server.says("OK")
        return Reply(status=400, body={"error": {"message": text[-250:]}})

    openai_server.replies = refuse
    done = place.run(
        *("model", "--model", "refuse", "--base-url", openai_server.base_url, "--work", made),
        *("--out", place.folder / "refused.json"),
    )
    assert done.returncode == 2
    expected = "the stage suggestion run ended with AllTasksFailedError, which may quote tasks: see"
    assert expected in done.stderr.splitlines()[-1]
    assert quoted(private_texts, done.stdout, done.stderr) == []
    kept = (made / "error.txt").read_text(encoding="utf-8")
    assert "status 400" in kept
    assert quoted(private_texts, kept) != []
    assert not (place.folder / "refused.json").exists()


def test_a_dead_endpoint_is_named_before_anything_is_made(place: Place) -> None:
    done = place.run(
        "model", "--model", "m", "--base-url", "http://127.0.0.1:9/v1", "--out", place.folder / "dead.json"
    )
    assert done.returncode == 2
    assert "127.0.0.1:9" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.install
def test_sigterm_removes_the_private_folder(place: Place, tmp_path: Path) -> None:
    # many people, so that it cannot have finished
    call = ["hidden-test", "imitate", "--seed-file", place.secret, *SMALL, "--users", 4000]
    call += ["--workers", 1, "--out", tmp_path / "never.json"]
    process = started(*call, output=tmp_path, cwd=tmp_path, env=place.environment)
    temporary = place.folder / "temporary"
    while not list(temporary.glob("fingertip-hidden-*/people/raw")):
        assert process.exitcode is None, (tmp_path / "stderr").read_text(encoding="utf-8")
        time.sleep(0.05)
    os.kill(process.pid or 0, signal.SIGTERM)
    process.join()
    assert process.exitcode == 128 + signal.SIGTERM
    assert place.left_over() == []


@pytest.mark.install
def test_reveal_finds_records_of_other_secrets_and_forged_hashes(
    place: Place, made: Path, tmp_path: Path
) -> None:
    record = read_hidden_record(place.folder / "imitate.json")
    row = record.result.rows[0].model_copy(update={"tasks": 6})
    result = record.result.model_copy(update={"rows": (row,)})
    digest = hashlib.sha256(record_content(result, record.measured)).hexdigest()
    forged = record.model_copy(update={"result": result, "sha256": digest})
    (tmp_path / "forged.json").write_text(forged.model_dump_json(), encoding="utf-8")
    done = fingertip(
        "hidden-test", "--reveal", place.secret, place.folder / "imitate.json", tmp_path / "forged.json"
    )
    assert done.returncode == 1
    assert [line.rpartition(": ")[2] for line in done.stdout.splitlines()] == [
        "of this secret, unchanged",
        "changed by somebody without the secret",
    ]
    (tmp_path / "bundles").mkdir()
    show = ["leaderboard", tmp_path / "bundles", "--dataset", made / NAME]
    show += ["--space", tmp_path / "space", "--hidden-test", tmp_path / "forged.json"]
    for secret, why in (
        ([], "--hidden-test needs --hidden-seed-file SECRET"),
        (["--hidden-seed-file", place.secret], "the record was changed by somebody without the secret"),
    ):
        done = fingertip(*show, *secret, cwd=tmp_path, env=place.environment)
        assert done.returncode == 2
        assert why in done.stderr
        assert not (tmp_path / "space").exists()
    fingertip("hidden-test", "--new-seed", tmp_path / "other")
    done = fingertip("hidden-test", "--reveal", tmp_path / "other", place.folder / "imitate.json")
    assert done.returncode == 1
    assert "of another secret" in done.stdout
    assert made.is_dir()


CHEAT = """
import gc, os, socket, sys
from pathlib import Path
from fingertip_agents.execution_agent import Decision
from fingertip_agents.suggestion.suggestion_agent import Suggestion
from fingertip_dataset import BuiltDataset
from fingertip_dataset.actions import Finished

SECRET, WORK = Path({secret!r}), Path({work!r})
PARENT = os.getppid() if {child} else os.getpid()

def under(folder):
    return [Path(place, name) for place, _, names in os.walk(folder) for name in names]

def connection():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return socket.create_connection(server.getsockname())

def local_connection():
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("\\0cheat")
        return server.getsockname()

ATTACKS = dict(
    secret=lambda: SECRET.read_bytes(),
    walk=lambda: [*under(SECRET.parent), *under(WORK)],
    dataset=lambda: BuiltDataset.open(WORK / {name!r}),
    run=lambda: next(iter(under(WORK / "runs"))).read_bytes(),
    change=lambda: (WORK / "cheat").write_text("cheat"),
    mode=lambda: WORK.chmod(0o700) or True,
    environ=lambda: Path(f"/proc/{{PARENT}}/environ").read_bytes(),
    cmdline=lambda: Path(f"/proc/{{PARENT}}/cmdline").read_bytes(),
    memory=lambda: Path(f"/proc/{{PARENT}}/mem").open("rb"),
    maps=lambda: Path(f"/proc/{{PARENT}}/maps").read_bytes(),
    files=lambda: list(Path(f"/proc/{{PARENT}}/fd").iterdir()),
    processes=lambda: list(Path("/proc").iterdir()),
    connection=connection,
    local_connection=local_connection,
    key=lambda: os.environ["OPENAI_API_KEY"],
    caller=lambda: sys.modules["fingertip_leaderboard.hidden_benchmark"],
    objects=lambda: [found for found in gc.get_objects() if isinstance(found, BuiltDataset)],
)

def attack():
    for name, attempt in ATTACKS.items():
        try:
            word = "succeeded" if attempt() else "found nothing"
        except Exception as error:
            word = type(error).__name__
        print("ATTACK", name, word)

class Cheat:
    name, settings = "cheat", {{}}

    def suggest(self, task):
        attack()
        for built in [found for found in gc.get_objects() if isinstance(found, BuiltDataset)]:
            for row in built.rows("test_suggestion", columns=("episode_id", "intent")):
                if row["episode_id"] == task.task_id:
                    return Suggestion(text=row["intent"], output=row["intent"], seconds=0.0)
        guess = task.previous_intents[-1].text
        return Suggestion(text=guess, output=guess, seconds=0.0)

    def act(self, task, screen, past):
        attack()
        return Decision(output="done", actions=(Finished(),))
"""
ATTACKS = 17


def install_cheat(folder: Path, place: Place, work: Path, *, child: bool) -> None:
    """The package of an agent that looks for the targets and the secret, of whose places it knows."""
    content = CHEAT.format(secret=str(place.secret), work=str(work), name=NAME, child=child)
    (folder / "cheat.py").write_text(content, encoding="utf-8")
    info = folder / "cheating-1.2.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: cheating\nVersion: 1.2\n", encoding="utf-8")
    points = "[fingertip.agents]\ncheat = cheat:Cheat\n[fingertip.execution_agents]\ncheat = cheat:Cheat\n"
    (info / "entry_points.txt").write_text(points, encoding="utf-8")


def attacks(work: Path, before: int) -> set[tuple[str, str]]:
    """(name, result) of the attacks in the private output, from a position on."""
    lines = (work / "output.txt").read_bytes()[before:].decode("utf-8", "replace").splitlines()
    return {tuple(line.split(maxsplit=2)[1:]) for line in lines if line.startswith("ATTACK ")}


@pytest.mark.install
def test_an_installed_agent_that_reads_the_targets_gets_a_remark(
    place: Place, made: Path, tmp_path: Path
) -> None:
    install_cheat(tmp_path, place, made, child=False)
    out, before = tmp_path / "cheat.json", (made / "output.txt").stat().st_size
    call = ["hidden-test", "cheat", "--track", "suggestion", "--seed-file", place.secret, *SMALL]
    call += ["--work", made, "--out", out]
    done = fingertip(*call, cwd=tmp_path, env={**place.environment, "PYTHONPATH": str(tmp_path)})
    (made / "cheat").unlink()
    assert done.returncode == 0, done.stderr
    remark = "installed agent of cheating 1.2: it ran beside the targets and could have read them"
    assert remark in done.stdout
    record = read_hidden_record(out)
    assert record.result.rows[0].scores["sim1"].mean == 1.0
    assert remark in render_hidden([record])
    own = read_hidden_record(place.folder / "imitate.json")
    assert "beside the targets" not in render_hidden([own])
    # so what an isolated agent tries is not in vain
    found = attacks(made, before)
    assert len(found) == ATTACKS
    assert {word for _, word in found} == {"succeeded"}


@pytest.mark.install
@pytest.mark.skipif(why_no_sandbox() is not None, reason="the system has no Landlock")
def test_an_isolated_agent_finds_neither_targets_nor_the_secret(
    place: Place, made: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "agent"
    folder.mkdir()
    install_cheat(folder, place, made, child=True)
    out, before = tmp_path / "cheat.json", (made / "output.txt").stat().st_size
    call = ("cheat", "--agent-path", folder, "--work", made, "--workers", 2, "--out", out)
    done = place.run(*call)
    assert done.returncode == 0, done.stderr
    found = attacks(made, before)
    assert len(found) == ATTACKS
    assert [pair for pair in found if pair[1] == "succeeded"] == []
    remark = "installed agent of cheating 1.2: it ran isolated from the targets"
    assert done.stdout.count(remark) == 2, "a row of each track"
    record = read_hidden_record(out)
    assert record.result.rows[0].scores["sim1"].mean != 1.0
    assert remark in render_hidden([record])
    assert "installed agents</h3>" not in render_hidden([record])
    assert place.left_over() == []
    for private in (folder / "secret.txt", folder / "private"):
        shutil.copy(place.secret, folder / "secret.txt")
        where = ["--seed-file", private] if private.suffix else ["--work", private]
        wrong = fingertip(
            "hidden-test", *call[:3], "--seed-file", place.secret, *SMALL, *where, env=place.environment
        )
        assert wrong.returncode == 2
        assert f"an isolated agent may read {folder}, so it could see this: move it" in wrong.stderr


@pytest.mark.soak
def test_a_secret_from_a_pipe_lies_in_no_file(place: Place, made: Path, tmp_path: Path) -> None:
    call = ["hidden-test", "habit", "--seed-file", "-", *SMALL, "--work", made, "--out", "habit.json"]
    done = subprocess.run(
        [Path(sys.executable).with_name("fingertip"), *map(str, call)],
        input=place.secret.read_bytes(),
        cwd=tmp_path,
        env=place.environment,
        capture_output=True,
        check=True,
    )
    assert read_secret(place.secret).commitment.encode() in done.stdout


WRONG = {
    "": "expected one agent, got 0",
    "habit imitate": "expected one agent, got 2",
    "nobody": "expected an agent, one of",
    "human": "the agent human cannot be tested",
    "scripted": "the agent scripted cannot be tested",
    "habit --track execution": "the agent habit is for the track suggestion alone",
    "imitate --moments": "--moments is for track 1, got imitate on the track execution alone",
    "habit --moments --screenshots 2": "a moment has one screen: --screenshots 0 or 1 with --moments",
    "random --moments --distribution": "moments have one answer, an intent or nothing: leave out",
    "model": "the agent model needs --model NAME",
    "model --model m --track both": "is for the track suggestion alone: give --prompt-format",
    "habit --format generalist": "--prompt-format is one of",
    "habit --model m": "the agent habit takes no --model",
    "habit --users 4": "expected at least 5 users, got 4",
    "habit --contact nobody": "--contact cannot be 'nobody'",
    "habit --name h\u0430bit": "--name cannot be 'h\u0430bit': it has a word of two alphabets",
    "habit --out imitate.json": "the record exists: give another --out",
    "habit --work .": "others may read the private folder",
    "habit --seed-file imitate.json": "others may read the secret",
    "habit --new-seed x": "--new-seed takes no --seed-file",
    "imitate.json --reveal secret.txt": "--reveal takes no --seed-file",
}


@pytest.mark.parametrize("words", WRONG)
def test_a_wrong_call_is_a_one_line_error(words: str, place: Place) -> None:
    place.folder.chmod(0o755)
    (place.folder / "imitate.json").touch()
    call = ["hidden-test", *([] if "--seed-file" in words else ["--seed-file", "secret.txt"]), *words.split()]
    done = fingertip(*call, cwd=place.folder, env=place.environment)
    assert done.returncode == 2
    assert WRONG[words] in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert place.secret.read_text().strip() not in done.stderr


@pytest.mark.install
def test_a_private_folder_of_another_secret_is_refused(place: Place, made: Path, tmp_path: Path) -> None:
    fingertip("hidden-test", "--new-seed", tmp_path / "other")
    call = ["hidden-test", "habit", "--seed-file", tmp_path / "other", *SMALL, "--work", made]
    done = fingertip(*call, cwd=tmp_path, env=place.environment)
    assert done.returncode == 2
    assert "the folder is of another secret, size or code" in done.stderr
