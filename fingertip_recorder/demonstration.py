"""A person uses a phone; the screens and touches of it are kept until they are looked through."""

from __future__ import annotations

import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType

from execution_runner.devices.adb import SYSTEM_UI, AdbDevice
from fingertip_dataset.errors import ConnectionDroppedError, DeviceError, DeviceOfflineError
from fingertip_recorder.episode_writer import EpisodeWriter
from fingertip_recorder.touches import NavigationKey, RecordedTouch, TouchReader, parse_panel
from fingertip_recorder.transcript import (
    GRACE_SECONDS,
    DemonstratedStep,
    TimedObservation,
    TouchInput,
    Transcript,
)

LOOK_SECONDS = 0.1
"""Between two looks at the screen."""

SETTLE_SECONDS = 0.3
"""After a touch, until the screen is looked at again."""

QUIET_LOOKS = 3
"""Looks that are kept of a screen on which nothing is done: the latest ones."""

GESTURE_NAVIGATION = "2"
"""Of the setting `navigation_mode`: no bar, but gestures at the edges."""


class Demonstration:
    """Watches a phone and its touches from `__enter__` to `__exit__`.

    A screen counts when no touch came while it was looked at, so a person who waits until `ready` gets a
    fresh screen for each touch; one who does not gets the screen before, and the step says so.

    Args:
        device: The phone, on ADB.
        settle: Seconds after a touch until the screen is looked at.
    """

    def __init__(self, device: AdbDevice, *, settle: float = SETTLE_SECONDS) -> None:
        self._device = device
        self._settle = settle
        self._touch_input = _touch_input(device)
        brand = device.client.shell("getprop", "ro.product.brand").strip()
        self._provenance = "simulated" if brand == "simulated" else "recorded"
        self._looks: list[TimedObservation] = []
        self._gestures: list[RecordedTouch | NavigationKey] = []
        self._touched = 0.0
        self._ending = False
        self._stopped = threading.Event()
        self._changed = threading.Condition()
        self._error: DeviceError | None = None
        self._stream: subprocess.Popen[bytes] | None = None
        self._threads = [
            threading.Thread(target=self._listen, name="touches", daemon=True),
            threading.Thread(target=self._watch, name="screens", daemon=True),
        ]

    @property
    def ready(self) -> bool:
        """Whether the screen was seen since the last touch."""
        with self._changed:
            return bool(self._looks) and self._looks[-1].begin > self._touched and self._error is None

    @property
    def provenance(self) -> str:
        """What the survey file is to say: "recorded", but "simulated" of a phone that calls itself so."""
        return self._provenance

    @property
    def touches(self) -> int:
        """Touches and keys so far."""
        return len(self._gestures)

    def wait_for_look(self, after: float, seconds: float = 30.0) -> None:
        """Wait until the screen was looked at once more.

        Args:
            after: The look begins later than that, seconds of this computer's monotonic clock.
            seconds: How long to wait at most.

        Raises:
            DeviceError: The phone is lost, or no look came in time.
        """

        def seen() -> bool:
            return self._error is not None or any(look.begin > after for look in self._looks[-1:])

        with self._changed:
            came = self._changed.wait_for(seen, seconds)
        if self._error is not None:
            raise self._error
        if not came:
            raise DeviceError(f"expected to see the screen within {seconds:g} s, got nothing")

    def steps(self) -> tuple[DemonstratedStep, ...]:
        """What was done, once the demonstration has ended."""
        return Transcript(self._gestures, self._looks, self._touch_input).steps()

    @property
    def last(self) -> TimedObservation:
        """The screen at the end.

        Raises:
            DeviceError: None was ever seen.
        """
        if not self._looks:
            raise self._error or DeviceError("expected to see the screen, got nothing")
        return self._looks[-1]

    @property
    def error(self) -> DeviceError | None:
        """What ended it early, or kept the last screen from being seen."""
        return self._error

    def __enter__(self) -> Demonstration:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if kind is None:
                self._last_look()
        finally:
            self._stopped.set()
            self._end_stream()
            for thread in self._threads:
                thread.join()

    def _last_look(self) -> None:
        """See the end; what was recorded of a phone that is lost is kept."""
        self._ending = True
        try:
            self.wait_for_look(time.monotonic())
        except DeviceError as error:
            self._error = error

    # ---- touches

    def _listen(self) -> None:
        while not self._stopped.is_set():
            stream = self._device.client.open("shell", "-tt", "getevent", "-lt")
            self._stream = stream
            if self._stopped.is_set():
                stream.kill()
            reader = TouchReader(self._touch_input.panel)
            with stream:
                for line in stream.stdout or ():
                    self._heard(reader, line.decode(errors="replace"))
                stream.kill()
            if not self._stopped.wait(LOOK_SECONDS):
                self._tolerated(self._device.client.wait_until_ready)

    def _heard(self, reader: TouchReader, line: str) -> None:
        now = time.monotonic()
        gesture = reader.feed(line, now)
        with self._changed:
            if gesture is not None:
                self._gestures.append(gesture)
            if gesture is not None or reader.down:
                self._touched = now

    def _end_stream(self) -> None:
        if self._stream is not None:
            self._stream.kill()

    # ---- screens

    def _watch(self) -> None:
        while not self._stopped.is_set():
            rest = self._touched + self._settle - time.monotonic()
            if rest > 0:
                self._stopped.wait(rest)
                continue
            self._tolerated(self._look)
            self._stopped.wait(LOOK_SECONDS)

    def _look(self) -> None:
        begin, moment = time.monotonic(), datetime.now(UTC)
        observation, typing = self._device.observe(), self._device.keyboard_shown()
        end = time.monotonic()
        self._stopped.wait(GRACE_SECONDS)
        look = TimedObservation(begin=begin, end=end, moment=moment, observation=observation, typing=typing)
        with self._changed:
            if self._touched < begin:
                self._keep(look)
                self._changed.notify_all()

    def _keep(self, look: TimedObservation) -> None:
        """Keep a look; of a screen on which nothing is done only the latest ones."""
        quiet = [old for old in self._looks if old.begin > self._touched]
        if len(quiet) >= QUIET_LOOKS:
            self._looks.remove(quiet[0])
        self._looks.append(look)

    def _tolerated(self, work: Callable[[], None]) -> None:
        """Do it; a phone that is gone may come back until the end, any other error ends the demonstration."""
        try:
            work()
        except ConnectionDroppedError:
            pass
        except DeviceError as error:
            with self._changed:
                if not isinstance(error, DeviceOfflineError) or self._ending or not self._looks:
                    self._error = error
                    self._stopped.set()
                self._changed.notify_all()


