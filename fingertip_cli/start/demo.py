"""`fingertip demo`: the whole pipeline on simulated users, up to the scores of both tracks, offline."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from fingertip_cli.options import shared_options
from fingertip_cli.printing.next_call import print_next
from fingertip_dataset.errors import UsageError
from simulated_phone import phone_options

_NEEDS = {
    "datasets": "datasets",
    "sklearn": "scikit-learn",
    "matplotlib": "matplotlib",
    "pylopdf_fonts_zh_cn": "pylopdf-fonts-zh-cn",
}
"""Module -> package of the extra `demo` that its steps need; adb may also come from elsewhere."""


LEAST_USERS, LEAST_EPISODES = 2, 5
"""Minimum numbers of simulated users and of episodes of each."""

DEMO_LOCALES = ("en", "zh")
"""Languages of the people of a demo: those in which its pages are worded."""

LINE_WIDTH = 80
"""Columns that a printed command has on one line."""


@click.command(
    epilog="""\
    fingertip demo
    fingertip demo --locale en --out english-demo
    fingertip demo --users 4 --episodes 10 --out small-demo
    """
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("fingertip-demo"),
    show_default=True,
    help="Folder of all output.",
)
@shared_options.users(8)
@shared_options.episodes(30)
@phone_options.locales(
    "Language of the people and their phones; repeatable, and then two people of each by turns",
    default=DEMO_LOCALES,
)
@click.option(
    "--ways", type=click.IntRange(1), default=48, show_default=True, help="Number of episodes to replay."
)
def command(out: Path, users: int, episodes: int, locales: tuple[str, ...], ways: int) -> None:
    """Run the whole pipeline offline: raw sample, dataset, both tracks, scores, and two pages.

    The people and their phones are simulated: the numbers show that the commands and metrics work, and
    nothing else. Each command is printed before it runs; existing output is not made again.
    """
    if users < LEAST_USERS or episodes < LEAST_EPISODES:
        raise UsageError(
            f"the demo needs --users {LEAST_USERS} or more and --episodes {LEAST_EPISODES} or more, so that "
            f"each split has tasks; got {users} and {episodes}"
        )
    from fingertip_recorder.unfinished_sample import is_finished

    _check_extras()
    people, dataset = out / "people", out / "fingertip-20k"
    raw, tables = str(people / "raw"), str(people / "tables")
    if is_finished(people):
        click.echo(f"{people}: made before, and used again")
    else:
        _introduce(f"a month of {users} simulated people and their phones")
        size = ("--users", str(users), "--episodes", str(episodes), "--size", "540x1200", "--seed", "1")
        _run("sample", str(people), *size, *(word for name in locales for word in ("--locale", name)))
    _introduce("their recordings, checked and built into a dataset")
    _run("check", raw, "--tables", tables)
    _run("build", raw, "--tables", tables, "--out", str(dataset), "--overwrite")
    _load(dataset)
    _run("stats", str(dataset), "--out", str(out / "stats"))
    pages = out / "report.html", out / "execution.html"
    _introduce("track 1: what does this person want next?")
    _suggest(dataset, out, pages[0])
    _replay(people, ways)
    _introduce("track 2: carry it out as this person would")
    _execute(dataset, out, pages[1])
    _print_results(out, pages)


def _introduce(text: str) -> None:
    """Print the heading of the commands that follow."""
    click.secho(f"\n# {text[0].upper()}{text[1:]}", bold=True)


def _print_results(out: Path, pages: tuple[Path, Path]) -> None:
    """Print where everything is, the two pages last."""
    _introduce("what you have now")
    kept = {
        "people": "recordings and tables in the authors' layout",
        "fingertip-20k": "the dataset, for load_dataset and both tracks",
        "stats": "tables and figures of the data",
        "runs": "each agent's answers",
    }
    rows = [(out / name, what) for name, what in kept.items()]
    rows += [(pages[0], "page of track 1"), (pages[1], "page of track 2, with every screen")]
    width = max(len(str(path)) for path, _ in rows)
    for path, what in rows:
        click.echo(f"{path!s:<{width}}  {what}")
    click.echo("Open the pages in a browser: they begin in its language, Chinese or English.")
    print_next("score", out / "runs" / "imitate", "--why")


def _check_extras() -> None:
    """Refuse, before minutes of work, what a later step would refuse."""
    from importlib.util import find_spec

    from fingertip_dataset.errors import MissingExtraError

    for module, package in _NEEDS.items():
        if find_spec(module) is None:
            raise MissingExtraError(package, "demo")


def _suggest(dataset: Path, out: Path, page: Path) -> None:
    """Track 1: run the baselines, then score and report them."""
    from fingertip_agents.registry import baseline_names

    agents = baseline_names("suggestion", demo=True)
    runs = [str(out / "runs" / agent) for agent in agents]
    for agent, run in zip(agents, runs, strict=True):
        _run("suggest", str(dataset), "--agent", agent, "--out", run)
    _finish(runs, page, "--embedder", "lexical", figures=("--stats", str(out / "stats")))


def _execute(dataset: Path, out: Path, page: Path) -> None:
    """Track 2: run the user's own trajectory and the shortest path on simulated phones over the real adb."""
    from execution_runner.environments.simulated import SimulatedEnvironment
    from fingertip_agents.registry import baseline_names

    agents = baseline_names("execution", demo=True)
    runs = [out / "runs" / agent for agent in agents]
    for agent, run in zip(agents, runs, strict=True):
        _run(
            *("execute", str(dataset), "--agent", agent, "--device", SimulatedEnvironment.kind),
            *("--out", str(run)),
        )
    _finish([str(run) for run in runs], page)


