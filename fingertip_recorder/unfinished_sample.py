"""The state of a sample of simulated people that is not finished: the same call goes on from it.

While people are simulated the sample has a hidden folder with the order, a lock, and the summary of each
person who is done; the end removes it, so that a finished sample has the files of a release alone.
"""

from __future__ import annotations

import fcntl
import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

from fingertip_dataset.errors import UsageError

UNFINISHED = ".unfinished"
"""Name of the hidden folder."""

_ORDER, _LOCK = "order.json", "lock"


class UnfinishedSample:
    """A sample that is being made.

    Args:
        out: Folder of the sample.
        order: What is made, in JSON types: another order cannot go on with it.
    """

    def __init__(self, out: Path, order: Mapping[str, Any]) -> None:
        self._out, self._folder, self._order = out, out / UNFINISHED, dict(order)

    def check(self) -> None:
        """Refuse a folder that holds something else than the beginning of this sample.

        Raises:
            UsageError: It does.
        """
        if not self._out.exists():
            return
        if not self._out.is_dir() or (any(self._out.iterdir()) and not self._folder.is_dir()):
            raise UsageError("the folder is not empty: give a new or an empty one", file=self._out)
        file = self._folder / _ORDER
        known = _read_json(file) if file.exists() else self._order
        if known != self._order:
            named = ", ".join(name for name in self._order if known.get(name) != self._order[name])
            raise UsageError(
                f"the folder holds an unfinished sample of another call, which differs in {named}: give "
                "another folder, or remove it",
                file=self._out,
            )

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Keep other processes away while people are simulated; the system ends it with the process.

        Raises:
            UsageError: Another process makes the sample.
        """
        self._folder.mkdir(parents=True, exist_ok=True)
        with (self._folder / _LOCK).open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise UsageError(
                    "another process is making this sample: wait for its end", file=self._out
                ) from None
            _write_json(self._folder / _ORDER, self._order)
            yield

    def find_person(self, user_id: str) -> dict[str, Any] | None:
        """Return the summary of a person who is done; None for another one."""
        file = self._folder / f"{user_id}.json"
        return _read_json(file) if file.exists() and (self._out / "raw" / user_id).is_dir() else None

    @contextmanager
    def record_person(self, user_id: str) -> Iterator[tuple[Path, dict[str, Any]]]:
        """Yield a folder for the episodes of a person, and a summary to be filled; then both are in place.

        A process that was left over by a killed call may record the same person: the first one is kept, and
        both would be equal.
        """
        place = self._folder / uuid4().hex
        summary: dict[str, Any] = {}
        try:
            yield place, summary
            (self._out / "raw").mkdir(exist_ok=True)
            _write_json(self._folder / f"{user_id}.json", summary)
            target = self._out / "raw" / user_id
            if not target.exists():
                (place / user_id).rename(target)
        finally:
            shutil.rmtree(place, ignore_errors=True)

    def end(self) -> None:
        """Remove the state of a sample that is complete."""
        shutil.rmtree(self._folder)


def is_finished(out: Path) -> bool:
    """Whether a folder holds something that is no unfinished sample.

    Args:
        out: Folder of the sample.
    """
    return out.exists() and not (out / UNFINISHED).exists()


def _read_json(file: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return content


def _write_json(file: Path, content: Mapping[str, Any]) -> None:
    temporary = file.with_name(f".{file.name}.{uuid4().hex}")
    temporary.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    temporary.replace(file)