def _touch_input(device: AdbDevice) -> TouchInput:
    """The phone's input side: its panel, keyboard, and whether its edges are keys."""
    client = device.client
    keyboard = client.shell("settings", "get", "secure", "default_input_method").strip()
    mode = client.shell("settings", "get", "secure", "navigation_mode").strip()
    return TouchInput(
        panel=parse_panel(client.shell("getevent", "-lp")),
        keyboard=keyboard.partition("/")[0],
        edges=mode == GESTURE_NAVIGATION,
    )


def likely_app(looks: Sequence[TimedObservation]) -> str:
    """The app that was seen most; launchers and the system's own windows count only where no other was."""
    packages = [look.observation.package for look in looks]
    own = [name for name in packages if name and name != SYSTEM_UI and "launcher" not in name]
    return Counter(own or packages or [""]).most_common(1)[0][0]


def write_steps(writer: EpisodeWriter, steps: Sequence[DemonstratedStep], last: TimedObservation) -> Path:
    """Write the steps that are kept, then `finished()` with the last screen; returns the episode's folder.

    Raises:
        InputError: A screen that cannot be written.
        UsageError: The episode is there already.
    """
    for step in steps:
        seen = step.look.observation
        writer.step(seen.screenshot, seen.tree, step.action, moment=step.look.moment)
    return writer.finish(last.observation.screenshot, last.observation.tree, moment=last.moment)
