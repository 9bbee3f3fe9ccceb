"""Validating the reasons of failed attempts: agents with one known fault each, on real simulated phones.

Each agent carries out the person's recorded actions up to a step drawn for the task and makes its fault from
there on. The runner of `fingertip execute` makes their runs, on phones of this process without pictures, and
they are explained as by `fingertip score --why`. An attempt that succeeds in spite of the fault is left out.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import Any, Literal

from execution_runner.devices.in_process_device import begin_in_process
from execution_runner.environments.phone_session import PhoneSession
from execution_runner.environments.simulated import simulation_of
from execution_runner.execution_run import run_execution
from execution_runner.scoring.run_scores import score_run
from fingertip_agents.execution_agent import Decision, PastStep, ScreenInput
from fingertip_analysis.why.reasons import REASONS, ReasonName
from fingertip_analysis.why.screen_targets import ScreenTarget, tree_targets, tree_touched
from fingertip_analysis.why.why_scores import WhyScores, explain_run
from fingertip_dataset import BuiltDataset, build
from fingertip_dataset.actions import (
    Action,
    Click,
    Finished,
    LongClick,
    PressHome,
    Scroll,
    Wait,
    format_action,
    parse_action,
)
from fingertip_dataset.errors import ModelError
from fingertip_dataset.split_names import TRAIN
from fingertip_dataset.tasks.task import ExecutionInput, ExecutionTask
from fingertip_metrics.action_matching import readable_tree
from fingertip_recorder.simulated_life import SampleOrder, write_sample
from simulated_phone import Phone
from simulated_phone.people.simulation import Simulation

BESIDE, OF_WIDTH = 60, 1080
"""A miss goes this many px beside the element's edge on a screen of this width, px."""

SIZE = (360, 800)


class FaultyAgent:
    """Carries out recorded actions, and one fault from some step on. It has no state.

    Args:
        name: Key of `FAULTS`.
        golden: Task id -> the person's actions.
        apps: Task id -> the task's app, which an agent is not shown, but a planted fault has to avoid.
        seed: Seed of the steps at which the fault begins.
    """

    def __init__(
        self,
        name: str,
        golden: Mapping[str, Sequence[str]],
        apps: Mapping[str, str],
        *,
        seed: int = 0,
    ) -> None:
        self.name = name
        self.settings: Mapping[str, object] = {"fault": name, "seed": seed}
        self._fault = FAULTS[name][1]
        self._golden = golden
        self._seed = seed
        self._apps = apps
        self._labels = {package: app.label for package, app in Phone(size=SIZE).apps.items()}

    def act(self, task_input: ExecutionInput, screen: ScreenInput, past: Sequence[PastStep]) -> Decision:
        """The recorded action, or the fault."""
        golden = [parse_action(text) for text in self._golden[task_input.task_id]]
        rng = random.Random(f"{self._seed} {self.name} {task_input.task_id}")  # noqa: S311
        moment = FaultMoment(
            golden=golden,
            screen=screen,
            step=len(past),
            rng=rng,
            labels=self._labels.values(),
            own=self._labels[self._apps[task_input.task_id].partition("/")[0]],
        )
        decided = self._fault(moment)
        if isinstance(decided, Decision):
            return decided
        return Decision(output=format_action(decided), actions=(decided,))


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultMoment:
    """The screen on which an agent with a fault decides.

    Attributes:
        golden: The person's actions, `finished()` included.
        screen: The screen.
        step: Number of the steps before, from 0.
        rng: Draws, the same for all steps of a task.
        labels: Labels of the installed apps.
        own: Label of the task's app.
    """

    golden: Sequence[Action]
    screen: ScreenInput
    step: int
    rng: random.Random
    labels: Collection[str]
    own: str

    @property
    def recorded(self) -> Action:
        """The person's action at this step."""
        return self.golden[min(self.step, len(self.golden) - 1)]

    def begin(self, last: int) -> int:
        """The drawn step, from 0 to `last`, at which the fault begins."""
        return self.rng.randint(0, max(0, last))

    def targets(self) -> tuple[ScreenTarget, ...]:
        """Elements of the screen that react."""
        return tree_targets(readable_tree(self.screen.tree, self.screen.size))

    def touched(self, action: Click | LongClick) -> ScreenTarget | None:
        """The element that a tap meets."""
        return tree_touched(readable_tree(self.screen.tree, self.screen.size), action.x, action.y)


Fault = Callable[[FaultMoment], Action | Decision]


