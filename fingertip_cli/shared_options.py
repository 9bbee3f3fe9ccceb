"""Options that several commands share, each declared once; scoring and models have files of their own.

See also `scoring_options` (protocol, embedder, judge), `model_options`, `history_model`, `serving` (pages)
and `phone_options` of the simulated phone. A function makes an option whose help or default is the command's.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fingertip_cli.json_output import as_json as as_json
from fingertip_cli.old_spellings import renamed
from fingertip_cli.worker_count import MOST_WORKERS

if TYPE_CHECKING:
    from suggestion_runner.suggestion_records import Hidden

Option = Callable[[Any], Any]
"""Decorator of `click.option`; click types it over any function or command."""

tables = click.option(
    "--tables", type=click.Path(path_type=Path), help="Folder of the CSV tables, if not in RAW or RAW/tables."
)

workers = click.option(
    "--workers",
    type=click.IntRange(1),
    help=f"Processes. Default: one per core, at most {MOST_WORKERS}; one for few episodes.",
)


def _read_part(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[int, int] | None:
    """Parse i/n into its two numbers."""
    if value is None:
        return None
    match = re.fullmatch(r"([0-9]{1,6})/([0-9]{1,6})", value)
    if match is None or not 1 <= int(match[1]) <= int(match[2]):
        raise click.BadParameter(f"expected i/n with i from 1 to n, got {value!r}")
    return int(match[1]), int(match[2])


def part(help_text: str) -> Option:
    """Option --shard i/n, received as `part`: one job's part of the work."""
    return click.option("--shard", "part", metavar="i/n", callback=_read_part, help=help_text)


run_folder = click.option("--out", type=click.Path(path_type=Path), required=True, help="Folder of the run.")


screenshots = click.option(
    "--screenshots",
    type=click.IntRange(0, 3),
    default=0,
    show_default=True,
    help="Track 1: number of first screenshots in the prompt.",
)


def history_from(*, old: str, default: str | None = None) -> Option:
    """Option --history-from, the episodes that earlier intents come from; None is the dataset's own."""
    text = "Take earlier intents from any episode, as the authors do, or from the training part only."
    return renamed(
        "--history-from",
        "history_from",
        old=(old,),
        type=click.Choice(["online", "strict"]),
        default=default,
        show_default=default or "that of the dataset",
        help=text,
    )


def _read_hidden(ctx: click.Context, option: click.Parameter, value: str | None) -> tuple[Hidden, ...]:
    from typing import get_args

    from fingertip_dataset.similar_names import did_you_mean
    from suggestion_runner.suggestion_records import Hidden

    parts = tuple(part.strip() for part in value.split(",")) if value else ()
    for part in parts:
        if part not in get_args(Hidden):
            known = get_args(Hidden)
            hint = did_you_mean(part, known)
            raise click.BadParameter(f"expected some of {','.join(known)}, got {part!r}{hint}")
    return parts  # type: ignore[return-value]


without = click.option(
    "--without",
    callback=_read_hidden,
    metavar="PARTS",
    help="Track 1: omit some of profile,time,scenario from the prompt.",
)

key_file = click.option(
    "--key-file",
    type=click.Path(path_type=Path),
    help="Secret key of redaction, 16 bytes or more, so that several calls give the same pseudonyms. "
    "Default: random, and not kept.",
)

distribution = click.option(
    "--distribution", is_flag=True, help="Track 1: ask for several intents with probabilities."
)

reference = click.option(
    "--reference",
    type=click.Choice(["same_user", "other_type", "none"]),
    default="same_user",
    show_default=True,
    help="Track 2: whose reference trajectory a task shows.",
)

screen_description = click.option(
    "--screen-description",
    type=click.Choice(["elements", "authors"]),
    help="Track 2: screen description for the agent or format generalist: our list of elements (default), "
    "or every text with its position, as the authors list them.",
)

ALL = "all"


def _read_episodes(ctx: click.Context, option: click.Parameter, value: str) -> int | None:
    """Read the option --episodes of training; None for all."""
    if value == ALL:
        return None
    if not (value.isascii() and value.isdecimal()) or int(value) < 1:
        raise click.BadParameter(f"expected a number of 1 or more, or all, got {value!r}")
    return int(value)


training_track = click.option(
    "--track",
    type=click.Choice(["suggestion", "execution", "joint"]),
    required=True,
    help="Track of the samples; joint mixes both (table 9).",
)

training_episodes = click.option(
    "--episodes",
    default=ALL,
    show_default=True,
    callback=_read_episodes,
    metavar="N|all",
    help="Number of training episodes, drawn with --seed in proportion from all users (5.4).",
)


def _ids_of_file(value: str) -> list[str]:
    """The ids in a file, or the id that the value is if it neither is a path nor looks like one."""
    path, advice = Path(value), "give ids such as 1001,1002, or a text file with one a line"
    try:
        if path.is_file():
            return path.read_text(encoding="utf-8-sig").split()
        # a raw release has a folder for each user, named by the id
        if path.is_dir() and not value.isdecimal():
            raise click.BadParameter(f"{value} is a folder: {advice}")
    except (OSError, UnicodeError) as error:
        raise click.BadParameter(f"the file {value} cannot be read: {error}") from None
    if "/" in value or path.suffix:
        raise click.BadParameter(f"there is no file {value}: {advice}")
    return [value]


