"""The agents of `fingertip benchmark`, and the run of each track, as `suggest` and `execute` make it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fingertip_cli.execution.chosen_people import list_tasks_of
from fingertip_cli.execution.execute_environments import DeviceOrder, open_devices
from fingertip_cli.execution.execution_model import execution_setup
from fingertip_cli.options.given_options import PRICE_OPTIONS, refuse_model_options
from fingertip_cli.options.memory_options import check_memory, choose_execution_memory, open_execution_memory
from fingertip_cli.options.model_options import (
    backend,
    model_options,
    open_chosen_model,
    print_once,
    query_options,
    read_options,
    read_prices,
)
from fingertip_cli.printing.failed_tasks import report_failures
from fingertip_cli.printing.unreadable import report_suggestions, report_tasks, warn_of_unreadable
from fingertip_cli.repeated_tries import carry_out_tries
from fingertip_dataset.errors import UnknownNameError, UsageError
from fingertip_dataset.split_names import TEST_EXECUTION, TEST_MOMENTS, TEST_SUGGESTION, is_moments
from fingertip_dataset.track import TRACK_NUMBER, Track

if TYPE_CHECKING:
    from execution_runner.execution_run import ExecutionOutcome
    from execution_runner.safety.gate import Gate
    from fingertip_cli.printing.progress import Report
    from fingertip_leaderboard.benchmark.benchmark_data import BenchmarkData
    from fingertip_models.model import Model
    from fingertip_runs.instructed_tasks import InstructedTasks
    from suggestion_runner.run_outcome import RunOutcome

TRACKS: tuple[Track, ...] = ("suggestion", "execution")

SPLITS: Mapping[Track, str] = {"suggestion": TEST_SUGGESTION, "execution": TEST_EXECUTION}
"""Track -> the split of its tasks."""

MODEL = "model"
"""Name of the agent of track 1 around a model."""


def choose_agents(agent: str | None, tracks: tuple[Track, ...], model: Mapping[str, Any]) -> dict[Track, str]:
    """Choose the agent of each track.

    Args:
        agent: Name of an agent; with a model a format of track 2, or None for that of the model.
        tracks: The tracks that are wanted; empty for all that the agent is for.
        model: The values of the model's options.

    Raises:
        UsageError: Neither an agent nor a model is given, there is no such agent, it is not for a track that
            is wanted, or the format of the model is not known.
    """
    if model["model"] is None:
        return _choose_own_agents(agent, tracks, model)
    from fingertip_agents.registry import AUTO, check_execution_name, is_format

    wanted = tracks or TRACKS
    if agent not in (None, AUTO, MODEL) and not is_format(agent or ""):
        check_execution_name(agent or "")
        raise UsageError(
            f"--model {model['model']} needs an agent around a model, got --agent {agent}: name the format "
            "of its answers on track 2, or leave --agent out"
        )
    found: dict[Track, str] = {"suggestion": MODEL} if "suggestion" in wanted else {}
    if "execution" in wanted:
        found["execution"] = agent if agent and is_format(agent) else _choose_format(model["model"])
    return found


def _choose_format(model: str) -> str:
    from fingertip_agents.registry import AUTO, choose_execution_name

    try:
        chosen = choose_execution_name(AUTO, model)
    except UsageError as error:
        raise UsageError(
            f"{error.message}; a model that reads no pictures can take --agent autodroid on track 2, and "
            "--track suggestion leaves track 2 out"
        ) from None
    click.echo(f"track 2 by the format {chosen} of the model {model}", err=True)
    return chosen


def _choose_own_agents(
    agent: str | None, tracks: tuple[Track, ...], model: Mapping[str, Any]
) -> dict[Track, str]:
    """The agent on each track that it is for, for one that is not around a model of ours."""
    from fingertip_agents.registry import (
        AUTO,
        EXECUTION_AGENTS,
        HUMAN,
        agent_names,
        agent_traits,
        current_execution_name,
        execution_agent_names,
        is_format,
    )

    if agent is None:
        raise UsageError(
            "what is to be tested? Give --model NAME with --base-url URL of its server, --backend local "
            "--model FOLDER, or --agent NAME of an agent without a model (`fingertip agents` lists them)"
        )
    if agent in (MODEL, AUTO) or is_format(agent):
        raise UsageError(
            f"the agent {agent} needs a model: give --model NAME, and --base-url URL of its server"
        )
    current = current_execution_name(agent)
    by_hand = {name for name in EXECUTION_AGENTS if not agent_traits(name, "execution").baseline} | {HUMAN}
    if current in by_hand:
        raise UsageError(f"the agent {agent} is not tested by one call: `fingertip execute` runs it")
    found: dict[Track, str] = {}
    if agent in agent_names():
        if agent_traits(agent, "suggestion").only_moments:
            raise UsageError(
                f"the agent {agent} takes moments alone: `fingertip suggest --split {TEST_MOMENTS}` runs it"
            )
        found["suggestion"] = agent
    if current in execution_agent_names():
        found["execution"] = current
    if not found:
        names = sorted({*agent_names(), *execution_agent_names()} - by_hand)
        raise UnknownNameError("an agent", agent, names)
    for track in tracks:
        if track not in found:
            other = TRACK_NUMBER[next(iter(found))]
            raise UsageError(f"the agent {agent} is for track {other} alone, got --track {track}")
    if len(found) == 1 and not tracks:
        number = TRACK_NUMBER[next(iter(found))]
        click.echo(f"{agent} is an agent of track {number} alone: track {3 - number} is not run", err=True)
    chosen = {track: name for track, name in found.items() if not tracks or track in tracks}
    _check_unused(agent, chosen, model)
    return chosen


def _check_unused(agent: str, chosen: Mapping[Track, str], model: Mapping[str, Any]) -> None:
    """Refuse model options for an agent without one."""
    from fingertip_agents.registry import agent_traits, find_package

    drawn = any(agent_traits(name, track).seeded for track, name in chosen.items()) or model["repeats"] > 1
    packaged = any(find_package(name, track) for track, name in chosen.items())
    used = {"concurrency", *(("seed",) if drawn else ()), *(PRICE_OPTIONS if packaged else ())}
    refuse_model_options(agent, model_options, backend(), query_options, used=used)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackRunner:
    """Runs the tracks of a benchmark.

    Attributes:
        data: The dataset.
        out: Folder of the benchmark.
        options: The values of the command's options.
        users: Ids of the people whose tasks are run; empty for all.
        devices: Devices of track 2.
        opened: Model in this process; None for one behind a server, or none.
        report: Callback of the progress.
    """

    data: BenchmarkData
    out: Path
    options: Mapping[str, Any]
    users: tuple[str, ...]
    devices: tuple[str, ...]
    opened: Model | None
    report: Report

    def run(self, track: Track, agent: str) -> None:
        """Run a track, or each of its tries, and go on with what is there.

        Raises:
            FingerTipError: An error of `run_suggestions` or `run_execution`.
        """
        carry_out = self._suggest if track == "suggestion" else self._execute
        folder, repeats = self.out / track, self.options["repeats"]
        if repeats == 1:
            carry_out(agent, folder, self.options["seed"])
            return
        carry_out_tries(
            folder, track, repeats, self.options["seed"], lambda place, seed: carry_out(agent, place, seed)
        )

    def run_moments(self, agent: str) -> None:
        """Run the agent of track 1 on moments, once however many tries the tracks have.

        Args:
            agent: Name of the agent.

        Raises:
            FingerTipError: An error of `run_suggestions`.
        """
        from fingertip_leaderboard.benchmark.moment_part import MOMENTS

        self._suggest(agent, self.out / MOMENTS, self.options["seed"], split=TEST_MOMENTS)

    @property
    def can_ask(self) -> bool:
        """Whether somebody can answer an agent of track 2: simulated people on simulated phones."""
        from fingertip_runs.device_kinds import DEVICE_KINDS, device_kind

        simulated = bool(self.devices) and DEVICE_KINDS[device_kind(self.devices)].simulated
        return simulated and bool(self.data.built.simulations())

    def run_asking(self, agent: str) -> None:
        """Run the agent of track 2 on the needs alone, whose person answers, once whatever --repeats says.

        Args:
            agent: Name of the agent.

        Raises:
            FingerTipError: An error of `run_execution`.
        """
        from fingertip_leaderboard.benchmark.track_scores import ASKING
        from fingertip_leaderboard.fingertip_sim import ASKING_LEVEL
        from fingertip_runs.instructed_tasks import instruct_tasks

        instructed = instruct_tasks(self.data.built, TEST_EXECUTION, ASKING_LEVEL, "simulated")
        if all(task.left_out for task in instructed.tasks.values()):
            click.echo("no task can be said in few words: none with questions is run", err=True)
            return
        self._execute(agent, self.out / ASKING, self.options["seed"], instructed=instructed)

    def _choose_tasks(self, instructed: InstructedTasks | None) -> Sequence[str] | None:
        """Ids of the tasks of track 2 of the chosen people; None for all tasks."""
        if not self.users:
            return None
        found = list_tasks_of(self.data.built, TEST_EXECUTION, self.users)
        return instructed.keep(found) if instructed else found

    def _suggest(self, agent: str, folder: Path, seed: int | None, *, split: str = TEST_SUGGESTION) -> None:
        from fingertip_agents import get_agent
        from fingertip_agents.setup import AgentSetup
        from suggestion_runner import run_suggestions

        options, moments = {**self.options, "seed": seed}, is_moments(split)
        # a moment has one screen
        screenshots = min(options["screenshots"], 1) if moments else options["screenshots"]
        words = "moments, tasks answered" if moments else "track 1, tasks answered"
        with self._open_model(options, folder, pictures=screenshots > 0) as opened:
            setup = AgentSetup(opened=opened, dataset=self.data.path, seed=seed, moments=moments)
            outcome = run_suggestions(
                self.data.path,
                get_agent(agent, setup),
                folder,
                split=split,
                screenshots=screenshots,
                memory=options["memory"],
                memory_budget=options["memory_budget"],
                limit=options["limit"],
                users=self.users,
                concurrency=options["concurrency"],
                prices=read_prices(options),
                keep_going=options["keep_going"],
                **report_suggestions(self.report, words, options["currency"]),
            )
        self._warn(outcome)

    def _open_model(
        self, options: Mapping[str, Any], folder: Path, *, pictures: bool
    ) -> AbstractContextManager[Model | None]:
        """The model of track 1: that of this process, a try's own, or one behind a server and a cache."""
        if self.opened is not None:
            return nullcontext(self.opened)
        if is_local(options):
            return open_local(options, pictures=pictures)
        return open_chosen_model(options, folder, pictures=pictures)

    def _execute(
        self, agent: str, folder: Path, seed: int | None, *, instructed: InstructedTasks | None = None
    ) -> None:
        from execution_runner.execution_run import run_execution
        from fingertip_agents.registry import get_execution_agent, is_format, sends_pictures
        from fingertip_leaderboard.benchmark.token_cost import TokenCost
        from fingertip_runs.device_kinds import DEVICE_KINDS, device_kind
        from simulated_phone.dialogue.vague_task import begin_at_home

        options, built = {**self.options, "seed": seed}, self.data.built
        kind = DEVICE_KINDS[device_kind(self.devices)]
        # a model knows nothing of them, and those of 6,000 episodes take 30 MB
        simulations = built.simulations() if kind.simulated and not is_format(agent) else {}
        if instructed is not None:
            simulations = begin_at_home(simulations)
        prices, gate = read_prices(options), _make_gate() if kind.real_phone else None
        cost = TokenCost(folder, prices)
        words = "track 2 in few words, tasks finished" if instructed else "track 2, tasks finished"
        with ExitStack() as stack:
            opened = self.opened
            if opened is None and is_local(options):
                opened = stack.enter_context(open_local(options, pictures=sends_pictures(agent)))
            setup = execution_setup(options, opened, simulations=simulations)
            made = get_execution_agent(agent, setup)
            memory = stack.enter_context(
                open_execution_memory(choose_memory({"execution": agent}, options), built, made, folder)
            )
            environments = stack.enter_context(
                open_devices(self._make_device_order(instructed), built, agent, setup, gate)
            )
            outcome = run_execution(
                self.data.path,
                made,
                environments,
                folder,
                limit=options["limit"],
                task_ids=self._choose_tasks(instructed),
                instructed=instructed,
                resume=True,
                keep_going=options["keep_going"],
                gate=gate,
                memory=memory,
                prices=prices,
                **report_tasks(self.report, words, cost.describe),
            )
        for name, reason in outcome.lost.items():
            click.echo(f"warning: the run went on without {name}, which was lost: {reason}", err=True)
        self._warn(outcome)

    def _make_device_order(self, instructed: InstructedTasks | None) -> DeviceOrder:
        from fingertip_runs.task_answerers import PeopleByRule

        return DeviceOrder(
            engine=self.options["engine"],
            devices=self.devices,
            dataset=self.data.path,
            split=TEST_EXECUTION,
            faults=(),
            trees="clean",
            between_tasks="home",
            start=self.data.built.start(),
            settle_s=None,
            dry_run=False,
            resume=True,
            at_home=instructed is not None and instructed.at_home,
            answers=PeopleByRule(tasks=instructed) if instructed else None,
        )

    def _warn(self, outcome: RunOutcome | ExecutionOutcome) -> None:
        warn_of_unreadable(outcome.answers)
        again = "the same call queries some of them again" if getattr(outcome, "queried_again", 0) else ""
        report_failures(outcome.failed, all_failed=outcome.all_failed, advice=again)


