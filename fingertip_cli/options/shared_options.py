"""Options that several commands share, each declared once; scoring and models have files of their own.

See also `scoring_options` (protocol, embedder, judge), `model_options`, `history_model`, `serving` (pages)
and `phone_options` of the simulated phone. A function makes an option whose help or default is the command's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from fingertip_cli.options.old_spellings import renamed
from fingertip_cli.options.worker_count import MOST_WORKERS
from fingertip_cli.printing.json_output import as_json as as_json
from fingertip_cli.printing.notes import notes as notes
from simulated_phone.language.zones import CHINA

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


part = click.option(
    "--shard",
    "part",
    metavar="i/n",
    callback=_read_part,
    help="Do only part i of n, from 1, as one job of a scheduler; the last job to end finishes the whole.",
)
"""Option --shard i/n, received as `part`: one job's part of the work."""


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


def _read_parts(value: str | None, known: Sequence[str]) -> tuple[Any, ...]:
    """Read a list of parts of a prompt, separated by commas.

    Raises:
        BadParameter: There is no such part.
    """
    from fingertip_dataset.similar_names import did_you_mean

    parts = tuple(part.strip() for part in value.split(",")) if value else ()
    for part in parts:
        if part not in known:
            raise click.BadParameter(
                f"expected some of {','.join(known)}, got {part!r}{did_you_mean(part, known)}"
            )
    return parts


def _suggestion_parts() -> tuple[str, ...]:
    from typing import get_args

    from suggestion_runner.suggestion_records import Hidden

    return get_args(Hidden)


def _execution_parts() -> tuple[str, ...]:
    from execution_runner.execution_view import HIDDEN_PARTS

    return HIDDEN_PARTS


without = click.option(
    "--without",
    callback=lambda ctx, option, value: _read_parts(value, _suggestion_parts()),
    metavar="PARTS",
    help="Track 1: omit some of profile,time,scenario from the prompt.",
)

execution_without = click.option(
    "--without",
    callback=lambda ctx, option, value: _read_parts(value, _execution_parts()),
    metavar="PARTS",
    help="Track 2: hide some of profile,reference,tree,past from the agent.",
)

training_without = click.option(
    "--without",
    callback=lambda ctx, option, value: _read_parts(
        value, tuple(dict.fromkeys((*_suggestion_parts(), *_execution_parts())))
    ),
    metavar="PARTS",
    help="Omit some of profile,time,scenario (track 1), profile,reference,tree,past (track 2) from prompts.",
)


def _read_more(ctx: click.Context, option: click.Parameter, value: str | None) -> tuple[Any, ...]:
    from execution_runner.execution_view import MORE_PARTS

    return _read_parts(value, MORE_PARTS)


