"""docs/first-ten-minutes.md has the commands of today's pages, as a terminal of 80 columns showed them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from docs.site.first_ten_minutes import AGENT, COLUMNS, PACKAGE, PAGE, clean, lay_out, list_chapters, run

TEXT = PAGE.read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```console\n\$ (.*?)\n(.*?)^```$", TEXT, flags=re.MULTILINE | re.DOTALL)


def test_the_recorded_commands_are_those_of_the_pages() -> None:
    shown = [line for line, _ in BLOCKS]
    assert shown == [line for chapter in list_chapters() for line in chapter.lines]
    assert shown[0] == "make demo"
    for step in ("own_scores.py", "suggest ", "execute ", "--why", "verify ", "leaderboard ", "build "):
        assert any(step in line for line in shown), step


def test_every_recorded_command_ended_well() -> None:
    assert "exit code" not in TEXT


def test_tables_of_the_recording_fit_its_terminal() -> None:
    drawn = [line for _, output in BLOCKS for line in output.splitlines() if set(line) & set("┃│┏└")]
    assert drawn
    assert max(map(len, drawn)) <= COLUMNS


def test_the_files_of_the_pages_are_laid_out_as_their_commands_expect(tmp_path: Path) -> None:
    lay_out(tmp_path)
    files = {str(file.relative_to(tmp_path)) for file in tmp_path.rglob("*") if file.is_file()}
    assert files == {"own_scores.py", *(f"{AGENT}/{name}" for name in PACKAGE)}
    for script in tmp_path.rglob("*.py"):
        compile(script.read_text(encoding="utf-8"), script.name, "exec")


@pytest.mark.parametrize(
    ("line", "output", "code"),
    [
        ("tput cols", "80", 0),
        ("echo done; echo 'users 1/8, 5.1 per min, 1 min left' >&2; exit 3", "done", 3),
        ("echo done; echo 'imitate: scoring, 12 s so far' >&2", "done", 0),
        ("printf '\\033[1mbold\\033[0m\\n\\n10 of 11\\rall of 11\\n'", "bold\nall of 11", 0),
    ],
)
def test_a_command_is_recorded_as_a_terminal_keeps_it(
    tmp_path: Path, line: str, output: str, code: int
) -> None:
    done = run(line, tmp_path, {"PATH": "/usr/bin:/bin", "TERM": "xterm"})
    assert (done.output, done.code) == (output, code)


def test_what_is_said_of_counts_is_kept() -> None:
    assert clean("given 10 = kept 10/10 + rejected 0\n11 rows, 16 columns") == (
        "given 10 = kept 10/10 + rejected 0\n11 rows, 16 columns"
    )
