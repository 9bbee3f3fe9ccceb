"""`fingertip tasks`: the tasks of a built dataset, with their ids."""

from __future__ import annotations

import math
import shutil
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fingertip_cli.options import shared_options
from fingertip_cli.options.dialogue_options import add_instructions, read_level
from fingertip_cli.printing.json_output import print_json
from fingertip_dataset.errors import UsageError
from fingertip_dataset.shell_line import write_call

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from fingertip_dataset.tasks.task_list import TaskEntry
    from simulated_phone.dialogue.vague_task import VagueTask

PAGE = 50
"""Tasks of a page on a terminal."""
LEAST_INTENT = 40
"""Columns that an intent needs next to the other cells; on a narrower terminal it has a line of its own."""
HEADS = ("task", "split", "user", "app", "steps")
MOMENT_HEADS = ("task", "split", "user", "app", "kind")
INSTRUCTED_HEADS = ("task", "user", "app", "known from")


@click.command(
    epilog="""\
    fingertip tasks fingertip-20k
    fingertip tasks fingertip-20k --split test_execution --only-users 1001
    fingertip tasks fingertip-20k --split test_execution --json > tasks.json
    """
)
@click.argument("dataset", type=click.Path(path_type=Path))
@click.option("--split", show_default="both tests", help="Split of the dataset.")
@shared_options.only_users
@shared_options.limit
@add_instructions
@click.option(
    "--page",
    type=click.IntRange(1),
    metavar="N",
    help=f"Page of {PAGE} tasks.  [default: 1 on a terminal, else all tasks]",
)
@shared_options.as_json()
def command(
    dataset: Path,
    split: str | None,
    users: tuple[str, ...] | None,
    limit: int | None,
    instructions: str | None,
    page: int | None,
    as_json: bool,
) -> None:
    """List the tasks of a dataset: id, person, app, number of the person's steps, and intent.

    Of moments, such as --split test_moments, their kind is listed in place of the steps.

    `execute --task` takes the ids, and --only-users the users. With --limit N it lists the tasks that a run
    with --limit N has.

    With --instructions it lists the instruction that a run of track 2 gives for each task, or why there is
    none, and where the arguments are known from: history, profile, by asking only, or the instruction.
    """
    from fingertip_dataset.parquet.built import BuiltDataset
    from fingertip_dataset.split_names import TEST_EXECUTION, TESTS
    from fingertip_dataset.tasks.task_list import list_tasks, spread
    from fingertip_runs.instructed_tasks import instruct_tasks

    built = BuiltDataset.open(dataset)
    if instructions is not None:
        split = split or TEST_EXECUTION
        found = list_tasks(built, splits=(split,), users=users)
        tasks = instruct_tasks(built, split, read_level(instructions)).tasks
        if limit is not None:
            # those that a run of so many has
            found = spread([entry for entry in found if tasks[entry.task_id].text], limit)
        if as_json:
            print_json({"tasks": [_make_instructed(one, instructions, tasks[one.task_id]) for one in found]})
            return
    else:
        found = list_tasks(built, splits=(split,) if split else TESTS, users=users, limit=limit)
    if as_json:
        print_json({"tasks": [_make_object(entry) for entry in found]})
        return
    given = {"--split": split, "--limit": limit, "--only-users": users and ",".join(users)}
    given["--instructions"] = instructions
    words = [str(word) for pair in given.items() if pair[1] for word in pair]
    call = write_call("tasks", dataset, *words)
    if instructions is None:
        _print_page(found, page, call, list_lines)
    else:
        _print_page(found, page, call, partial(list_instructions, tasks=tasks))
        click.echo(_count_instructions(found, tasks))


def _make_instructed(entry: TaskEntry, spelled: str, task: VagueTask) -> dict[str, object]:
    """The object of a task under an instruction, for --json."""
    return {
        **_make_object(entry),
        "instructions": spelled,
        "instruction": task.text or None,
        "left_out": task.left_out or None,
        "known_from": dict(task.sources),
    }


def _count_instructions(found: Sequence[TaskEntry], tasks: Mapping[str, VagueTask]) -> str:
    """Count the tasks under an instruction, in a line."""
    from simulated_phone.dialogue.knowledge import needs_asking

    kept = [entry for entry in found if tasks[entry.task_id].text]
    unsaid = [tasks[entry.task_id] for entry in kept if not tasks[entry.task_id].says_arguments]
    asking = sum(needs_asking(task.sources) for task in unsaid)
    shorter = [entry for entry in kept if tasks[entry.task_id].level != "full"]
    same = sum(tasks[entry.task_id].text == entry.intent for entry in shorter)
    as_written = f"; {same:,} as the person wrote, who named no app" if same else ""
    return f"{len(found) - len(kept):,} left out; {asking:,} need asking{as_written}"


