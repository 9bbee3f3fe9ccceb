"""`fingertip check RAW`: lists every problem of a raw release, by kind."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fingertip_cli.options import shared_options
from fingertip_cli.printing.console import console
from fingertip_cli.printing.json_output import print_json
from fingertip_cli.printing.problem_count import describe_problem_count
from fingertip_cli.printing.progress import progress

if TYPE_CHECKING:
    from rich.table import Table

    from fingertip_dataset.release.checking import ReleaseCheck
    from fingertip_dataset.release.problems import Problem

VERSION = 1
"""Version of the object that --json prints."""


@click.command(
    epilog="""\
    fingertip check RAW --tables TABLES
    fingertip check RAW --tables TABLES --json > problems.json
    """
)
@click.argument("raw", type=click.Path(path_type=Path))
@shared_options.tables
@shared_options.as_json()
def command(raw: Path, tables: Path | None, as_json: bool) -> None:
    """List every problem of a raw release, by kind, with counts that add up.

    RAW is the folder of the users' folders. Every file is opened: a missing, unreadable or broken one is
    counted and named, and nothing is changed. Columns, fields and tables that this version does not know are
    named, too; they are no problems. Exit code 0: no problems; 1: some, however small; 2: RAW is not a
    release.
    """
    from fingertip_dataset.release.checking import check_release
    from fingertip_dataset.release.tables.index_tables import note_unused_tables

    if note := note_unused_tables(raw, tables):
        click.echo(f"note: {note}", err=True)
    with progress() as report:
        check = check_release(raw, tables, on_progress=report)
    if as_json:
        print_json(check_object(check))
    else:
        _print_check(raw, check)
    if check.problems:
        sys.exit(1)


def check_object(check: ReleaseCheck) -> dict[str, object]:
    """Return the object that --json prints.

    "problems" maps a kind to its count, "list" has every problem, "extra" every unknown part of the release.
    """
    return {
        "version": VERSION,
        "given": check.given,
        "kept": check.kept,
        "rejected": check.rejected,
        "steps": check.steps,
        "provenance": check.provenance,
        "settings": {"language": check.settings.language, "time_zone": check.settings.time_zone},
        "extra": [asdict(part) for part in check.parts],
        "problems": check.counts,
        "tables": {file: asdict(count) for file, count in check.tables.items()},
        "list": [
            {
                "kind": problem.kind.value,
                "episode_id": problem.episode_id,
                "file": problem.file,
                "line": problem.line,
                "detail": problem.detail,
            }
            for problem in check.problems
        ],
    }


def _print_check(raw: Path, check: ReleaseCheck) -> None:
    from fingertip_dataset.release.problems import printable
    from fingertip_dataset.release.settings import SETTINGS_FILE

    out = console()
    out.print(f"{printable(str(raw))} ({printable(check.provenance)})")
    out.print(f"episodes: given {check.given} = kept {check.kept} + rejected {check.rejected}")
    if not check.settings.is_published:
        stated = check.settings
        out.print(
            f"{SETTINGS_FILE}: {printable(stated.name)}; language {stated.language}; {stated.time_zone}; "
            f"{len(stated.listed_places)} places",
            markup=False,
        )
    out.print(f"steps of the kept episodes: {check.steps}")
    if check.tables:
        out.print(_table_counts(check))
    else:
        out.print("tables: none found (--tables DIR says where they are)")
    if check.parts:
        out.print(_list_parts(check))
    if check.problems:
        out.print(_problem_counts(check))
    out.print(describe_problem_count(len(check.problems), len(check.counts)))


def _table_counts(check: ReleaseCheck) -> Table:
    from rich.table import Table

    table = Table("table", title="Rows: given = kept + merged + refused", title_justify="left")
    for name in ("given", "kept", "merged", "refused"):
        table.add_column(name, justify="right")
    for file, count in check.tables.items():
        table.add_row(file, *(str(number) for number in asdict(count).values()))
    return table


def _list_parts(check: ReleaseCheck) -> Table:
    from rich.table import Table

    from fingertip_dataset.release.problems import printable

    table = Table(title="Unknown to this version, kept as written; no problem", title_justify="left")
    for name in ("file", "column, field or table", "values", "kept in"):
        table.add_column(name, justify="right" if name == "values" else "left", overflow="fold")
    for part in check.parts:
        place = f"{part.kept_in}: {part.detail}" if part.detail else str(part.kept_in)
        words = (part.file, f"{part.kind} {part.name}", str(part.count), place)
        table.add_row(*(printable(word, 200) for word in words))
    return table


def _problem_counts(check: ReleaseCheck) -> Table:
    from rich.table import Table

    from fingertip_dataset.release.problems import ProblemKind

    table = Table(title="Problems", title_justify="left", show_lines=True)
    table.add_column("problem", no_wrap=True)
    table.add_column("count", justify="right", no_wrap=True)
    table.add_column("effect", no_wrap=True)
    table.add_column("what it means, and the first one", overflow="fold")
    first = {problem.kind: problem for problem in reversed(check.problems)}
    for kind in ProblemKind:
        if kind in first:
            example = _example(first[kind])
            effect = f"{kind.subject} {kind.effect}"
            table.add_row(kind.value, str(check.counts[kind]), effect, f"{kind.meaning}\n{example}")
    return table


def _example(problem: Problem) -> str:
    place = problem.file or problem.episode_id
    line = f":{problem.line}" if problem.line else ""
    return f"{place}{line}: {problem.detail}" if place else problem.detail
