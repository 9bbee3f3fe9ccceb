"""Notes below a table: warnings in full, the others counted in one line that says how to see them."""

from __future__ import annotations

import sys
from collections.abc import Iterable

import click

FEW = 2
"""Number of notes that are printed as they are: a line about them would not be shorter."""
PRINTED = (
    "warning:",
    "the judge on pairs with a known answer:",
    "the utility may be that of silence",
)
"""Beginnings of notes that are always printed: warnings, the check that --judge-check has made, and too few
people to tell an agent from one that never speaks."""
INCOMPARABLE = "Not comparable with the paper"
"""Beginning of a note that says why a number cannot be set beside the paper's."""
_SHOWN = "fingertip.notes"
"""Key among the data of a call: all its notes are printed."""


def _show_notes(ctx: click.Context, _option: click.Parameter, given: bool) -> None:
    """Let a call print all its notes."""
    ctx.meta[_SHOWN] = given


notes = click.option(
    "--notes",
    is_flag=True,
    expose_value=False,
    callback=_show_notes,
    help="Print all notes on the numbers; without it warnings alone, and how many notes there are.",
)
"""Option --notes, which `Notes.of_call` reads."""


class Notes:
    """Notes of one command, printed where they are added or counted in one line at the end.

    Args:
        shown: Whether all notes are printed; else only warnings are.
    """

    def __init__(self, *, shown: bool) -> None:
        self._shown = shown
        self._kept: list[str] = []

    @classmethod
    def of_call(cls) -> Notes:
        """Return the notes of the command that is running, shown if it has --notes."""
        return cls(shown=bool(click.get_current_context().meta.get(_SHOWN)))

    def add(self, lines: Iterable[str]) -> None:
        """Print notes, or keep those that are no warnings for the line at the end."""
        for line in lines:
            if self._shown or line.casefold().startswith(PRINTED):
                print_line(line)
            else:
                self._kept.append(line)

    def finish(self) -> None:
        """Print the line about the notes that were kept, or the notes themselves if they are few."""
        kept = list(dict.fromkeys(self._kept))
        if len(kept) <= FEW:
            for line in kept:
                print_line(line)
        else:
            print_line(summarize_notes(kept))


def summarize_notes(kept: list[str]) -> str:
    """Say in a line how many notes there are, and whether the numbers are comparable with the paper's.

    >>> summarize_notes(["Not comparable with the paper: the data are simulated.", "a", "b"])
    'Not comparable with the paper (1 reason); 2 more notes: --notes shows all.'
    >>> summarize_notes(["a", "b", "c"])
    '3 notes on how to read these numbers: --notes shows them.'
    """
    reasons = sum(note.startswith(INCOMPARABLE) for note in kept)
    others = len(kept) - reasons
    if not reasons:
        return f"{others} notes on how to read these numbers: --notes shows them."
    start = f"Not comparable with the paper ({reasons} reason{'' if reasons == 1 else 's'})"
    if not others:
        return f"{start}: --notes shows them."
    return f"{start}; {others} more note{'' if others == 1 else 's'}: --notes shows all."


def print_line(line: str) -> None:
    """Print a line of words; on a terminal it is wrapped between words."""
    from fingertip_dataset.release.problems import printable

    if not sys.stdout.isatty():
        click.echo(printable(line))
        return
    from rich.text import Text

    from fingertip_cli.printing.console import console

    console().print(Text(printable(line)))
