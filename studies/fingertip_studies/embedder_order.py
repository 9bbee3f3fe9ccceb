"""Order of agents by embedders of Sim_1: which is nearest to meaning, as the simulated judge knows it?

`python -m fingertip_studies.embedder_order DATASET --run RUN --embedder lexical --embedder all-minilm-l6-v2
--embedder NAME=URL`, on a built dataset of simulated people, with finished runs of track 1 of the same split.
Next to the runs stand agents whose distance to the person's intent is known: an oracle in other words, one
with the goal for another case, another goal of the app, the app alone, and another person's habit.

A cosine is near to meaning if it is higher for an answer with the person's goal than for one with another:
the area under the ROC curve, of all answers of a language together. 1 is perfect, 0.5 is chance. An embedder
whose cosines lie close together can be as good as one with wide ones: so the same is printed after the mean
vector of the language's intents is subtracted, and for the rank of the person's own intent among all.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile

import numpy as np
from numpy.typing import NDArray

from fingertip_dataset.errors import FingerTipError, UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_metrics import Interval, bootstrap_mean, get_embedder
from fingertip_metrics.aggregate import draw_users, percentile_interval
from fingertip_metrics.correlation import Correlation, mean_correlations
from fingertip_metrics.embedders import Embedder
from fingertip_metrics.embedders.unknown_tokens import check_unknown, measure_unknown
from fingertip_metrics.judges import SimulatedJudge
from fingertip_metrics.judges.simulated_judge import same_goal
from fingertip_metrics.similarity import text_similarity
from fingertip_runs.targets import read_targets
from suggestion_runner.prediction_log import read_predictions, read_run

STRANGER, REWORDED, OTHER_CASE, OTHER_GOAL, APP_ALONE = (
    "another person's habit",
    "oracle, other words",
    "oracle, another case",
    "another goal of the app",
    "the app alone",
)
RESAMPLES = 1000
FORMS = ("cosine", "centred", "rank")
"""Forms of a similarity: the cosine as it is, after the mean vector is subtracted, and the share of the other
intents of the language that are less similar to the answer than the person's own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedAnswer:
    """An agent's answer to a task, and what the judge of simulated people says.

    Attributes:
        agent: Name of the agent.
        task_id: Id of the task.
        user: Id of the person.
        language: Language of the person.
        app: App of the person's intent.
        text: The answer.
        intent: The person's intent.
        right: Whether goal and case are the person's.
        goal: Whether at least the goal is.
    """

    agent: str
    task_id: str
    user: str
    language: str
    app: str
    text: str
    intent: str
    right: bool
    goal: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MeaningArea:
    """Area under the ROC curve of a similarity for answers with the person's goal, with its interval."""

    value: float
    low: float
    high: float