def _read_users(ctx: click.Context, option: click.Parameter, value: str | None) -> tuple[str, ...] | None:
    """Read the option --only-users: ids, or a file of them; None for all users."""
    if value is None:
        return None
    # a list of many ids is longer than a name of a file may be
    ids = _ids_of_file(value) if "/" in value or "," not in value else value.split(",")
    users = tuple(sorted({user.strip() for user in ids} - {""}))
    if not users:
        raise click.BadParameter(f"expected ids such as 1001,1002, or a file of them, got {value!r}")
    return users


training_users = renamed(
    "--only-users",
    "users",
    old=("--users",),
    callback=_read_users,
    metavar="ID,ID|FILE",
    help="Train on episodes of these users only: ids with commas between them, or a file with one a line.",
)

exclude = click.option(
    "--exclude",
    type=click.Choice(["unseen"]),
    help="Train on the filtered training set of table 8, without the unseen users, apps and categories.",
)

training_settings = click.option(
    "--settings",
    type=click.Path(path_type=Path, dir_okay=False),
    help="TOML file of settings of training, such as epochs = 2.",
)

training_lines = renamed(
    "--setting",
    "lines",
    old=("--set",),
    multiple=True,
    metavar="NAME=VALUE",
    help="One setting of training; a wrong name lists all; repeatable.",
)

card_description = click.option(
    "--description", default="", help="Description of the agent, in a few sentences."
)

card_weights = click.option(
    "--weights",
    type=click.Choice(["open", "closed", "none"]),
    help="Whether the model's weights are public. Default: closed with --model, else none.",
)

card_links = click.option(
    "--link", "links", multiple=True, help="https address of paper, code or weights; repeatable."
)


def card_name(note: str) -> Option:
    """Option --name, the agent's name on the leaderboard; the note says when it is needed."""
    return click.option("--name", help=f"Name of the agent on the leaderboard; {note}.")


def card_contact(note: str) -> Option:
    """Option --contact, shown on the leaderboard; the note says when it is needed."""
    return click.option(
        "--contact", help=f"E-mail address or https link for questions, shown publicly; {note}."
    )


def split(default: str | None) -> Option:
    """Option --split, of the dataset that the command reads; None for the default of each experiment."""
    if default is None:
        return click.option("--split", help="Split of the dataset.  [default: the experiment's own]")
    return click.option("--split", default=default, show_default=True, help="Split of the dataset.")


def history(*, relevant: bool = False) -> Option:
    """Option --history of track 1; with `relevant` also the setting in which a model picks."""
    picked = ", or those that a model picks from all" if relevant else ""
    return click.option(
        "--history",
        type=click.Choice(["20", *(("relevant",) if relevant else ()), "all", "none"]),
        default="20",
        show_default=True,
        help=f"Track 1: earlier intents in the prompt: the latest 20, all, none{picked}.",
    )


def limit(help_text: str) -> Option:
    """Option --limit, the maximum number of tasks; the help says which tasks they are."""
    return click.option("--limit", type=click.IntRange(1), metavar="N", help=help_text)


sample = click.option(
    "--sample",
    type=click.IntRange(1),
    metavar="N",
    help="Only N tasks, drawn uniformly from the split with --seed (default 0).",
)


def seed(help_text: str) -> Option:
    """Option --seed with the default 0; the seed of a model's options has no default."""
    return click.option("--seed", type=int, default=0, show_default=True, help=help_text)


push = click.option(
    "--push", is_flag=True, help="Send it to the Hub; without this, what would go is only shown."
)


def licence(help_text: str) -> Option:
    """Option --licence of data that are built or recorded."""
    return click.option("--licence", "--license", metavar="ID", help=help_text)


def engine(help_text: str) -> Option:
    """Option --engine: this machine, or a Ray cluster."""
    return click.option(
        "--engine", type=click.Choice(["local", "ray"]), default="local", show_default=True, help=help_text
    )


def devices(help_text: str, *, required: bool = False) -> Option:
    """Option --device of track 2, received as `devices`: anything that a task can be carried out on."""

    def expanded(
        _context: click.Context, _parameter: click.Parameter, specs: tuple[str, ...]
    ) -> tuple[str, ...]:
        from fingertip_runs.device_kinds import expand_devices

        return expand_devices(specs)

    return click.option(
        "--device",
        "devices",
        multiple=True,
        required=required,
        metavar="DEVICE",
        callback=expanded,
        help=help_text,
    )


def phone_serial(help_text: str) -> Option:
    """Option --device of commands that use one connected phone, received as `serial`, without its prefix."""

    def serial(_context: click.Context, _parameter: click.Parameter, spec: str | None) -> str | None:
        from fingertip_runs.device_kinds import serial_of

        return serial_of(spec) if spec else None

    return click.option("--device", "serial", callback=serial, help=help_text)
