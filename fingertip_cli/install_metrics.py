"""`fingertip install-metrics`: copies the metric modules to where `evaluate` looks for them."""

from __future__ import annotations

import click


@click.command()
def command() -> None:
    """Make evaluate.load("fingertip_sim2") work from any folder, offline.

    Copies the metric modules into the modules cache of Hugging Face (HF_MODULES_CACHE, HF_HOME, or ~/.cache)
    and prints their paths. Running it again is harmless.
    """
    from fingertip_metrics import install_modules

    for script in install_modules():
        click.echo(f"{script.stem}  {script}")
