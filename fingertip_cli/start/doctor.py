"""`fingertip doctor`: checks of a phone for track 2, each with its fix."""

from __future__ import annotations

import sys
import textwrap

import click

from fingertip_cli.options import shared_options
from fingertip_cli.printing.json_output import print_json

_WIDTH = 100


@click.command(
    name="doctor",
    epilog="""\
    fingertip doctor
    fingertip doctor --device adb:SERIAL --app com.tencent.mm
    """,
)
@shared_options.phone_serial
@click.option(
    "--app", "apps", multiple=True, metavar="PACKAGE", help="App that must be installed; repeatable."
)
@shared_options.as_json()
def command(serial: str | None, apps: tuple[str, ...], as_json: bool) -> None:
    """Check what a phone needs for track 2, and say how to fix what is missing.

    Wakes the phone and dismisses its lock screen if that needs no PIN; changes nothing else. Exit code 1 if
    something is missing.
    """
    from execution_runner.devices.doctor import examine
    from fingertip_dataset.release.problems import printable

    checks, missing = [], 0
    for check in examine(serial, apps):
        checks.append({"name": check.name, "ok": check.ok, "found": check.found, "fix": check.mend or None})
        click.echo(f"{'ok' if check.ok else 'MISSING':8} {check.name}: {printable(check.found, 300)}")
        if not check.ok:
            missing += 1
            click.echo(textwrap.fill(check.mend, _WIDTH, initial_indent=" " * 9, subsequent_indent=" " * 9))
    if as_json:
        print_json({"usable": not missing, "checks": checks})
    if missing:
        click.echo(f"{missing} missing")
        sys.exit(1)
    click.echo("the phone can be used")
