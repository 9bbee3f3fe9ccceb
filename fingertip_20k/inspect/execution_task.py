"""Track 2 as a task of Inspect: `fingertip execute`'s attempts on the simulated phone, scored by rule."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import anyio
from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageUser,
    Content,
    ContentImage,
    ContentText,
    GenerateConfig,
    ModelOutput,
    get_model,
)
from inspect_ai.scorer import Scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import concurrency

from execution_runner.environments.open_environments import open_environments
from execution_runner.execution_log import Attempt, read_attempts
from execution_runner.execution_records import RETRIES, ExecutionRun
from execution_runner.execution_run import run_execution, run_record
from execution_runner.execution_view import ExecutionView
from execution_runner.run_plan import RunPlan, plan_tasks
from execution_runner.scoring.run_caveats import setting_caveats
from fingertip_20k.inspect.call_errors import raise_one_line_errors
from fingertip_20k.inspect.execution_scorers import (
    ATTEMPT,
    TARGET,
    attempt_dict,
    execution_effort,
    execution_parts,
    execution_sim2,
    execution_sr2,
)
from fingertip_20k.inspect.inspect_model import InspectModel, StopAttempt, choose_language, parse_text_list
from fingertip_20k.inspect.user_metrics import USER
from fingertip_agents import get_execution_agent
from fingertip_agents.execution_agent import ExecutionAgent
from fingertip_agents.setup import AgentSetup
from fingertip_dataset.errors import UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.split_names import TEST_EXECUTION
from fingertip_metrics.conventions import get_protocol, why_not_comparable
from fingertip_models.chat.request import make_data_uri
from fingertip_models.options import ModelOptions
from fingertip_runs.benchmark_versions import HARNESS
from fingertip_runs.device_kinds import DEVICE_KINDS, DeviceKindName, device_kind

PHONES = 4
"""Default number of simulated phones at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PhoneCall:
    """How the tasks are carried out; the fields are arguments of `execution`."""

    dataset: Path
    agent: str
    split: str
    reference: str
    view: ExecutionView
    device: str
    faults: tuple[str, ...]
    trees: str
    retries: int
    limit: int | None
    screen_description: str | None
    options: ModelOptions

    @property
    def kind(self) -> DeviceKindName:
        """Kind of the devices.

        Raises:
            UsageError: It is a person's phone, on which a run needs a safety gate that asks.
        """
        kind = device_kind([self.device])
        if DEVICE_KINDS[kind].real_phone:
            raise UsageError("a person's phone needs the safety gate of `fingertip execute`")
        return kind

    def make_agent(self, built: BuiltDataset, model: InspectModel) -> ExecutionAgent:
        """The agent, with Inspect's model where it needs one."""
        return get_execution_agent(
            self.agent,
            AgentSetup(
                opened=model,
                screen_description=cast(Any, self.screen_description),
                simulations=built.simulations() if DEVICE_KINDS[self.kind].simulated else {},
            ),
        )


@task
@raise_one_line_errors
def execution(
    dataset: str = "fingertip-20k",
    agent: str = "generalist",
    split: str = TEST_EXECUTION,
    reference: str = "same_user",
    more: str = "",
    without: str = "",
    device: str = "simulated",
    start: str = "app",
    faults: str = "",
    trees: str = "clean",
    retries: int = RETRIES,
    limit: int | None = None,
    phones: int = PHONES,
    language: str | None = None,
    max_pixels: int | None = None,
    no_system: bool = False,
    screen_description: str | None = None,
    protocol: str = "release",
) -> Task:
    """Personalized task execution: carry out an intent on a simulated phone as this person would.

    The arguments have the names and meanings of the options of `fingertip execute` and `fingertip score`.

    Args:
        dataset: A folder that `fingertip build` wrote, of simulated people for the simulated phone.
        agent: Name of an agent of track 2: generalist, ui-tars-1.5, qwen2.5-vl, ..., or auto for the format
            of the model; a wrong name lists all.
        split: Name of the split.
        reference: Kind of the reference that a task shows: same_user, other_type or none.
        more: Parts that the paper's agents do not get, as of --with: some of time,place,reference-intent,
            package.
        without: Parts that are hidden: some of profile,reference,tree,past.
        device: simulated, or recorded episodes: replay or teacher-forced.
        start: Where tasks begin, as the dataset's episodes do: app or home.
        faults: Faults of the simulated phones, separated by commas.
        trees: Kind of accessibility trees of the simulated phones, clean or rough.
        retries: How often a task is restarted after an error of the phone or the agent.
        limit: Maximum number of tasks, spread over the split.
        phones: Most phones at once.
        language: Language of the prompts, zh or en; by default the dataset's.
        max_pixels: Maximum pixels of a screenshot.
        no_system: Whether the system message is merged into the user message.
        screen_description: Screen description of the agent generalist: elements or authors.
        protocol: Scoring protocol of Sim_2, release or paper.
    """
    call = PhoneCall(
        dataset=Path(dataset).absolute(), agent=agent, split=split, reference=reference, device=device,
        view=ExecutionView(
            more=cast(Any, parse_text_list(more, "more")),
            without=cast(Any, parse_text_list(without, "without")),
        ),
        faults=parse_text_list(faults, "faults"), trees=trees, retries=retries, limit=limit,
        screen_description=screen_description,
        options=ModelOptions(
            model=str(get_model()), language=choose_language(dataset, language), max_pixels=max_pixels,
            system_role="merge" if no_system else "keep",
        ),
    )  # fmt: skip
    BuiltDataset.open(call.dataset).require_start(cast(Any, start))
    if phones < 1:
        raise UsageError(f"expected 1 or more phones, got {phones}")
    return _make_execution_task(call, phones, protocol)


