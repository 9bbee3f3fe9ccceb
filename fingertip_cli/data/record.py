"""`fingertip record`: records a demonstration on a phone, with a review before it is kept."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click
from click.core import ParameterSource

from fingertip_cli.options import shared_options
from fingertip_cli.options.old_spellings import renamed
from fingertip_dataset.errors import ReleaseError, UsageError
from simulated_phone import phone_options

if TYPE_CHECKING:
    from fingertip_dataset.release.settings import ReleaseSettings, Start
    from fingertip_recorder.held_episode import InspectRelease

INSPECTORS = "fingertip.episode_inspectors"
"""Group of entry points that make the inspection of an episode."""

_EPISODE = re.compile(r"\d{8}_\d{6}")


def _read_most(ctx: click.Context, option: click.Parameter, value: int | None) -> int | None:
    if value is not None and value < 1:
        raise click.BadParameter(f"expected 1 or more, got {value}: leave the option for no limit")
    return value


@click.command(
    name="record",
    epilog="""\
    fingertip record --out mine
    fingertip record --out mine --intent "Send mum a photo" --place Home
    fingertip record --out mine --device 192.168.1.7:37123 --remind wake --quiet 22:00-08:00 --most-a-day 12
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
@click.option(
    "--most-a-day",
    type=int,
    callback=_read_most,
    metavar="N",
    help="Most episodes of a person on one day by the phone's date; the paper's people could upload 12. "
    "Default: no limit.",
)
@click.option(
    "--remind",
    multiple=True,
    metavar="wake|HOURS",
    help="Record one episode after the other, and remind in between: when the phone's screen wakes, at most "
    "twice an hour, or after so many hours without an episode, such as 4h; repeatable.",
)
@click.option(
    "--quiet",
    multiple=True,
    metavar="HH:MM-HH:MM",
    help="Hours of the phone's clock without reminders, such as 22:00-08:00; repeatable.",
)
@click.option(
    "--notify", is_flag=True, help="Also show reminders on the phone, as a notification (Android 10)."
)
@click.pass_context
def command(
    ctx: click.Context,
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
    most_a_day: int | None,
    remind: tuple[str, ...],
    quiet: tuple[str, ...],
    notify: bool,
) -> None:
    """Record what you do on a phone as one episode of the raw layout.

    The episode begins in the app of your intent, which you open before; with --start home the home key is
    pressed, and the way to the app is recorded. All episodes of --out have the same start.

    Screenshots show everything on the screen, including private content. Nothing is written to --out before
    you have reviewed it, and have seen what a search for private parts found in it. Wait for "ready" before
    each touch: a real phone takes seconds for a screenshot and an accessibility tree. On Wi-Fi a connection
    that drops is restored, and the review says where touches are missing. So far this was tested on
    simulated phones only.
    """
    from fingertip_cli.data.recording_session import RecordingSession
    from fingertip_dataset.release.origins import read_licence
    from fingertip_recorder.recorded_phone import find_phone
    from fingertip_recorder.reminders import read_reminder_rules

    if not (user.isascii() and user.isdecimal()):
        raise UsageError(f"expected a number as --user, got {user!r}")
    if licence is not None and read_licence(licence) is None:
        raise UsageError(f"expected a licence by its SPDX id, such as cc-by-4.0, got {licence!r}")
    if not remind and (quiet or notify):
        raise UsageError(
            f"{'--quiet' if quiet else '--notify'} is about reminders: add --remind, such as --remind wake"
        )
    if remind and intent is not None:
        raise UsageError(
            "--intent is of one episode, and --remind records one after the other: leave one of them"
        )
    rules = read_reminder_rules(remind, quiet)
    _check_folder(out, user, given=ctx.get_parameter_source("user") is not ParameterSource.DEFAULT)
    session = RecordingSession(
        device=find_phone(serial),
        out=out,
        user=user,
        settings=_settings(out, zone, language, start),
        start=start,
        licence=licence,
        inspect=_find_inspector(privacy, key_file),
        most_a_day=most_a_day,
    )
    if remind:
        session.record_with_reminders(rules, notify=notify, place=place)
        return
    session.check_limit()
    session.record(intent, place)


def _check_folder(out: Path, user: str, *, given: bool) -> None:
    """Check that a folder can take the episodes of a person, before one is recorded.

    Args:
        out: Folder of the release; it may be missing.
        user: Id of the person.
        given: Whether the call names the person.

    Raises:
        UsageError: It is the folder of one person, or of people whom the call does not name, or it cannot be
            written.
    """
    existing = next(folder for folder in (out, *out.absolute().parents) if folder.exists())
    if not existing.is_dir() or not os.access(existing, os.W_OK | os.X_OK):
        raise UsageError("episodes cannot be written here: give another --out", file=existing)
    if existing != out:
        return
    names = sorted(folder.name for folder in out.iterdir() if folder.is_dir())
    if any(_EPISODE.fullmatch(name) for name in names):
        raise UsageError(
            f"this is the folder of one person, and --out is the folder around those of people: --out "
            f"{out.parent} --user {out.name}",
            file=out,
        )
    people = [name for name in names if name.isascii() and name.isdecimal()]
    if people and user not in people and not given:
        raise UsageError(
            f"the episodes here are of user {', '.join(people[:5])}: say whose the new one is, --user "
            f"{people[0]}, or --user {user} for another person",
            file=out,
        )


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
