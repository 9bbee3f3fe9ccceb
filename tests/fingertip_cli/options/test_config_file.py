"""--config FILE: its values, flags that win, what it refuses, and the example of its page."""

from __future__ import annotations

import json
import re
from hashlib import sha256
from pathlib import Path

import pytest

from tests.command_line import fingertip

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "command-line.md"


def write(folder: Path, text: str) -> Path:
    file = folder / "run.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_the_example_of_the_page_runs_and_flags_win(people: Path, tmp_path: Path) -> None:
    (text,) = re.findall(r"```toml\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    file = write(tmp_path, text)
    (tmp_path / "sim").symlink_to(people)
    done = fingertip("suggest", "--config", file, cwd=tmp_path)
    assert (done.returncode, done.stderr.count("Error")) == (0, 0), done.stderr
    record = json.loads((tmp_path / "runs/recent/run.json").read_text("utf-8"))
    assert (record["agent"]["name"], record["history"], record["tasks"]) == ("recent", "all", 2)
    read = {"file": "run.toml", "sha256": sha256(text.encode()).hexdigest()}
    options = ["agent", "dataset", "history", "limit", "out"]
    assert record["sessions"][0]["config"] == {**read, "options": options}
    again = fingertip("suggest", "--config", file, "--limit", 1, "--out", "runs/one", cwd=tmp_path)
    assert again.returncode == 0, again.stderr
    one = json.loads((tmp_path / "runs/one/run.json").read_text("utf-8"))
    assert (one["tasks"], one["sessions"][0]["config"]["options"]) == (1, ["agent", "dataset", "history"])
    # the same run without the file
    plain = ("sim", "--agent", "recent", "--history", "all", "--limit", 1)
    same = fingertip("suggest", *plain, "--out", "runs/one", cwd=tmp_path)
    assert (same.returncode, "nothing to do" in same.stdout) == (0, True), same.stderr
    scored = fingertip("score", "runs/recent", "--config", file, cwd=tmp_path)
    assert (scored.returncode, "recent" in scored.stdout) == (0, True), scored.stderr


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("agnet = 'habit'", "fingertip suggest has no option 'agnet': did you mean agent? (file run.toml)"),
        ("limit = 'ten'", "limit: 'ten' is not a valid integer range. (file run.toml)"),
        ("limit = 0", "limit: 0 is not in the range x>=1. (file run.toml)"),
        ("limit = [1]", "limit is one value, got [1] (file run.toml)"),
        ("rater = 'ben'", "rater is a list, got 'ben' (file run.toml)"),
        ("stream = 'yes'", "stream is true or false, got 'yes' (file run.toml)"),
        ("history = 'al'", "history: 'al' is not one of '20', 'relevant', 'all', 'none': did you mean all?"),
        ("limit = ", "the file of --config is no TOML: "),
        ("[sugest]\nlimit = 1", "there is no command 'sugest': did you mean suggest? (file run.toml)"),
        ("[suggest]\nlimitt = 1", "fingertip suggest has no option 'limitt': did you mean limit?"),
        ("config = 'run.toml'", "fingertip suggest has no option 'config'"),
    ],
)
def test_a_wrong_file_is_one_line(text: str, message: str, tmp_path: Path) -> None:
    write(tmp_path, text)
    done = fingertip("suggest", "--config", "run.toml", "D", "--agent", "habit", "--out", "r", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith(f"fingertip: {message}"), done.stderr


def test_a_missing_file_is_one_line(tmp_path: Path) -> None:
    done = fingertip("score", "runs/a", "--config", "gone.toml", cwd=tmp_path)
    assert (
        done.stderr
        == "fingertip: the file of --config cannot be read: No such file or directory (file gone.toml)\n"
    )


def test_options_of_the_file_count_as_given(tmp_path: Path) -> None:
    write(tmp_path, "history-model = 'm'\nlimit = 1")
    done = fingertip("experiment", "--config", "run.toml", cwd=tmp_path)
    assert "the list of experiments takes no --history-model, --limit" in done.stderr


def test_a_file_names_the_runs(tmp_path: Path) -> None:
    write(tmp_path, "[score]\nruns = ['runs/nowhere']")
    done = fingertip("score", "--config", "run.toml", cwd=tmp_path)
    assert (done.returncode, "runs/nowhere" in done.stderr) == (2, True), done.stderr
