"""`fingertip privacy`: private parts of a release or dataset are found, reviewed by people, and redacted."""

from __future__ import annotations

import click

from fingertip_cli.options.common_options import help_all_option
from fingertip_privacy.commands import privacy_redact, privacy_review, privacy_scan


@click.group()
def command() -> None:
    """Find private parts of a raw release or built dataset, let people review them, and redact them."""


command.params.append(help_all_option(hidden=True))
command.add_command(privacy_scan.command, "scan")
command.add_command(privacy_review.command, "review")
command.add_command(privacy_redact.command, "redact")
