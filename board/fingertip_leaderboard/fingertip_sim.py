"""Build fingertip-sim: the initial board, with our baselines on simulated people, from one seed.

`python -m fingertip_leaderboard.fingertip_sim OUT` simulates the people, builds the dataset, runs the
baselines of both tracks, makes their bundles and verifies them like any submission. The same seed gives the
same people, tasks, answers and scores; only the measured seconds differ. `baselines.md` has none of these, so
that it is the same, byte for byte, wherever the same versions build it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

import click

from execution_runner.environments.open_environments import open_environments
from execution_runner.environments.simulated import SimulatedEnvironment
from execution_runner.execution_records import ReferenceKind
from execution_runner.execution_run import run_execution
from fingertip_agents.registry import (
    agent_traits,
    baseline_names,
    get_agent,
    get_execution_agent,
    list_asking_executors,
    moment_baseline_names,
)
from fingertip_agents.setup import AgentSetup
from fingertip_dataset.errors import FingerTipError, UsageError
from fingertip_dataset.parquet.build import build
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.shell_line import write_call
from fingertip_dataset.split_names import TEST_EXECUTION, TEST_MOMENTS
from fingertip_leaderboard.baselines_page import BASELINES_PAGE, baselines_page
from fingertip_leaderboard.bundle.make import make_bundle
from fingertip_leaderboard.bundle.schema import AgentCard
from fingertip_leaderboard.results_file import RESULTS, write_results
from fingertip_leaderboard.task_lists import TaskList
from fingertip_leaderboard.verified_records import VerifiedResults
from fingertip_leaderboard.verify.process.process_limits import VerifyLimits
from fingertip_leaderboard.verify_folder import verify_folder
from fingertip_metrics.embedders import get_embedder
from fingertip_recorder.published_sample import NAME, PUBLISHED, SEED, Size
from fingertip_recorder.simulated_life import write_sample
from fingertip_runs.instructed_tasks import instruct_tasks
from fingertip_runs.task_answerers import PeopleByRule
from simulated_phone.dialogue.dialogue_kinds import Level
from simulated_phone.dialogue.vague_task import begin_at_home
from suggestion_runner.suggestion_run import run_suggestions

PAPER = "https://arxiv.org/abs/2507.21071"
CONTACT = "maintainers@fingertip-20k.invalid"
"""Default contact of the baselines."""


ASKING_LEVEL: Level = "goal_alone"
"""Level of the instructions of baselines that may ask."""

LIMITS = VerifyLimits(seconds=3600)
"""Limits for one of our bundles: a hundred tasks are carried out again, maybe beside other work."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """A baseline agent that goes on the board.

    Attributes:
        name: Displayed name.
        agent: Name in the agent registry.
        description: What the agent does.
        reference: Track 2: kind of reference episode that its tasks show; None on track 1.
        moments: Track 1: whether its tasks are the test moments.
        asking: Track 2: whether its tasks say the need alone, and the simulated person answers.
    """

    name: str
    agent: str
    description: str
    reference: ReferenceKind | None = None
    moments: bool = False
    asking: bool = False

    @property
    def tasks(self) -> TaskList:
        """Tasks that it runs on."""
        if self.moments:
            return "moments"
        if self.asking:
            return "asking"
        return "suggestion" if self.reference is None else "execution"


def _run_baselines() -> Iterator[Baseline]:
    """Baselines of both tracks and of moments; one that follows the reference also with an other-type one."""
    for name in baseline_names("suggestion"):
        yield Baseline(name=name, agent=name, description=agent_traits(name, "suggestion").summary)
    for name in baseline_names("execution"):
        traits = agent_traits(name, "execution")
        yield Baseline(name=name, agent=name, description=traits.summary, reference="same_user")
        if traits.follows_reference:
            yield Baseline(
                name=f"{name} a stranger",
                agent=name,
                description="Does as a person of another type did in the most similar task.",
                reference="other_type",
            )

    for name in list_asking_executors():
        summary = agent_traits(name, "execution").summary
        yield Baseline(name=name, agent=name, description=summary, reference="none", asking=True)

    for name in moment_baseline_names():
        # one that is on track 1 as well says there what it suggests
        shared = not agent_traits(name, "suggestion").only_moments
        summary = SPEAKS if shared else agent_traits(name, "suggestion").summary
        yield Baseline(name=name, agent=name, description=summary, moments=True)


SPEAKS = "On moments: offers the likeliest habit where habits make it likely enough that something is wanted."

BASELINES = tuple(_run_baselines())


def build_fingertip_sim(
    out: Path,
    *,
    size: Size = PUBLISHED,
    baselines: Sequence[Baseline] = BASELINES,
    seed: int = SEED,
    workers: int = 2,
    contact: str = CONTACT,
    notify: Callable[[str], None] = lambda line: None,
) -> VerifiedResults:
    """Build the benchmark and its board.

    Args:
        out: A new folder or an empty one; gets people/, fingertip-sim/ (the dataset), runs/, bundles/,
            results/verified.json and results/baselines.md.
        size: Numbers of people and episodes, and the screen size.
        baselines: Baselines that are run and put on the board.
        seed: Seed of the people; everything else is derived from it.
        workers: Number of processes; each runs one baseline at a time.
        contact: Contact of the baselines: e-mail address or https link.
        notify: Called with one line before each stage, and after each baseline.

    Raises:
        UsageError: `out` exists and is not an empty folder.
        DeviceError: adb for the simulated phones is missing.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise UsageError("the folder is not empty: give a new or an empty one", file=out)
    people, dataset = out / "people", out / NAME
    notify(f"{size.words}, seed {seed}")
    write_sample(size.order(people, seed=seed), workers=workers)
    notify("the dataset")
    build(people / "raw", dataset, tables=people / "tables", workers=workers)
    for name in _run_all(
        [_Job(out=out, baseline=baseline, contact=contact) for baseline in baselines], workers
    ):
        notify(name)
    notify("everything verified")
    results = verify_folder(out / "bundles", [dataset], limits=LIMITS)
    (out / "results").mkdir()
    write_results(results, out / "results" / RESULTS)
    page = baselines_page(results, f"{size.words}, seed {seed}")
    (out / "results" / BASELINES_PAGE).write_text(page, encoding="utf-8")
    return results


