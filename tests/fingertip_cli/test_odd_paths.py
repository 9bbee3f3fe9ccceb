"""Odd paths, and folders and disks that cannot be written: each command ends in one line."""

from __future__ import annotations

import os
import random
import socket
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from fingertip_agents import get_agent
from fingertip_cli.main import cli
from fingertip_cli.options.checked_path import CheckedPath
from suggestion_runner import run_suggestions
from tests.command_line import fingertip
from tests.examples import examples
from tests.fingertip_cli.forked_calls import run
from tests.fixtures.drawn_sample import sample_release
from tests.shared_datasets import built_sample

OUTPUTS = {
    "build": ("{raw}", "--out", "{out}", "--workers", "1"),
    "stats": ("{data}", "--out", "{out}"),
    "suggest": ("{data}", "--agent", "recent", "--out", "{out}"),
    "execute": ("{data}", "--agent", "imitate", "--device", "replay", "--out", "{out}"),
    "benchmark": ("{data}", "--agent", "recent", "--out", "{out}"),
    "experiment": ("figure-5", "{data}", "--out", "{out}"),
    "report": ("{run}", "--embedder", "lexical", "--out", "{out}"),
    "hidden-test": ("--new-seed", "{out}"),
    "sample": ("{out}", "--users", "1", "--episodes", "5", "--size", "270x600", "--workers", "1"),
    "demo": ("--out", "{out}", "--users", "2", "--episodes", "5"),
    "quality": ("{data}", "--out", "{out}"),
    "infer-intents": ("{data}", "--out", "{out}"),
    "privacy scan": ("{raw}", "--out", "{out}", "--ocr", "none", "--without", "face"),
}
"""Command -> a call that writes something to {out}."""

INPUTS = {
    "check": ("{path}",),
    "build": ("{path}", "--out", "new", "--workers", "1"),
    "tasks": ("{path}",),
    "stats": ("{path}", "--out", "new"),
    "suggest": ("{path}", "--agent", "recent", "--out", "new"),
    "execute": ("{path}", "--agent", "imitate", "--device", "replay", "--out", "new"),
    "export": ("{path}", "--track", "suggestion", "--format", "trl", "--out", "new"),
    "assist": ("{path}", "--suggester", "recent", "--executor", "imitate", "--out", "new"),
    "finetune": ("{path}", "--track", "suggestion", "--base", "missing", "--out", "new"),
    "review": ("{path}", "--no-browser"),
    "benchmark": ("{path}", "--agent", "recent", "--out", "new"),
    "experiment": ("figure-5", "{path}", "--out", "new"),
    "score": ("{path}", "--embedder", "lexical"),
    "score-csv": ("{path}", "--embedder", "lexical"),
    "report": ("{path}", "--out", "new.html"),
    "submit": ("{path}", "--out", "new"),
    "verify": ("{path}", "--dataset", "{data}"),
    "leaderboard": ("{path}", "--dataset", "{data}", "--verify-only"),
    "hidden-test": ("habit", "--seed-file", "{path}"),
    "phone": ("--task", "{path}", "1", "--out", "new"),
    "quality": ("{path}", "--out", "new"),
    "infer-intents": ("{path}", "--out", "new"),
    "privacy scan": ("{path}", "--out", "new"),
    "privacy review": ("{path}", "--no-browser"),
    "privacy redact": ("{raw}", "--report", "{path}", "--out", "new"),
}
"""Command -> a call that reads {path}."""

NO_PATHS = {"completion"}
# the file of --config, which every command with options has
ONLY_CONFIG = {"agents", "devices", "doctor", "faults", "install-metrics", "paper", "publish"}
ONLY_OUTPUTS = {"demo", "sample", "record"}


