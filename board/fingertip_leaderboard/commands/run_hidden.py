"""`fingertip hidden-test`: a board's maintainer runs an agent on a private simulated benchmark."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fingertip_cli.options import scoring_options, shared_options
from fingertip_cli.options.given_options import PRICE_OPTIONS, refuse_model_options, refuse_unused
from fingertip_cli.options.model_options import (
    Command,
    add_options,
    concurrency,
    model_options,
    open_chosen_model,
    read_options,
    read_prices,
)
from fingertip_cli.options.old_spellings import renamed
from fingertip_cli.options.output_folder import make_folder
from fingertip_cli.options.worker_count import default_workers
from fingertip_cli.printing.json_output import print_json
from fingertip_dataset.errors import UnknownNameError, UsageError
from fingertip_dataset.shell_line import write_call
from fingertip_dataset.track import Track
from fingertip_leaderboard.commands.agent_card import add_card_options, read_card
from simulated_phone import phone_options

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fingertip_agents.execution_agent import ExecutionAgent
    from fingertip_agents.suggestion.suggestion_agent import SuggestionAgent
    from fingertip_dataset.parquet.built import BuiltDataset
    from fingertip_leaderboard.bundle.schema import AgentCard
    from fingertip_leaderboard.hidden_benchmark import ExecutionTest, MomentTest, SuggestionTest
    from fingertip_leaderboard.hidden_records import HiddenTestRecord, InstalledPackage
    from fingertip_models.model import Model
    from fingertip_models.options import ModelOptions

MODEL = "model"
"""Name of the agent that is a model: of track 1, and of track 2 with --prompt-format."""


def _add_task_options(command: Command) -> Command:
    """Add the options of what a task shows, as those of suggest and execute."""
    options = (
        shared_options.screenshots,
        shared_options.history(),
        shared_options.distribution,
        scoring_options.verifiable_embedder("lexical"),
        renamed(
            "--prompt-format", "form", old=("--format",), metavar="NAME",
            help="Track 2: prompt and output format of the model.",
        ),
        shared_options.reference,
        shared_options.screen_description,
    )  # fmt: skip
    return add_options(command, options)


def _add_benchmark_options(command: Command) -> Command:
    """Add the options of the secret and of the benchmark that is made from it."""
    options = (
        click.option(
            "--seed-file", type=click.Path(path_type=Path), help="File of the secret; - for standard input."
        ),
        click.option(
            "--agent-path", type=click.Path(path_type=Path, exists=True, file_okay=False),
            help="Folder of an installed agent (`pip install --target FOLDER`), which runs isolated.",
        ),
        click.option(
            "--new-seed", type=click.Path(path_type=Path), help="Write a new secret to this file, and stop."
        ),
        click.option(
            "--reveal", type=click.Path(path_type=Path),
            help="Check that the RECORDs are of the secret in this file, and unchanged, and stop.",
        ),
        click.option(
            "--track", type=click.Choice(["suggestion", "execution", "both"]),
            help="Track to run. Default: every track that the agent is for.",
        ),
        click.option(
            "--moments", is_flag=True,
            help="Whether the agent also answers moments, at which nothing may be wanted, on track 1.",
        ),
        shared_options.users(20),
        shared_options.episodes(40),
        click.option("--size", default="360x800", show_default=True, help="Width and height in pixels."),
        click.option(
            "--out", type=click.Path(path_type=Path, dir_okay=False),
            help="File of the record, a new one. Default: hidden-test-NAME.json.",
        ),
        click.option(
            "--work", type=click.Path(path_type=Path, file_okay=False),
            help="Keep the private data here, for more agents or a stopped run. Default: they are removed.",
        ),
    )  # fmt: skip
    return add_options(command, options)


@click.command(
    name="hidden-test",
    epilog="""\
    fingertip hidden-test --new-seed secret.txt
    fingertip hidden-test habit --seed-file secret.txt --users 5 --episodes 5
    fingertip hidden-test --reveal secret.txt hidden-test-habit.json
    """,
)
@click.argument("words", nargs=-1, metavar="[AGENT | RECORD...]")
@_add_benchmark_options
@add_card_options
@_add_task_options
@model_options
@concurrency
@shared_options.workers
@shared_options.as_json()
def command(
    words: tuple[str, ...],
    seed_file: Path | None,
    new_seed: Path | None,
    reveal: Path | None,
    as_json: bool,
    **options: Any,  # noqa: ANN401 - as the decorators have them
) -> None:
    """Run AGENT on a private simulated benchmark made from a secret, and write its aggregate scores.

    AGENT is an agent of suggest or execute, one of a package in --agent-path or in this environment, or
    `model` with --model and, for track 2, --prompt-format. The tasks follow from the secret in --seed-file
    and leave this machine only in prompts to --base-url. The record has the mean scores and a hash of the
    secret; `fingertip leaderboard --hidden-test RECORD --hidden-seed-file SECRET` shows it as run by the
    board.
    """
    if new_seed is not None:
        _write_secret(new_seed, words, as_json=as_json)
    elif reveal is not None:
        _check_records(reveal, [Path(word) for word in words], as_json=as_json)
    elif seed_file is None:
        raise UsageError("expected --seed-file SECRET; `fingertip hidden-test --new-seed SECRET` writes one")
    elif len(words) != 1:
        raise UsageError(f"expected one agent, got {len(words)}")
    else:
        _run_test(words[0], seed_file, options, as_json=as_json)


def _write_secret(file: Path, words: Sequence[str], *, as_json: bool) -> None:
    from fingertip_leaderboard.hidden_secret import write_new_secret

    refuse_unused("--new-seed", "it only writes a secret", used={"new_seed", "as_json"})
    if words:
        raise UsageError(f"--new-seed only writes a secret: leave out {words[0]}")
    secret = write_new_secret(file)
    if as_json:
        print_json({"file": str(file), "commitment": secret.commitment})
    click.echo(f"{file}: a new secret, for your eyes only")
    click.echo(f"commitment {secret.commitment}")


def _check_records(file: Path, records: Sequence[Path], *, as_json: bool) -> None:
    """Print of each record whether it is of the secret and unchanged; exit code 1 if one is not."""
    from fingertip_leaderboard.hidden_records import problem_with_secret, read_hidden_record
    from fingertip_leaderboard.hidden_secret import read_secret

    refuse_unused("--reveal", "it only checks records", used={"reveal", "words", "as_json"})
    if not records:
        raise UsageError("expected the records to check after --reveal SECRET")
    secret = read_secret(file)
    found = {path: problem_with_secret(read_hidden_record(path), secret) for path in records}
    for path, problem in found.items():
        click.echo(f"{path}: {problem or 'of this secret, unchanged'}")
    if as_json:
        print_json({"records": [{"file": str(path), "problem": why or None} for path, why in found.items()]})
    if any(found.values()):
        raise click.exceptions.Exit(1)


def _run_test(agent: str, seed_file: Path, options: Mapping[str, Any], *, as_json: bool) -> None:
    from fingertip_leaderboard.hidden_benchmark import HiddenTest, run_hidden_test
    from fingertip_leaderboard.hidden_secret import LARGEST_FILE, parse_secret, read_secret
    from fingertip_recorder.published_sample import Size
    from fingertip_runs.run_folder import write_json

    tracks = _choose_tracks(agent, options)
    _check_moments(agent, tracks, options)
    model = _read_model(agent, options)
    card = _make_card(agent, model, options)
    out = options["out"] or Path(f"hidden-test-{_file_name(card.name)}.json")
    if out.exists() or out.is_symlink():
        raise UsageError("the record exists: give another --out", file=out)
    make_folder(out.parent, "the folder of the record")
    piped = str(seed_file) == "-"
    secret = parse_secret(sys.stdin.buffer.read(LARGEST_FILE)) if piped else read_secret(seed_file)
    size = Size(
        users=options["users"], episodes=options["episodes"], screen=phone_options.read_size(options["size"])
    )
    if model is not None and not options["no_preflight"]:
        from fingertip_models.chat.chat_client import ChatClient

        # here, because later errors are not printed
        with ChatClient(model) as client:
            client.check(picture=options["screenshots"] > 0)
    with ExitStack() as stack:
        # what is printed in a stage goes into a private file, and these lines past it
        notes = stack.enter_context(os.fdopen(os.dup(2), "w", encoding="utf-8", errors="backslashreplace"))
        opened = stack.enter_context(open_chosen_model({**options, **_NO_CACHE}, out))
        test = HiddenTest(
            card=card,
            tests=[
                *(
                    _make_run(agent, track, options, model, opened, () if piped else (seed_file,))
                    for track in tracks
                ),
                *_make_moments(agent, options, opened, () if piped else (seed_file,)),
            ],
            size=size,
            prices=read_prices(options),
            workers=options["workers"] or default_workers(size.users * size.episodes),
            notify=partial(print, file=notes, flush=True),
        )
        record = run_hidden_test(secret, test, work=options["work"])
    write_json(out, record.model_dump(mode="json"))
    if as_json:
        print_json({"file": str(out), "record": record.model_dump(mode="json")})
    _print_record(record, out)


_TRACKS: tuple[Track, ...] = ("suggestion", "execution")

_NO_CACHE = {
    "no_cache": True,
    "cache": None,
    "backend": "openai",
    "requests_per_minute": None,
    "trust_remote_code": False,
    "no_preflight": True,
    "adapter": None,
    "local_batch": 1,
}
"""Options for `open_chosen_model`: no answer leaves the private folder, and one preflight is enough."""


def _choose_tracks(agent: str, options: Mapping[str, Any]) -> tuple[Track, ...]:
    """The tracks to run.

    Raises:
        UsageError: There is no such agent, it cannot be tested, or it is not for the track.
    """
    from fingertip_agents.registry import (
        EXECUTION_AGENTS,
        FORMATS,
        agent_names,
        agent_traits,
        current_execution_name,
        execution_agent_names,
        find_package,
    )

    folder: Path | None = options["agent_path"]
    # a person, and a script for tasks that are known
    hand_made = {name for name in EXECUTION_AGENTS if not agent_traits(name, "execution").baseline}
    if agent in hand_made:
        raise UsageError(f"the agent {agent} cannot be tested: somebody would have to see the tasks")
    form, track = options["form"], options["track"]
    if form is not None and (agent != MODEL or form not in FORMATS):
        raise UsageError(
            f"--prompt-format is one of {', '.join(FORMATS)} with the agent model, got {form} for {agent}"
        )
    found: list[Track] = []
    if folder is not None:
        found = [name for name in _TRACKS if find_package(agent, name, folder)]
        if not found:
            raise UsageError(f"no package in the folder has an agent {agent}", file=folder)
    else:
        if agent in agent_names():
            found.append("suggestion")
        if form is not None if agent == MODEL else current_execution_name(agent) in execution_agent_names():
            found.append("execution")
    if not found:
        names = sorted({*agent_names(), *execution_agent_names()} - hand_made)
        raise UnknownNameError("an agent", agent, names)
    wanted = ("suggestion", "execution") if track == "both" else (track,) if track else found
    if not set(wanted) <= set(found):
        hint = ": give --prompt-format" if agent == MODEL else ""
        raise UsageError(f"the agent {agent} is for the track {found[0]} alone{hint}, got --track {track}")
    return tuple(name for name in found if name in wanted)


def _read_model(agent: str, options: Mapping[str, Any]) -> ModelOptions | None:
    """Options of the model; None for an agent without one."""
    from fingertip_agents.registry import FORMATS

    if agent != MODEL and agent not in FORMATS:
        refuse_model_options(agent, model_options, used=PRICE_OPTIONS)
        return None
    model = read_options(options)
    if model is None:
        raise UsageError(f"the agent {agent} needs --model NAME, and --base-url URL of its server")
    return model


def _make_card(agent: str, model: ModelOptions | None, options: Mapping[str, Any]) -> AgentCard:
    from fingertip_leaderboard.fingertip_sim import CONTACT

    name = model.model if model else agent
    fields = {
        "name": options["name"] or name,
        "contact": options["contact"] or CONTACT,
        "description": options["description"],
        "weights": options["weights"] or ("closed" if model else "none"),
        "model": model.model if model else None,
        "links": options["links"],
    }
    return read_card(fields)


def _file_name(name: str) -> str:
    return "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in name)[:60]


def _make_run(
    agent: str,
    track: Track,
    options: Mapping[str, Any],
    model: ModelOptions | None,
    opened: Model | None,
    private: tuple[Path, ...],
) -> SuggestionTest | ExecutionTest:
    """The run of one track; its agent is made within the run's stage, because its messages are private."""
    from fingertip_agents.registry import find_package, get_agent, get_execution_agent
    from fingertip_agents.setup import AgentSetup
    from fingertip_leaderboard.hidden_benchmark import ExecutionTest, InstalledAgent, SuggestionTest

    folder: Path | None = options["agent_path"]
    distribution, screen_description = options["distribution"], options["screen_description"]

    def suggestion_agent() -> SuggestionAgent:
        return get_agent(agent, AgentSetup(opened=opened, distribution=distribution))

    def execution_agent(built: BuiltDataset) -> ExecutionAgent:
        setup = AgentSetup(
            model=model, screen_description=screen_description, simulations=built.simulations()
        )
        return get_execution_agent(options["form"] or agent, setup)

    package = find_package(options["form"] or agent if track == "execution" else agent, track, folder)
    installed = package and _read_package(*package, folder)
    isolated = folder and InstalledAgent(name=agent, folder=folder, private=private)
    if track == "execution":
        return ExecutionTest(
            make_agent=isolated or execution_agent, installed=installed, reference=options["reference"]
        )
    return SuggestionTest(
        make_agent=isolated or suggestion_agent,
        installed=installed,
        screenshots=options["screenshots"],
        history=options["history"],
        distribution=distribution,
        concurrency=options["concurrency"],
        embedder=options["embedder"],
    )