@dataclass(frozen=True, slots=True, kw_only=True)
class _Job:
    """A baseline to run on the dataset in `out`."""

    out: Path
    baseline: Baseline
    contact: str


def _run_all(jobs: Sequence[_Job], workers: int) -> Iterator[str]:
    """Run the baselines and make their bundles; yield the name of each that is done, in order."""
    if workers <= 1:
        yield from map(_run, jobs)
        return
    with ProcessPoolExecutor(min(workers, len(jobs)), mp_context=get_context("spawn")) as pool:
        yield from pool.map(_run, jobs)


def _run(job: _Job) -> str:
    """Run one baseline and make its bundle; return its name."""
    baseline, out = job.baseline, job.out
    dataset, run = out / NAME, out / "runs" / f"{baseline.tasks}-{baseline.name.replace(' ', '-')}"
    if baseline.moments:
        agent = get_agent(baseline.agent, AgentSetup(moments=True, dataset=dataset))
        run_suggestions(dataset, agent, run, split=TEST_MOMENTS)
    elif baseline.reference is None:
        run_suggestions(dataset, get_agent(baseline.agent), run)
    elif baseline.asking:
        _run_asking(dataset, baseline.agent, run)
    else:
        built = BuiltDataset.open(dataset)
        executor = get_execution_agent(baseline.agent, AgentSetup(simulations=built.simulations()))
        with open_environments([SimulatedEnvironment.kind], built) as environments:
            run_execution(dataset, executor, environments, run, reference=baseline.reference)
    card = AgentCard(
        name=baseline.name,
        description=baseline.description,
        weights="none",
        links=(PAPER,),
        contact=job.contact,
    )
    embedder = ("lexical", get_embedder("lexical")) if baseline.reference is None else None
    make_bundle(run, out / "bundles", card, embedder=embedder, archive=True)
    return baseline.name


def _run_asking(dataset: Path, agent: str, run: Path) -> None:
    """Run an agent on the needs alone, with the simulated person's answers."""
    built = BuiltDataset.open(dataset)
    instructed = instruct_tasks(built, TEST_EXECUTION, ASKING_LEVEL, "simulated")
    executor = get_execution_agent(agent, AgentSetup(simulations=begin_at_home(built.simulations())))
    with open_environments(
        [SimulatedEnvironment.kind], built, at_home=True, answers=PeopleByRule(tasks=instructed)
    ) as environments:
        run_execution(dataset, executor, environments, run, reference="none", instructed=instructed)


@click.command()
@click.argument("out", type=click.Path(path_type=Path, file_okay=False))
@click.option("--contact", default=CONTACT, show_default=True, help="Contact of these baselines.")
@click.option(
    "--workers", type=click.IntRange(1), default=2, show_default=True, help="Number of concurrent workers."
)
def main(out: Path, contact: str, workers: int) -> None:
    """Build fingertip-sim in OUT; OUT/results/verified.json is its board."""
    try:
        results = build_fingertip_sim(out, workers=workers, contact=contact, notify=click.echo)
    except FingerTipError as error:
        click.echo(f"fingertip-sim: {error}", err=True)
        sys.exit(2)
    click.echo(f"{len(results.submissions)} verified, {len(results.refused)} refused")
    click.echo(f"next: {write_call('leaderboard', out / 'bundles', '--dataset', out / NAME)}")


if __name__ == "__main__":
    main()
