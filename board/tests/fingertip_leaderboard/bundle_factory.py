"""Honest runs of both tracks, each made once, and the parts of their bundles for tests to forge."""

from __future__ import annotations

import copy
import io
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import pytest
from PIL import Image

from board.tests.fingertip_leaderboard.attached_runs import run_attached_agent
from board.tests.fingertip_leaderboard.parts import Parts
from execution_runner.devices.in_process_device import begin_in_process
from execution_runner.environments.open_environments import open_environments
from execution_runner.environments.phone_session import PhoneSession
from execution_runner.execution_records import STEPS, EndRecord, ExecutionRun, StateRecord, StepRecord
from execution_runner.execution_run import run_execution
from execution_runner.run_plan import plan_tasks
from fingertip_agents.execution_agent import ExecutionAgent, ScreenInput
from fingertip_agents.formats.ui_tars import UITars15
from fingertip_agents.parsing.arguments import quote_text
from fingertip_agents.registry import get_agent, get_execution_agent
from fingertip_agents.suggestion.intent_answer import read_intent
from fingertip_agents.suggestion.suggestion_agent import Suggestion
from fingertip_agents.suggestion.suggestion_prompt import VERSION
from fingertip_dataset.actions import Click, Wait, format_action, parse_action
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.tasks.task import ExecutionTask, SuggestionInput
from fingertip_dataset.times import BEIJING
from fingertip_leaderboard import AgentCard, make_bundle
from fingertip_metrics.embedders import Embedder, get_embedder
from fingertip_metrics.judges import LexicalJudge, SimulatedJudge, Verdict
from fingertip_metrics.judges.prompt import derive_code, hash_prompt
from fingertip_metrics.judges.verdicts import IntentPair
from fingertip_models.options import ModelOptions
from fingertip_runs.benchmark_versions import BenchmarkVersions
from fingertip_runs.run_folder import write_json
from fingertip_runs.run_record import AgentRecord, DatasetRecord, Session
from fingertip_runs.targets import write_targets
from simulated_phone import Phone
from simulated_phone.people.simulation import Simulation
from suggestion_runner.suggestion_run import run_suggestions
from tests.shared_datasets import built_sample, shared_folder, simulated_people

SIZE = (540, 1200)
"""Width and height of the screens of drawn runs, px."""

MODEL_CARD = AgentCard(
    name="小明的助手 7B", description="读历史，\n再猜。", weights="open", model="Tiny-7B", size="7B",
    links=("https://example.org/paper",), contact="somebody@example.org",
)  # fmt: skip
BASELINE_CARD = AgentCard(name="Baseline", weights="none", contact="https://example.org/contact")


@dataclass(frozen=True, slots=True, kw_only=True)
class Teller:
    """A third-party agent of track 1 that answers with `say` for each task, like a model."""

    name: str
    say: Callable[[SuggestionInput], Suggestion]
    settings: Mapping[str, object] = field(default_factory=lambda: {"model": "tiny", "temperature": 0.0})

    def suggest(self, task_input: SuggestionInput) -> Suggestion:
        return self.say(task_input)


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeakingJudge:
    """A judge that answers in our prompt's format: "same" if both intents have the same beginning."""

    name: str = "tiny (prompt zh-1)"
    why_not_comparable: str = "judge tiny: the paper's is DeepSeek-V3"
    remark: str = "the judge's prompt is ours"

    @property
    def settings(self) -> dict[str, object]:
        return {"kind": "model", "prompt": {"version": 1, "language": "zh", "sha256": hash_prompt("zh")}}

    def judge(self, pairs: Sequence[IntentPair]) -> tuple[Verdict, ...]:
        return tuple(self._one(*pair) for pair in pairs)

    def _one(self, predicted: str, intended: str) -> Verdict:
        same = predicted[:4] == intended[:4]
        shown_text = {"code": derive_code(predicted, intended), "reason": "看开头", "same": same}
        state = "same" if same else "different"
        return Verdict(
            state=state, reason="看开头", output=json.dumps(shown_text, ensure_ascii=False), votes=(state,)
        )  # type: ignore[arg-type]


def worded(shown_text: SuggestionInput, *, shift: int = 0) -> str:
    """An intent that depends on the task and is not a copy of its target."""
    number = sum(map(ord, shown_text.task_id)) + shift
    return f"打开第{number}个应用，做第{number * 7 % 1000}件事"


def answered(shown_text: SuggestionInput) -> Suggestion:
    text = worded(shown_text)
    return Suggestion(
        text=text, seconds=0.25 + sum(map(ord, shown_text.task_id)) / 1000, output=f'{{"intent": "{text}"}}',
        reasoning="因为习惯。", prompt_tokens=700, completion_tokens=30,
    )  # fmt: skip


