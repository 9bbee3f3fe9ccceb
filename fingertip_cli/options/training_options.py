"""Options of the commands that train models, or write samples to train on."""

from __future__ import annotations

import click

track = click.option(
    "--track",
    type=click.Choice(["suggestion", "moments", "execution", "joint"]),
    required=True,
    help="Track of the samples; joint mixes both (table 9), moments is track 1 with times at which nothing "
    "is wanted.",
)

pairs = click.option(
    "--pairs",
    multiple=True,
    metavar="RUN",
    help="With --track moments: folder of a `suggest --month` run whose suggestions become preference pairs; "
    "repeatable.",
)

missed = click.option(
    "--missed",
    is_flag=True,
    help="With --pairs: also prefer what the person then did to silence; such pairs make a model speak more.",
)
