"""Recording of a person's phone use: screens and touches, kept in memory until the person reviews them."""

from __future__ import annotations

import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType

from execution_runner.devices.adb import AdbDevice
from execution_runner.devices.window_state import SYSTEM_UI
from fingertip_dataset.errors import (
    ConnectionDroppedError,
    DeviceError,
    DeviceNotFoundError,
    DeviceOfflineError,
    DeviceTimeoutError,
)
from fingertip_recorder.episode_writer import EpisodeWriter
from fingertip_recorder.phone_clock import PhoneClock, read_phone_clock
from fingertip_recorder.system_windows import USUAL_ORDER, read_key_order, read_system_windows
from fingertip_recorder.touches import NavigationKey, RecordedTouch, TouchReader, parse_panel
from fingertip_recorder.transcript import (
    GRACE_SECONDS,
    ConnectionGap,
    DemonstratedStep,
    TimedObservation,
    TouchInput,
    Transcript,
)

OBSERVE_SECONDS = 0.1
"""Pause between two observations of the screen."""

SETTLE_SECONDS = 0.3
"""Time after a touch until the screen is observed again."""

END_SECONDS, LOST_SECONDS, JOIN_SECONDS = 30.0, 5.0, 5.0
"""Seconds to wait at the end: for the last screen, for that of a phone that is out of reach, for threads."""

IDLE_OBSERVATIONS = 3
"""Number of latest observations kept while the screen is not touched."""

GESTURE_NAVIGATION = "2"
"""Value of the setting `navigation_mode` for edge gestures instead of a navigation bar."""


