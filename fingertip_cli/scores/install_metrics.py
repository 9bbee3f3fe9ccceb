"""`fingertip install-metrics`: copies the metric modules to where `evaluate` looks for them."""

from __future__ import annotations

import click

from fingertip_cli.options import shared_options
from fingertip_cli.printing.json_output import print_json


@click.command()
@shared_options.as_json()
def command(as_json: bool) -> None:
    """Make evaluate.load("fingertip_sim2") work from any folder, offline.

    Copies the metric modules into the modules cache of Hugging Face (HF_MODULES_CACHE, HF_HOME, or ~/.cache)
    and prints their paths. Running it again is harmless.
    """
    from fingertip_metrics import install_modules

    scripts = install_modules()
    if as_json:
        print_json({"modules": {script.stem: str(script) for script in scripts}})
        return
    for script in scripts:
        click.echo(f"{script.stem}  {script}")
