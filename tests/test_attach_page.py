"""docs/attach-your-agent.md: its files and commands run on the README's people, and print what it shows."""

from __future__ import annotations

import os
import re
import shlex
import sys
from pathlib import Path

import pytest

from tests.command_line import fingertip
from tests.phone_bench import adb_port  # noqa: F401 - a fixture
from tests.shared_datasets import simulated_people

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "attach-your-agent.md").read_text(encoding="utf-8")
FILES = re.findall(r"^```python (\S+)\n(.*?)^```$", PAGE, flags=re.M | re.S)
COMMANDS = [
    line
    for block in re.findall(r"^```bash\n(.*?)^```$", PAGE, flags=re.M | re.S)
    for line in block.splitlines()
]
VERDICT = re.compile(r"^\d{4}__\S+: (?:not )?done \(by rule\).*$", flags=re.M)
VERDICTS = VERDICT.findall(PAGE)


@pytest.mark.install
def test_files_and_commands_of_the_page_run(
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    adb_port: int,  # noqa: F811 - the fixture
) -> None:
    people = simulated_people(tmp_path_factory, users=2, episodes=5, seed=466, size=(540, 1200))
    (tmp_path / "sim").symlink_to(people / "dataset")
    for name, text in FILES:
        (tmp_path / name).write_text(text, encoding="utf-8")
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    env = os.environ | {"ANDROID_ADB_SERVER_PORT": str(adb_port), "PATH": programs}
    printed = []
    for line in COMMANDS:
        program, *words = shlex.split(line)
        assert program == "fingertip"
        done = fingertip(*words, cwd=tmp_path, env=env)
        assert done.returncode == 0, f"{line}\n{done.stderr}"
        printed += VERDICT.findall(done.stdout)
    assert printed == VERDICTS, "the page has these verdicts now:\n" + "\n".join(printed)
    # the last agent carries out both tasks
    assert (len(VERDICTS), len(FILES)) == (4, 3)
    assert "walk: Walk (attached agent)" in done.stdout