def write_known_answers(
    simulation: Mapping[str, Any], intent: str, rng: random.Random
) -> Iterator[tuple[str, str]]:
    """Yield answers whose relation to a simulated episode's intent is known, as (agent, text).

    Args:
        simulation: The episode's line of simulations.jsonl.
        intent: The person's intent.
        rng: Source of the choices.
    """
    from simulated_phone.apps import list_apps
    from simulated_phone.people.wording import list_bare_wordings

    locale, seed = str(simulation.get("locale", "zh")), int(simulation["seed"])
    app = next(one for one in list_apps(locale) if one.package == simulation["package"])
    goal = next(one for one in app.goals if one.name == simulation["goal"])
    cases, own = list(goal.cases(seed)), dict(simulation["arguments"])

    def word(of_goal: Any, case: Mapping[str, Any]) -> str:  # noqa: ANN401 - a goal of the phone
        texts = sorted({one.text for one in list_bare_wordings(of_goal, case, locale)})
        # the less like the person's own words the better: a third of the wordings is left to choose from
        texts.sort(key=lambda text: text_similarity(text, intent))
        return rng.choice(texts[: max(1, len(texts) // 3)])

    yield REWORDED, word(goal, own)
    if others := [case for case in cases if dict(case) != own]:
        yield OTHER_CASE, word(goal, rng.choice(others))
    if goals := [one for one in app.goals if one.name != goal.name and list(one.cases(seed))]:
        other = rng.choice(goals)
        yield OTHER_GOAL, word(other, rng.choice(list(other.cases(seed))))
    yield APP_ALONE, f"打开{app.label}" if locale == "zh" else f"Open {app.english}"


def read_bundle_answers(built: BuiltDataset, bundle: Path) -> tuple[str, dict[str, str]]:
    """Read the answers of a bundle of track 1, as submitted to a board: the agent's name, task -> answer.

    Args:
        built: The dataset that the bundle must be of.
        bundle: Its zip file.

    Raises:
        UsageError: It is no such bundle, or of another dataset.
    """
    try:
        with ZipFile(bundle) as archive:
            head = json.loads(archive.read("bundle.json"))
            lines = [json.loads(line) for line in archive.read("predictions.jsonl").splitlines()]
            name, data = str(head["card"]["name"]), head["run"]["dataset"]["data_sha256"]
            answers = {str(line["task_id"]): str(line["predicted_intent"] or "") for line in lines}
    except (OSError, BadZipFile, LookupError, ValueError, TypeError) as error:
        raise UsageError(f"this is no zip file of a bundle of track 1: {error}", file=bundle) from error
    if data != built.manifest.data_sha256:
        raise UsageError("the bundle is of another dataset", file=bundle)
    return name, answers


def collect_answers(
    built: BuiltDataset,
    runs: Sequence[Path],
    bundles: Sequence[Path] = (),
    *,
    language: str | None = None,
    seed: int = 0,
) -> list[JudgedAnswer]:
    """Collect the answers of runs, and the known ones, each with the judge's verdict.

    Args:
        built: Dataset of simulated people.
        runs: Finished runs of track 1 of one split.
        bundles: Bundles of further runs of that split, also of the people of one language.
        language: Language of the people; None for all.
        seed: Seed of the known answers.

    Raises:
        UsageError: The runs are of several splits or tasks, or not of this dataset.
    """
    simulations, rng = built.simulations(), random.Random(seed)  # noqa: S311 - no secret
    texts: dict[str, dict[str, str]] = {}
    for run in runs:
        record = read_run(run)
        if record.dataset.data_sha256 != built.manifest.data_sha256:
            raise UsageError("the run is of another dataset", file=run)
        name = record.agent.name
        model = record.agent.settings.get("model")
        name = f"{name} {Path(str(model)).name}" if model else name
        texts[name] = {line.task_id: line.predicted_intent or "" for line in read_predictions(run)}
    texts |= dict(read_bundle_answers(built, bundle) for bundle in bundles)
    targets = read_targets(runs[0])
    languages = {task: str(simulations[task].get("locale", "zh")) for task in sorted(targets)}
    tasks = [task for task, spoken in languages.items() if language in (None, spoken)]
    if "habit" in texts:
        texts[STRANGER] = dict(_pair_strangers(texts["habit"], targets, languages))
    for task in tasks:
        for agent, text in write_known_answers(simulations[task], targets[task].intent, rng):
            texts.setdefault(agent, {})[task] = text
    rows = [
        (agent, task, of_task[task]) for agent, of_task in texts.items() for task in tasks if task in of_task
    ]
    pairs = [(text, targets[task].intent) for _, task, text in rows]
    verdicts = SimulatedJudge.of_dataset(built).judge(pairs)
    return [
        JudgedAnswer(
            agent=agent,
            task_id=task,
            user=targets[task].user_id,
            language=languages[task],
            app=targets[task].app,
            text=text,
            intent=targets[task].intent,
            right=verdict.state == "same",
            goal=same_goal(verdict.reason),
        )
        for (agent, task, text), verdict in zip(rows, verdicts, strict=True)
    ]


def _pair_strangers(
    habit: Mapping[str, str], targets: Mapping[str, Any], languages: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """Give each task the habit's answer to a task of the next person of the language."""
    for language in set(languages.values()):
        tasks = [task for task in sorted(habit) if languages.get(task) == language]
        for place, task in enumerate(tasks):
            others = [*tasks[place:], *tasks[:place]]
            other = next((one for one in others if targets[one].user_id != targets[task].user_id), None)
            if other is not None:
                yield task, habit[other]


def measure_forms(embedder: Embedder, answers: Sequence[JudgedAnswer]) -> dict[str, NDArray[np.float64]]:
    """Measure the similarity of each answer with the person's intent in each of `FORMS`, (n,) each.

    Args:
        embedder: The embedder.
        answers: Answers of one language.

    Raises:
        UsageError: The embedder cannot read the intents.
    """
    texts = [one.text for one in answers]
    intents = list(dict.fromkeys(one.intent for one in answers))
    check_unknown(measure_unknown(embedder, texts, [one.intent for one in answers]), embedder.name)
    vectors = embedder.encode([*texts, *intents]).astype(np.float64)
    given, wanted = vectors[: len(texts)], vectors[len(texts) :]
    own = np.array([intents.index(one.intent) for one in answers])
    middle = wanted.mean(axis=0)
    found = {}
    for form, shift in (("cosine", 0.0), ("centred", middle)):
        a, b = _unit(given - shift), _unit(wanted - shift)
        found[form] = np.einsum("ij,ij->i", a, b[own])
    near = given @ wanted.T
    mine = near[np.arange(len(texts)), own][:, None]
    less = (near < mine - 1e-9).sum(axis=1) + 0.5 * ((np.abs(near - mine) <= 1e-9).sum(axis=1) - 1)
    found["rank"] = less / (len(intents) - 1)
    return found


def _unit(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: NDArray[np.float64] = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
    return unit


def measure_area(
    values: NDArray[np.float64],
    answers: Sequence[JudgedAnswer],
    *,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> MeaningArea:
    """Measure how well values tell answers with the person's goal from others, with an interval over people.

    Ties count half. A resample draws people with replacement, and takes all their answers.

    Args:
        values: A value per answer.
        answers: The answers, of which some have the goal and some have not.
        seed: Seed of the draws.
        resamples: Number of draws.
    """
    users, owners = np.unique([one.user for one in answers], return_inverse=True)
    goal = np.array([one.goal for one in answers])
    order = np.argsort(values, kind="stable")
    _, groups = np.unique(values[order], return_inverse=True)
    draws = np.vstack([np.ones(len(users)), draw_users(len(users), seed, resamples)])
    areas = np.array([_area(draw[owners][order], goal[order], groups) for draw in draws])
    drawn = areas[1:][np.isfinite(areas[1:])]
    low, high = percentile_interval(drawn, 0.95) if len(drawn) else (float("nan"), float("nan"))
    return MeaningArea(value=float(areas[0]), low=low, high=high)


def _area(weights: NDArray[np.float64], goal: NDArray[np.bool_], groups: NDArray[np.intp]) -> float:
    """Area under the ROC curve of weighted answers in ascending order; groups number equal values."""
    positives = np.bincount(groups, weights * goal)
    negatives = np.bincount(groups, weights * ~goal)
    below = np.cumsum(negatives) - negatives
    pairs = positives.sum() * negatives.sum()
    return float((positives * (below + negatives / 2)).sum() / pairs) if pairs else float("nan")


def rank_agreement(values: NDArray[np.float64], answers: Sequence[JudgedAnswer]) -> Correlation:
    """Kendall's tau of the agents' means of values and their shares of answers with the person's goal."""
    return mean_correlations(
        values.tolist(),
        [float(one.goal) for one in answers],
        [one.agent for one in answers],
        [one.user for one in answers],
    ).kendall


def compute_sim1(cosines: NDArray[np.float64], answers: Sequence[JudgedAnswer]) -> NDArray[np.float64]:
    """Sim_1 of each answer by protocol release, from the cosines of an embedder."""
    texts = [text_similarity(one.intent, one.text) for one in answers]
    return np.round((np.array(texts) + cosines) / 2, 2)


def print_language(language: str, answers: Sequence[JudgedAnswer], embedders: Mapping[str, Embedder]) -> None:
    """Print the two tables of a language as Markdown: the agents, and the embedders."""
    forms: dict[str, dict[str, NDArray[np.float64]]] = {}
    for name, embedder in embedders.items():
        try:
            forms[name] = measure_forms(embedder, answers)
        except UsageError as error:
            print(f"{language}, {name}: refused ({error.message.partition(';')[0]})\n")
    agents = list(dict.fromkeys(one.agent for one in answers))
    by_agent = {name: [at for at, one in enumerate(answers) if one.agent == name] for name in agents}
    users = {name: [answers[at].user for at in places] for name, places in by_agent.items()}

    def mean(name: str, values: Sequence[float], *, share: bool) -> Interval:
        return bootstrap_mean(values, users[name], share=share)

    goals = {name: mean(name, [float(answers[at].goal) for at in places], share=True)
             for name, places in by_agent.items()}  # fmt: skip
    scores = {name: compute_sim1(found["cosine"], answers) for name, found in forms.items()}
    print(
        f"| {language}: agent | n | same goal % | SR_1 % | {' | '.join(f'Sim_1, {name}' for name in forms)} |"
    )
    print("|---" * (4 + len(forms)) + "|")
    for name in sorted(agents, key=lambda one: -goals[one].mean):
        places = by_agent[name]
        right = mean(name, [float(answers[at].right) for at in places], share=True)
        cells = [
            write_interval(mean(name, values[places].tolist(), share=False)) for values in scores.values()
        ]
        ranks = [_rank(name, by_agent, values) for values in scores.values()]
        shown = " | ".join(f"{cell} ({rank})" for cell, rank in zip(cells, ranks, strict=True))
        print(f"| {name} | {len(places)} | {write_percent(goals[name])} | {write_percent(right)} | {shown} |")
    print(f"\n| {language}: embedder | cosines, 5 to 95 % | tau by Sim_1 | tau by the centred cosine | "
          f"{' | '.join(f'area, {form}' for form in FORMS)} | area, Sim_1 |")  # fmt: skip
    print("|---" * (5 + len(FORMS)) + "|")
    for name, found in forms.items():
        low, high = np.percentile(found["cosine"], [5, 95])
        taus = [rank_agreement(values, answers) for values in (scores[name], found["centred"])]
        areas = [measure_area(found[form], answers) for form in FORMS]
        areas.append(measure_area(scores[name], answers))
        shown = " | ".join(f"{one.value:.3f} [{one.low:.3f}, {one.high:.3f}]" for one in areas)
        print(f"| {name} | {low:.2f} to {high:.2f} | {' | '.join(map(_format_tau, taus))} | {shown} |")
    print()


def _rank(name: str, by_agent: Mapping[str, Sequence[int]], values: NDArray[np.float64]) -> int:
    means = {agent: float(values[list(places)].mean()) for agent, places in by_agent.items()}
    return 1 + sum(other > means[name] + 1e-9 for other in means.values())


def _format_tau(tau: Correlation) -> str:
    if tau.value is None or tau.low is None or tau.high is None:
        return "none"
    return f"{tau.value:.2f} [{tau.low:.2f}, {tau.high:.2f}]"


def write_interval(found: Interval) -> str:
    """Write a mean with its interval."""
    return f"{found.mean:.3f}" + ("" if found.low is None else f" [{found.low:.3f}, {found.high:.3f}]")


def write_percent(found: Interval) -> str:
    """Write a share with its interval, in percent."""
    low, high = found.low, found.high
    ends = "" if low is None or high is None else f" [{100 * low:.0f}, {100 * high:.0f}]"
    return f"{100 * found.mean:.0f}{ends}"


def open_embedders(names: Sequence[str], cache: Path | None) -> dict[str, Embedder]:
    """Open embedders by their names; NAME=URL is one on a server, and NAME=URL=PREFIX has another prefix."""
    found: dict[str, Embedder] = {}
    for given in names:
        name, _, rest = given.partition("=")
        url, separator, prefix = rest.partition("=")
        found[name] = get_embedder(
            name, base_url=url or None, prefix=prefix if separator else None, cache=cache
        )
    return found


def main() -> None:
    """Print the tables of each language of the dataset."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("dataset", type=Path)
    parser.add_argument("--run", type=Path, action="append", required=True, help="finished run of track 1")
    parser.add_argument("--bundle", type=Path, action="append", default=[], help="zip file of a bundle")
    parser.add_argument(
        "--embedder", action="append", required=True, help="NAME, NAME=URL or NAME=URL=PREFIX"
    )
    parser.add_argument("--cache", type=Path, help="file of the vectors of servers")
    options = parser.parse_args()
    embedders = open_embedders(options.embedder, options.cache)
    answers = collect_answers(BuiltDataset.open(options.dataset), options.run, options.bundle)
    for language in sorted({one.language for one in answers}):
        print_language(language, [one for one in answers if one.language == language], embedders)


if __name__ == "__main__":
    try:
        main()
    except FingerTipError as error:
        raise SystemExit(str(error)) from None
