"""A page on this computer: the options of the commands that open one, and its serving until it ends."""

from __future__ import annotations

import contextlib
import webbrowser
from collections.abc import Callable
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from fingertip_runs.annotation import PageServer


def page_options(command: Callable[..., None]) -> Callable[..., None]:
    """Adds `port` and `no_browser`."""
    options = (
        click.option(
            "--port",
            type=click.IntRange(0, 65535),
            default=0,
            show_default="any that is free",
            help="Of the page, on 127.0.0.1.",
        ),
        click.option("--no-browser", is_flag=True, help="Only print the page's address."),
    )
    for option in reversed(options):
        command = option(command)
    return command


def serve(server: PageServer, *, no_browser: bool, kept: str = "label") -> None:
    """Opens the page in a browser and answers it until a rater is finished, or Ctrl-C.

    Args:
        server: Its address is printed by the caller.
        no_browser: Nothing is opened.
        kept: What a rater gives, in a word.
    """
    click.echo(f"Ctrl-C ends it; every {kept} is kept at once.")
    if not no_browser:
        webbrowser.open(server.url)
    with contextlib.suppress(KeyboardInterrupt):
        server.serve()
