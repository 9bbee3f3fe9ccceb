"""`fingertip paper`: the published numbers of the paper by table, with section and setting."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from fingertip_cli.options import shared_options
from fingertip_cli.printing.json_output import print_json

if TYPE_CHECKING:
    from rich.table import Table

    from fingertip_metrics.published import PublishedRow, PublishedTable

ALL = "all"


@click.command(
    epilog="""\
    fingertip paper
    fingertip paper 5
    fingertip paper all --json > paper.json
    """
)
@click.argument("table", nargs=-1)
@shared_options.as_json()
def command(table: tuple[str, ...], as_json: bool) -> None:
    """Print the numbers that the paper published; none was measured by this software.

    TABLE is 3, table-3, "table 3", a section with one table (A.6.3), demographics, reply, or all. Without
    TABLE the tables are listed.
    """
    from fingertip_cli.printing.console import console
    from fingertip_cli.printing.notes import print_line
    from fingertip_metrics.published import published_table, published_tables

    name = " ".join(table)
    if not name:
        if as_json:
            print_json({"tables": [_summary_object(published_table(one)) for one in published_tables()]})
        else:
            console().print(_list_of_tables())
        return
    tables = [published_table(one) for one in (published_tables() if name.lower() == ALL else [name])]
    if as_json:
        objects = [_table_object(one) for one in tables]
        print_json({"tables": objects} if name.lower() == ALL else objects[0])
        return
    out = console()
    for number, one in enumerate(tables):
        if number:
            click.echo()
        click.echo(f"{one.name[0].upper()}{one.name[1:]}: {one.title}")
        out.print(_table(one))
        for line in _notes(one):
            print_line(line)


def _summary_object(table: PublishedTable) -> dict[str, object]:
    return {"table": table.name, "section": table.section, "title": table.title, "rows": len(table.rows)}


def _table_object(table: PublishedTable) -> dict[str, object]:
    return {
        "table": table.name,
        "section": table.section,
        "title": table.title,
        "source": table.source,
        "columns": list(table.columns),
        "units": dict(table.units),
        "setting": dict(table.setting),
        "notes": list(table.notes),
        "rows": [
            {
                "name": row.name,
                "kind": row.kind,
                "values": {name: _value(row, name) for name in table.columns},
                "setting": dict(row.setting),
                "note": row.note,
            }
            for row in table.rows
        ],
    }


def _value(row: PublishedRow, column: str) -> float | str | None:
    return row.words[column] if column in row.words else row.values[column]


def _list_of_tables() -> Table:
    from rich.table import Table

    from fingertip_metrics.published import published_table, published_tables
    from fingertip_runs.cells import text_cell

    listed = Table(title="Published in the paper; fingertip paper TABLE prints one", title_justify="left")
    for name in ("table", "section", "title"):
        listed.add_column(name)
    listed.add_column("rows", justify="right")
    for name in published_tables():
        table = published_table(name)
        listed.add_row(*map(text_cell, (name, table.section, table.title, str(len(table.rows)))))
    return listed


def _table(table: PublishedTable) -> Table:
    from rich.table import Table

    from fingertip_runs.cells import text_cell
    from fingertip_runs.published_cells import format_published, published_heading

    own = {row.name: _own_setting(table, row) for row in table.rows}
    remarks = any((row.note or own[row.name]) for row in table.rows)
    printed = Table()
    printed.add_column("published", overflow="fold")
    for column in table.columns:
        printed.add_column(published_heading(column), justify="right", no_wrap=True)
    if remarks:
        printed.add_column("remark", overflow="fold")
    for row in table.rows:
        cells = [row.name, *(format_published(row, column) for column in table.columns)]
        printed.add_row(*map(text_cell, [*cells, row.note or own[row.name]] if remarks else cells))
    return printed


def _notes(table: PublishedTable) -> list[str]:
    from fingertip_metrics.published_beside import setting_words

    words = setting_words(table.setting)
    return [f"Published: {table.source}.", *([f"Measured in: {words}."] if words else []), *table.notes]


def _own_setting(table: PublishedTable, row: PublishedRow) -> str:
    """Describe where a row's setting differs from that of its table."""
    from fingertip_metrics.published_beside import list_setting_parts

    known = {*list_setting_parts(table.setting), row.name}
    return "; ".join(part for part in list_setting_parts(row.setting) if part not in known)
