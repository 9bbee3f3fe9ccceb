"""`fingertip benchmark`: both tracks of a model or an agent, from the dataset to bundles and one page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fingertip_cli.options import scoring_options, shared_options
from fingertip_cli.options.memory_options import memory_options
from fingertip_cli.options.model_options import (
    backend,
    model_options,
    query_options,
    read_prices,
)
from fingertip_cli.options.worker_count import default_workers
from fingertip_cli.printing.progress import progress
from fingertip_cli.repeated_tries import note_equal_tries, repeats
from fingertip_dataset.errors import UsageError
from fingertip_dataset.track import TRACK_NUMBER, Track
from fingertip_leaderboard.commands.agent_card import add_card_options, read_card
from fingertip_leaderboard.commands.benchmark_judge import check_judge_server, judge_prices, read_judge_prices
from fingertip_leaderboard.commands.benchmark_outcome import NOT_PUBLISHED, finish_benchmark, print_outcome
from fingertip_leaderboard.commands.benchmark_tracks import (
    SPLITS,
    TRACKS,
    TrackRunner,
    check_model,
    check_parts,
    choose_agents,
    choose_memory,
    has_pictures,
    is_local,
    open_local,
)

if TYPE_CHECKING:
    from fingertip_cli.printing.progress import Report
    from fingertip_leaderboard.benchmark.benchmark_data import BenchmarkData
    from fingertip_leaderboard.bundle.schema import AgentCard


@click.command(
    epilog="""\
    fingertip benchmark --model qwen3-vl-8b --base-url http://127.0.0.1:8000/v1 --out qwen
    fingertip benchmark --model smol --base-url http://127.0.0.1:8080/v1 --agent autodroid --quick --out smol
    fingertip benchmark --agent habit --name habit --contact you@example.org --out habit
    fingertip benchmark sim --backend local --model FOLDER --track suggestion --out own
    """
)
@click.argument("dataset", required=False, type=click.Path(path_type=Path))
@shared_options.agent(required=False)
@click.option(
    "--track",
    "tracks",
    type=click.Choice(TRACKS),
    multiple=True,
    help="Run this track alone; repeatable.  [default: every track that the agent is for]",
)
@click.option(
    "--quick",
    is_flag=True,
    help="Only ten people, of the dataset's languages by turns: a first look, which cannot be ranked.",
)
@click.option(
    "--only-language",
    metavar="LANGUAGE",
    help="Only the people who write this language, such as en: ranked in a table of their own.",
)
@click.option(
    "--moments/--no-moments",
    default=True,
    show_default=True,
    help="Whether the agent of track 1 also answers moments, at which nothing may be wanted, if the dataset "
    "has them.",
)
@click.option(
    "--asking/--no-asking",
    default=True,
    show_default=True,
    help="Whether the agent of track 2 also carries out simulated people's needs in few words, and can ask "
    "them.",
)
@shared_options.limit
@repeats
@shared_options.keep_going
@shared_options.screenshots
@memory_options
@shared_options.devices()
@shared_options.engine
@model_options
@backend()
@query_options
@scoring_options.verifiable_embedder("lexical")
@scoring_options.checked_judge
@judge_prices
@add_card_options
@shared_options.workers
@click.option(
    "--out", type=click.Path(path_type=Path, file_okay=False), required=True, help="Folder of the benchmark."
)
@shared_options.notes
@shared_options.as_json()
def command(
    dataset: Path | None,
    agent: str | None,
    tracks: tuple[Track, ...],
    out: Path,
    as_json: bool,
    **options: Any,  # noqa: ANN401 - those of the decorators
) -> None:
    """Test a model or an agent on both tracks of DATASET: runs, scores, one page, and bundles for a board.

    Without DATASET it is the published fingertip-sim: the folder of that name beside OUT or in the working
    folder, or it is made. A model answers track 1 as the agent model does, and track 2 in its format, by the
    table of `fingertip agents --model NAME` or by --agent. Without --device the phones are simulated, as many
    as --concurrency. The same call goes on after any stop, and is done in seconds if nothing is left.

    With track 1 the agent also answers the moments of a dataset that has them: when should it speak at all?
    With track 2 it also gets simulated people's needs in few words ("I'm hungry"), and may ask them. OUT/*
    are ordinary runs, which score and report take. With --contact OUT/bundles has a bundle of each. Exit code
    1: no task of a track was done, or no answer read.
    """
    from fingertip_leaderboard.benchmark.benchmark_data import BenchmarkData
    from fingertip_leaderboard.benchmark.benchmark_folder import BenchmarkCall, begin_folder

    tracks = tuple(track for track in TRACKS if track in tracks)
    _check_options(options)
    agents = choose_agents(agent, tracks, options)
    choose_memory(agents, options)
    card = _make_card(agent, agents, options)
    call = BenchmarkCall(
        agents=agents,
        model=options["model"],
        adapter=str(options["adapter"]) if options["adapter"] else None,
        quick=options["quick"],
        only_language=options["only_language"],
        limit=options["limit"],
        repeats=options["repeats"],
        memory=options["memory"],
        memory_budget=options["memory_budget"],
    )
    # one that is no dataset is refused before a folder is made
    given = None if dataset is None else BenchmarkData.open(dataset)
    begin_folder(out, call)
    with progress(with_questions=_has_real_phone(options["devices"])) as report, ExitStack() as stack:
        check_parts(options, agents)
        check_model(options, agents)
        check_judge_server(options["judging"], agents)
        opened = None
        if is_local(options) and options["repeats"] == 1:
            # one for both tracks; several tries have a seed each
            report("loading the model", 0, 0)
            opened = stack.enter_context(open_local(options, pictures=has_pictures(options, agents)))
        data = given or _find_or_make_data(out, options, report)
        begin_folder(out, call.model_copy(update={"data_sha256": data.built.manifest.data_sha256}))
        runner = TrackRunner(
            data=data,
            out=out,
            options=_choose_language(data, options),
            users=_choose_users(data, options),
            devices=_choose_devices(data, agents, options),
            opened=opened,
            report=report,
        )
        run = _check_tracks(data, agents, named=bool(tracks))
        _run_tracks(runner, run, options)
        outcome = finish_benchmark(runner, run, card, own_data=dataset is not None)
    # below the bar, which is gone by now
    print_outcome(outcome, out, as_json=as_json)


def _run_tracks(runner: TrackRunner, run: Mapping[Track, str], options: Mapping[str, Any]) -> None:
    """Run each track, the agent of track 1 on moments, and that of track 2 on tasks in few words."""
    for track, name in run.items():
        if options["repeats"] > 1:
            note_equal_tries(name, track, options)
        runner.run(track, name)
    if options["moments"] and "suggestion" in run and runner.data.built.has_moments:
        runner.run_moments(run["suggestion"])
    if options["asking"] and "execution" in run and runner.can_ask:
        runner.run_asking(run["execution"])


def _check_options(options: Mapping[str, Any]) -> None:
    """Refuse what excludes each other, before anything is asked for."""
    if options["quick"] and options["limit"]:
        raise UsageError("--quick and --limit exclude each other: give one of them")
    if options["quick"] and options["only_language"]:
        raise UsageError("--quick and --only-language exclude each other: give one of them")
    if options["adapter"] is not None and options["backend"] != "local":
        raise UsageError("--adapter needs --backend local: a server loads adapters itself")
    read_prices(options)
    read_judge_prices(options)


def _has_real_phone(devices: Sequence[str]) -> bool:
    from fingertip_runs.device_kinds import DEVICE_KINDS, device_kind

    return bool(devices) and DEVICE_KINDS[device_kind(devices)].real_phone


def _make_card(
    agent: str | None, agents: Mapping[Track, str], options: Mapping[str, Any]
) -> AgentCard | None:
    """The card of the bundles, checked before anything long; None without --contact."""
    model = options["model"]
    if options["contact"] is None:
        of_card = {"name": "name", "description": "description", "weights": "weights", "links": "link"}
        given = [option for field, option in of_card.items() if options[field]]
        if given:
            raise UsageError(f"--{given[0]} is for bundles, which also need --contact")
        return None
    name = Path(model).name if model else agent or next(iter(agents.values()))
    return read_card(
        {
            "name": options["name"] or name,
            "contact": options["contact"],
            "description": options["description"],
            "weights": options["weights"] or ("closed" if model else "none"),
            "model": model and Path(model).name,
            "links": options["links"],
        }
    )


def _find_or_make_data(out: Path, options: Mapping[str, Any], report: Report) -> BenchmarkData:
    """Find fingertip-sim, or make it."""
    from fingertip_leaderboard.benchmark.benchmark_data import (
        QUICK_NAME,
        QUICK_SIZE,
        choose_place,
        find_published,
        find_quick,
        make_data,
    )
    from fingertip_recorder.published_sample import NAME, PUBLISHED

    say = partial(click.echo, err=True)
    found = find_published(out, say) or (find_quick(out) if options["quick"] else None)
    if found is None:
        size, name = (QUICK_SIZE, QUICK_NAME) if options["quick"] else (PUBLISHED, NAME)
        workers = options["workers"] or default_workers(size.users * size.episodes)
        found = make_data(choose_place(out, name), size, workers=workers, notify=say, on_progress=report)
    if found.difference is not None and not options["quick"]:
        say(f"warning: {NOT_PUBLISHED.format(difference=found.difference)}")
    return found


def _choose_users(data: BenchmarkData, options: Mapping[str, Any]) -> tuple[str, ...]:
    """Ids of the people of a quick look, or of those who write one language; empty for all of the dataset."""
    from fingertip_leaderboard.benchmark.quick_people import QUICK_PEOPLE, choose_people, list_people_of

    if options["only_language"]:
        return list_people_of(data.built, options["only_language"])
    people = data.built.manifest.people
    if not options["quick"] or (people is not None and people.users <= QUICK_PEOPLE):
        return ()
    return choose_people(data.built)


def _choose_language(data: BenchmarkData, options: Mapping[str, Any]) -> Mapping[str, Any]:
    """The options, with prompts in the language of the chosen people unless --language is given."""
    from fingertip_models.options import LANGUAGES

    only, source = options["only_language"], click.get_current_context().get_parameter_source("language")
    if only not in LANGUAGES or source is not click.core.ParameterSource.DEFAULT:
        return options
    return {**options, "language": only}


def _check_tracks(data: BenchmarkData, agents: Mapping[Track, str], *, named: bool) -> dict[Track, str]:
    """The agents of the tracks that the dataset has tasks of.

    Raises:
        UsageError: A track that was asked for has none, or no track has.
    """
    from fingertip_leaderboard.benchmark.benchmark_data import count_tasks

    counts = count_tasks(data.built, tuple(SPLITS.values()))
    lacking = [track for track in agents if not counts[SPLITS[track]]]
    words = "; ".join(f"no task of track {TRACK_NUMBER[one]} (split {SPLITS[one]})" for one in lacking)
    if lacking and (named or len(lacking) == len(agents)):
        raise UsageError(f"the dataset has {words}", file=data.path)
    if lacking:
        click.echo(f"the dataset has {words}: it is not run", err=True)
    return {track: name for track, name in agents.items() if track not in lacking}


def _choose_devices(
    data: BenchmarkData, agents: Mapping[Track, str], options: Mapping[str, Any]
) -> tuple[str, ...]:
    """Devices of track 2: those given, else simulated phones.

    Raises:
        UsageError: None is given for recorded people, whose phones cannot be simulated, or of no use.
    """
    from fingertip_runs.device_kinds import expand_devices

    given: tuple[str, ...] = options["devices"]
    if "execution" not in agents:
        if given or options["engine"] != "local":
            raise UsageError("--device and --engine are for track 2, which is not run: leave them out")
        return ()
    if given:
        return given
    if not data.built.simulations():
        raise UsageError(
            "track 2 needs a device: the people of this dataset are recorded, not simulated. Give --device "
            "adb:SERIAL for a phone, --device teacher-forced for their recorded steps, or --track suggestion",
            file=data.path,
        )
    # one phone asks one question at a time; one process draws the phones of an agent that needs no waiting
    asks_server = options["model"] is not None and not is_local(options)
    return expand_devices((f"simulated:{options['concurrency'] if asks_server else 1}",))
