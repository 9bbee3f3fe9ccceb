"""Parsed parts of a bundle, which tests can forge."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(slots=True, kw_only=True)
class Parts:
    """Parsed parts of a bundle. `write` writes them as a bundle, with correct hashes of changed parts.

    Attributes:
        head: Content of bundle.json.
        log: Name of the log, predictions.jsonl or steps.jsonl.
        tasks: The records of the log, one per task; on track 2 the end of an attempt, with the list of its
            steps in place of their number.
        verdicts: Lines of verdicts.jsonl.
        labels: Lines of labels.jsonl.
        inputs: Lines of inputs.jsonl.
        screens: Name of each screen -> content.
        raw: Name -> content of files that replace the other parts.
    """

    head: dict[str, Any]
    log: str
    tasks: list[dict[str, Any]]
    verdicts: list[dict[str, Any]]
    labels: list[dict[str, Any]]
    screens: dict[str, bytes]
    inputs: list[dict[str, Any]] = field(default_factory=list)
    raw: dict[str, bytes] = field(default_factory=dict)

    @classmethod
    def read(cls, bundle: Path) -> Parts:
        def lines(name: str) -> list[dict[str, Any]]:
            file = bundle / name
            return (
                [json.loads(line) for line in file.read_text("utf-8").splitlines()] if file.exists() else []
            )

        log = "steps.jsonl" if (bundle / "steps.jsonl").exists() else "predictions.jsonl"
        screens = sorted(path for path in bundle.glob("screens/**/*") if path.is_file())
        return cls(
            head=json.loads((bundle / "bundle.json").read_text(encoding="utf-8")),
            log=log,
            tasks=list(_grouped(lines(log))),
            verdicts=lines("verdicts.jsonl"),
            labels=lines("labels.jsonl"),
            inputs=lines("inputs.jsonl"),
            screens={path.relative_to(bundle).as_posix(): path.read_bytes() for path in screens},
        )

    def log_lines(self) -> list[Any]:
        """The lines of the log."""
        return [line for task in self.tasks for line in _lines(task)]

    def line(self, task: int, step: int | None = None) -> int:
        """Line number of a task, or of one of its steps, in the log; all numbers count from 1."""
        before = sum(len(_lines(earlier)) for earlier in self.tasks[: task - 1])
        return before + (len(_lines(self.tasks[task - 1])) if step is None else step)

    def files(self) -> dict[str, bytes]:
        """Name -> content of every file; `raw` replaces the other parts."""
        found = dict(self.screens)
        texts = {
            self.log: self.log_lines(),
            "verdicts.jsonl": self.verdicts,
            "labels.jsonl": self.labels,
            "inputs.jsonl": self.inputs,
        }
        for name, lines in texts.items():
            if lines:
                found[name] = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()
        found |= {name: content for name, content in self.raw.items() if name != "bundle.json"}
        self.head["files"] = {
            name: {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
            for name, content in found.items()
        }
        head = json.dumps(self.head, ensure_ascii=False).encode()
        return {"bundle.json": self.raw.get("bundle.json", head), **found}

    def write(self, place: Path) -> Path:
        """Write the bundle as a folder."""
        for name, content in self.files().items():
            file = place / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        return place


def renumber(task: dict[str, Any]) -> None:
    """Give the steps of an attempt its task id and attempt number, and number them from 1."""
    for number, step in enumerate(task.get("steps", ()), start=1):
        step.update(task_id=task["task_id"], attempt=task["attempt"], step=number)


def _grouped(lines: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    steps: list[dict[str, Any]] = []
    for line in lines:
        if line.get("kind") == "step":
            steps.append(line)
        else:
            yield {**line, "steps": steps} if "kind" in line else line
            steps = []


def _lines(task: Any) -> list[Any]:  # noqa: ANN401 - tests put any value in place of a task
    steps = task.get("steps") if isinstance(task, dict) else None
    return [*steps, {**task, "steps": len(steps)}] if isinstance(steps, list) else [task]