def list_instructions(
    entries: Sequence[TaskEntry], width: int | None, *, tasks: Mapping[str, VagueTask]
) -> list[str]:
    """List tasks with their instructions, one a line; `width` as of `list_lines`.

    Args:
        entries: The tasks.
        width: Columns of the terminal; None for a file or pipe.
        tasks: Task id -> the task under its instruction.
    """
    from fingertip_dataset.release.problems import printable
    from fingertip_runs.instructed_tasks import list_sources

    rows, texts = [], []
    for entry in entries:
        task = tasks[entry.task_id]
        sources = "" if task.left_out else ", ".join(list_sources(task))
        rows.append((entry.task_id, printable(entry.user_id), printable(entry.app), sources or "-"))
        texts.append(printable(task.text) or f"left out: {task.left_out}")
    return _align([INSTRUCTED_HEADS, *rows], ["instruction", *texts], width)


def _print_page(
    found: Sequence[TaskEntry],
    page: int | None,
    call: str,
    list_shown: Callable[[Sequence[TaskEntry], int | None], list[str]],
) -> None:
    """Print a page of tasks, and the call that prints the next one."""
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    start, shown = choose_page(found, page or (None if width is None else 1))
    for line in list_shown(shown, width):
        click.echo(line)
    end = start + len(shown)
    if len(shown) == len(found):
        click.echo(f"{len(found):,} tasks")
    else:
        click.echo(f"tasks {start + 1:,} to {end:,} of {len(found):,}")
    if end < len(found):
        click.echo(f"next: {call} --page {end // PAGE + 1}")


def choose_page(found: Sequence[TaskEntry], page: int | None) -> tuple[int, Sequence[TaskEntry]]:
    """Choose the tasks of a page, with the number of tasks before it; without a page, all tasks.

    Raises:
        UsageError: There is no such page.
    """
    if page is None:
        return 0, found
    pages = max(1, math.ceil(len(found) / PAGE))
    if page > pages:
        raise UsageError(f"there is no page {page}: the list has {pages} page{'s' if pages > 1 else ''}")
    start = (page - 1) * PAGE
    return start, found[start : start + PAGE]


def _make_object(entry: TaskEntry) -> dict[str, object]:
    """The object of a task for --json."""
    found: dict[str, object] = {
        "task_id": entry.task_id,
        "split": entry.split,
        "user_id": entry.user_id,
        "time": entry.time.isoformat(),
        "scenario": entry.scenario,
        "app": entry.app,
        "intent": entry.intent,
        "intent_category": entry.intent_category,
    }
    if not entry.kind:
        return {**found, "steps": entry.steps}
    return {**found, "app": entry.app or None, "intent": entry.intent or None, "kind": entry.kind}


def list_lines(entries: Sequence[TaskEntry], width: int | None) -> list[str]:
    """List tasks, one a line, with whole names.

    Args:
        entries: The tasks.
        width: Columns of the terminal, on which an intent that does not fit has a line of its own; None for a
            file or pipe, where every task is one line.
    """
    from fingertip_dataset.release.problems import printable

    moments = any(one.kind for one in entries)
    rows = [MOMENT_HEADS if moments else HEADS] + [
        (
            one.task_id,
            one.split,
            printable(one.user_id),
            printable(one.app) or "-",
            one.kind or str(one.steps),
        )
        for one in entries
    ]
    intents = ["intent", *(printable(one.intent) or "-" for one in entries)]
    return _align(rows, intents, width, number=not moments)


def _align(
    rows: Sequence[Sequence[str]], texts: Sequence[str], width: int | None, *, number: bool = False
) -> list[str]:
    """Align the cells of rows, each with a text after it, which has a line of its own where it would not fit.

    Args:
        rows: The cells of each row, the heads among them.
        texts: The text of each row.
        width: Columns of the terminal; None for a file or pipe.
        number: Whether the last cells are numbers.
    """
    from rich.cells import cell_len

    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    narrow = width is not None and sum(widths) + 2 * len(widths) + LEAST_INTENT > width
    lines = []
    for row, text in zip(rows, texts, strict=True):
        spaces = [" " * (size - cell_len(cell)) for cell, size in zip(row, widths, strict=True)]
        cells = [cell + space for cell, space in zip(row, spaces, strict=True)]
        if number:
            cells[-1] = spaces[-1] + row[-1]
        lines.append("  ".join(cells).rstrip() + f"\n  {text}" if narrow else "  ".join((*cells, text)))
    return lines
