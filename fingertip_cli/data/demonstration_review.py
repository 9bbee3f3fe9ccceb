"""Review of a demonstration by the person: the steps with hints, kept, cut or deleted."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fingertip_dataset.errors import UsageError

if TYPE_CHECKING:
    from fingertip_recorder.demonstration import Demonstration
    from fingertip_recorder.step_hints import FindHints
    from fingertip_recorder.transcript import DemonstratedStep

HINTS = "fingertip.step_hints"
"""Group of entry points that find what may be wrong with the steps of a demonstration."""

_RANGE = re.compile(r"(\d{1,4})(?:-(\d{1,4}))?")
_TEXT = re.compile(r"(\d{1,4})=(.+)")
_CHOICES = "k keeps it, d deletes it, numbers such as 2 4-6 cut steps, 3=TEXT sets what step 3 typed"


def review(demonstration: Demonstration) -> tuple[DemonstratedStep, ...]:
    """Show the steps until the user keeps or deletes them; return the kept steps, empty if deleted."""
    steps, find_hints = demonstration.steps(), _load_hints()
    with tempfile.TemporaryDirectory(prefix="fingertip-record-") as folder:
        while steps:
            hints = find_hints(steps, demonstration.last) if find_hints else {}
            _show(steps, hints, Path(folder))
            answer = click.prompt(_CHOICES).strip()
            if answer == "k":
                return steps
            if answer == "d":
                return ()
            try:
                steps = _edit_steps(steps, answer)
            except UsageError as error:
                click.echo(str(error))
    return ()


def _load_hints() -> FindHints | None:
    """Load the checks of quality, which another wing brings; None without it."""
    from importlib.metadata import entry_points

    for entry in entry_points(group=HINTS, name="quality"):
        found: FindHints = entry.load()
        return found
    return None


def _show(steps: Sequence[DemonstratedStep], hints: Mapping[int, Sequence[str]], folder: Path) -> None:
    from fingertip_dataset.actions import format_action

    for earlier_screen in folder.iterdir():
        earlier_screen.unlink()
    for number, step in enumerate(steps, 1):
        (folder / f"{number:02d}.png").write_bytes(step.before.observation.screenshot)
        click.echo(f"{number:3d}  {format_action(step.action)}")
        for doubt in (*step.doubts, *hints.get(number - 1, ())):
            click.echo(f"     ! {doubt}")
    click.echo(f"screens of these steps (deleted when you have decided): {folder}")


def _edit_steps(steps: tuple[DemonstratedStep, ...], answer: str) -> tuple[DemonstratedStep, ...]:
    """Remove steps, or set the text that a step typed.

    Raises:
        UsageError: The answer is not one of the choices.
    """
    from fingertip_dataset.actions import Type

    text = _TEXT.fullmatch(answer)
    if text:
        at = int(text.group(1)) - 1
        if not 0 <= at < len(steps) or not isinstance(steps[at].action, Type):
            raise UsageError(f"expected the number of a step that types, got {at + 1}")
        edited = replace(steps[at], action=Type(text=text.group(2)), doubts=())
        return (*steps[:at], edited, *steps[at + 1 :])
    removed: set[int] = set()
    for word in answer.replace(",", " ").split():
        match = _RANGE.fullmatch(word)
        first = int(match.group(1)) if match else 0
        last = int(match.group(2) or first) if match else 0
        if not 1 <= first <= last <= len(steps):
            raise UsageError(f"expected k, d, N=TEXT, or numbers from 1 to {len(steps)}, got {word!r}")
        removed.update(range(first, last + 1))
    return tuple(step for number, step in enumerate(steps, 1) if number not in removed)
