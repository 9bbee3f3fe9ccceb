"""Options that had another name: the old spelling works, and --help does not show it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import click


class RenamedOption(click.Option):
    """Option that is also accepted under old names.

    Args:
        old: Spellings of earlier versions, such as --protocol.
    """

    def __init__(self, *args: Any, old: Sequence[str] = (), **settings: Any) -> None:  # noqa: ANN401 - click's own
        super().__init__(*args, **settings)
        self.old = tuple(old)

    def add_to_parser(self, parser: Any, ctx: click.Context) -> None:  # noqa: ANN401 - click's own, not public
        """Let the parser know the old names as well, which help and messages do not use."""
        shown = self.opts
        self.opts = [*shown, *self.old]
        try:
            super().add_to_parser(parser, ctx)
        finally:
            self.opts = shown


def renamed(*names: str, old: Sequence[str], **settings: Any) -> Callable[[Any], Any]:  # noqa: ANN401
    """`click.option` of an option that had other names.

    Args:
        names: Its names, as for `click.option`.
        old: Spellings of earlier versions.
        settings: As for `click.option`.
    """
    return click.option(*names, cls=RenamedOption, old=old, **settings)
