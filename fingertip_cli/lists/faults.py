"""`fingertip faults`: the faults that simulated phones can have."""

from __future__ import annotations

import click

from fingertip_cli.options import shared_options
from fingertip_cli.printing.json_output import print_json


@click.command(
    epilog="""\
    fingertip faults
    fingertip phone --fault advertisement
    fingertip execute DATASET --agent imitate --device simulated --fault slow_loading=3 --out runs/slow
    """
)
@shared_options.as_json()
def command(as_json: bool) -> None:
    """List the faults that `--fault` of `fingertip execute` and `fingertip phone` takes, on simulated phones.

    A fault with seconds lasts so long; NAME=SECONDS gives another duration.
    """
    from simulated_phone.machine.faults import FAULT_RECORDS

    faults = FAULT_RECORDS.values()
    if as_json:
        members = ("name", "description", "seconds")
        print_json({"faults": [{name: getattr(fault, name) for name in members} for fault in faults]})
        return
    from fingertip_cli.printing.plain_table import print_plain

    rows = [
        (fault.name, "" if fault.seconds is None else f"{fault.seconds:g}", fault.description)
        for fault in faults
    ]
    print_plain(("fault", "seconds", "what happens"), rows)
