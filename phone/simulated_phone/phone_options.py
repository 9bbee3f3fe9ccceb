"""Options of commands that make simulated phones, each declared once."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import click

from simulated_phone.language.zones import CHINA
from simulated_phone.phone_errors import PhoneSetupError

Option = Callable[[Any], Any]
"""Decorator of `click.option`; click types it over any function or command."""

port = click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    show_default="a free one",
    help="TCP port on 127.0.0.1.",
)

display_size = click.option(
    "--size", default="1080x2400", show_default=True, help="Width and height in pixels."
)


def locale(help_text: str) -> Option:
    """Option --locale with the default zh, the language of a simulated phone."""
    return click.option(
        "--locale", default="zh", show_default=True, metavar="NAME", help=_languages(help_text)
    )


def locales(help_text: str, *, default: tuple[str, ...] = ("zh",)) -> Option:
    """Option --locale that may be given several times, the languages of simulated people."""
    return click.option(
        "--locale",
        "locales",
        multiple=True,
        default=default,
        show_default=" and ".join(default),
        metavar="NAME",
        help=_languages(help_text),
    )


zone = click.option(
    "--zone",
    default=CHINA,
    show_default=True,
    metavar="NAME",
    help="IANA name of the time zone of people and phones.",
)


start = click.option(
    "--start",
    type=click.Choice(["app", "home"]),
    default="app",
    show_default=True,
    help="Where an episode begins: in its app, which is opened before, or at home, which is harder.",
)


def _languages(help_text: str) -> str:
    return f"{help_text}: zh, en, ... (a wrong name lists all)."


fault = click.option(
    "--fault",
    "faults",
    multiple=True,
    metavar="NAME",
    help="Fault to inject into simulated phones: no_tree, ... (a wrong name lists all); repeatable.",
)

trees = click.option(
    "--trees",
    type=click.Choice(["clean", "rough"]),
    default="clean",
    show_default=True,
    help="Accessibility trees of simulated phones: tidy ones, or as untidy as those of real apps.",
)

design = click.option(
    "--design",
    default="plain",
    show_default=True,
    metavar="NAME",
    help="Design language of the phone: plain, pebble, ... (a wrong name lists all).",
)

dark = click.option("--dark", is_flag=True, help="Start in dark mode; the settings app changes it.")

still_clock = click.option(
    "--still-clock", is_flag=True, help="Stop the clock between actions: same commands, same pixels."
)


def read_size(text: str) -> tuple[int, int]:
    """Parse WIDTHxHEIGHT into width and height in px.

    Raises:
        PhoneSetupError: `text` is not WIDTHxHEIGHT.

    >>> read_size("1080x2400")
    (1080, 2400)
    """
    found = re.fullmatch(r"(\d{2,4})x(\d{2,4})", text)
    if not found:
        raise PhoneSetupError(f"expected --size as WIDTHxHEIGHT, each 10 to 9999 px, got {text!r}")
    return int(found.group(1)), int(found.group(2))
