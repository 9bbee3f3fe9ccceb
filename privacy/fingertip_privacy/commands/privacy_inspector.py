"""The vision model of `fingertip privacy scan --inspector`: its options, and the inspection itself."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fingertip_cli.options.model_options import (
    Command,
    add_options,
    currency,
    no_preflight,
    price_options,
    read_prices,
    requests_per_minute,
)
from fingertip_cli.printing.progress import progress
from fingertip_dataset.errors import UsageError

if TYPE_CHECKING:
    from fingertip_privacy.finds import Inspection, ScanReport


def add_inspector_options(command: Command) -> Command:
    """Add the options of the inspector, which `run_inspector` reads by their names."""
    options = (
        click.option(
            "--inspector",
            metavar="MODEL",
            help="Also let this vision model look at the first and last screenshot of each episode (A.3); "
            "its key is read from OPENAI_API_KEY.",
        ),
        click.option(
            "--inspector-base-url", metavar="URL", help="URL of the inspector's OpenAI-compatible server."
        ),
        *price_options("inspector-", " of the inspector"),
        currency,
        click.option(
            "--inspector-concurrency",
            type=click.IntRange(1),
            default=4,
            show_default=True,
            help="Queries of the inspector at once.",
        ),
        requests_per_minute,
        no_preflight,
    )
    return add_options(command, options)


def check_inspector(given: Mapping[str, Any]) -> None:
    """Refuse options of an inspector without one, before the scan begins.

    Raises:
        UsageError: An option needs --inspector, or only one price is given.
    """
    read_prices(given, "inspector-")
    if given["inspector"] is None:
        for name in ("inspector_base_url", "inspector_price_prompt"):
            if given[name] is not None:
                raise UsageError(f"--{name.replace('_', '-')} needs --inspector")


def run_inspector(
    report: Path, source: Path, given: Mapping[str, Any], *, tables: Path | None = None
) -> ScanReport | None:
    """Let the model look at the screenshots and add its finds to a finished report; None without a model.

    Args:
        report: Folder of the report.
        source: The release or dataset that was scanned.
        given: Values of `add_inspector_options`.
        tables: Folder of a release's tables; None looks for them in the release.

    Raises:
        FingerTipError: An error of `inspect`, or the options name no usable server.
    """
    from fingertip_models.model import open_model
    from fingertip_models.options import ModelOptions
    from fingertip_models.responses import Cached
    from fingertip_privacy.inspection.inspector import ask_inspector, inspect

    if given["inspector"] is None:
        return None
    opened = open_model(
        ModelOptions(model=given["inspector"], base_url=given["inspector_base_url"]),
        requests_per_minute=given["requests_per_minute"],
        preflight=not given["no_preflight"],
    )
    model = Cached(opened, ask_inspector(report))
    try:
        with progress() as show:
            found = inspect(
                report,
                source,
                model,
                tables=tables,
                prices=read_prices(given, "inspector-"),
                concurrency=given["inspector_concurrency"],
                on_progress=partial(show, "episodes inspected"),
            )
    finally:
        model.close()
    if found.inspection is not None:
        for line in list_inspection_lines(found.inspection):
            click.echo(line, err=True)
    return found


def list_inspection_lines(found: Inspection) -> list[str]:
    """Describe the finds and the cost of the inspector, in lines."""
    cost = f", cost {found.cost:.4f} {found.currency}" if found.cost is not None else ""
    tokens = "not counted by the server"
    if found.prompt_tokens is not None and found.completion_tokens is not None:
        tokens = f"{found.prompt_tokens:,} + {found.completion_tokens:,}"
    lines = [
        f"inspector {found.settings.get('model')}: {found.finds:,} find{'' if found.finds == 1 else 's'} "
        f"in {found.flagged:,} of {found.episodes:,} episodes, {found.screenshots:,} screenshots; "
        f"tokens {tokens}{cost}; {found.cached:,} answers were cached"
    ]
    if found.malformed:
        lines.append(f"{found.malformed:,} answers were not what was asked for and bring no find")
    if found.failed:
        lines.append(f"{found.failed:,} episodes have no answer: the same call queries them again")
    return lines