def _make_gate() -> Gate:
    from execution_runner.safety.gate import Gate, ask_on_terminal
    from fingertip_runs.app_rules import Rules

    return Gate(Rules.default(), ask_on_terminal)


def choose_memory(agents: Mapping[Track, str], options: Mapping[str, Any]) -> tuple[str, int | None] | None:
    """Return name and budget of the memory of track 2; None without one. Track 1 checks its own as it begins.

    Args:
        agents: Track -> name of its agent.
        options: The values of the command's options.

    Raises:
        UsageError: There is no such memory, or an agent does not read what it recalls.
    """
    from fingertip_agents.memory.memory_registry import check_memory_name

    memory, budget = options["memory"], options["memory_budget"]
    for agent in agents.values():
        check_memory(memory, agent, options["backend"])
    if memory is not None:
        check_memory_name(memory)
    if "execution" in agents or budget is not None:
        return choose_execution_memory(memory, budget, agents.get("execution", MODEL))
    return None


def check_model(options: Mapping[str, Any], agents: Mapping[Track, str]) -> None:
    """Ask a server a small question before anything long is done.

    Args:
        options: The values of the model's options.
        agents: Track -> name of its agent.

    Raises:
        PreflightError: The server does not answer, does not have the model, or takes no pictures.
    """
    model = read_options(options)
    if model is None or options["backend"] != "openai" or options["no_preflight"]:
        return
    from fingertip_models.chat.server_pool import open_servers

    # with a note, as in a run: llama.cpp lists its file and takes any name
    client = open_servers(model, on_note=print_once())
    try:
        client.check(picture=has_pictures(options, agents))
    finally:
        client.close()


