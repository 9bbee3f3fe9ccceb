"""`fingertip record`: records a demonstration on a phone, with a review before it is kept."""

from __future__ import annotations

import re
import select
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from fingertip_cli.options import shared_options
from fingertip_cli.options.old_spellings import renamed
from fingertip_dataset.errors import ReleaseError, UsageError
from simulated_phone import phone_options

if TYPE_CHECKING:
    from datetime import tzinfo

    from execution_runner.devices.adb import AdbDevice
    from fingertip_dataset.release.settings import ReleaseSettings, Start
    from fingertip_recorder.demonstration import Demonstration
    from fingertip_recorder.held_episode import InspectRelease
    from fingertip_recorder.transcript import DemonstratedStep

INSPECTORS = "fingertip.episode_inspectors"
"""Group of entry points that make the inspection of an episode."""

ORIGIN = "recorded by its owner with fingertip record"
"""Origin of the episode in its survey file, which also states whether the phone was simulated."""

_POLL_SECONDS = 0.1
_RANGE = re.compile(r"(\d{1,4})(?:-(\d{1,4}))?")
_TEXT = re.compile(r"(\d{1,4})=(.+)")
_CHOICES = "k keeps it, d deletes it, numbers such as 2 4-6 cut steps, 3=TEXT sets what step 3 typed"


@click.command(
    name="record",
    epilog="""\
    fingertip record --out mine
    fingertip record --out mine --intent "Send mum a photo" --place Home
    """,
)
@shared_options.phone_serial
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Folder of the raw release.")
@shared_options.user(default="1")
@click.option("--intent", help="Intent, in one sentence; prompted for if missing.")
@click.option("--place", help="Place of the user, such as 住所; prompted for if missing.")
@phone_options.start
@shared_options.release_zone
@renamed(
    "--release-language",
    "language",
    old=("--language",),
    metavar="CODE",
    help="New release: its language, ISO 639.  [default: zh]",
)
@shared_options.licence
@click.option(
    "--privacy",
    type=click.Choice(["off", "warn", "redact"]),
    help="Search the episode for private parts before it is kept: warn shows them and asks, redact replaces "
    "them. Default: warn, where the extra privacy is installed.",
)
@shared_options.key_file
def command(
    serial: str | None,
    out: Path,
    user: str,
    intent: str | None,
    place: str | None,
    start: Start,
    zone: str | None,
    language: str | None,
    licence: str | None,
    privacy: Literal["off", "warn", "redact"] | None,
    key_file: Path | None,
) -> None:
    """Record what you do on a phone as one episode of the raw layout.

    The episode begins in the app of your intent, which you open before; with --start home the home key is
    pressed, and the way to the app is recorded. All episodes of --out have the same start.

    Screenshots show everything on the screen, including private content. Nothing is written to --out before
    you have reviewed it, and have seen what a search for private parts found in it. Wait for "ready" before
    each touch: a real phone takes seconds for a screenshot and an accessibility tree. So far this was tested
    on simulated phones only.
    """
    from execution_runner.devices.adb import AdbDevice
    from fingertip_dataset.release.origins import read_licence
    from fingertip_recorder.demonstration import Demonstration
    from fingertip_recorder.held_episode import keep_inspected

    if not (user.isascii() and user.isdecimal()):
        raise UsageError(f"expected a number as --user, got {user!r}")
    device = AdbDevice.find(serial)
    if licence is not None and read_licence(licence) is None:
        raise UsageError(f"expected a licence by its SPDX id, such as cc-by-4.0, got {licence!r}")
    settings = _settings(out, zone, language, start)
    inspect = _find_inspector(privacy, key_file)
    intent = intent or click.prompt("What do you want to do? One sentence")
    places = tuple(settings.listed_places)
    place = place or click.prompt(f"Where are you? {', '.join(places)}, or in your words", default=places[0])
    _begin(device, start)
    demonstration = Demonstration(device)
    with demonstration:
        demonstration.wait_for_observation(0)
        click.echo("recording: use the phone; Enter here (or Ctrl-C) ends it")
        _wait_for_enter(demonstration)
    if demonstration.error is not None:
        click.echo(f"the recording ended early: {demonstration.error}", err=True)
    steps = _review(demonstration)
    if not steps:
        click.echo("nothing is kept")
        return
    write = partial(
        _write_episode,
        demonstration,
        steps,
        user=user,
        intent=intent,
        place=place,
        licence=licence,
        zone=settings.zone,
    )
    folder = write(out) if inspect is None else keep_inspected(out, write, inspect)
    if folder is None:
        click.echo("nothing is kept")
    else:
        _state(settings, out)
        click.echo(f"{folder}: {len(steps)} steps and finished()")


def _find_inspector(
    privacy: Literal["off", "warn", "redact"] | None, key_file: Path | None
) -> InspectRelease | None:
    """Make the function that inspects an episode before it is kept; the wing of privacy brings it."""
    from importlib.metadata import entry_points

    for entry in entry_points(group=INSPECTORS, name="privacy"):
        inspector: InspectRelease | None = entry.load()(privacy, key_file)
        return inspector
    if privacy not in (None, "off"):
        raise UsageError("this install cannot search for private parts: install fingertip-20k again")
    return None


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


