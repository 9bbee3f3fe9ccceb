from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from fingertip_metrics.install import MODULES, path
from tests.command_line import fingertip

pytestmark = pytest.mark.install


def run(home: Path) -> subprocess.CompletedProcess[str]:
    """The command as one types it, in another folder."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("HF_", "XDG_"))}
    return fingertip("install-metrics", cwd=home.parent, env={**environment, "HF_HOME": str(home)})


def test_module_paths_are_printed_and_a_repeat_is_harmless(tmp_path: Path) -> None:
    first = run(tmp_path / "home")
    assert (first.returncode, first.stderr) == (0, "")
    lines = [line.split("  ", 1) for line in first.stdout.splitlines()]
    assert [name for name, _ in lines] == list(MODULES)
    for name, script in lines:
        assert Path(script).is_relative_to(tmp_path / "home" / "modules")
        assert Path(script).read_bytes() == Path(path(name), f"{name}.py").read_bytes()
    assert run(tmp_path / "home").stdout == first.stdout


def test_a_folder_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file")
    done = run(tmp_path / "home")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("fingertip: the modules cache cannot be written: ")
    assert done.stderr.count("\n") == 1
