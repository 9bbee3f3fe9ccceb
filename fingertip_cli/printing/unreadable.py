"""Answers that cannot be read, in what `suggest` and `execute` print: as the run goes on, and at its end."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from fingertip_runs.unreadable_answers import AnswerCounts


class UnreadableNote:
    """Note of a progress line on the answers that could not be read so far.

    Attributes:
        text: The note; "" as long as every answer was read.
    """

    def __init__(self) -> None:
        self.text = ""

    def update(self, unreadable: int) -> None:
        """Change the note to a number of answers."""
        self.text = f"{unreadable:,} {'answer' if unreadable == 1 else 'answers'} unreadable"


def warn_of_unreadable(counts: AnswerCounts) -> None:
    """Warn of the answers of a call that could not be read."""
    if words := counts.describe_unreadable():
        click.echo(f"warning: {words}", err=True)