def _settings(out: Path, zone: str | None, language: str | None, start: Start) -> ReleaseSettings:
    """Settings of the release in a folder, or of a new one.

    Raises:
        UsageError: An option is invalid, or contradicts the settings that the folder states.
        ReleaseError: The folder's settings are invalid.
    """
    from fingertip_dataset.release.settings import (
        PUBLISHED,
        SETTINGS_FILE,
        format_settings,
        parse_settings,
        read_settings_file,
    )

    stated = read_settings_file(out) if out.is_dir() else None
    chosen = {"time_zone": zone, "language": language, "start": None if start == "app" else start}
    given = {name: value for name, value in chosen.items() if value is not None}
    if stated is None and out.is_dir() and given and any(one.name.isdecimal() for one in out.iterdir()):
        raise UsageError(
            f"the release has episodes and no {SETTINGS_FILE}, so it is in Chinese and Beijing time, and its "
            "episodes begin in their app: give another --out",
            file=out,
        )
    try:
        wanted = parse_settings(format_settings((stated or PUBLISHED).model_copy(update=given)))
    except ReleaseError as error:
        raise UsageError(error.message) from None
    if stated is not None and stated.start != start:
        raise UsageError(
            f"the episodes of this release have the start {stated.start}: add --start {stated.start}, or "
            "give another --out",
            file=out,
        )
    if stated is not None and wanted != stated:
        raise UsageError(
            f"{SETTINGS_FILE} states {stated.language} and {stated.time_zone}: leave --language and --zone",
            file=out,
        )
    if wanted.is_published or stated is not None:
        return wanted
    return wanted.model_copy(update={"name": out.name or "Recorded demonstrations"})


def _state(settings: ReleaseSettings, out: Path) -> None:
    """Write the settings of a new release, unless they are the published one's."""
    from fingertip_dataset.release.settings import SETTINGS_FILE, format_settings

    if not settings.is_published and not (out / SETTINGS_FILE).exists():
        (out / SETTINGS_FILE).write_text(format_settings(settings), encoding="utf-8")


def _wait_for_enter(demonstration: Demonstration) -> None:
    """Print "ready" after each captured screen, until Enter, Ctrl-C or an error."""
    last = -1
    try:
        while demonstration.error is None:
            if demonstration.ready and demonstration.touches != last:
                last = demonstration.touches
                click.echo(f"ready ({last} touches so far)")
            if select.select([sys.stdin], [], [], _POLL_SECONDS)[0]:
                sys.stdin.readline()
                return
    except KeyboardInterrupt:
        click.echo()


def _review(demonstration: Demonstration) -> tuple[DemonstratedStep, ...]:
    """Show the steps until the user keeps or deletes them; return the kept steps, empty if deleted."""
    steps = demonstration.steps()
    with tempfile.TemporaryDirectory(prefix="fingertip-record-") as folder:
        while steps:
            _show(steps, Path(folder))
            answer = click.prompt(_CHOICES).strip()
            if answer == "k":
                return steps
            if answer == "d":
                return ()
            try:
                steps = _edit_steps(steps, answer)
            except UsageError as error:
                click.echo(str(error))
    return ()


def _show(steps: Sequence[DemonstratedStep], folder: Path) -> None:
    from fingertip_dataset.actions import format_action

    for earlier_screen in folder.iterdir():
        earlier_screen.unlink()
    for number, step in enumerate(steps, 1):
        (folder / f"{number:02d}.png").write_bytes(step.before.observation.screenshot)
        click.echo(f"{number:3d}  {format_action(step.action)}")
        for doubt in step.doubts:
            click.echo(f"     ! {doubt}")
    click.echo(f"screens of these steps (deleted when you have decided): {folder}")


def _edit_steps(steps: tuple[DemonstratedStep, ...], answer: str) -> tuple[DemonstratedStep, ...]:
    """Remove steps, or set the text that a step typed.

    Raises:
        UsageError: The answer is not one of the choices.
    """
    from fingertip_dataset.actions import Type

    text = _TEXT.fullmatch(answer)
    if text:
        at = int(text.group(1)) - 1
        if not 0 <= at < len(steps) or not isinstance(steps[at].action, Type):
            raise UsageError(f"expected the number of a step that types, got {at + 1}")
        edited = replace(steps[at], action=Type(text=text.group(2)), doubts=())
        return (*steps[:at], edited, *steps[at + 1 :])
    removed: set[int] = set()
    for word in answer.replace(",", " ").split():
        match = _RANGE.fullmatch(word)
        first = int(match.group(1)) if match else 0
        last = int(match.group(2) or first) if match else 0
        if not 1 <= first <= last <= len(steps):
            raise UsageError(f"expected k, d, N=TEXT, or numbers from 1 to {len(steps)}, got {word!r}")
        removed.update(range(first, last + 1))
    return tuple(step for number, step in enumerate(steps, 1) if number not in removed)


def _write_episode(
    demonstration: Demonstration,
    steps: Sequence[DemonstratedStep],
    out: Path,
    *,
    user: str,
    intent: str,
    place: str,
    licence: str | None,
    zone: tzinfo,
) -> Path:
    from fingertip_recorder.demonstration import guess_app, write_steps
    from fingertip_recorder.episode_writer import EpisodeWriter

    survey = {"origin": ORIGIN} | ({"licence": licence} if licence else {})
    observations = [step.before for step in steps]
    with EpisodeWriter(
        out,
        user_id=user,
        moment=observations[0].moment,
        scenario=place,
        app=guess_app([*observations, demonstration.last]),
        intent=intent,
        provenance=demonstration.provenance,
        survey=survey,
        zone=zone,
    ) as writer:
        return write_steps(writer, steps, demonstration.last)