def by_hand(shown_text: SuggestionInput) -> Suggestion:
    text = worded(shown_text, shift=2)
    return Suggestion(
        text=text,
        seconds=9.5 + sum(map(ord, shown_text.task_id)) / 1000,
        calls=0,
        prompt_tokens=0,
        completion_tokens=0,
    )


def read_again(shown_text: SuggestionInput) -> Suggestion:
    """Answers in the requested format, wrapped, truncated, or empty."""
    text = worded(shown_text, shift=1)
    kind = sum(map(ord, shown_text.task_id)) % 5
    output = (text, f'```json\n{{"intent": "{text}"}}\n```', "……", "抱歉，我无法预测。", text)[kind]
    reply, cut = read_intent(output), kind == 4
    return Suggestion(
        text=reply.intent,
        seconds=0.5,
        output=output,
        outcome="cut" if cut else reply.outcome,
        finish_reason="length" if cut else "stop",
        first_token_s=0.1,
        prompt_tokens=None,
        completion_tokens=None,
    )


class Workshop:
    """Datasets, runs and bundles, each made on first use and shared by the workers of this pytest run.

    They are read-only: a test that changes one copies it first.
    """

    def __init__(self, factory: pytest.TempPathFactory) -> None:
        self._factory = factory
        self._parts: dict[str, Parts] = {}

    @cached_property
    def embedder(self) -> Embedder:
        return get_embedder("lexical")

    @cached_property
    def sample(self) -> Path:
        return built_sample(self._factory)

    @cached_property
    def simulated(self) -> Path:
        return simulated_people(self._factory) / "dataset"

    def dataset_of(self, seed: str) -> Path:
        return self.simulated if seed.startswith("person") else self.sample

    def parts(self, seed: str) -> Parts:
        """The parts of an honest run's bundle; each call returns a new copy."""
        if seed not in self._parts:
            folder = shared_folder(self._factory, f"bundle-{seed}", lambda out: self._bundle(seed, out))
            self._parts[seed] = Parts.read(folder / seed)
        return copy.deepcopy(self._parts[seed])

    def run(self, seed: str) -> Path:
        """The folder of an honest run."""
        return shared_folder(self._factory, f"run-{seed}", lambda out: SEEDS[seed](self, out / seed)) / seed

    def _bundle(self, seed: str, out: Path) -> Path:
        run = self.run(seed)
        if (run / STEPS).exists():
            return make_bundle(run, out, MODEL_CARD, trajectories=seed == "replayed screens")
        card = (
            BASELINE_CARD
            if seed in ("habit", "recent", "frequent", "nearest", "person's habit")
            else MODEL_CARD
        )
        judge: Any = {"judged": SpeakingJudge(), "model": LexicalJudge()}.get(seed)
        if seed == "person's habit":
            judge = SimulatedJudge.of_dataset(BuiltDataset.open(self.simulated))
        return make_bundle(run, out, card, embedder=("lexical", self.embedder), judge=judge)

    def suggest(self, run: Path, agent: Any, **options: Any) -> None:  # noqa: ANN401 - agents of any kind
        run_suggestions(self.sample, agent, run, **options)

    def execute(self, run: Path, device: str, agent: ExecutionAgent) -> None:
        built = BuiltDataset.open(self.sample)
        with open_environments((device,), built, split="test_execution", faults=()) as environments:
            run_execution(self.sample, agent, environments, run)

    def draw(self, run: Path, data: Path, device: str, agent: AgentRecord, drawn: Drawn) -> None:
        """Write a run as `run_execution` would, for a phone that tests do not have."""
        built = BuiltDataset.open(data)
        plan = plan_tasks(built)
        run.mkdir(parents=True)
        ids = tuple(planned.task_id for planned in plan.tasks)
        record = ExecutionRun(
            agent=agent, dataset=DatasetRecord.of(built, data), split=plan.split, tasks=len(ids),
            task_ids=ids, device=device, reference="same_user", reference_method="text", history="online",
            step_limit_factor=2.5, safety="0" * 64, dry_run=False, prices=None, sessions=(Session.now(),),
            versions=BenchmarkVersions.of(built, on_phone=device == "simulated"), start=built.start(),
        )  # fmt: skip
        write_json(run / "run.json", record.model_dump(mode="json"))
        lines = [
            line.model_dump_json() for planned in plan.tasks for line in _attempt(planned, drawn(planned))
        ]
        (run / STEPS).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        write_targets(run, [planned.target for planned in plan.tasks])


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnAttempt:
    """A drawn attempt: fields of its steps, its outcome, its success by rule, and what it left behind."""

    steps: Sequence[Mapping[str, Any]]
    outcome: str = "terminated"
    success: bool | None = None
    state: StateRecord | None = None


