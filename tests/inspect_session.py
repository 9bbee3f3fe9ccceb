"""Inspect in a process of its own: it leaves streams open, of which other tests would be told.

Started as a script, it reads a JSON list per line, runs it, and answers with a JSON object per line.
"""

from __future__ import annotations

import io
import json
import os
import runpy
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Exit code and output of a call of `inspect`."""

    code: int
    output: str


class InspectSession:
    """Calls of `inspect` in the other process."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def inspect(self, *arguments: object, cwd: Path, env: Mapping[str, str] | None = None) -> Answer:
        """Runs `inspect ARGUMENTS` in a folder."""
        return Answer(**self._call("inspect", [*map(str, arguments)], str(cwd), dict(env or {})))

    def eval(self, *arguments: object, cwd: Path, env: Mapping[str, str] | None = None) -> dict[str, Any]:
        """The log of `inspect eval ARGUMENTS`, with its file as "location"."""
        before = set((cwd / "logs").glob("*.json"))
        answer = self.inspect(
            "eval", *arguments, "--log-format", "json", "--display", "plain", cwd=cwd, env=env
        )
        assert answer.code == 0, answer.output
        (file,) = set((cwd / "logs").glob("*.json")) - before
        log: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        assert log["status"] == "success", log.get("error")
        return log | {"location": str(file)}

    def python(self, code: str, *, cwd: Path) -> None:
        """Runs a block of a page in a folder."""
        (cwd / "block.py").write_text(code, encoding="utf-8")
        answer = Answer(**self._call("python", [str(cwd / "block.py")], str(cwd), {}))
        assert answer.code == 0, answer.output

    def write_run(self, log: str, out: Path) -> Path:
        """`fingertip_20k.write_run`."""
        answer = Answer(**self._call("write_run", [log, str(out)], str(out.parent), {}))
        assert answer.code == 0, answer.output
        return out

    def _call(self, *line: object) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(line) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        assert answer, "the process of Inspect has ended"
        found: dict[str, Any] = json.loads(answer)
        return found


@contextmanager
def inspect_session() -> Iterator[InspectSession]:
    """Starts the process, and ends it."""
    env = {**os.environ, "PYTHONPATH": str(ROOT), "INSPECT_DISABLE_UPDATE_CHECK": "1"}
    with subprocess.Popen(
        [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env
    ) as process:
        yield InspectSession(process)
        assert process.stdin is not None
        process.stdin.close()


def _run(kind: str, arguments: list[str], cwd: str, env: dict[str, str]) -> Answer:
    os.chdir(cwd)
    os.environ.update(env)
    output = io.StringIO()
    with redirect_stdout(output), redirect_stderr(output):
        try:
            if kind == "write_run":
                from fingertip_20k import write_run

                write_run(*arguments)
            elif kind == "python":
                runpy.run_path(arguments[0])
            else:
                from inspect_ai._cli.main import inspect

                inspect.main(args=arguments, standalone_mode=False)
            code = 0
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 1
        except Exception as error:
            output.write(f"{type(error).__name__}: {error}")
            code = 1
    return Answer(code=code, output=output.getvalue())


if __name__ == "__main__":
    for line in sys.stdin:
        answer = _run(*json.loads(line))
        sys.stdout.write(json.dumps({"code": answer.code, "output": answer.output}) + "\n")
        sys.stdout.flush()
