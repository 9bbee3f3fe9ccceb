"""Printing of what a call of `fingertip execute` did, and of what comes next."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from fingertip_cli.printing.next_call import print_next
from fingertip_cli.printing.unreadable import warn_of_unreadable
from fingertip_dataset.shell_line import write_call
from fingertip_dataset.split_names import TEST_EXECUTION

if TYPE_CHECKING:
    from execution_runner.execution_run import ExecutionOutcome
    from fingertip_dataset.parquet.built import BuiltDataset
    from fingertip_runs.device_kinds import DeviceKindName


def find_lack(outcome: ExecutionOutcome, built: BuiltDataset, split: str) -> str | None:
    """Say why no task showed a reference; None if one did, or none was to be shown."""
    from fingertip_dataset.parquet.built import BEFORE_REFERENCES
    from fingertip_dataset.split_names import split_name

    if not outcome.without_references:
        return None
    if built.manifest.references_on_every_split or split_name(split) == TEST_EXECUTION:
        return "no task showed a reference: the dataset has none for these tasks"
    return f"no task showed a reference: the dataset {BEFORE_REFERENCES}"


def print_outcome(
    outcome: ExecutionOutcome, kind: DeviceKindName, without_references: str | None, *, dry_run: bool
) -> None:
    """Print the outcome counts and the next command."""
    from execution_runner.execution_records import OUTCOME_WORDS
    from fingertip_dataset.release.problems import printable
    from fingertip_runs.device_kinds import DEVICE_KINDS

    if outcome.dropped is not None:
        click.echo(f"line {outcome.dropped} of steps.jsonl was cut off: dropped, its task restarted")
    before = f", {outcome.done_before:,} finished before" if outcome.done_before else ""
    click.echo(f"{outcome.folder}: {outcome.queried:,} of {outcome.tasks:,} tasks carried out{before}")
    for name, count in sorted(outcome.outcomes.items()):
        click.echo(f"  {name:<13} {count:,}  {OUTCOME_WORDS[name]}")
    if outcome.left_out:
        click.echo(f"  left out      {len(outcome.left_out):,} without recorded actions")
    if outcome.lacking and not outcome.without_references:
        click.echo(f"  no reference  {len(outcome.lacking):,}: the person has no earlier task to show")
    for name, reason in outcome.lost.items():
        reason = printable(reason, 400)
        click.echo(f"warning: the run went on without {name}, which was lost: {reason}", err=True)
    warn_of_unreadable(outcome.answers)
    if noted := outcome.answers.describe_notes():
        click.echo(
            f"{noted}; the page of `{write_call('report', outcome.folder)}` shows them with their steps"
        )
    device = DEVICE_KINDS[kind]
    if not device.real_phone:
        click.echo(f"on {device.command_title}: not comparable with the paper's online numbers")
    if without_references:
        click.echo(without_references)
    if dry_run:
        _show_decisions(outcome)


def print_next_steps(outcome: ExecutionOutcome, kind: DeviceKindName, *, dry_run: bool) -> None:
    """Name the commands that label and score what was carried out."""
    from fingertip_runs.device_kinds import DEVICE_KINDS

    if dry_run or outcome.all_failed:
        return
    if DEVICE_KINDS[kind].real_phone:
        click.echo("People label which tasks are done, then the run is scored:")
        print_next("review", outcome.folder)
    print_next("score", outcome.folder)


def _show_decisions(outcome: ExecutionOutcome) -> None:
    """Print the decisions of a dry run with the safety gate's verdicts."""
    from fingertip_dataset.release.problems import printable

    for target, steps in outcome.decisions:
        click.echo(f"{target.task_id} {printable(target.intent, 200)}")
        for step in steps:
            verdict = f"{step.verdict}: {step.reason}" if step.reason else step.verdict
            click.echo(f"  {printable(step.action, 200)}  [{printable(verdict, 200)}]")
