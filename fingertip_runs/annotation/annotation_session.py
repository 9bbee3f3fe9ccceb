"""An annotation session: the items to label, each rater's order, and the labels so far."""

from __future__ import annotations

import hashlib
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Generic, Self, TypeVar

from pydantic import BaseModel

from fingertip_dataset.errors import UsageError
from fingertip_dataset.times import now
from fingertip_runs.line_log import LineLog

AnyItem = TypeVar("AnyItem")
AnyAnnotation = TypeVar("AnyAnnotation", bound=BaseModel)
AnyLabel = TypeVar("AnyLabel", bound=BaseModel)


class AnnotationSession(ABC, Generic[AnyItem, AnyAnnotation, AnyLabel]):
    """The items of several folders and the labels on them. A context manager.

    The session locks the folders' label files, so that no other process writes them. Each rater has their own
    order of items, deterministic in the name, and sees only their own labels.

    A subclass computes its items, calls `super().__init__` (which opens the label files) and then `_begin`
    with the items. If `_begin` is not reached, it must call `close`.

    Args:
        folders: Folders of the label files.
        open_labels: Opens a folder's label file.

    Raises:
        FingerTipError: A label file cannot be written, is held by another process, or has a broken line.
    """

    def __init__(self, folders: Sequence[Path], open_labels: Callable[[Path], LineLog[AnyLabel]]) -> None:
        self._lock = threading.RLock()
        self._items: Mapping[str, AnyItem] = {}
        self._labels: dict[tuple[str, str], AnyLabel] = {}
        self._logs: dict[Path, LineLog[AnyLabel]] = {}
        with ExitStack() as stack:
            for folder in folders:
                self._logs[folder] = stack.enter_context(open_labels(folder))
            self._stack = stack.pop_all()

    @abstractmethod
    def _folders(self, item: AnyItem) -> Sequence[Path]:
        """The folders whose label files store a label on the item."""

    @abstractmethod
    def _record(self, key: str, rater: str, annotation: AnyAnnotation, at: datetime) -> AnyLabel:
        """The line of the label file for a rater's annotation."""

    @abstractmethod
    def _find_labelled(self, folder: Path, label: AnyLabel) -> tuple[str, str] | None:
        """(key, rater) of a line of the folder's label file; None if it is about no item of this session."""

    def _identity(self, key: str) -> tuple[str, ...]:
        """Strings that identify an item across sessions, if its key is random; they seed its rank."""
        return (key,)

    def __getitem__(self, key: str) -> AnyItem:
        """The item of a key.

        Raises:
            KeyError: There is no such item.
        """
        return self._items[key]

    def __len__(self) -> int:
        return len(self._items)

    def order(self, rater: str) -> tuple[str, ...]:
        """All keys, in an order shuffled by the rater's name."""
        return tuple(sorted(self._items, key=lambda key: shuffle_place(rater, *self._identity(key))))

    def label(self, key: str, rater: str) -> AnyLabel | None:
        """The rater's latest label on the item; None without one."""
        return self._labels.get((key, rater))

    def labelled(self, rater: str) -> int:
        """Number of items that the rater has labelled."""
        return sum(name == rater for _, name in self._labels)

    def raters(self) -> tuple[str, ...]:
        """Names of all raters with a label on an item of this session, sorted."""
        return tuple(sorted({rater for _, rater in self._labels}))

    def add(self, key: str, rater: str, annotation: AnyAnnotation) -> None:
        """Appends a rater's annotation to the label files, synced to the disk.

        Raises:
            KeyError: There is no item of that key.
            RunError: The line could not be written (for example, disk full).
        """
        item = self._items[key]
        record = self._record(key, rater, annotation, now())
        with self._lock:
            for folder in self._folders(item):
                self._logs[folder].append(record)
            self._labels[key, rater] = record

    def close(self) -> None:
        """Releases the label files."""
        self._stack.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _begin(self, items: Mapping[str, AnyItem]) -> None:
        """Sets the items and restores the labels of earlier sessions."""
        self._items = items
        for folder, line in self._earlier_lines():
            self._restore(folder, line)

    def _earlier_lines(self) -> Iterator[tuple[Path, AnyLabel]]:
        """(folder, line) of every label file; the last line of a rater and item counts."""
        return ((folder, line) for folder, log in self._logs.items() for line in log.lines)

    def _restore(self, folder: Path, line: AnyLabel) -> None:
        found = self._find_labelled(folder, line)
        if found is not None:
            self._labels[found] = line


def shuffle_place(*parts: str) -> bytes:
    """A pseudorandom sort key, deterministic in the parts."""
    return hashlib.sha256("\0".join(parts).encode(errors="surrogateescape")).digest()


def check_folders(folders: Sequence[Path]) -> None:
    """Refuses a folder that is given twice.

    Raises:
        UsageError: A folder is given twice.
    """
    if len({folder.resolve() for folder in folders}) != len(folders):
        raise UsageError("a run is given twice: name each run once")
