"""Every line `next:` is a call that a shell reads, of a command and options that exist."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingertip_cli.main import cli
from fingertip_cli.printing.next_call import repeat_call
from fingertip_dataset.shell_line import write_call
from tests.command_line import fingertip
from tests.fingertip_cli.all_commands import all_commands

FOLDERS = ("my runs", "运行 一", "-run", "it's $HOME; `x` & (1)")


def read_call(line: str) -> list[str]:
    """Words of a call after `fingertip`, whose command, arguments and options click takes."""
    program, name, *words = shlex.split(line)
    assert program == "fingertip"
    command = dict(all_commands())[name]
    with click.Context(command, info_name=name) as context:
        _, rest, _ = command.make_parser(context).parse_args(list(words))
    assert not rest
    return [name, *words]


def list_next(output: str) -> list[str]:
    return [line.removeprefix("next: ") for line in output.splitlines() if "next:" in line]


@pytest.mark.parametrize("name", FOLDERS)
@pytest.mark.parametrize(
    "call",
    [
        ("suggest", "{data}", "--agent", "recent", "--limit", "2"),
        ("suggest", "{data}", "--agent", "random", "--limit", "2", "--repeats", "2"),
        ("execute", "{data}", "--agent", "imitate", "--device", "replay", "--limit", "1"),
    ],
    ids=lambda call: " ".join(call[::5]),
)
def test_the_next_call_of_a_run_scores_it(
    call: tuple[str, ...], name: str, people: Path, tmp_path: Path
) -> None:
    words = [word.format(data=people) for word in call]
    done = fingertip(*words, f"--out={name}", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    (line,) = list_next(done.stdout)
    command, run, *_ = read_call(line)
    assert command == "score"
    assert (tmp_path / run).is_dir()
    assert not list_next(done.stderr)


def test_the_next_call_works_as_it_is_printed(people: Path, tmp_path: Path) -> None:
    done = fingertip("suggest", people, "--agent", "recent", "--out", "./-a b", cwd=tmp_path)
    (line,) = list_next(done.stdout)
    scored = fingertip(*shlex.split(line)[1:], "--embedder", "lexical", cwd=tmp_path)
    assert scored.returncode == 0, scored.stderr
    assert (tmp_path / "-a b" / "scores.json").is_file()


@given(st.text(st.characters(exclude_characters="\0/", exclude_categories=("Cs",)), min_size=1))
def test_a_shell_reads_every_path_back_and_click_takes_it_for_no_option(text: str) -> None:
    program, command, read = shlex.split(write_call("score", Path(text)))
    assert (program, command) == ("fingertip", "score")
    assert Path(read) == Path(text)
    assert not read.startswith("-")


def test_the_same_call_has_more_options_before_its_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["fingertip", "suggest", "--out", "a b", "--", "-data"])
    group = click.Context(cli, info_name="fingertip")
    with click.Context(dict(all_commands())["suggest"], info_name="suggest", parent=group):
        line = repeat_call("--batch-results", "FILE")
    assert line == "fingertip suggest --batch-results FILE --out 'a b' -- -data"
    read_call(line.replace(" -- -data", ""))