def _check_moments(agent: str, tracks: Sequence[Track], options: Mapping[str, Any]) -> None:
    """Refuse options that moments do not have, before anything is made."""
    if not options["moments"]:
        return
    if "suggestion" not in tracks:
        raise UsageError(f"--moments is for track 1, got {agent} on the track {tracks[0]} alone")
    if options["distribution"]:
        raise UsageError("moments have one answer, an intent or nothing: leave out --distribution")
    if options["screenshots"] > 1:
        raise UsageError("a moment has one screen: --screenshots 0 or 1 with --moments")


def _make_moments(
    agent: str, options: Mapping[str, Any], opened: Model | None, private: tuple[Path, ...]
) -> Iterator[MomentTest]:
    """Yield the run of moments, if they are wanted."""
    if not options["moments"]:
        return
    from fingertip_agents.registry import find_package, get_agent
    from fingertip_agents.setup import AgentSetup
    from fingertip_leaderboard.hidden_benchmark import InstalledAgent, MomentTest

    def make_agent(built: BuiltDataset) -> SuggestionAgent:
        return get_agent(agent, AgentSetup(opened=opened, moments=True, dataset=built.path))

    folder: Path | None = options["agent_path"]
    package = find_package(agent, "suggestion", folder)
    yield MomentTest(
        make_agent=InstalledAgent(name=agent, folder=folder, private=private) if folder else make_agent,
        installed=package and _read_package(*package, folder),
        screenshots=options["screenshots"],
        history=options["history"],
        concurrency=options["concurrency"],
        embedder=options["embedder"],
    )


