"""A bundle taken apart, so that tests can forge any part of it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(slots=True, kw_only=True)
class Parts:
    """A bundle taken apart. What is changed here gets its right hash again; `write` puts it together."""

    head: dict[str, Any]
    tasks: list[dict[str, Any]]
    verdicts: list[dict[str, Any]]
    labels: list[dict[str, Any]]
    screens: dict[str, bytes]
    raw: dict[str, bytes] = field(default_factory=dict)

    @classmethod
    def read(cls, bundle: Path) -> Parts:
        def lines(name: str) -> list[dict[str, Any]]:
            file = bundle / name
            return (
                [json.loads(line) for line in file.read_text("utf-8").splitlines()] if file.exists() else []
            )

        screens = sorted(path for path in bundle.glob("trajectories/**/*") if path.is_file())
        return cls(
            head=json.loads((bundle / "bundle.json").read_text(encoding="utf-8")),
            tasks=lines("tasks.jsonl"),
            verdicts=lines("verdicts.jsonl"),
            labels=lines("labels.jsonl"),
            screens={path.relative_to(bundle).as_posix(): path.read_bytes() for path in screens},
        )

    def files(self) -> dict[str, bytes]:
        """Every file with its content; those of `raw` as they are there."""
        found = dict(self.screens)
        for name in ("tasks", "verdicts", "labels"):
            lines = getattr(self, name)
            if lines:
                found[f"{name}.jsonl"] = "".join(
                    json.dumps(line, ensure_ascii=False) + "\n" for line in lines
                ).encode()
        found |= {name: content for name, content in self.raw.items() if name != "bundle.json"}
        self.head["files"] = {
            name: {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
            for name, content in found.items()
        }
        head = json.dumps(self.head, ensure_ascii=False).encode()
        return {"bundle.json": self.raw.get("bundle.json", head), **found}

    def write(self, place: Path) -> Path:
        """A folder."""
        for name, content in self.files().items():
            file = place / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        return place
