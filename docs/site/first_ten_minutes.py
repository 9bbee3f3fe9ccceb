"""Record a stranger's first ten minutes as docs/first-ten-minutes.md.

python -m docs.site.first_ten_minutes

A fresh copy of the committed files, an empty HOME and a fresh environment; then the files and commands of
docs/start.md, section by section, and the README's. Each command is shown with its time and the end of what a
terminal of 80 columns keeps of it: a bar of progress, which goes when the work is done, is not part of it.
Only the settings by which pip finds an index are taken over.
"""

from __future__ import annotations

import datetime
import fcntl
import os
import platform
import pty
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from docs.site.site_map import DOCS, ROOT

PAGE = DOCS / "first-ten-minutes.md"
LINES = 24
"""Number of last lines that are shown of a longer output."""

COLUMNS, ROWS = 80, 40
"""Size of the terminal."""

START = DOCS / "start.md"
AGENT, PACKAGE = "first-agent", ("first_agent.py", "pyproject.toml")
"""Folder of the agent's package, and its files on the page; other files lie next to it."""

NEXT = (
    "A model of yours on the published benchmark, up to a verified row: "
    "[benchmark-your-model.md](benchmark-your-model.md)."
)
"""End of the page."""

_CONTROL = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[()][A-Z0-9]|\x07")
_PROGRESS = re.compile(r"\S.* \d+/\d+(, .*)?|\S.*, [\d.]+ (s|min|h) so far|Generating .* split:.*examples.*")


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedCommand:
    """A command with what it printed, its exit code and its seconds."""

    line: str
    output: str
    code: int
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Chapter:
    """A part of the page: its heading, and its commands."""

    title: str
    lines: tuple[str, ...]


def read_blocks(text: str) -> Iterator[tuple[str, str]]:
    """Yield the blocks of code of a page: what stands after the fence, and the code."""
    yield from re.findall(r"^```([^\n]*)\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)


def read_commands(text: str) -> Iterator[str]:
    """Yield the commands of a text: those of its blocks, and one for each script outside the package."""
    for fence, block in read_blocks(text):
        language, _, name = fence.partition(" ")
        if language == "python" and name and name not in PACKAGE:
            yield f"python {name}"
        if fence in ("", "bash"):
            lines = (line.partition("#")[0].strip() for line in block.splitlines())
            yield from filter(None, lines)


def list_chapters() -> tuple[Chapter, ...]:
    """The way of a stranger: the sections of the start page, and then the other commands of the README."""
    sections = START.read_text(encoding="utf-8").split("\n## ")[1:]
    chapters = [
        Chapter(title=section.partition("\n")[0], lines=tuple(read_commands(section))) for section in sections
    ]
    known = {line for chapter in chapters for line in chapter.lines}
    readme = read_commands((ROOT / "README.md").read_text(encoding="utf-8"))
    others = tuple(line for line in readme if line not in known)
    return (
        *(one for one in chapters if one.lines),
        Chapter(title="The README's other commands", lines=others),
    )


def lay_out(copy: Path) -> None:
    """Write the files of the start page where its commands expect them."""
    (copy / AGENT).mkdir()
    for fence, block in read_blocks(START.read_text(encoding="utf-8")):
        _, _, name = fence.partition(" ")
        if name:
            (copy / AGENT / name if name in PACKAGE else copy / name).write_text(block, encoding="utf-8")


def record(folder: Path) -> dict[str, list[RecordedCommand]]:
    """Run each chapter's commands in a fresh copy, in one shell's environment; by the chapter's title."""
    home, copy = folder / "home", folder / "fingertip-20k"
    home.mkdir()
    copy.mkdir()
    archive = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, check=True, capture_output=True)  # noqa: S607
    subprocess.run(["tar", "x"], cwd=copy, input=archive.stdout, check=True)  # noqa: S607
    lay_out(copy)
    kept = {name: value for name, value in os.environ.items() if name.startswith(("PIP_", "UV_"))}
    settings = Path.home() / ".config" / "pip"
    if settings.is_dir():
        shutil.copytree(settings, home / ".config" / "pip")
    system = "/usr/local/bin:/usr/bin:/bin"
    # what pip says of its index is about this machine
    environment = {**kept, "PIP_QUIET": "2", "HOME": str(home), "LANG": "C.UTF-8", "TERM": "xterm-256color"}
    python = Path(shutil.which("python3.11") or sys.executable).parent
    environment["PATH"] = f"{python}:{system}"
    done: dict[str, list[RecordedCommand]] = {}
    for chapter in list_chapters():
        commands = done.setdefault(chapter.title, [])
        for line in chapter.lines:
            if line.startswith("source "):
                # what activation does to the commands that follow
                environment |= {
                    "PATH": f"{copy / '.venv' / 'bin'}:{python}:{system}",
                    "VIRTUAL_ENV": str(copy / ".venv"),
                }
                commands.append(RecordedCommand(line=line, output="", code=0, seconds=0.0))
                continue
            commands.append(run(line, copy, environment))
            sys.stderr.write(f"{commands[-1].seconds:6.1f} s, exit code {commands[-1].code}: {line}\n")
    return done