def _read_package(name: str, version: str, folder: Path | None) -> InstalledPackage:
    from pydantic import ValidationError

    from fingertip_leaderboard.hidden_records import InstalledPackage

    try:
        return InstalledPackage(name=name, version=version, isolated=folder is not None)
    except ValidationError:
        raise UsageError(
            "the metadata of the agent's package have no name and version of at most 200 characters",
            file=folder,
        ) from None


def _print_record(record: HiddenTestRecord, out: Path) -> None:
    """Print the mean scores, the commitment and the next command."""
    for line in _list_score_lines(record):
        click.echo(line)
    click.echo(f"commitment {record.result.benchmark.commitment}")
    click.echo(f"{out}: the record, without tasks")
    call = write_call(
        "leaderboard", "BUNDLES", "--dataset", "DATASET", "--hidden-test", out, "--hidden-seed-file", "SECRET"
    )
    click.echo(f"on a board: {call}")


def _list_score_lines(record: HiddenTestRecord) -> Iterator[str]:
    from fingertip_dataset.release.problems import printable
    from fingertip_leaderboard.score_columns import SCORES
    from fingertip_leaderboard.space.render import number

    columns = {column.name: column for column in SCORES}
    for row in record.result.rows:
        shown = ", ".join(
            f"{columns[name].title} {number(score.mean, columns[name])}" for name, score in row.scores.items()
        )
        name = printable(record.result.card.name)
        yield f"{name}, {row.task_list}, {row.tasks} tasks of {row.users} users: {shown}"
        if row.installed is not None:
            yield f"  {printable(row.installed.remark)}"
