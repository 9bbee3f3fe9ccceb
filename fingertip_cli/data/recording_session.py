"""A session of `fingertip record`: one episode, or one after the other with reminders in between."""

from __future__ import annotations

import select
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fingertip_cli.data.demonstration_review import review
from fingertip_dataset.errors import DeviceError, UsageError

if TYPE_CHECKING:
    from datetime import datetime

    from execution_runner.devices.adb import AdbDevice
    from fingertip_dataset.release.settings import ReleaseSettings, Start
    from fingertip_recorder.demonstration import Demonstration
    from fingertip_recorder.held_episode import InspectRelease
    from fingertip_recorder.reminders import ReminderRules, Reminders
    from fingertip_recorder.transcript import DemonstratedStep

ORIGIN = "recorded by its owner with fingertip record"
"""Origin of the episode in its survey file, which also states whether the phone was simulated."""

TITLE = "FingerTip"
REMIND_SECONDS = 5.0
"""Pause between two looks at a phone whose person may be reminded."""

_POLL_SECONDS = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordingSession:
    """Recording of a person's episodes on one phone into one release.

    Attributes:
        device: The phone.
        out: Folder of the release.
        user: Id of the person.
        settings: Settings of the release, written with its first episode.
        start: Where episodes begin.
        licence: SPDX id of the episodes' licence; None to state none.
        inspect: Inspection of an episode before it is kept; None for none.
        most_a_day: Most episodes a day by the phone's date; None for no limit.
        remind_seconds: Pause between two looks at the phone while the person is waited for.
    """

    device: AdbDevice
    out: Path
    user: str
    settings: ReleaseSettings
    start: Start
    licence: str | None = None
    inspect: InspectRelease | None = None
    most_a_day: int | None = None
    remind_seconds: float = REMIND_SECONDS

    # ---- the limit of a day

    def check_limit(self) -> None:
        """Check that the person has not recorded the most episodes of a day.

        Raises:
            UsageError: They have; the message says when the next one can be recorded.
            DeviceError: The phone cannot be reached.
        """
        from fingertip_recorder.phone_clock import read_phone_clock

        if self.most_a_day is not None:
            reached = self.describe_limit(read_phone_clock(self.device.client).now())
            if reached:
                raise UsageError(reached, file=self.out)

    def describe_limit(self, now: datetime) -> str:
        """Say that the limit of the day is reached; "" if it is not."""
        from fingertip_recorder.day_limit import describe_reached

        if self.most_a_day is None or self.count_today(now) < self.most_a_day:
            return ""
        return describe_reached(self.user, self.most_a_day, now)

    def count_today(self, now: datetime) -> int:
        """Count the episodes that the person has recorded on the day of a moment by the phone."""
        from fingertip_recorder.day_limit import count_today

        return count_today(self.out, self.user, now, self.settings.zone)

    # ---- one episode

    def record(self, intent: str | None = None, place: str | None = None) -> datetime | None:
        """Record an episode, review it with the person, and keep it or not.

        Args:
            intent: The intent; None to ask for it.
            place: The place; None to ask for it.

        Returns:
            The moment of the episode; None if nothing was kept.

        Raises:
            DeviceError: The phone is lost before the first screen, or does not do what it is told.
            UsageError: The episode exists already.
        """
        from fingertip_recorder.demonstration import Demonstration
        from fingertip_recorder.held_episode import keep_inspected

        intent = intent or click.prompt("What do you want to do? One sentence")
        place = place or ask_place(tuple(self.settings.listed_places))
        _begin(self.device, self.start)
        demonstration = Demonstration(self.device)
        with demonstration:
            demonstration.wait_for_observation(0)
            click.echo("recording: use the phone; Enter here (or Ctrl-C) ends it")
            _wait_for_enter(demonstration, self.device.client.serial)
        _tell_losses(demonstration)
        steps = review(demonstration)
        if not steps:
            click.echo("nothing is kept")
            return None
        write = partial(self._write_episode, demonstration, steps, intent=intent, place=place)
        folder = write(self.out) if self.inspect is None else keep_inspected(self.out, write, self.inspect)
        if folder is None:
            click.echo("nothing is kept")
            return None
        self._state_settings()
        moment = steps[0].before.moment
        counted = f", {self.count_today(moment)} of {self.most_a_day} today" if self.most_a_day else ""
        click.echo(f"{folder}: {len(steps)} steps and finished(){counted}")
        return moment

    def _write_episode(
        self,
        demonstration: Demonstration,
        steps: Sequence[DemonstratedStep],
        out: Path,
        *,
        intent: str,
        place: str,
    ) -> Path:
        from fingertip_recorder.demonstration import guess_app, write_steps
        from fingertip_recorder.episode_writer import EpisodeWriter

        observations = [step.before for step in steps]
        with EpisodeWriter(
            out,
            user_id=self.user,
            moment=observations[0].moment,
            scenario=place,
            app=guess_app([*observations, demonstration.last]),
            intent=intent,
            provenance=demonstration.provenance,
            survey={"origin": ORIGIN} | ({"licence": self.licence} if self.licence else {}),
            zone=self.settings.zone,
        ) as writer:
            return write_steps(writer, steps, demonstration.last)

    def _state_settings(self) -> None:
        """Write the settings of a new release, unless they are the published one's."""
        from fingertip_dataset.release.settings import SETTINGS_FILE, format_settings

        if not self.settings.is_published and not (self.out / SETTINGS_FILE).exists():
            (self.out / SETTINGS_FILE).write_text(format_settings(self.settings), encoding="utf-8")

    # ---- one after the other

    def record_with_reminders(self, rules: ReminderRules, *, notify: bool, place: str | None = None) -> None:
        """Wait for the person with reminders, and record an episode at each Enter, until Ctrl-C.

        An error of the phone ends the episode, not the session. Nobody is reminded once the limit of the day
        is reached, or while the phone is out of reach.

        Args:
            rules: Occasions of reminders.
            notify: Whether a reminder is also a notification on the phone.
            place: The place; None to ask for it each time.

        Raises:
            DeviceError: The phone cannot be reached at the beginning.
        """
        from fingertip_recorder.phone_clock import read_phone_clock
        from fingertip_recorder.reminders import Reminders

        latest = self._find_latest(read_phone_clock(self.device.client).now())
        watch = _Watch(self, Reminders(rules, latest), notify)
        try:
            while watch.wait_for_enter():
                try:
                    self.check_limit()
                    moment = self.record(place=place)
                except (DeviceError, UsageError) as error:
                    click.echo(f"nothing is kept: {error}", err=True)
                    continue
                if moment is not None:
                    watch.reminders.count_episode(moment)
        except KeyboardInterrupt:
            click.echo()

    def _find_latest(self, now: datetime) -> datetime:
        """Moment of the person's latest episode before the present one; the present one if there is none."""
        from fingertip_recorder.day_limit import list_moments

        earlier = [at for at in list_moments(self.out, self.user, self.settings.zone) if at <= now]
        return max(earlier, default=now)


