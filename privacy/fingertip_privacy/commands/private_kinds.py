"""Options that name kinds of private parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from fingertip_dataset.similar_names import did_you_mean

if TYPE_CHECKING:
    from fingertip_privacy.finds import FindKind


def read_kinds(ctx: click.Context, option: click.Parameter, values: tuple[str, ...]) -> tuple[FindKind, ...]:
    """Parse kinds with commas between them; the option may be repeated."""
    from fingertip_privacy.finds import FindKind

    names = [name.strip() for value in values for name in value.split(",")]
    unknown = [name for name in names if name not in [*FindKind]]
    if unknown:
        hint = did_you_mean(unknown[0], FindKind)
        raise click.BadParameter(f"expected some of {', '.join(FindKind)}, got {unknown[0]!r}{hint}")
    return tuple(kind for kind in FindKind if kind in names)


only_kinds = click.option(
    "--kind",
    "kinds",
    multiple=True,
    metavar="KIND,...",
    callback=read_kinds,
    help="Only these kinds of private parts, such as phone,name,face; repeatable.",
)