class Demonstration:
    """Records a phone's screens and touches from `__enter__` to `__exit__`.

    An observation counts only if no touch came while it was taken. If the person waits for `ready` before
    each touch, each step has a fresh screen; otherwise it has an older one, and a doubt says so. Moments are
    by the clock of the phone.

    While the connection is lost nothing is recorded; it goes on when the phone is back, and a doubt of the
    step before says how long it was away. A phone on Wi-Fi is waited for until the end of the recording.

    Args:
        device: The phone, connected through adb.
        settle: Seconds after a touch until the screen is observed.
        clock: Clock of the phone; None to read it.
    """

    def __init__(
        self, device: AdbDevice, *, settle: float = SETTLE_SECONDS, clock: PhoneClock | None = None
    ) -> None:
        self._device = device
        self._clock = clock or read_phone_clock(device.client)
        self._settle = settle
        self._add_touch = _add_touch(device)
        brand = device.client.shell("getprop", "ro.product.brand").strip()
        self._provenance = "simulated" if brand == "simulated" else "recorded"
        self._observations: list[TimedObservation] = []
        self._gestures: list[RecordedTouch | NavigationKey] = []
        self._gaps: list[ConnectionGap] = []
        self._touched = self._reached = 0.0
        self._lost: float | None = None
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
        """Whether the screen was observed since the last touch, and since the connection was last lost."""
        with self._changed:
            since = max([self._touched, *(gap.end for gap in self._gaps[-1:])])
            observed = bool(self._observations) and self._observations[-1].begin > since
            return observed and self._lost is None and self._error is None

    @property
    def lost(self) -> bool:
        """Whether the connection is lost at present."""
        return self._lost is not None

    @property
    def gaps(self) -> tuple[ConnectionGap, ...]:
        """Times without a connection that have ended, in order; all of them after `__exit__`."""
        return tuple(self._gaps)

    @property
    def provenance(self) -> str:
        """Provenance for the survey file: "recorded", or "simulated" if that is the phone's brand."""
        return self._provenance

    @property
    def touches(self) -> int:
        """Number of touches and keys so far."""
        return len(self._gestures)

    def wait_for_observation(self, after: float, seconds: float = END_SECONDS) -> None:
        """Wait for an observation of the screen that begins after a moment.

        Args:
            after: The moment, seconds of this computer's monotonic clock.
            seconds: Time limit.

        Raises:
            DeviceError: The phone is lost, or there was no observation in time.
        """

        def arrived() -> bool:
            return self._error is not None or any(one.begin > after for one in self._observations[-1:])

        with self._changed:
            in_time = self._changed.wait_for(arrived, seconds)
        if self._error is not None:
            raise self._error
        if not in_time:
            raise DeviceError(f"no screen was received within {seconds:g} s")

    def steps(self) -> tuple[DemonstratedStep, ...]:
        """The steps of the demonstration; call it after `__exit__`."""
        return Transcript(self._gestures, self._observations, self._add_touch, self.gaps).steps()

    @property
    def last(self) -> TimedObservation:
        """The screen at the end.

        Raises:
            DeviceError: No screen was observed.
        """
        if not self._observations:
            raise self._error or DeviceError("no screen was received")
        return self._observations[-1]

    @property
    def error(self) -> DeviceError | None:
        """The error that ended the recording early or prevented the last observation."""
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
                self._observe_end()
        finally:
            self._stopped.set()
            self._end_stream()
            for thread in self._threads:
                # one may still wait for a phone that is out of reach; it adds nothing any more
                thread.join(JOIN_SECONDS)
            self._end_gap()

    def _observe_end(self) -> None:
        """Wait for the last screen; if the phone is lost, what was recorded so far is kept."""
        self._ending = True
        try:
            self.wait_for_observation(time.monotonic(), LOST_SECONDS if self.lost else END_SECONDS)
        except DeviceError as error:
            self._error = error

    # ---- touches

    def _listen(self) -> None:
        while not self._stopped.is_set():
            # -tt: without a terminal getevent buffers its output
            stream = self._device.client.open("shell", "-tt", "getevent", "-lt")
            self._stream = stream
            # `__exit__` may have come before the stream was known, and could not end it
            if self._stopped.is_set():
                stream.kill()
            reader = TouchReader(self._add_touch.panel)
            with stream:
                for line in stream.stdout or ():
                    self._take_line(reader, line.decode(errors="replace"))
                stream.kill()
            # the stream ended by itself: the connection dropped, at the latest now
            if not self._stopped.is_set():
                self._begin_gap()
            if not self._stopped.wait(OBSERVE_SECONDS):
                self._call_tolerantly(self._device.client.wait_until_ready)

    def _begin_gap(self) -> None:
        """Note that touches are no longer received, since the phone was last heard of."""
        with self._changed:
            if self._lost is None:
                self._lost = max(self._reached, self._touched)

    def _end_gap(self) -> None:
        """Note that touches are received again."""
        with self._changed:
            if self._lost is not None:
                self._gaps.append(ConnectionGap(begin=self._lost, end=time.monotonic()))
                self._lost = None

    def _take_line(self, reader: TouchReader, line: str) -> None:
        now = time.monotonic()
        gesture = reader.feed(line, now)
        # getevent names the input devices as soon as it runs
        self._end_gap()
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
            self._call_tolerantly(self._observe)
            self._stopped.wait(OBSERVE_SECONDS)

    def _observe(self) -> None:
        begin = time.monotonic()
        observation = self._device.observe(wake=False)
        windows = read_system_windows(self._device.client)
        end = time.monotonic()
        # the events of a touch during the observation may arrive a little after it
        self._stopped.wait(GRACE_SECONDS)
        moment = self._clock.at(begin)
        timed = TimedObservation(
            begin=begin, end=end, moment=moment, observation=observation, windows=windows
        )
        with self._changed:
            self._reached = end
            # a screen that was touched meanwhile may be half changed
            if self._touched < begin and not self._stopped.is_set():
                self._append(timed)
                self._changed.notify_all()

    def _append(self, timed: TimedObservation) -> None:
        """Add an observation; while the screen is not touched only the latest ones are kept."""
        idle = [old for old in self._observations if old.begin > self._touched]
        if len(idle) >= IDLE_OBSERVATIONS:
            self._observations.remove(idle[0])
        self._observations.append(timed)

    def _call_tolerantly(self, work: Callable[[], None]) -> None:
        """Call a function; a lost phone may reconnect until the end, any other error ends the recording."""
        try:
            work()
        except ConnectionDroppedError:
            pass
        except DeviceError as error:
            may_return: tuple[type[DeviceError], ...] = (DeviceOfflineError,)
            if self._device.client.wireless:
                may_return = (DeviceOfflineError, DeviceNotFoundError, DeviceTimeoutError)
            with self._changed:
                if not isinstance(error, may_return) or self._ending or not self._observations:
                    self._error = error
                    self._stopped.set()
                self._changed.notify_all()


def _add_touch(device: AdbDevice) -> TouchInput:
    """Query a phone's touch panel, keyboard, and whether it has gesture navigation."""
    client = device.client
    keyboard = client.shell("settings", "get", "secure", "default_input_method").strip()
    edges = client.shell("settings", "get", "secure", "navigation_mode").strip() == GESTURE_NAVIGATION
    return TouchInput(
        panel=parse_panel(client.shell("getevent", "-lp")),
        keyboard=keyboard.partition("/")[0],
        edges=edges,
        keys=USUAL_ORDER if edges else read_key_order(client),
    )


def guess_app(observations: Sequence[TimedObservation]) -> str:
    """The most frequent package; launchers and the system's windows count only if there is no other."""
    packages = [timed.observation.package for timed in observations]
    apps = [name for name in packages if name and name != SYSTEM_UI and "launcher" not in name]
    return Counter(apps or packages or [""]).most_common(1)[0][0]


def write_steps(writer: EpisodeWriter, steps: Sequence[DemonstratedStep], last: TimedObservation) -> Path:
    """Write the steps, then `finished()` with the last screen; return the episode's folder.

    Raises:
        InputError: A screenshot or tree cannot be written.
        UsageError: The episode exists already.
    """
    for step in steps:
        screen = step.before.observation
        writer.step(screen.screenshot, screen.tree, step.action, moment=step.before.moment)
    return writer.finish(last.observation.screenshot, last.observation.tree, moment=last.moment)
