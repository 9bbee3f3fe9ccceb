"""The effect of flawed demonstrations on the scores of agents, on simulated people.

`python -m fingertip_studies.quality.quality_effect [--users N] [--episodes N] [--tasks N] [--seed N]`
simulates people, measures every episode with `fingertip quality`, and lets `imitate` carry out each
person's last tasks on phones in this process, each time with another reference of the same person:

1. from the noisiest and from the cleanest third of all episodes, by score; ties are in random order; 2. a
flawed reference, and the same one without its undone steps, corrected typing and advertisements.

Tasks are also compared by the quality of the person's own recording, which is what Sim_2 and SR_2 compare
with, and the recording itself is replayed. For track 1, `habit` predicts each task from the latest 20
intents, and from the latest 20 whose episodes are not of the noisiest third. Differences are paired by
task, with intervals over people.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from rapidfuzz import fuzz

from fingertip_agents import HabitBaseline
from fingertip_agents.imitate import Imitate
from fingertip_dataset import BuiltDataset, SuggestionInput, UserProfile, build
from fingertip_dataset.actions import Type, format_action, parse_action
from fingertip_dataset.episodes import Intent
from fingertip_dataset.tasks.task import ExecutionTask, ReferenceSequence, execution_task
from fingertip_metrics import Interval, bootstrap_mean, sim2
from fingertip_recorder import SampleOrder, write_sample
from fingertip_studies.quality.episode_flaws import Flaw
from fingertip_studies.quality.flaw_kinds import FlawKind
from fingertip_studies.quality.measure_dataset import EpisodeQuality, measure_dataset
from fingertip_studies.sim2_validation import COLUMNS, attempt
from simulated_phone import Phone
from simulated_phone.people.simulation import Simulation

SEED = 20261123
HISTORY = 20

CLEANED = (FlawKind.UNDONE_ACTION, FlawKind.TYPING_CORRECTED, FlawKind.ADVERTISEMENT)
"""Kinds that can be taken out of a reference."""

USUAL, NOISY, CLEAN = "usual reference", "of the noisiest third", "of the cleanest third"
FLAWED, MENDED, OWN = "flawed reference", "the same, cleaned", "own recording (replay)"


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectTask:
    """A task with its references, by name of the condition; a missing condition is not attempted."""

    task: ExecutionTask
    simulation: Mapping[str, object]
    references: Mapping[str, ReferenceSequence]


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectScore:
    """Scores of an attempt: Sim_2, None if undefined, and whether the goal was reached."""

    sim2: float | None
    success: bool


Scores = dict[tuple[str, str], EffectScore]
"""(task id, condition) -> scores."""


def thirds(episodes: Sequence[EpisodeQuality], seed: int) -> tuple[frozenset[str], frozenset[str]]:
    """Ids of the noisiest and of the cleanest third, by score; ties in random order."""
    rng = random.Random(seed)  # noqa: S311 - an order, no secret
    order = sorted(episodes, key=lambda one: (one.score if one.score is not None else 1.0, rng.random()))
    names, count = [one.episode_id for one in order], len(order) // 3
    return frozenset(names[:count]), frozenset(names[len(names) - count :])


def clean_actions(raws: Sequence[str], flaws: Sequence[Flaw]) -> tuple[str, ...]:
    """The actions without what their flaws of `CLEANED` cover; text typed in two parts is put together.

    Args:
        raws: Action strings.
        flaws: Flaws of the episode.
    """
    kept: dict[int, str] = dict(enumerate(raws))
    for flaw in flaws:
        if flaw.kind not in CLEANED or flaw.step is None:
            continue
        last = flaw.step + flaw.length - 1
        if flaw.kind is FlawKind.TYPING_CORRECTED:
            first, second = parse_action(raws[flaw.step - 1]), parse_action(raws[last])
            if not isinstance(first, Type) or not isinstance(second, Type) or "deleted" not in flaw.detail:
                continue
            text = first.text[: len(first.text) - (flaw.length - 1)] + second.text
            kept[flaw.step - 1] = format_action(Type(text=text))
        for step in range(flaw.step, last + 1):
            kept.pop(step, None)
    return tuple(kept[step] for step in sorted(kept))


def effect_tasks(
    built: BuiltDataset, episodes: Sequence[EpisodeQuality], count: int, seed: int
) -> list[EffectTask]:
    """The last `count` tasks of each person with their references of every condition."""
    quality = {one.episode_id: one for one in episodes}
    noisy, clean = thirds(episodes, seed)
    flawed = frozenset(one.episode_id for one in episodes if any(f.kind in CLEANED for f in one.flaws))
    rows = {
        row["episode_id"]: row for split in built.split_names for row in built.rows(split, columns=COLUMNS)
    }
    simulations = built.simulations()
    own: dict[str, list[dict[str, Any]]] = {}
    for row in sorted(rows.values(), key=lambda row: row["time"]):
        own.setdefault(row["user_id"], []).append(row)
    found = []
    for months in own.values():
        for at in range(max(0, len(months) - count), len(months)):
            task = execution_task(months[at])
            if task.input.reference is None or task.other_type_reference is None:
                continue
            references = {USUAL: task.input.reference, OWN: _sequence(months[at], months[at])}
            for name, pool in ((NOISY, noisy), (CLEAN, clean), (FLAWED, flawed)):
                if (best := _find_most_similar(months[at], months[:at], pool)) is not None:
                    references[name] = best
            if FLAWED in references:
                flaws = quality[references[FLAWED].episode_id].flaws
                mended = clean_actions(references[FLAWED].actions, flaws)
                references[MENDED] = replace(references[FLAWED], actions=mended)
            found.append(
                EffectTask(task=task, simulation=simulations[task.input.task_id], references=references)
            )
    return found


def _find_most_similar(
    row: Mapping[str, Any], earlier: Sequence[Mapping[str, Any]], pool: frozenset[str]
) -> ReferenceSequence | None:
    candidates = [one for one in earlier if one["episode_id"] in pool]
    if not candidates:
        return None
    return _sequence(row, max(candidates, key=lambda one: fuzz.ratio(one["intent"], row["intent"])))


def _sequence(row: Mapping[str, Any], of: Mapping[str, Any]) -> ReferenceSequence:
    return ReferenceSequence(
        episode_id=of["episode_id"],
        intent=of["intent"],
        similarity=fuzz.ratio(of["intent"], row["intent"]) / 100,
        actions=tuple(entry["raw"] for entry in of["actions"]),
    )


def attempt_person(tasks: Sequence[EffectTask]) -> Scores:
    """Attempt each task with each of its references; equal references are attempted once."""
    scores: Scores = {}
    for one in tasks:
        simulation = Simulation.from_json(one.simulation)
        size = simulation.size
        phone = Phone(seed=simulation.setup.seed, size=size)
        known: dict[tuple[str, ...], EffectScore] = {}
        target, other = one.task.target, one.task.other_type_reference
        assert other is not None  # noqa: S101 - `effect_tasks` takes no others
        for name, reference in one.references.items():
            if reference.actions not in known:
                task = replace(one.task, input=replace(one.task.input, reference=reference))
                result = attempt(Imitate(), task, simulation, phone)
                similarity = sim2([result.written], [target.golden_actions], [other.actions])
                known[reference.actions] = EffectScore(
                    sim2=similarity.per_item[0].sim2, success=result.success
                )
            scores[target.task_id, name] = known[reference.actions]
    return scores


def attempt_all(tasks: Sequence[EffectTask], workers: int) -> Scores:
    """Attempt all tasks, a process for one person at a time."""
    by_user: dict[str, list[EffectTask]] = {}
    for one in tasks:
        by_user.setdefault(_user(one), []).append(one)
    scores: Scores = {}
    if workers <= 1:
        for own in by_user.values():
            scores |= attempt_person(own)
        return scores
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        for found in pool.map(attempt_person, by_user.values()):
            scores |= found
    return scores


def _user(one: EffectTask) -> str:
    return one.task.input.task_id.partition("__")[0]


# ---- tables


def pair_lines(tasks: Sequence[EffectTask], scores: Scores, one: str, other: str) -> Iterator[str]:
    """Scores of two conditions and their paired difference, on the tasks that have both."""
    both = [task for task in tasks if one in task.references and other in task.references]
    users = [_user(task) for task in both]
    for name in (one, other):
        mine = [scores[task.task.target.task_id, name] for task in both]
        alike = sum(task.references[name].similarity for task in both) / max(1, len(both))
        yield _format_line(f"imitate, {name}", users, mine, f"intents {alike:.2f} alike")
    differences = [
        (scores[task.task.target.task_id, other], scores[task.task.target.task_id, one]) for task in both
    ]
    values = [None if a.sim2 is None or b.sim2 is None else a.sim2 - b.sim2 for a, b in differences]
    reached = [float(a.success) - float(b.success) for a, b in differences]
    yield f"{'  difference':<46}{_cell(values, users):>26}{_percent(reached, users):>26}"


def _format_line(name: str, users: Sequence[str], scores: Sequence[EffectScore], note: str = "") -> str:
    values = _cell([score.sim2 for score in scores], users)
    reached = _percent([float(score.success) for score in scores], users, share=True)
    return f"{name:<46}{values:>26}{reached:>26}  n {len(scores)}{f', {note}' if note else ''}"


def _cell(values: Sequence[float | None], users: Sequence[str]) -> str:
    return _describe(bootstrap_mean(values, users), "{:.3f}".format)


def _percent(values: Sequence[float], users: Sequence[str], *, share: bool = False) -> str:
    return _describe(bootstrap_mean(values, users, share=share), lambda value: f"{100 * value:.1f}")


def _describe(interval: Interval, form: Callable[[float], str]) -> str:
    if interval.low is None or interval.high is None:
        return f"{form(interval.mean)} [{interval.short_reason}]"
    return f"{form(interval.mean)} [{form(interval.low)}, {form(interval.high)}]"


def task_lines(
    tasks: Sequence[EffectTask], scores: Scores, noisy: frozenset[str], clean: frozenset[str]
) -> Iterator[str]:
    """Scores by the quality of the person's own recording of the task."""
    for condition in (USUAL, OWN):
        for words, pool in (("noisiest third", noisy), ("cleanest third", clean)):
            own = [task for task in tasks if task.task.target.task_id in pool]
            found = [scores[task.task.target.task_id, condition] for task in own]
            yield _format_line(f"{condition}, tasks of the {words}", [_user(task) for task in own], found)