def check_parts(options: Mapping[str, Any], agents: Mapping[Track, str]) -> None:
    """Check before anything long what the end of the call needs: the embedder, adb and the named phones.

    Args:
        options: The values of the command's options.
        agents: Track -> name of its agent.

    Raises:
        MissingExtraError: A package of the embedder is not installed.
        ModelError: The embedder can be neither found nor downloaded.
        DeviceError: There is no adb, or none of the named phones is connected.
        UsageError: Ray workers are to use a phone of this machine.
    """
    from execution_runner.devices.adb_client import find_adb
    from execution_runner.environments.open_environments import check_connected
    from execution_runner.ray_engine import check_ray_devices
    from fingertip_metrics.embedders import get_embedder
    from fingertip_runs.device_kinds import DEVICE_KINDS, device_kind

    if "suggestion" in agents and options["embedder"] != "lexical":
        get_embedder(options["embedder"])
    devices: tuple[str, ...] = options["devices"]
    if "execution" not in agents:
        return
    if not (devices and DEVICE_KINDS[device_kind(devices)].recorded):
        find_adb()
    if devices:
        check_connected(devices)
        if options["engine"] == "ray":
            check_ray_devices(devices)


def is_local(options: Mapping[str, Any]) -> bool:
    """Whether the model is a checkpoint in this process."""
    return options["backend"] == "local" and options["model"] is not None


def open_local(options: Mapping[str, Any], *, pictures: bool) -> AbstractContextManager[Model | None]:
    """Open a checkpoint in this process, without a cache of its answers, which the runs have.

    Args:
        options: The values of the model's options.
        pictures: Whether prompts will have pictures.

    Raises:
        UsageError: There is no such checkpoint, or it takes no pictures.
        ModelError: It cannot be loaded.
    """
    return open_chosen_model({**options, "no_cache": True, "cache": None}, Path(), pictures=pictures)


def has_pictures(options: Mapping[str, Any], agents: Mapping[Track, str]) -> bool:
    """Whether the prompts of a track have screenshots."""
    from fingertip_agents.registry import sends_pictures

    return ("suggestion" in agents and options["screenshots"] > 0) or (
        "execution" in agents and sends_pictures(agents["execution"])
    )