def _make_execution_task(call: PhoneCall, phones: int, protocol: str) -> Task:
    built = BuiltDataset.open(call.dataset)
    plan = plan_tasks(built, split=call.split, reference=cast(Any, call.reference), limit=call.limit)
    record = _make_record(call, built, plan)
    carried_out = not DEVICE_KINDS[call.kind].recorded
    scorers: list[Scorer] = [execution_sr2()] if carried_out else []
    scored: dict[str, Any] = {"protocol": protocol, "carried_out": carried_out}
    scorers += [execution_sim2(**scored), execution_parts(**scored), execution_effort()]
    rules = get_protocol(protocol)
    metric = why_not_comparable(rules, rules.similarity, rules.spelling)
    return Task(
        dataset=MemoryDataset(_samples(plan), name=f"fingertip_20k {record.split}"),
        solver=phone_agent(call, phones),
        scorer=scorers,
        # the paper's temperature; --temperature and --max-tokens of Inspect override them
        config=GenerateConfig(temperature=call.options.temperature, max_tokens=call.options.max_tokens),
        # a task without an attempt counts as not done
        score_on_error=True,
        version=HARNESS,
        headline_metric="execution_sr2" if carried_out else "execution_sim2",
        metadata={
            "versions": record.versions.model_dump(mode="json") if record.versions else None,
            "not_comparable": list(setting_caveats(record, record.tasks, metric)),
            "run": record.model_dump(mode="json"),
        },
    )


def _make_record(call: PhoneCall, built: BuiltDataset, plan: RunPlan) -> ExecutionRun:
    agent = call.make_agent(built, InspectModel(get_model(), call.options))
    # a wrong device, fault or dataset is one line before the first task
    with open_environments(
        [call.device], built, split=call.split, faults=call.faults, trees=cast(Any, call.trees)
    ) as environments:
        return run_record(
            call.dataset, built, agent, plan, call.kind, environments=environments, retries=call.retries,
            view=call.view,
        )  # fmt: skip


def _samples(plan: RunPlan) -> list[Sample]:
    return [
        Sample(
            id=one.task_id,
            input=one.input.intent,
            target=list(one.target.golden_actions),
            metadata={
                USER: one.target.user_id,
                "app": one.target.app,
                "category": one.target.intent_category,
                TARGET: one.target.model_dump(mode="json"),
            },
        )
        for one in plan.tasks
    ]


@solver
def phone_agent(call: PhoneCall, phones: int = PHONES) -> Solver:
    """An agent of ours that carries a task out on a phone.

    Args:
        call: How tasks are carried out.
        phones: Most phones at once.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        model = InspectModel(get_model(), call.options)
        async with concurrency("phones of fingertip_20k", phones):
            try:
                attempt, screens = await anyio.to_thread.run_sync(
                    carry_out, call, model, str(state.sample_id), abandon_on_cancel=True
                )
            except anyio.get_cancelled_exc_class():
                # the thread ends with its next query
                model.stop()
                raise
            except StopAttempt as stopped:
                raise stopped.__cause__ or stopped from None
        state.metadata[ATTEMPT] = attempt_dict(attempt)
        state.messages += trajectory(attempt, screens)
        state.output = ModelOutput.from_content(model.name, attempt.end.outcome)
        state.completed = True
        return state

    return solve


def carry_out(call: PhoneCall, model: InspectModel, task_id: str) -> tuple[Attempt, dict[str, bytes]]:
    """Run one task as `fingertip execute` does, in a worker thread.

    Returns:
        The final attempt, and the screens that it names: file -> picture.
    """
    built = BuiltDataset.open(call.dataset)
    with (
        tempfile.TemporaryDirectory(prefix="fingertip-inspect-") as folder,
        open_environments(
            [call.device], built, split=call.split, faults=call.faults, trees=cast(Any, call.trees)
        ) as environments,
    ):
        run = Path(folder) / "run"
        run_execution(
            call.dataset,
            call.make_agent(built, model),
            environments,
            run,
            split=call.split,
            reference=cast(Any, call.reference),
            view=call.view,
            task_ids=[task_id],
            retries=call.retries,
            # the score of a sample says that its answers could not be read
            keep_going=True,
        )
        (attempt,) = read_attempts(run)
        names = {attempt.end.final_screenshot, *(step.screenshot for step in attempt.steps)}
        return attempt, {name: (run / name).read_bytes() for name in names if name}


def trajectory(attempt: Attempt, screens: dict[str, bytes]) -> Sequence[ChatMessage]:
    """An attempt as messages: each screen with what the agent wrote and did, and the last screen."""
    messages: list[ChatMessage] = []
    for step in attempt.steps:
        messages.append(
            _make_screen(f"Screen {step.step}: {step.package}", screens.get(step.screenshot or ""))
        )
        notes = [step.thought, step.output if step.output != step.action else "", f"Action: {step.action}"]
        notes.append(f"Not parsed: {step.problem}" if step.problem else "")
        notes += [f"Read with a note: {note}" for note in step.notes]
        notes.append("" if step.performed else f"Not performed: {step.reason}")
        messages.append(ChatMessageAssistant(content="\n\n".join(filter(None, notes))))
    end = attempt.end
    done = {True: "the goal's rule holds", False: "the goal's rule does not hold", None: "not known"}
    words = f"End: {end.outcome}{f' ({end.reason})' if end.reason else ''}; {done[end.success]}"
    return [*messages, _make_screen(words, screens.get(end.final_screenshot or ""))]


def _make_screen(text: str, picture: bytes | None) -> ChatMessage:
    content: list[Content] = [ContentText(text=text)]
    if picture is not None:
        content.append(ContentImage(image=make_data_uri(picture)))
    return ChatMessageUser(content=content)
