"""`fingertip devices`: what tasks of track 2 can be carried out on."""

from __future__ import annotations

import click

from fingertip_cli.options import shared_options
from fingertip_cli.printing.json_output import print_json


@click.command(
    epilog="""\
    fingertip devices
    fingertip execute DATASET --agent imitate --device simulated --out runs/imitate
    fingertip execute DATASET --agent imitate --device adb:SERIAL --out runs/phone
    """
)
@shared_options.as_json()
def command(as_json: bool) -> None:
    """List what `--device` of `fingertip execute` takes, and what each needs.

    `adb devices` prints the serials of connected phones.
    """
    from fingertip_runs.device_kinds import DEVICE_KINDS

    kinds = DEVICE_KINDS.values()
    if as_json:
        print_json(
            {
                "devices": [
                    {
                        "name": kind.name,
                        "spellings": list(kind.spellings),
                        "description": kind.summary,
                        "needs": kind.needs,
                        "success_by_rule": kind.success_by_rule,
                        "caveat": kind.caveat,
                    }
                    for kind in kinds
                ]
            }
        )
        return
    from fingertip_cli.printing.plain_table import print_plain

    rows = [(", ".join(kind.spellings), kind.summary, kind.needs) for kind in kinds]
    print_plain(("--device", "what it is", "needs"), rows)
