"""`fingertip demo` as a new user runs it: installed from the wheels, offline, twice, in an empty folder."""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path

import pytest

from fingertip_cli.start import demo
from tests import command_line, wheel_install

ORDER = ("demo", "--users", "2", "--episodes", "5", "--locale", "en")


@pytest.mark.install
def test_the_demo_of_an_install_ends_in_scores_of_both_tracks_and_two_pages(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    installed = tmp_path / "installed"
    wheels = [wheel_install.built_wheel(name, tmp_path_factory) for name in wheel_install.SOURCES]
    wheel_install.install("fingertip-20k[demo]", installed, *wheels)
    environment = os.environ | {"HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path / "hf")}
    call = wheel_install.command(installed, "fingertip_cli.main", *ORDER, "--ways", "4")
    first = subprocess.run(
        call, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=500, check=False
    )
    assert first.returncode == 0, first.stderr
    pages = [tmp_path / "fingertip-demo" / name for name in ("report.html", "execution.html")]
    assert all(page.is_file() for page in pages)
    assert all(f"\nfingertip-demo/{page.name} " in first.stdout for page in pages)
    for words in (
        "given 10 = kept 10 + rejected 0",
        "6 rows, 16 columns",
        "Sim_1 [95 %]",
        "Sim_2 [95 %]",
        "SR_2 % [95 %]",
        "Not comparable with the paper (",
        "(simulated data)",
        "4 of 4 reach the user's goal (by rule; simulated)",
    ):
        assert words in first.stdout
    again = command_line.fingertip(*ORDER, "--ways", "1", cwd=tmp_path, env=environment, timeout=500)
    assert again.returncode == 0, again.stderr
    assert again.stdout.count("finished before, 2 of 2 tasks") == 3
    assert "fingertip-demo/people: made before, and used again" in again.stdout
    assert "$ fingertip sample" not in again.stdout


def test_a_demo_without_a_task_for_each_split_is_refused(tmp_path: Path) -> None:
    done = command_line.fingertip("demo", "--users", 1, cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "the demo needs --users 2 or more and --episodes 5 or more" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_the_people_of_a_demo_write_chinese_and_english_by_turns() -> None:
    languages = next(option for option in demo.command.params if option.name == "locales")
    assert languages.default == ("en", "zh")


def test_printed_commands_are_pasted_into_a_shell_as_they_ran() -> None:
    words = ["report", "a run/one", *(f"runs/agent-{number}" for number in range(9)), "--out", "page.html"]
    shown = demo._wrap_command(words)
    assert max(map(len, shown.splitlines())) <= 80
    assert len(shown.splitlines()) > 1
    pasted = shown.removeprefix("$ ").replace("\\\n", "")
    assert shlex.split(pasted) == ["fingertip", *words]
