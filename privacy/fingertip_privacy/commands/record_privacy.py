"""Search of a recorded episode for private parts, before it is kept: `fingertip record --privacy`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from fingertip_dataset.errors import MissingExtraError
from fingertip_dataset.missing_packages import write_install

if TYPE_CHECKING:
    from fingertip_privacy import Find
    from fingertip_privacy.scan.scan_settings import ScanSettings
    from fingertip_recorder.held_episode import InspectRelease

MOST_STEPS = 8
"""Number of steps that are named beside a value; of more, only their number is."""

_CHOICES = "r replaces them, k keeps the episode as it is, d drops it"


def episode_inspector(
    privacy: Literal["off", "warn", "redact"] | None, key_file: Path | None
) -> InspectRelease | None:
    """Function that shows what a scan finds in an episode, and returns what is kept of it; None for off.

    Args:
        privacy: "warn" asks, "redact" replaces; None is "warn" where the extra is installed, otherwise "off".
        key_file: Secret key of the pseudonyms; None draws one that is not kept.

    Raises:
        MissingExtraError: `privacy` was given, and a package of the extra is missing.
        UsageError: The key file cannot be used.
    """
    if privacy == "off":
        return None
    from fingertip_privacy.redaction.painted_pictures import require_jpeglib
    from fingertip_privacy.redaction.redaction_stage import read_key

    try:
        settings = _find_installed_settings()
        require_jpeglib()
    except (ModuleNotFoundError, MissingExtraError):
        if privacy is not None:
            raise
        install = write_install("jpeglib", "privacy")
        click.echo(f"note: private parts are not searched: {install}, or --privacy off", err=True)
        return None
    if key_file is not None:
        read_key(key_file)
    ask = privacy != "redact"
    return lambda held: _inspect(held, settings, ask=ask, key_file=key_file)


def _find_installed_settings() -> ScanSettings:
    """Settings of a scan for everything that is installed; faces need an extra of their own.

    Raises:
        ModuleNotFoundError: A package of the extra `privacy` is missing.
    """
    from fingertip_privacy import FindKind
    from fingertip_privacy.scan.scan import check_installed
    from fingertip_privacy.scan.scan_settings import ScanSettings

    settings = ScanSettings()
    try:
        check_installed(settings)
    except MissingExtraError as error:
        if error.extra != "faces":
            raise
        click.echo(f"note: faces are not searched: {error}", err=True)
        settings = ScanSettings(kinds=tuple(kind for kind in FindKind if kind is not FindKind.FACE))
        check_installed(settings)
    return settings


def _inspect(held: Path, settings: ScanSettings, *, ask: bool, key_file: Path | None) -> Path | None:
    """Scan a release with one episode; return it, a redacted copy, or None to drop the episode."""
    from fingertip_privacy import read_finds
    from fingertip_privacy.redaction.redact import RedactionSettings, redact
    from fingertip_privacy.scan.scan import scan

    report = held.with_name("report")
    scan(held, report, settings)
    finds = list(read_finds(report))
    _show(finds)
    if not finds:
        return held
    answer = "r" if not ask else click.prompt(_CHOICES, type=click.Choice(["r", "k", "d"]))
    if answer == "d":
        return None
    if answer == "k":
        return held
    out = held.with_name("redacted")
    statement = redact(held, out, report, RedactionSettings(key_file=key_file))
    if statement is not None:
        _note_redaction(out, statement.date)
        click.echo(f"{statement.texts} values in texts and {statement.screenshots} screenshots were redacted")
    return out


def _show(finds: Sequence[Find]) -> None:
    """Print each value with the steps that show it."""
    if not finds:
        click.echo("no private parts were found; a search does not find all of them")
        return
    steps: dict[tuple[str, str], set[str]] = {}
    for find in finds:
        where = find.place.value if find.step is None else f"step {find.step + 1}"
        steps.setdefault((find.kind.value, find.text or "(picture)"), set()).add(where)
    click.echo(f"private parts that were found ({len(steps)}); a search does not find all of them:")
    for (kind, text), places in sorted(steps.items()):
        where = ", ".join(sorted(places)) if len(places) <= MOST_STEPS else f"{len(places)} places"
        click.echo(f"  {kind:<12} {text}  ({where})")


def _note_redaction(release: Path, date: str) -> None:
    """State the redaction in the survey of each episode: the release it joins may have others."""
    for survey in release.glob("*/*/survey_result.json"):
        fields = json.loads(survey.read_text(encoding="utf-8"))
        survey.write_text(json.dumps(fields | {"redacted": date}, ensure_ascii=False), encoding="utf-8")