def beside(moment: FaultMoment, *, label: bool) -> Action:
    """From a drawn tap on, miss its element, to a side that is drawn each time, again and again."""
    taps = [place for place, action in enumerate(moment.golden) if isinstance(action, Click)]
    first = moment.rng.choice(taps) if taps else 0
    action = moment.golden[min(moment.step, first, len(moment.golden) - 1)]
    if moment.step < first or not isinstance(action, Click):
        return action
    width, height = moment.screen.size
    gap, element = ceil(BESIDE * width / OF_WIDTH), moment.touched(action)
    # without a reacting element at the recorded point, the distance is from that point
    left, top, right, bottom = element.box if element else (action.x, action.y, action.x, action.y)
    sides = [(left - gap, action.y), (right + gap, action.y), (action.x, top - gap), (action.x, bottom + gap)]
    inside = [(x, y) for x, y in sides if 0 <= x < width and 0 <= y < height]
    x, y = inside[(moment.rng.randrange(len(inside)) + moment.step) % len(inside)]
    return Click(x=x, y=y, content=action.content if label else None)


def again(moment: FaultMoment) -> Action:
    """From a drawn step on: the content is scrolled to its top, which it has reached, until the limit."""
    width, height = moment.screen.size
    if moment.step < moment.begin(len(moment.golden) - 2):
        return moment.recorded
    return Scroll(x=width // 2, y=height // 2, direction="up")


def back_and_forth(moment: FaultMoment) -> Action:
    """After a drawn tap: it goes back and taps again, until the limit."""
    taps = [
        place
        for place, (action, following) in enumerate(zip(moment.golden, moment.golden[1:], strict=False))
        if isinstance(action, Click) and isinstance(following, Click)
    ]
    first = moment.rng.choice(taps) if taps else 0
    if moment.step <= first or not taps:
        return moment.recorded
    odd = (moment.step - first) % 2
    return parse_action("press_back()") if odd else moment.golden[first]


def early(moment: FaultMoment) -> Action:
    """At a drawn step before the last but one: finished."""
    return moment.recorded if moment.step < moment.begin(len(moment.golden) - 3) else Finished()


def other_app(moment: FaultMoment) -> Action:
    """At the start: home, and another app's icon is opened; finished after two waits there."""
    if moment.step != 1:
        return PressHome() if moment.step == 0 else Wait() if moment.step < 4 else Finished()
    labels = frozenset(moment.labels)
    icons = [one for one in moment.targets() if one.labels & labels and moment.own not in one.labels]
    return _find_centre(moment.rng.choice(icons)) if icons else Wait()


def other_element(moment: FaultMoment) -> Action:
    """At a drawn tap of the second half: the centre of another element; finished after two waits."""
    half = len(moment.golden) // 2
    taps = [
        place for place, action in enumerate(moment.golden) if isinstance(action, Click) and place >= half
    ]
    drawn = moment.rng.choice(taps) if taps else 0
    action = moment.recorded
    if taps and moment.step > drawn:
        return Wait() if moment.step < drawn + 3 else Finished()
    if moment.step != drawn or not isinstance(action, Click):
        return action
    own = moment.touched(action)
    others = [
        one
        for one in moment.targets()
        if one != own and one.labels and moment.touched(_find_centre(one)) == one
    ]
    return _find_centre(moment.rng.choice(others)) if others else Wait()


def cut(moment: FaultMoment) -> Action | Decision:
    """From a drawn step on: an answer that is cut within its reasoning."""
    if moment.step < moment.begin(len(moment.golden) - 2):
        return moment.recorded
    return Decision(
        output="<think> The icon is on the", actions=(), problem="expected an action, got a cut answer"
    )


def wrong_answer(moment: FaultMoment) -> Action:
    """The person's actions with another answer."""
    action = moment.recorded
    if isinstance(action, Finished) and action.content is not None:
        return Finished(content="9999999")
    return action


def slow(moment: FaultMoment) -> Action:
    """Two waits before each of the person's actions."""
    return Wait() if moment.step % 3 < 2 else moment.golden[min(moment.step // 3, len(moment.golden) - 1)]


def silent(moment: FaultMoment) -> Action:
    """From a drawn step on: the model does not answer."""
    if moment.step < moment.begin(len(moment.golden) - 2):
        return moment.recorded
    raise ModelError("the model does not answer")


def _find_centre(element: ScreenTarget) -> Click:
    left, top, right, bottom = element.box
    return Click(x=(left + right) // 2, y=(top + bottom) // 2)


FAULTS: Mapping[str, tuple[ReasonName, Fault]] = {
    "60 px beside, with its label": ("grounding_miss", lambda moment: beside(moment, label=True)),
    "60 px beside, without a label": ("grounding_miss", lambda moment: beside(moment, label=False)),
    "scrolls at the top for ever": ("loop", again),
    "back and forth": ("loop", back_and_forth),
    "finishes early": ("early_finish", early),
    "opens another app": ("wrong_app", other_app),
    "taps another element": ("off_way", other_element),
    "cut answers": ("unreadable_answer", cut),
    "answers wrongly": ("wrong_answer", wrong_answer),
    "waits twice before each step": ("over_limit", slow),
    "model without an answer": ("agent_error", silent),
}
"""Name of an agent -> the primary reason that its failures have, and its fault."""


class InProcessEnvironment:
    """An `Environment` of simulated phones of this process, without pictures.

    Args:
        simulations: Task id -> setup of its phone.
    """

    kind: Literal["simulated"] = "simulated"
    name = "simulated-1"
    faults: tuple[str, ...] = ()

    def __init__(self, simulations: Mapping[str, Mapping[str, Any]]) -> None:
        self._simulations = simulations

    def begin(self, task: ExecutionTask) -> PhoneSession:
        """A phone that is set up for a task."""
        simulation: Simulation = simulation_of(self._simulations, task.input.task_id)
        phone = Phone(size=simulation.size)
        return begin_in_process(simulation, phone)

    def restart(self) -> None:
        """Does nothing: each task has a phone of its own."""

    def close(self) -> None:
        """Does nothing: each task has a phone of its own."""


def make_people(folder: Path, *, users: int, episodes: int, seed: int) -> Path:
    """A dataset of simulated people in a folder; returns the dataset's."""
    sample, dataset = folder / "sample", folder / "dataset"
    write_sample(SampleOrder(out=sample, users=users, episodes=episodes, seed=seed, size=SIZE))
    build(sample / "raw", dataset, tables=sample / "tables", workers=1)
    return dataset


def explain_runs(
    dataset: Path, out: Path, *, split: str = TRAIN, tasks: int | None = None, names: Sequence[str] = ()
) -> Iterator[tuple[str, WhyScores]]:
    """Runs each agent with a fault, and explains its run.

    Args:
        dataset: Dataset of simulated people.
        out: Folder of the runs.
        split: Split of the tasks.
        tasks: Maximum number of tasks of each agent; None for all.
        names: Keys of `FAULTS`; empty for all.
    """
    built = BuiltDataset.open(dataset)
    rows = list(built.rows(split, columns=("episode_id", "app", "actions")))
    golden = {row["episode_id"]: [step["raw"] for step in row["actions"]] for row in rows}
    apps = {row["episode_id"]: row["app"] for row in rows}
    questions = [name for name, texts in golden.items() if "content=" in texts[-1]]
    environment = InProcessEnvironment(built.simulations())
    for number, name in enumerate(names or FAULTS):
        only = questions if name == "answers wrongly" else None
        if only is not None and not only:
            continue
        run = out / f"run-{number}"
        agent = FaultyAgent(name, golden, apps)
        run_execution(dataset, agent, [environment], run, split=split, limit=tasks, task_ids=only, retries=0)
        yield name, explain_run(score_run(run))


def table(found: Mapping[str, WhyScores]) -> Iterator[str]:
    """Lines of a Markdown table: per agent its recall, then per reason precision and recall."""
    yield "| agent with a known fault | reason | attempts | named right | others |"
    yield "|---|---|---|---|---|"
    pairs: Counter[tuple[ReasonName, ReasonName]] = Counter()
    for name, why in found.items():
        true = FAULTS[name][0]
        primary = Counter(attempt.primary for attempt in why.attempts)
        pairs.update({(true, given): count for given, count in primary.items()})
        others = ", ".join(f"{one} {count}" for one, count in primary.most_common() if one != true)
        share = primary[true] / len(why.attempts) if why.attempts else 0.0
        yield f"| {name} | {true} | {len(why.attempts)} | {primary[true]} ({share:.0%}) | {others or '-'} |"
    yield ""
    yield "| primary reason | precision | recall | attempts |"
    yield "|---|---|---|---|"
    for reason in REASONS:
        true_count = sum(count for (true, _), count in pairs.items() if true == reason)
        given_count = sum(count for (_, given), count in pairs.items() if given == reason)
        if true_count:
            right = pairs[reason, reason]
            precision = f"{right / given_count:.2f}" if given_count else "-"
            yield f"| {reason} | {precision} | {right / true_count:.2f} | {true_count} |"


def main() -> None:
    """Prints both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--users", type=int, default=20)
    parser.add_argument("--episodes", type=int, default=10)
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--tasks", type=int, default=60, help="Most tasks of each agent.")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        dataset = make_people(Path(folder), users=options.users, episodes=options.episodes, seed=options.seed)
        found = dict(explain_runs(dataset, Path(folder), tasks=options.tasks))
    for line in table(found):
        print(line)


if __name__ == "__main__":
    main()