Drawn = Callable[[ExecutionTask], DrawnAttempt]


def golden(planned: ExecutionTask, **fields: Any) -> DrawnAttempt:  # noqa: ANN401 - fields of every type
    """An attempt with the person's own actions."""
    return DrawnAttempt(steps=[{"action": action} for action in planned.target.golden_actions], **fields)


def _attempt(planned: ExecutionTask, way: DrawnAttempt) -> list[StepRecord | EndRecord]:
    now = datetime.now(BEIJING)
    shown_text = planned.input
    lines: list[StepRecord | EndRecord] = []
    for place, fields in enumerate(way.steps, start=1):
        blank = {
            "task_id": planned.task_id, "attempt": 1, "step": place, "problem": None, "thought": "",
            "screenshot": None, "tree": None, "size": SIZE, "package": "x", "seen_problems": (),
            "verdict": "allow", "reason": "", "performed": True, "agent_s": 0.5 + len(lines) / 7,
            "device_s": 1.0, "prompt_tokens": 0, "completion_tokens": 0, "queries": 0,
            "at": (now + timedelta(seconds=place)).isoformat(timespec="milliseconds"),
            "written": fields["action"], "output": fields["action"],
        }  # fmt: skip
        lines.append(StepRecord.model_validate(blank | dict(fields)))
    end = {
        "task_id": planned.task_id, "attempt": 1, "device": "R58M123", "outcome": way.outcome, "reason": "",
        "final": True, "steps": len(lines), "success": way.success,
        "success_by": None if way.success is None else "rule", "state": way.state, "final_screenshot": None,
        "reference_id": shown_text.reference.episode_id if shown_text.reference else None,
        "at": (now + timedelta(seconds=60)).isoformat(timespec="milliseconds"),
    }  # fmt: skip
    return [*lines, EndRecord.model_validate(end)]


def by_points(planned: ExecutionTask) -> DrawnAttempt:
    """The person's actions as UI-TARS outputs, parsed by its format; one output cannot be parsed.

    The first touch of an element with a name is the icon of an app that the agent opens.
    """
    form, steps, opens = UITars15(), [], True
    blank = io.BytesIO()
    Image.new("RGB", SIZE).save(blank, "png")
    screen = ScreenInput(screenshot=blank.getvalue(), tree=None, size=SIZE, package="")
    prepared = form.prepare(planned.input, screen, (), "zh")
    for golden_action in planned.target.golden_actions:
        golden = parse_action(golden_action)
        own = form.write(golden, frame=form._frame(screen.size))
        icon = isinstance(golden, Click) and golden.content and steps and opens
        own, opens = (f"open_app(app_name={quote_text(golden.content)})", False) if icon else (own, opens)
        output = f"Thought: 继续。\nAction: {own}" if steps or own is None else "我不知道"
        reading = prepared.read(output)
        action = golden_action if icon else format_action(reading.actions[0] if reading.actions else Wait())
        written = action if reading.actions else output
        steps.append(
            {
                "action": action, "written": written, "output": output, "problem": reading.problem,
                "thought": reading.thought, "queries": 1, "agent_s": 1.5 + len(steps) / 9,
                "prompt_tokens": 3000, "completion_tokens": 40,
            }
        )  # fmt: skip
    return DrawnAttempt(steps=steps)


def _label(run: Path, **fields: Any) -> None:  # noqa: ANN401 - fields of every type
    now = datetime.now(BEIJING).isoformat(timespec="seconds")
    ends = [json.loads(line) for line in (run / STEPS).read_text(encoding="utf-8").splitlines()]
    labels = [
        {"task_id": end["task_id"], "attempt": 1, "kind": "person", "success": "yes", "at": now, **fields}
        for end in ends
        if end["kind"] == "end"
    ]
    with (run / "labels.jsonl").open("a", encoding="utf-8") as file:
        file.writelines(json.dumps(label, ensure_ascii=False) + "\n" for label in labels)


def _phone(shop: Workshop, run: Path) -> None:
    shop.draw(run, shop.sample, "adb", AgentRecord.of("mine", {"model": "tiny"}), golden)
    _label(run, rater="李雷", why="做完了", rating=5)
    _label(run, rater="Zoë", success="unsure")
    _label(run, rater="王芳")


def _trouble(shop: Workshop, run: Path) -> None:
    """A run with device errors, a truncated attempt, and one blocked by the safety gate."""
    ids = [planned.task_id for planned in plan_tasks(BuiltDataset.open(shop.sample)).tasks]

    def drawn(planned: ExecutionTask) -> DrawnAttempt:
        number = ids.index(planned.task_id)
        if number == 0:
            return DrawnAttempt(steps=[], outcome="device_error")
        if number == 1:
            most = int(planned.target.step_limit) + 1
            return DrawnAttempt(steps=[{"action": "wait()"}] * most, outcome="truncated")
        denied = {"action": "press_home()", "verdict": "deny", "performed": False}
        return DrawnAttempt(steps=[{"action": "press_back()"}, denied], outcome="blocked")

    shop.draw(run, shop.sample, "adb", AgentRecord.of("mine", {}), drawn)