more = click.option(
    "--with",
    "more",
    callback=_read_more,
    metavar="PARTS",
    help="Track 2: also show the agent some of time,place,reference-intent,package, which the paper's agents "
    "do not get.",
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


training_episodes = click.option(
    "--episodes",
    default=ALL,
    show_default=True,
    callback=_read_episodes,
    metavar="N|all",
    help="Number of training episodes, drawn with --seed in proportion from all users (5.4).",
)


def _read_ids(value: str) -> list[str]:
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
    ids = _read_ids(value) if "/" in value or "," not in value else value.split(",")
    users = tuple(sorted({user.strip() for user in ids} - {""}))
    if not users:
        raise click.BadParameter(f"expected ids such as 1001,1002, or a file of them, got {value!r}")
    return users


only_users = renamed(
    "--only-users",
    "users",
    old=("--users",),
    callback=_read_users,
    metavar="ID,ID|FILE",
    help="Only tasks or episodes of these users: ids with commas between them, or a file with one a line.",
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
    help="Whether the model's weights are public. Default: closed with a model, else none.",
)

card_links = click.option(
    "--link", "links", multiple=True, help="https address of paper, code or weights; repeatable."
)


card_name = click.option(
    "--name",
    help="Name of the agent on the leaderboard. A submission needs one; a hidden test takes the agent's own.",
)

card_contact = click.option(
    "--contact",
    help="E-mail address or https link for questions, shown publicly. A submission needs one.",
)


def split(default: str | None) -> Option:
    """Option --split, of the dataset that the command reads; None for the default of each experiment."""
    return click.option(
        "--split",
        default=default,
        show_default=default or "the experiment's own",
        help="Split of the dataset.",
    )


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


limit = click.option(
    "--limit",
    type=click.IntRange(1),
    metavar="N",
    help="Only N tasks of the split: its first ones on track 1, spread over it on track 2.",
)


keep_going = click.option(
    "--keep-going",
    is_flag=True,
    help="Go on if no answer to the first 10 tasks can be read; else the run stops, to be corrected.",
)

sample = click.option(
    "--sample",
    type=click.IntRange(1),
    metavar="N",
    help="Only N tasks, drawn uniformly from the split with --seed (default 0).",
)


SEED_HELP = "Seed of all that is drawn by chance; the same seed gives the same result."

seed = click.option(
    "--seed",
    type=int,
    default=0,
    show_default=True,
    help=SEED_HELP,
)
"""Option --seed with the default 0; the seed of a model's options has no default."""

training_seed = click.option("--seed", type=int, show_default="0", help=SEED_HELP)
"""Option --seed of training, which a file of settings may state as well."""


push = click.option(
    "--push", is_flag=True, help="Send it to the Hub; without this, what would go is only shown."
)


licence = click.option(
    "--licence",
    "--license",
    metavar="ID",
    help="SPDX id of the data's licence.  [default: what RAW states; none for a recording]",
)

engine = click.option(
    "--engine",
    type=click.Choice(["local", "ray"]),
    default="local",
    show_default=True,
    help="Where the work is done: on this machine, or on Ray workers that see the same folders.",
)


def users(default: int) -> Option:
    """Option --users of simulated people."""
    return click.option(
        "--users",
        type=click.IntRange(1, 9000),
        default=default,
        show_default=True,
        help="Number of simulated users.",
    )


def episodes(default: int) -> Option:
    """Option --episodes of simulated people; that of training counts those of all users."""
    return click.option(
        "--episodes",
        type=click.IntRange(1, 5000),
        default=default,
        show_default=True,
        help="Episodes per user.",
    )


def repo(*, required: bool = False) -> Option:
    """Option --repo, where something is sent to."""
    return click.option(
        "--repo", required=required, metavar="OWNER/NAME", help="Repo on the Hub that it is sent to."
    )


rater = click.option("--rater", metavar="NAME", help="Name of the rater.  [default: the page asks for it]")


def base_model(*, required: bool = False) -> Option:
    """Option --base of commands that train a model."""
    return click.option(
        "--base",
        required=required,
        metavar="MODEL",
        help="Base model that is trained: a folder, or a name on the Hub.",
    )


def user(*, default: str | None = None) -> Option:
    """Option --user, one user of a release."""
    return click.option(
        "--user",
        default=default,
        show_default=True,
        metavar="ID",
        help="Id of a user, as in the raw release.",
    )


release_zone = click.option(
    "--zone", metavar="NAME", show_default=CHINA, help="IANA name of the time zone of people and phones."
)
"""Option --zone of a release, which may state one already; that of simulated people has a default."""


why = click.option(
    "--why",
    is_flag=True,
    help="Also why tasks failed, by rule; by --judge where no rule explains it: on track 1 for recorded "
    "people, on track 2 in review.",
)

skip_same_task = click.option(
    "--skip-same-task",
    is_flag=True,
    help="Take no reference of the same task (A.6.7): compared by text in build, by --judge in execute.",
)


def agent(name: str = "agent", *, required: bool = True) -> Option:
    """Option --agent, received as `name`, of a command that runs one agent."""
    return click.option(
        "--agent",
        name,
        required=required,
        metavar="NAME",
        help="Name of the agent; `fingertip agents` lists all.",
    )


format_agent = click.option(
    "--agent",
    metavar="NAME",
    help="Track 2: agent whose prompts and answers the samples have; `fingertip agents` lists all, and in "
    "finetune auto takes the format of --base.  "
    "[default: generalist]",
)
"""Option --agent of training, whose agents have a prompt and an output format."""


def _expand_devices(
    _context: click.Context, _parameter: click.Parameter, specs: tuple[str, ...]
) -> tuple[str, ...]:
    from fingertip_runs.device_kinds import expand_devices

    return expand_devices(specs)


def devices(*, required: bool = False) -> Option:
    """Option --device of track 2, received as `devices`: anything that a task can be carried out on."""
    return click.option(
        "--device",
        "devices",
        multiple=True,
        required=required,
        metavar="DEVICE",
        callback=_expand_devices,
        help="Track 2: simulated, simulated:8 for eight, adb:SERIAL or SERIAL, replay, or teacher-forced; "
        "repeatable, for several at once.",
    )


def _serial(_context: click.Context, _parameter: click.Parameter, spec: str | None) -> str | None:
    from fingertip_runs.device_kinds import serial_of

    return serial_of(spec) if spec else None


phone_serial = click.option(
    "--device",
    "serial",
    callback=_serial,
    help="Phone: adb:SERIAL, SERIAL or HOST:PORT.  [default: the only connected one]",
)
"""Option --device of commands that use one connected phone, received as `serial`, without its prefix."""
