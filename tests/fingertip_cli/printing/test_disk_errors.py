"""A full and a read-only disk: what each message says to do, and that scores are printed all the same."""

from __future__ import annotations

import errno
import shutil
from pathlib import Path

import click
import pytest

from fingertip_cli.prepared_command import prepare_command
from fingertip_cli.printing.disk_errors import ADVICE, advise_on_disk
from fingertip_cli.scores.written_scores import write_all
from fingertip_dataset.errors import RunError, UsageError
from tests.command_line import fingertip
from tests.fingertip_cli.forked_calls import run


@pytest.mark.parametrize("number", ADVICE)
@pytest.mark.parametrize("hidden", [False, True])
def test_the_cause_of_a_message_is_advised_on(number: int, hidden: bool) -> None:
    def fail() -> None:
        try:
            raise OSError(number, "refused")
        except OSError as error:
            raise RunError("the file could not be written") from (None if hidden else error)

    with pytest.raises(RunError) as caught:
        fail()
    assert advise_on_disk(caught.value) == f"; {ADVICE[number]}"


def test_other_causes_have_no_advice() -> None:
    assert advise_on_disk(OSError(errno.EACCES, "Permission denied")) == ""
    assert advise_on_disk(UsageError("wrong")) == ""


def test_a_file_without_a_name_is_that_of_out() -> None:
    @click.command()
    @click.option("--out", type=click.Path(path_type=Path))
    def command(out: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    prepared = prepare_command(command, "sample")
    with pytest.raises(UsageError, match=r"the system refused: No space left on device \(file x\)"):
        prepared.main(["--out", "x"], standalone_mode=False)


def test_scores_are_printed_where_they_cannot_be_kept(people: Path, tmp_path: Path) -> None:
    done = fingertip("suggest", people, "--agent", "recent", "--out", tmp_path / "run")
    assert done.returncode == 0
    # a folder in place of the file is refused by the system also for root
    (tmp_path / "run" / ".scores.json.tmp").mkdir()
    scored = fingertip("score", tmp_path / "run", "--embedder", "lexical")
    assert scored.returncode == 0
    assert "recent" in scored.stdout
    (line,) = [one for one in scored.stderr.splitlines() if one.startswith("warning")]
    assert line.startswith("warning: the scores are printed and not kept, the file could not be written: ")
    assert line.endswith("--json > FILE keeps them elsewhere")
    shutil.rmtree(tmp_path / "run" / ".scores.json.tmp")
    assert "warning" not in fingertip("score", tmp_path / "run", "--embedder", "lexical").stderr


def test_what_is_no_error_of_the_system_is_raised() -> None:
    def write() -> None:
        raise RunError("the run is of another version")

    with pytest.raises(RunError, match="another version"):
        write_all([write])


def test_a_command_ends_with_the_advice(people: Path, tmp_path: Path) -> None:
    words = ["suggest", str(people), "--agent", "recent", "--out", str(tmp_path / "run")]
    done = run(words, limit=0)
    assert done["code"] == 2
    assert done["stderr"].splitlines()[-1].endswith(f"; {ADVICE[errno.EFBIG]}")


def test_errors_that_are_one_anothers_cause_come_to_an_end() -> None:
    first, second = UsageError("first"), UsageError("second")
    first.__context__, second.__context__ = second, first
    assert advise_on_disk(first) == ""