def run(line: str, folder: Path, environment: Mapping[str, str]) -> RecordedCommand:
    """Run a command line in a shell, with its standard output on a terminal.

    Standard error is no terminal: progress comes as plain lines there, which are left out.
    """
    began = time.monotonic()
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    with subprocess.Popen(  # noqa: S603 - the documents' own commands
        ["/bin/bash", "-c", line],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=subprocess.PIPE,
    ) as process:
        os.close(theirs)
        shown: list[bytes] = []
        errors = threading.Thread(target=lambda: shown.extend(process.stderr or ()))
        errors.start()
        shown.extend(_read_terminal(ours))
        errors.join()
    text = clean(b"".join(shown).decode("utf-8", "replace")).replace(str(folder.parent), "~")
    return RecordedCommand(line=line, output=text, code=process.returncode, seconds=time.monotonic() - began)


def _read_terminal(descriptor: int) -> Iterator[bytes]:
    """Yield the lines that a process writes to a terminal, until it closes it."""
    with os.fdopen(descriptor, "rb") as terminal:
        try:
            yield from terminal
        except OSError:
            # the other end is closed
            return


def clean(text: str) -> str:
    r"""Leave out what a terminal does not keep: control sequences, overwritten lines, progress, empty lines.

    >>> clean("\x1b[1mtasks\x1b[0m\r\ntasks answered 0/11\ntasks answered 9/11, 2 s left\n10 of 11\n")
    'tasks\n10 of 11'
    """
    lines = [_CONTROL.sub("", line).rstrip("\r").rpartition("\r")[2].rstrip() for line in text.split("\n")]
    return "\n".join(line for line in lines if line and not _PROGRESS.fullmatch(line))


def read_commit() -> str:
    """The commit whose files are recorded."""
    head = ["git", "rev-parse", "--short", "HEAD"]
    answer = subprocess.run(head, cwd=ROOT, check=True, capture_output=True, text=True)  # noqa: S603
    return answer.stdout.strip()


def page(chapters: Mapping[str, list[RecordedCommand]], commit: str) -> str:
    """The page of a recording of a commit."""
    commands = [command for lines in chapters.values() for command in lines]
    total = sum(command.seconds for command in commands)
    today = datetime.datetime.now(tz=datetime.UTC).date().isoformat()
    # what else the machine did meanwhile, as times are longer then
    cores, load = os.cpu_count() or 1, os.getloadavg()[2]
    busy = f", busy with {load:.0f} processes at once" if load >= 2 * cores else ""
    machine = f"{cores} cores{busy}, {platform.system()}, Python {platform.python_version()}"
    parts = [
        "# The first ten minutes",
        "A stranger's way along the [start page](start.md), up to a row on a board: "
        f"{total / 60:.1f} minutes, {len(commands)} commands. Recorded, not written: an empty HOME, a fresh "
        f"copy of the files, no environment, a terminal of {COLUMNS} columns. Everything is simulated: the "
        "scores show the commands at work. `python -m docs.site.first_ten_minutes` records it again.",
        f"Recorded on {today} at commit {commit}: {machine}, packages from a nearby mirror. Longer "
        f"outputs are shown by their last {LINES} lines.",
    ]
    for title, recorded in chapters.items():
        parts += [f"## {title}", *map(_shown, recorded)]
    return "\n\n".join([*parts, "## And then", NEXT]) + "\n"


def _shown(command: RecordedCommand) -> str:
    lines = command.output.splitlines()
    shown = lines if len(lines) <= LINES else ["...", *lines[-LINES:]]
    code = f", exit code {command.code}" if command.code else ""
    head = f"{command.seconds:.0f} s{code}:" if command.seconds else "no time:"
    return "\n".join([head, "", "```console", f"$ {command.line}", *shown, "```"])


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        commit = read_commit()
        recorded = record(Path(temporary))
    PAGE.write_text(page(recorded, commit), encoding="utf-8")
    every = [command for lines in recorded.values() for command in lines]
    sys.stdout.write(f"{PAGE}: {sum(command.seconds for command in every):.0f} s\n")
    failed = [command.line for command in every if command.code]
    sys.exit(f"failed: {'; '.join(failed)}" if failed else 0)
