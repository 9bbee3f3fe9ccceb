"""A simulated phone that logs every call of a host that may change it, so that another phone can repeat it.

The log is taken below adb, uiautomator2, Appium and the helper apps, where all of them arrive: a tap is a
tap, whoever sends it. `repeated_inputs` repeats a log.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from simulated_phone.logged_input import InputCall, LoggedInput
from simulated_phone.phone import Phone
from simulated_phone.screens.nodes import ActionRef, ActionValue
from simulated_phone.touch.fling import Velocity


class LoggedPhone(Phone):
    """A `Phone` that logs the calls of hosts; the arguments are those of `Phone`.

    Attributes:
        log: The calls since `start_log`, in order; None while nothing is logged.
    """

    def __init__(self, **arguments: Any) -> None:  # noqa: ANN401 - those of `Phone`
        super().__init__(**arguments)
        self.log: list[LoggedInput] | None = None
        self._log_began = 0
        self._in_call = False
        self._written: dict[tuple[str, ...], tuple[str, ...]] = {}

    def start_log(self) -> list[LoggedInput]:
        """Begin and return a new log, whose times count from now."""
        log: list[LoggedInput] = []
        self.log, self._log_began = log, self.data["now"]
        self._written = self._list_writes()
        return log

    @property
    def log_ms(self) -> int:
        """Time on the phone's clock since the log's start, ms."""
        return int(self.data["now"]) - self._log_began

    def command_ended(self) -> None:
        """Log what a command wrote without a call, such as a setting."""
        super().command_ended()
        self.log_writes()

    def log_writes(self) -> None:
        """Log what was written without a call since the last one: settings, permissions, closed apps, ..."""
        if self.log is None or self._in_call:
            return
        before, self._written = self._written, self._list_writes()
        changed = (
            name for name in {**before, **self._written} if before.get(name) != self._written.get(name)
        )
        writes = tuple(filter(None, (_describe_write(name, self._written.get(name)) for name in changed)))
        if writes:
            self._add("write", self.log_ms, "", writes=writes)

    def _list_writes(self) -> dict[tuple[str, ...], tuple[str, ...]]:
        """List what a host can write without a call: kind and name -> value."""
        found: dict[tuple[str, ...], tuple[str, ...]] = {
            ("setting", namespace, key): (value,)
            for namespace, rows in self.data["settings"].items()
            for key, value in rows.items()
        }
        found |= {("mark", mark): () for mark in self.data["asked"]}
        found |= {("task", task["package"]): () for task in self.data["tasks"]}
        found |= {("posted", tag): tuple(texts) for tag, texts in self.tasks.posted.items()}
        return found | ({("toast",): ()} if self.data["toast"] is not None else {})

    @contextmanager
    def _log_call(
        self,
        call: InputCall,
        numbers: Sequence[int] = (),
        words: Sequence[str] = (),
        velocity: Velocity | None = None,
    ) -> Iterator[None]:
        """Log a call of a host, and none of the calls that it consists of."""
        if self.log is None or self._in_call:
            yield
            return
        self.log_writes()
        at_ms, screen = self.log_ms, self.hash_screen()
        self._in_call = True
        try:
            yield
        finally:
            self._in_call = False
            self._written = self._list_writes()
            self._add(call, at_ms, screen, numbers=numbers, words=words, velocity=velocity)

    def _add(
        self,
        call: InputCall,
        at_ms: int,
        screen: str,
        *,
        numbers: Sequence[int] = (),
        words: Sequence[str] = (),
        writes: Sequence[tuple[str, ...]] = (),
        velocity: Velocity | None = None,
    ) -> None:
        if self.log is not None:
            entry = LoggedInput(
                at_ms=at_ms,
                call=call,
                numbers=tuple(numbers),
                # the phone itself takes no halves of surrogate pairs, and no file can hold them
                words=tuple(word.encode("utf-8", "ignore").decode("utf-8") for word in words),
                writes=tuple(writes),
                velocity=None if velocity is None else (velocity[0], velocity[1]),
                screen_sha256=screen,
                state_sha256=self.state_sha256(),
            )
            self.log.append(entry)

    def hash_screen(self) -> str:
        """SHA-256, in hex, of the tree of all windows.

        Not of the pixels, which differ from one version of the drawing libraries to the next.
        """
        return hashlib.sha256(self.screen().tree("windows").encode("utf-8", "replace")).hexdigest()

    # ---- calls

    def tap(self, x: int, y: int) -> None:
        """A short touch at a pixel."""
        with self._log_call("tap", (x, y)):
            super().tap(x, y)

    def long_press(self, x: int, y: int, ms: int = 600) -> None:
        """A touch held for `ms`."""
        with self._log_call("hold", (x, y, ms)):
            super().long_press(x, y, ms)

    def swipe(
        self, x1: int, y1: int, x2: int, y2: int, ms: int = 300, *, velocity: Velocity | None = None
    ) -> None:
        """A swipe from one pixel to another."""
        with self._log_call("swipe", (x1, y1, x2, y2, ms), velocity=velocity):
            super().swipe(x1, y1, x2, y2, ms, velocity=velocity)

    def type_text(self, text: str) -> None:
        """Text into the field that has the focus."""
        with self._log_call("text", words=(text,)):
            super().type_text(text)

    def type_keys(self, text: str) -> None:
        """Characters of a hardware keyboard."""
        with self._log_call("keys", words=(text,)):
            super().type_keys(text)

    def press_key(self, code: str) -> None:
        """A key by its name."""
        with self._log_call("key", words=(code,)):
            super().press_key(code)

    def enter(self) -> None:
        """The Enter key."""
        with self._log_call("enter"):
            super().enter()

    def edit(self, change: Callable[[str], str]) -> None:
        """Change the text of the focused field: from outside only to clear it."""
        with self._log_call("clear_text"):
            super().edit(change)

    def start(self, component: str) -> bool:
        """Bring an app to the front."""
        with self._log_call("start", words=(component,)):
            return super().start(component)

    def stop(self, package: str) -> None:
        """Stop an app."""
        with self._log_call("stop", words=(package,)):
            super().stop(package)

    def follow_intent(self, words: Sequence[str], work: Callable[[], None]) -> None:
        """Do what an intent of a host says."""
        with self._log_call("intent", words=words):
            super().follow_intent(words, work)

    def open_page(
        self, package: str, page: str, arguments: Mapping[str, ActionValue], fields: Mapping[str, str]
    ) -> None:
        """Open a page of an app directly, which only an intent does."""
        self._check_inside()
        super().open_page(package, page, arguments, fields)

    def act(self, action: ActionRef) -> None:
        """Do what a node's action says, which only a touch or an intent does."""
        self._check_inside()
        super().act(action)

    def _check_inside(self) -> None:
        if self.log is not None and not self._in_call:
            raise RuntimeError("a host opened a page without an intent: nobody could repeat it from the log")

    def open_panel(self) -> None:
        """Pull down the panel of quick settings."""
        with self._log_call("open_panel"):
            super().open_panel()

    def close_panel(self) -> None:
        """Close the panel of quick settings or the recent apps."""
        with self._log_call("close_panel"):
            super().close_panel()

    def unlock(self) -> None:
        """Put the lock screen away."""
        with self._log_call("unlock"):
            super().unlock()

    def set_display(self, size: tuple[int, int] | None = None, density: int | None = None) -> None:
        """Change the size of the display, or its dots per inch."""
        with self._log_call("display", (*(size or (0, 0)), density or 0)):
            super().set_display(size, density)

    def clear_app(self, package: str) -> None:
        """Stop an app and make its state fresh."""
        with self._log_call("clear_app", words=(package,)):
            super().clear_app(package)

    def take_answer(self, text: str) -> None:
        """Note the answer of an agent to the question of its task."""
        with self._log_call("answer", words=(text,)):
            super().take_answer(text)

    def put_question(self, text: str) -> str | None:
        """Put a question of an agent to the person."""
        with self._log_call("question", words=(text,)):
            return super().put_question(text)


def _describe_write(name: tuple[str, ...], value: tuple[str, ...] | None) -> tuple[str, ...]:
    """Describe what a host wrote, () for nothing to repeat; `value` is None where something is gone."""
    kind, *rest = name
    if kind == "setting":
        return ("delete", *rest) if value is None else ("put", *rest, *value)
    if kind == "mark":
        return ("revoke" if value is None else "grant", *rest)
    if kind == "posted":
        # the oldest one goes by itself when another comes
        return () if value is None else ("post", *rest, *value)
    if value is not None:
        return ()
    return ("close", *rest) if kind == "task" else ("hide_toast",)