def _points(shop: Workshop, run: Path) -> None:
    options = ModelOptions(base_url="http://localhost:8000/v1", model="tiny").settings()
    form = UITars15()
    settings = {"format": form.name, "prompt": form.version, **options, **form.settings}
    shop.draw(run, shop.sample, "adb", AgentRecord.of(form.name, settings), by_points)
    _label(run, rater="GPT judge v1", kind="judge", success="no")


def carried_out(
    simulations: Mapping[str, Any], planned: ExecutionTask, actions: Sequence[str]
) -> DrawnAttempt:
    """An attempt with these actions, carried out on the task's simulated phone."""
    simulation = Simulation.from_json(simulations[planned.task_id])
    phone = Phone(size=simulation.size)
    session = begin_in_process(simulation, phone)
    steps = [
        {
            "action": action,
            "size": phone.size,
            "state_sha256": session.step(parse_action(action)).state_sha256,
        }
        for action in actions
    ]
    rule = session.evaluate()
    return DrawnAttempt(steps=steps, success=rule.success, state=rule.state)


def _person(shop: Workshop, run: Path) -> None:
    simulations = BuiltDataset.open(shop.simulated).simulations()
    shop.draw(
        run,
        shop.simulated,
        "simulated",
        AgentRecord.of("mine", {}),
        lambda one: carried_out(simulations, one, one.target.golden_actions),
    )


class InProcessEnvironment:
    """An `Environment` of simulated phones of this process: the states of those over adb, without pixels."""

    kind: Literal["simulated"] = "simulated"
    name = "simulated"
    faults: tuple[str, ...] = ()

    def __init__(self, simulations: Mapping[str, Any]) -> None:
        self._simulations = simulations

    def begin(self, task: ExecutionTask) -> PhoneSession:
        simulation = Simulation.from_json(self._simulations[task.task_id])
        size = simulation.size
        return begin_in_process(simulation, Phone(size=size))

    def restart(self) -> None:
        """There is no connection."""

    def close(self) -> None:
        """There is no connection."""


def _person_imitated(shop: Workshop, run: Path) -> None:
    environment = InProcessEnvironment(BuiltDataset.open(shop.simulated).simulations())
    run_execution(shop.simulated, get_execution_agent("imitate"), [environment], run)


SEEDS: dict[str, Callable[[Workshop, Path], None]] = {
    "habit": lambda shop, run: shop.suggest(run, get_agent("habit")),
    "recent": lambda shop, run: shop.suggest(run, get_agent("recent")),
    "frequent": lambda shop, run: shop.suggest(run, get_agent("frequent"), history="all"),
    "nearest": lambda shop, run: shop.suggest(run, get_agent("nearest"), without=("time",)),
    "no history": lambda shop, run: shop.suggest(run, Teller(name="blind", say=answered), history="none"),
    "model": lambda shop, run: shop.suggest(run, Teller(name="my agent", say=answered), screenshots=2),
    "judged": lambda shop, run: shop.suggest(run, Teller(name="my agent", say=answered)),
    "ours": lambda shop, run: shop.suggest(
        run, Teller(name="model", say=read_again, settings={"model": "tiny", "prompt": VERSION})
    ),
    "batch": lambda shop, run: shop.suggest(
        run, Teller(name="batch", say=lambda shown_text: replace(answered(shown_text), seconds=0.0))
    ),
    "people": lambda shop, run: shop.suggest(run, Teller(name="human", say=by_hand), sample=5),
    "silent": lambda shop, run: shop.suggest(
        run, Teller(name="silent", say=lambda shown_text: Suggestion(text="", seconds=0.0, calls=0))
    ),
    "replayed": lambda shop, run: shop.execute(run, "replay", get_execution_agent("imitate")),
    "replayed screens": lambda shop, run: shop.execute(run, "replay", get_execution_agent("imitate")),
    "forced": lambda shop, run: shop.execute(run, "teacher-forced", get_execution_agent("imitate")),
    "phone": _phone,
    "trouble": _trouble,
    "points": _points,
    "person's habit": lambda shop, run: run_suggestions(shop.simulated, get_agent("habit"), run),
    "person": _person,
    "person imitated": _person_imitated,
    "person attached": lambda shop, run: run_attached_agent(shop.simulated, run),
}
"""Name -> function that makes an honest run of that kind; of a "person" on the simulated dataset."""
