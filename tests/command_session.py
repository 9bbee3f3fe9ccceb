"""One process that runs commands one after another, so that libraries are imported once.

For commands whose environment must be there on import (`HF_HOME`, `HF_ENDPOINT`); others are forked by
`tests.command_line`.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

DRIVER = """
import json, os, runpy, sys
from fingertip_cli.main import main

if __name__ == "__main__":
    for line in sys.stdin:
        sys.argv, changes = json.loads(line)
        before, code = dict(os.environ), 0
        os.environ.update(changes)
        try:
            if sys.argv[0] == "python":
                runpy.run_path(sys.argv[1])
            else:
                main()
        except SystemExit as ended:
            code = ended.code or 0
        os.environ.clear()
        os.environ.update(before)
        sys.stderr.flush()
        print(f"=== {code} {sys.argv}", flush=True)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandResults:
    """Exit codes of commands, in order, and what all of them have written together."""

    codes: list[int]
    stdout: str
    stderr: str


class CommandSession:
    """The process; each command is run by its entry point."""

    def __init__(self, process: subprocess.Popen[str], stderr: Path) -> None:
        self._process, self._stderr = process, stderr

    def run(self, calls: Sequence[Sequence[str]], **environment: str) -> CommandResults:
        """Run commands, each `fingertip ...` or `python FILE`, with these further variables.

        A command with the exit code 1 or more does not end the others.
        """
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        start = self._stderr.stat().st_size
        codes: list[int] = []
        output: list[str] = []
        for call in calls:
            stdin.write(json.dumps([list(call), environment]) + "\n")
            stdin.flush()
            while not (line := stdout.readline()).startswith("=== "):
                assert line, self._stderr.read_text(encoding="utf-8")
                output.append(line)
            codes.append(int(line.split()[1]))
        errors = self._stderr.read_bytes()[start:].decode("utf-8")
        return CommandResults(codes=codes, stdout="".join(output), stderr=errors)


@contextmanager
def command_session(folder: Path, environment: Mapping[str, str]) -> Iterator[CommandSession]:
    """Start the process.

    Args:
        folder: Its working directory, and where its standard error goes (`stderr.txt`).
        environment: Its whole environment.
    """
    log = folder / "stderr.txt"
    with log.open("wb") as stderr:
        process = subprocess.Popen(
            [sys.executable, "-c", DRIVER], cwd=folder, env=environment, text=True, encoding="utf-8",
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr,
        )  # fmt: skip
    with process:
        try:
            yield CommandSession(process, log)
        finally:
            process.kill()