def all_commands(group: click.Group = cli, prefix: str = "") -> Iterator[tuple[str, click.Command]]:
    """Each command with the words that call it, those of groups too."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from all_commands(command, f"{prefix}{name} ")
        else:
            yield f"{prefix}{name}", command


def paths_of_commands() -> Iterator[tuple[str, click.Parameter]]:
    for name, command in all_commands():
        yield from ((name, parameter) for parameter in command.params)


def test_every_path_of_every_command_is_checked(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    refused = {"": "is empty", str(tmp_path / "pipe"): "a named pipe", "/dev/null": "a device"}
    with socket.socket(socket.AF_UNIX) as server:
        os.chdir(tmp_path)  # the name of a socket is short
        server.bind("socket")
    refused |= {str(tmp_path / "socket"): "a socket", os.fsdecode(b"\xff"): "is not UTF-8"}
    checked = set()
    for name, parameter in paths_of_commands():
        kind = parameter.type
        for part in kind.types if isinstance(kind, click.Tuple) else [kind]:
            assert not isinstance(part, click.Path)
            if not isinstance(part, CheckedPath):
                continue
            checked.add(name)
            for value, why in refused.items():
                with pytest.raises(click.BadParameter, match=why):
                    part.convert(value, parameter, None)
    assert checked == {name for name, _ in all_commands()} - NO_PATHS
    assert set(INPUTS) == checked - ONLY_OUTPUTS - ONLY_CONFIG


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    data, folder = built_sample(tmp_path_factory), tmp_path_factory.mktemp("places")
    run_suggestions(data, get_agent("recent"), folder / "run")
    return {"data": str(data), "run": str(folder / "run"), "raw": str(sample_release() / "raw")}


def odd_inputs(places: dict[str, str], folder: Path) -> Iterator[list[str]]:
    (folder / "file").write_bytes(b"\xff\x00")
    for name, words in INPUTS.items():
        for value in ("..", str(folder / "file"), "two\nlines"):
            yield [*name.split(), *(word.format(path=value, **places) for word in words)]


def unwritable_outputs(places: dict[str, str], folder: Path) -> Iterator[list[str]]:
    (folder / "mine").write_text("mine", encoding="utf-8")
    for name, words in OUTPUTS.items():
        # no user may make anything in /proc, not even root
        places_of_files = [str(folder / "mine" / "x"), "/proc/none/x"]
        in_place = [str(folder / "mine")] if name not in ("report", "hidden-test", "infer-intents") else []
        for value in (*places_of_files, *in_place):
            yield [*name.split(), *(word.format(out=value, **places) for word in words)]


def outputs_on_a_full_disk(places: dict[str, str], folder: Path) -> Iterator[list[str]]:
    for name, words in OUTPUTS.items():
        yield [*name.split(), *(word.format(out=folder / f"{name}-out", **places) for word in words)]


def check(code: int, stderr: str, words: list[str]) -> None:
    assert "Traceback" not in stderr, words
    assert code in (1, 2), words
    if code == 2:
        assert sum(line.startswith("fingertip") for line in stderr.splitlines()) == 1, (words, stderr)


def test_odd_inputs_and_unwritable_outputs_are_one_line(places: dict[str, str], tmp_path: Path) -> None:
    work = tmp_path / "a" / "b"
    work.mkdir(parents=True)
    calls = [*odd_inputs(places, tmp_path), *unwritable_outputs(places, tmp_path)]
    for words in random.Random(0).sample(calls, 3 * examples(len(calls) // 3)):  # noqa: S311 - no secret
        done = fingertip(*words, cwd=work)
        check(done.returncode, done.stderr, words)
    assert (tmp_path / "mine").read_text(encoding="utf-8") == "mine"
    assert list(work.iterdir()) == []


def test_a_full_disk_is_one_line(
    places: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each command in a fork, whose files get no byte."""
    monkeypatch.chdir(tmp_path)
    calls = [*outputs_on_a_full_disk(places, tmp_path)]
    if "FINGERTIP_SOAK" not in os.environ:
        calls = [words for words in calls if words[0] in ("build", "suggest", "report")]
    for words in calls:
        done = run(words, limit=0)
        check(done["code"], done["stderr"], words)