def _finish(runs: Sequence[str], page: Path, *options: str, figures: Sequence[str] = ()) -> None:
    _run("score", *runs, *options)
    _run("report", *runs, *options, *figures, "--out", str(page))


def _run(*words: str) -> None:
    from fingertip_cli.main import cli

    click.secho(f"\n{_wrap_command(words)}", bold=True)
    try:
        cli.main(args=list(words), prog_name="fingertip", standalone_mode=False)
    except SystemExit as stop:
        # exit code 1 of `check`: the sample contains problems on purpose
        if stop.code != 1:
            raise


def _wrap_command(words: Sequence[str]) -> str:
    r"""Write a call of fingertip after a prompt, on lines that a shell joins; an option stays with its value.

    >>> print(_wrap_command(["score", "runs/a", "--out", "x" * 70]))
    $ fingertip score runs/a \
        --out xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
    """
    parts: list[str] = []
    for word in words:
        if parts and parts[-1].startswith("--") and " " not in parts[-1] and not word.startswith("--"):
            parts[-1] += f" {shlex.quote(word)}"
        else:
            parts.append(shlex.quote(word))
    lines = ["$ fingertip"]
    for part in parts:
        if len(lines[-1]) + len(part) + len("  \\") > LINE_WIDTH:
            lines.append(f"    {part}")
        else:
            lines[-1] += f" {part}"
    return " \\\n".join(lines)


def _replay(sample: Path, episodes: int) -> None:
    """Replay recorded episodes over the real adb and check each goal's rule."""
    from fingertip_cli.printing.progress import progress
    from fingertip_recorder.replay_check import replay_release

    _introduce("recorded episodes, replayed over the real adb on a freshly reset phone")
    with progress() as report:
        result = replay_release(
            sample / "raw",
            limit=episodes,
            on_progress=lambda done, total: report("episodes replayed", done, total),
        )
    click.echo(f"{result.reached} of {result.given} reach the user's goal (by rule; simulated)")
    for failure in result.failures:
        click.echo(f"  {failure}")


def _load(dataset: Path) -> None:
    """Load the four splits as a user would, with a temporary cache folder."""
    from datasets import disable_progress_bars, enable_progress_bars, load_dataset

    from fingertip_dataset.split_names import SPLITS

    disable_progress_bars()
    click.secho("\n>>> from datasets import load_dataset", bold=True)
    # a bare name might be one of the Hub
    place = str(dataset) if dataset.is_absolute() or dataset.parts[0] == ".." else f"./{dataset}"
    with TemporaryDirectory() as cache:
        for split in SPLITS:
            click.secho(f'>>> load_dataset("{place}", split="{split}")', bold=True)
            loaded = load_dataset(place, split=split, cache_dir=cache)
            click.echo(f"{loaded.num_rows} rows, {len(loaded.column_names)} columns")
    enable_progress_bars()
