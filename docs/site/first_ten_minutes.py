"""Record a stranger's first ten minutes as docs/first-ten-minutes.md.

python -m docs.site.first_ten_minutes

A fresh copy of the committed files, an empty HOME and a fresh environment; then the commands of the README
from the first one on, and the agents of docs/bring-an-agent.md, scored on both tracks. Each is shown with its
time and the end of what it printed. Only the settings by which pip finds an index are taken over.
"""

from __future__ import annotations

import datetime
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from docs.site.site_map import DOCS, ROOT

PAGE = DOCS / "first-ten-minutes.md"
LINES = 12
"""Number of last lines that are shown of a longer output."""

NEXT = (
    "A model of yours on the published benchmark, up to a verified row: "
    "[benchmark-your-model.md](benchmark-your-model.md)."
)
"""End of the page."""

OWN_COMMANDS = (
    "pip install --quiet ./my-agents",
    "fingertip suggest ./fingertip-20k --agent same-place --out runs/same-place",
    "fingertip score runs/same-place runs/habit --embedder lexical",
    "fingertip execute ./fingertip-20k --agent namesake --device simulated --out runs/namesake",
    "fingertip score runs/namesake runs/imitate",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedCommand:
    """A command with what it printed, its exit code and its seconds."""

    line: str
    output: str
    code: int
    seconds: float


def readme_commands() -> list[str]:
    """The commands of the README's first block and of its `bash` blocks, in order."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    found = re.findall(r"^```(\w*)\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)
    commands = [block for language, block in found if language in ("", "bash")]
    lines = [line.partition("#")[0].strip() for block in commands for line in block.splitlines()]
    return [line for line in lines if line]


def agent_files() -> dict[str, str]:
    """The files of docs/bring-an-agent.md: name -> its blocks, joined."""
    text = (DOCS / "bring-an-agent.md").read_text(encoding="utf-8")
    files: dict[str, str] = {}
    for name, block in re.findall(r"^```\w+ (\S+)\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL):
        files[name] = f"{files[name]}\n\n{block}" if name in files else block
    return files


def record(folder: Path) -> list[RecordedCommand]:
    """Run the README's commands and the stranger's own in a fresh copy, in one shell's environment."""
    home, copy = folder / "home", folder / "fingertip-20k"
    home.mkdir()
    copy.mkdir()
    archive = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, check=True, capture_output=True)  # noqa: S607
    subprocess.run(["tar", "x"], cwd=copy, input=archive.stdout, check=True)  # noqa: S607
    (copy / "my-agents").mkdir()
    for name, text in agent_files().items():
        (copy / "my-agents" / name).write_text(text, encoding="utf-8")
    kept = {name: value for name, value in os.environ.items() if name.startswith(("PIP_", "UV_"))}
    settings = Path.home() / ".config" / "pip"
    if settings.is_dir():
        shutil.copytree(settings, home / ".config" / "pip")
    system = "/usr/local/bin:/usr/bin:/bin"
    environment = {**kept, "HOME": str(home), "LANG": "C.UTF-8", "COLUMNS": "120", "NO_COLOR": "1"}
    python = Path(shutil.which("python3.11") or sys.executable).parent
    environment["PATH"] = f"{python}:{system}"
    done = []
    for line in (*readme_commands(), *OWN_COMMANDS):
        if line.startswith("source "):
            # what activation does to the commands that follow
            environment |= {
                "PATH": f"{copy / '.venv' / 'bin'}:{python}:{system}",
                "VIRTUAL_ENV": str(copy / ".venv"),
            }
            done.append(RecordedCommand(line=line, output="", code=0, seconds=0.0))
            continue
        done.append(run(line, copy, environment))
        sys.stderr.write(f"{done[-1].seconds:6.1f} s, exit code {done[-1].code}: {line}\n")
    return done


def run(line: str, folder: Path, environment: Mapping[str, str]) -> RecordedCommand:
    """Run a command line in a shell, with its output as it comes."""
    began = time.monotonic()
    answer = subprocess.run(  # noqa: S603 - the README's own commands
        ["/bin/bash", "-c", line],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    # of a progress line the last state
    text = "\n".join(part.rpartition("\r")[2].rstrip() for part in answer.stdout.splitlines())
    text = text.replace(str(folder.parent), "~")
    return RecordedCommand(line=line, output=text, code=answer.returncode, seconds=time.monotonic() - began)


def page(commands: list[RecordedCommand]) -> str:
    """The page of a recording."""
    total = sum(command.seconds for command in commands)
    head = ["git", "rev-parse", "--short", "HEAD"]
    answer = subprocess.run(head, cwd=ROOT, check=True, capture_output=True, text=True)  # noqa: S603
    commit = answer.stdout.strip()
    today = datetime.datetime.now(tz=datetime.UTC).date().isoformat()
    machine = f"{os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"
    parts = [
        "# The first ten minutes",
        f"A stranger's way from nothing to scored agents of their own: {total / 60:.1f} minutes, "
        f"{len(commands)} commands. Recorded, not written: an empty HOME, a fresh copy of the files, no "
        "environment. Everything is simulated: the scores show the commands at work. "
        "`python -m docs.site.first_ten_minutes` records it again.",
        f"Recorded on {today} at commit {commit}: {machine}, packages from a nearby mirror. Longer "
        f"outputs are shown by their last {LINES} lines.",
        "## From the README",
    ]
    own = OWN_COMMANDS[0]
    for command in commands:
        if command.line == own:
            files = " and ".join(f"`{name}`" for name in agent_files())
            text = f"The folder `my-agents` has {files} of [bring-an-agent.md](bring-an-agent.md)."
            parts += ["## An agent of their own", text]
        parts.append(_shown(command))
    return "\n\n".join([*parts, "## And then", NEXT]) + "\n"


def _shown(command: RecordedCommand) -> str:
    lines = [line for line in command.output.splitlines() if line.strip()]
    shown = lines if len(lines) <= LINES else ["...", *lines[-LINES:]]
    code = f", exit code {command.code}" if command.code else ""
    head = f"{command.seconds:.0f} s{code}:" if command.seconds else "no time:"
    return "\n".join([head, "", "```console", f"$ {command.line}", *shown, "```"])


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        commands = record(Path(temporary))
    PAGE.write_text(page(commands), encoding="utf-8")
    sys.stdout.write(f"{PAGE}: {sum(command.seconds for command in commands):.0f} s\n")
    failed = [command.line for command in commands if command.code]
    sys.exit(f"failed: {'; '.join(failed)}" if failed else 0)
