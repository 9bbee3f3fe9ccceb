"""Serving of a local page: the options of the commands that open one, and the serving itself."""

from __future__ import annotations

import contextlib
import webbrowser
from typing import TYPE_CHECKING

import click

from fingertip_cli.options.model_options import Command, add_options
from simulated_phone import phone_options

if TYPE_CHECKING:
    from fingertip_runs.annotation import PageServer


def page_options(command: Command) -> Command:
    """Add the options `port` and `no_browser`."""
    options = (
        phone_options.port,
        click.option("--no-browser", is_flag=True, help="Print the page's address without opening it."),
    )
    return add_options(command, options)


def serve(server: PageServer, *, no_browser: bool, kept: str = "label") -> None:
    """Open the page in a browser and serve it until a rater ends the session, or Ctrl-C.

    Args:
        server: Server of the page; the caller prints its address.
        no_browser: Whether to open no browser.
        kept: What raters enter: "label", "rating" or "answer".
    """
    click.echo(f"Ctrl-C ends the session; every {kept} is kept at once.")
    if not no_browser:
        webbrowser.open(server.url)
    with contextlib.suppress(KeyboardInterrupt):
        server.serve()