class _Watch:
    """Looks at a phone now and then while its person is waited for, and reminds them.

    Args:
        session: The session.
        reminders: What decides when they are reminded.
        notify: Whether a reminder is also a notification on the phone.
    """

    def __init__(self, session: RecordingSession, reminders: Reminders, notify: bool) -> None:
        from fingertip_recorder.recorded_phone import make_impatient

        self.reminders = reminders
        self._session = session
        self._notify = notify
        self._client = make_impatient(session.device)
        self._away = False
        self._full = ""

    def wait_for_enter(self) -> bool:
        """Remind the person until they press Enter; return False at the end of the input."""
        click.echo("waiting: Enter records an episode, Ctrl-C ends")
        while True:
            try:
                self._look()
                if self._away:
                    click.echo("the phone is in reach again")
                self._away = False
            except DeviceError as error:
                if not self._away:
                    click.echo(f"no reminders while the phone is out of reach: {error.message}")
                self._away = True
            if select.select([sys.stdin], [], [], self._session.remind_seconds)[0]:
                return bool(sys.stdin.readline())

    def _look(self) -> None:
        from fingertip_recorder.phone_clock import read_phone_clock
        from fingertip_recorder.reminders import read_awake

        now, awake = read_phone_clock(self._client).now(), read_awake(self._client)
        full = self._session.describe_limit(now)
        reason = self.reminders.find_reason(now, awake)
        if full:
            if not self._full:
                click.echo(full)
        elif reason:
            self._remind(now, reason)
        self._full = full

    def _remind(self, now: datetime, reason: str) -> None:
        from fingertip_recorder.reminders import post_notification

        most = self._session.most_a_day
        counted = f"; {self._session.count_today(now)} of {most} episodes today" if most else ""
        click.echo(f"{now:%H:%M} reminder: {reason}{counted}")
        if self._notify:
            try:
                post_notification(self._client, TITLE, "Do you want to do something on the phone? Record it.")
            except DeviceError as error:
                click.echo(f"reminders stay in this terminal: {error.message}", err=True)
                self._notify = False


def ask_place(places: Sequence[str]) -> str:
    """Ask for the place: one of a list, by its number or its name, or any words."""
    listed = ", ".join(f"{number} {name}" for number, name in enumerate(places, 1))
    answer: str = click.prompt(f"Where are you? {listed}, or in your words", default=places[0])
    number = int(answer) if answer.isascii() and answer.isdecimal() and len(answer) < 4 else 0
    return places[number - 1] if 1 <= number <= len(places) else answer


def _begin(device: AdbDevice, start: Start) -> None:
    """Show the home screen, or wait until an app is in front."""
    from execution_runner.environments.app_start import find_home_reason

    device.wake()
    if start == "home":
        device.press_key("KEYCODE_HOME")
        return
    if find_home_reason(device.foreground()):
        click.echo("open the app of your intent: the recording begins in it")
    while find_home_reason(device.foreground()):
        time.sleep(_POLL_SECONDS)


def _wait_for_enter(demonstration: Demonstration, serial: str) -> None:
    """Print "ready" after each captured screen, until Enter, Ctrl-C or an error."""
    last, lost, ended = -1, False, 0
    try:
        while demonstration.error is None:
            if demonstration.lost and not lost:
                click.echo(
                    f"the connection to {serial} is lost: touch nothing until it is back (Enter ends here)"
                )
            lost = demonstration.lost
            gaps = demonstration.gaps
            if len(gaps) > ended:
                ended, last = len(gaps), -1
                click.echo(f"{serial} is back: {gaps[-1].seconds} s without a connection")
            if demonstration.ready and demonstration.touches != last:
                last = demonstration.touches
                click.echo(f"ready ({last} touches so far)")
            if select.select([sys.stdin], [], [], _POLL_SECONDS)[0]:
                sys.stdin.readline()
                return
    except KeyboardInterrupt:
        click.echo()


def _tell_losses(demonstration: Demonstration) -> None:
    """Say what of a demonstration was not recorded, before the person decides on it."""
    if demonstration.error is not None:
        click.echo(f"the recording ended early: {demonstration.error}", err=True)
    gaps = demonstration.gaps
    if gaps:
        times = "once" if len(gaps) == 1 else f"{len(gaps)} times"
        seconds = sum(gap.seconds for gap in gaps)
        click.echo(
            f"the connection was lost {times}, for {seconds} s: touches in that time are missing, so delete "
            "the episode if there were any"
        )
