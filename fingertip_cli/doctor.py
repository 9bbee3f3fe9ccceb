"""`fingertip doctor`: what a phone lacks for track 2, and how to mend it."""

from __future__ import annotations

import sys
import textwrap

import click

_WIDTH = 100


@click.command(name="doctor")
@click.option("--device", "serial", help="adb:SERIAL or SERIAL, or HOST:PORT; the only phone by default.")
@click.option("--app", "apps", multiple=True, metavar="PACKAGE", help="Must be installed; may be repeated.")
def command(serial: str | None, apps: tuple[str, ...]) -> None:
    """Says in plain words what a phone lacks to be used, and how to mend it.

    Wakes the phone and puts its lock screen away where that needs no PIN; changes nothing else. Exit code 1
    where something is missing.
    """
    from execution_runner.devices.doctor import examine
    from fingertip_dataset.release.problems import printable

    missing = 0
    for check in examine(serial.removeprefix("adb:").removeprefix("u2:") if serial else None, apps):
        click.echo(f"{'ok' if check.ok else 'MISSING':8} {check.name}: {printable(check.found, 300)}")
        if not check.ok:
            missing += 1
            click.echo(textwrap.fill(check.mend, _WIDTH, initial_indent=" " * 9, subsequent_indent=" " * 9))
    if missing:
        click.echo(f"{missing} missing")
        sys.exit(1)
    click.echo("the phone can be used")