def habit_lines(built: BuiltDataset, noisy: frozenset[str]) -> Iterator[str]:
    """Hits of `habit` with the latest intents, and with the latest that are not of the noisiest third."""
    simulations = built.simulations()
    months: dict[str, list[Intent]] = {}
    columns = ("episode_id", "user_id", "time", "scenario", "app", "intent")
    rows = {
        row["episode_id"]: row for split in built.split_names for row in built.rows(split, columns=columns)
    }
    for row in sorted(rows.values(), key=lambda row: row["time"]):
        months.setdefault(row["user_id"], []).append(
            Intent(
                user_id=row["user_id"],
                time=row["episode_id"].partition("__")[2],
                scenario=row["scenario"],
                app=row["app"],
                text=row["intent"],
            )
        )

    def goal(intent: Intent) -> str:
        one = simulations[intent.episode_id]
        return f"{one['package']} {one['goal']} {sorted(one['arguments'].items())}"

    hits: dict[str, list[float]] = {"all": [], "without": []}
    users = []
    for user, own in months.items():
        for at in range(HISTORY, len(own)):
            users.append(user)
            histories = {
                "all": own[:at][-HISTORY:],
                "without": [one for one in own[:at] if one.episode_id not in noisy][-HISTORY:],
            }
            for name, history in histories.items():
                task = SuggestionInput(
                    task_id=str(at),
                    profile=UserProfile(),
                    time=own[at].moment,
                    scenario=own[at].scenario,
                    previous_intents=tuple(history),
                )
                text = HabitBaseline().suggest(task).text
                goals = {goal(one) for one in history if one.text == text}
                hits[name].append(float(goal(own[at]) in goals))
    yield f"{'habit, latest 20 intents':<46}{_percent(hits['all'], users, share=True):>26}  n {len(users)}"
    yield f"{'habit, without the noisiest third':<46}{_percent(hits['without'], users, share=True):>26}"
    gains = [after - before for before, after in zip(hits["all"], hits["without"], strict=True)]
    yield f"{'  difference':<46}{_percent(gains, users):>26}"


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--users", type=int, default=30)
    parser.add_argument("--episodes", type=int, default=50)
    parser.add_argument("--tasks", type=int, default=15, help="Tasks of each person: the last episodes.")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="fingertip-effect-") as name:
        folder = Path(name)
        order = SampleOrder(
            out=folder / "sample",
            users=options.users,
            episodes=options.episodes,
            seed=options.seed,
            size=(270, 600),
        )
        write_sample(order, workers=options.workers)
        sample, dataset = folder / "sample", folder / "dataset"
        build(sample / "raw", dataset, tables=sample / "tables", workers=options.workers)
        measurement = measure_dataset(dataset, folder / "parts", workers=options.workers)
        episodes = measurement.ordered()
        noisy, clean = thirds(episodes, options.seed)
        tasks = effect_tasks(measurement.built, episodes, options.tasks, options.seed)
        scores = attempt_all(tasks, options.workers)
        track_1 = list(habit_lines(measurement.built, noisy))
    mean = {one.episode_id: one.score or 0.0 for one in episodes}
    print(f"{options.users} simulated people, {options.episodes} episodes each, seed {options.seed}")
    for words, pool in (("noisiest", noisy), ("cleanest", clean)):
        print(f"mean score of the {words} third: {sum(mean[one] for one in pool) / len(pool):.3f}")
    print(f"{'track 2':<46}{'Sim_2 [95 %]':>26}{'SR_2 % [95 %]':>26}")
    for lines in (
        pair_lines(tasks, scores, NOISY, CLEAN),
        pair_lines(tasks, scores, FLAWED, MENDED),
        task_lines(tasks, scores, noisy, clean),
    ):
        for line in lines:
            print(line)
    print(f"{'track 1':<46}{'SR_1 % [95 %]':>26}")
    for line in track_1:
        print(line)


if __name__ == "__main__":
    main()
