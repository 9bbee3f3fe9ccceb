"""`fingertip check` as a person calls it: a process, its output and its exit code."""

from __future__ import annotations

import json
import os
import pty
import shutil
import subprocess
import sys
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest

from tests.command_line import fingertip, list_ends
from tests.stored_pictures import StoredPicture

ROOT = Path(__file__).parents[3]
SURVEY = {
    "user_id": "3",
    "time": "20250310_081530",
    "scenario": "住所",
    "app": "com.a",
    "intentDescription": "买票",
}


@pytest.fixture
def clean(tmp_path: Path) -> Path:
    """A release of one episode, without steps that show a screen."""
    episode = tmp_path / "raw/3/20250310_081530"
    screens = episode / "Screenshots"
    screens.mkdir(parents=True)
    (episode / "survey_result.json").write_text(json.dumps(SURVEY), encoding="utf-8")
    (episode / "action.jsonl").write_text('{"1.jpg": "wait()"}\n{"2.jpg": "finished()"}\n', encoding="utf-8")
    for name in ("1", "2"):
        (screens / f"{name}.jpg").write_bytes(JPEG)
        (screens / f"{name}.xml").write_bytes(b"<hierarchy/>")
    return tmp_path / "raw"


JPEG = bytes.fromhex(
    "ffd8 ffc00011080010001003011100021100031100 ffda0008010100003f0000 ffd9".replace(" ", "")
)


def test_a_clean_release_ends_with_zero(clean: Path) -> None:
    done = fingertip("check", clean)
    assert done.returncode == 0
    assert "given 1 = kept 1 + rejected 0" in done.stdout
    assert "problems: none" in done.stdout
    assert list_ends(done.stderr) == ["folders 0/1", "folders 1/1", "screens 0/1", "screens 1/1"]


def test_a_lying_screenshot_is_named_with_what_is_done(clean: Path) -> None:
    lying = StoredPicture(format="JPEG", orientation=6, size=(360, 800))
    (clean / "3/20250310_081530/Screenshots/2.jpg").write_bytes(lying.write())
    done = fingertip("check", clean)
    assert done.returncode == 1
    words = " ".join(done.stdout.replace("│", " ").split())
    for part in (
        "rotated_screenshot",
        "3/20250310_081530/Screenshots/2.jpg: expected an upright screenshot",
        "got EXIF orientation 6: it is read as 360x800",
    ):
        assert part in words, words


def test_what_this_version_does_not_know_is_named_and_no_problem(clean: Path) -> None:
    survey = clean / "3/20250310_081530/survey_result.json"
    survey.write_text(json.dumps(SURVEY | {"mood [b]": "calm"}), encoding="utf-8")
    header = "user_id,time,scenario,app,intentDescription,intentClass,weather"
    row = "3,20250310_081530,住所,com.a,买票,购物,晴"
    (clean / "total.csv").write_text(f"{header}\n{row}\n", encoding="utf-8")
    done = fingertip("check", clean)
    assert done.returncode == 0
    lines = [line.strip("│ ").split("│") for line in done.stdout.splitlines() if "column extra" in line]
    assert [[cell.strip() for cell in line] for line in lines] == [
        ["total.csv", "column weather", "1", "column extra"],
        ["survey_result.json", "field mood [b]", "1", "column extra"],
    ]
    named = json.loads(fingertip("check", clean, "--json").stdout)["extra"]
    assert [(part["kind"], part["name"], part["kept_in"]) for part in named] == [
        ("column", "weather", "column extra"),
        ("field", "mood [b]", "column extra"),
    ]


def test_json_is_one_object_whose_counts_add_up(clean: Path) -> None:
    episode = clean / "3/20250310_081530"
    shutil.copytree(episode, clean / "3/3/20250310_081530")
    (clean / "4/20250310_081530").mkdir(parents=True)
    (clean / "total.csv").write_text(
        "user_id,time,scenario,app,intentDescription,intentClass\n"
        + "3,20250310_081530,住所,com.a,买票,购物\n" * 2,
        encoding="utf-8",
    )
    done = fingertip("check", clean, "--json")
    assert done.returncode == 1
    output = json.loads(done.stdout)
    assert list(output)[:4] == ["version", "given", "kept", "rejected"]
    assert (output["version"], output["given"], output["kept"], output["rejected"]) == (1, 3, 1, 2)
    assert output["problems"] == {"no_intent": 1, "duplicate_episode": 1, "duplicate_row": 1}
    assert output["problems"] == Counter(problem["kind"] for problem in output["list"])
    assert output["tables"] == {"total.csv": {"given": 2, "kept": 1, "merged": 1, "refused": 0}}
    assert {problem["kind"]: problem for problem in output["list"]}["duplicate_row"] == {
        "kind": "duplicate_row",
        "episode_id": "3__20250310_081530",
        "file": "total.csv",
        "line": 3,
        "detail": "expected one row of 3__20250310_081530, got 2 with the same content, the first in line 2",
    }


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nowhere"], "expected the folder of a raw release, got nothing; there is no folder nowhere in "),
        ([__file__], f"expected the folder of a raw release, got a file (file {__file__})"),
        (["RAW", "--tables", "nowhere"], "expected one of the tables"),
        (["PARENT"], "did you mean RAW?"),
        (["RAW/3"], "did you mean RAW?"),
    ],
)
def test_a_wrong_call_is_one_line_and_ends_with_two(clean: Path, words: list[str], message: str) -> None:
    def place(text: str) -> str:
        return text.replace("RAW", str(clean)).replace("PARENT", str(clean.parent))

    done = fingertip("check", *map(place, words))
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("fingertip: ")
    assert place(message) in line


def test_control_characters_in_data_are_escaped(clean: Path) -> None:
    episode = clean / "3/20250310_081530"
    evil = "[bold]\x1b[2J\x9b31m\u202e:smile:[/bold][link=x]"
    (episode / "action.jsonl").write_text(json.dumps({f"1.jpg{evil}": evil}) + "\n", encoding="utf-8")
    (episode / f"{evil.replace('/', '')}.txt").write_bytes(b"")
    for flags in ([], ["--json"]):
        done = fingertip("check", clean, *flags)
        assert done.returncode == 1
        assert not {"\x1b", "\x9b", "\u202e"} & set(done.stdout + done.stderr)
        assert "[bold]" in done.stdout
        assert ":smile:" in done.stdout


def test_on_a_terminal_there_is_a_bar_and_the_table_fits(clean: Path) -> None:
    (clean / "3/20250310_081530/Screenshots/3.jpg").write_bytes(JPEG)
    leader, follower = pty.openpty()
    code = "from fingertip_cli.main import main; main()"
    environment = {**os.environ, "COLUMNS": "80", "TERM": "xterm"}
    done = subprocess.Popen(
        [sys.executable, "-c", code, "check", str(clean)],
        stdout=follower,
        stderr=follower,
        env=environment,
        cwd=ROOT,
    )
    os.close(follower)
    shown = b""
    # reading fails once the other end is closed
    with suppress(OSError):
        while part := os.read(leader, 65536):
            shown += part
    os.close(leader)
    assert done.wait(120) == 1
    text = shown.decode()
    assert "━" in text
    assert "unused_screenshot" in text
    rows = [line for line in text.replace("\r", "").split("\n") if line.startswith(("│", "┃"))]
    assert rows
    assert {len(row) for row in rows if "\x1b" not in row} == {80}
