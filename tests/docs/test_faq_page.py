"""docs/faq.md: each message that it explains is one that the project prints.

A block with commands is run, command by command. A block without one quotes a message that needs a server, a
phone or a full disk: its words between the values, which stand in capitals or as `...`, are in the sources.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
from functools import cache
from pathlib import Path

import pytest

from tests.command_line import fingertip
from tests.page_blocks import ROOT, blocks
from tests.shared_datasets import simulated_people
from tests.test_architecture import PACKAGES, folder

PAGE = ROOT / "docs" / "faq.md"
TEXT = PAGE.read_text(encoding="utf-8")

OTHERS = {
    # bash
    "bash: fingertip: command not found",
    # datasets
    "ConnectionError: Couldn't reach 'fingertip-20k' on the Hub (LocalEntryNotFoundError)",
}
"""Messages of other programs."""

OTHERS_WORDS = {"Loading model", "Not Found", "Incorrect API key provided", "No space left on device"}
"""Words of servers and of the operating system within messages."""

SHORT = 3
"""Number of words from which a piece of a message is looked for in the sources."""

QUOTES = [
    line
    for block in blocks(PAGE)
    if not block.text.startswith("$ ")
    for line in block.text.splitlines()
    if line not in OTHERS
]
CALLS = [
    (call, output)
    for block in blocks(PAGE)
    if block.text.startswith("$ ")
    for call, output in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block.text, re.MULTILINE)
]


@cache
def read_sources() -> str:
    """The text of all sources and catalogues, with strings that stand one below the other as one."""
    files = [
        file
        for package in PACKAGES
        for ending in ("*.py", "*.toml")
        for file in sorted(folder(package).rglob(ending))
    ]
    text = "\n".join(file.read_text(encoding="utf-8") for file in files)
    return re.sub(r'"\s*\n\s*f?"', "", text)


def split_message(line: str) -> list[str]:
    """The pieces of a quoted message between its values, and where the sources join texts."""
    line = re.sub(r"^(fingertip|[A-Z]\w+Error): ", "", line)
    for words in OTHERS_WORDS:
        line = line.replace(words, "...")
    # a value: words in capitals, a number, `...`
    values = r"\.\.\.|\b(?:(?!URL\b|SR_2)[A-Z]{2,}|[A-Z]|URL)(?![\w_.])|\b[\d,.]+\b"
    pieces = re.split(rf"{values}|: |; |, | \(|\)|\[|\]|\.$", line)
    return [piece.strip() for piece in pieces if len(piece.split()) >= SHORT]


@pytest.mark.parametrize("line", QUOTES, ids=lambda line: line[:40])
def test_the_words_of_a_quoted_message_are_in_the_sources(line: str) -> None:
    pieces = split_message(line)
    assert [piece for piece in pieces if piece not in read_sources()] == []
    # a quote of values alone would hold nothing
    assert pieces or any(word in read_sources() for word in re.findall(r"\[([\w ]+)\]", line)), line


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which the page's mistakes are made: a release, its dataset, and a run."""
    made = simulated_people(tmp_path_factory)
    folder = tmp_path_factory.mktemp("faq")
    for name in ("raw", "tables"):
        shutil.copytree(made / "sample" / name, folder / "people" / name)
    (folder / "fingertip-20k").symlink_to(made / "dataset")
    next((folder / "people" / "raw").rglob("*.jpg")).unlink()
    done = fingertip("suggest", "./fingertip-20k", "--agent", "habit", "--out", "runs/first", cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.parametrize(("call", "output"), CALLS, ids=[call for call, _ in CALLS])
def test_a_mistake_of_the_page_prints_what_the_page_shows(call: str, output: str, place: Path) -> None:
    env = {name: value for name, value in os.environ.items() if name != "OPENAI_API_KEY"}
    program, *words = shlex.split(call)
    assert program == "fingertip"
    done = fingertip(*words, cwd=place, env=env)
    # what `check` finds is its work, and no message of a wrong call
    assert done.returncode == (1 if "\nproblems: " in output else 2), done.stderr
    printed = (done.stdout or done.stderr).strip()
    wanted = ".*".join(map(re.escape, output.strip().split("...")))
    assert re.fullmatch(wanted, printed, re.DOTALL), printed


def test_the_page_has_twenty_messages_each_with_an_explanation() -> None:
    entries = re.split(r"^### .*\n", TEXT, flags=re.MULTILINE)[1:]
    assert len(entries) >= 20
    for entry in entries:
        _, block, rest = entry.split("```", 2)
        assert block.strip()
        # at least a sentence on what it means and what to do
        assert len(re.sub(r"^## .*", "", rest, flags=re.MULTILINE).split()) >= 10, entry
