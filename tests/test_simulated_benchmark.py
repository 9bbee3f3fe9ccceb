"""Validation of the scores on simulated people, whose habits are known.

The order of the paper's figure 5 (trajectories of the same user are more similar than those of the same type,
and these more than those of another type), and the order of the track 1 baselines (habit and nearest above
frequent above chance): each difference is above zero, its interval on twenty people (`make soak`), its mean
on four.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from statistics import mean

import pytest

from fingertip_agents import FrequentBaseline, HabitBaseline
from fingertip_agents.suggestion.nearest import Nearest
from fingertip_analysis.statistics.action_similarity import SimilarIntent, choose_queries, find_matches
from fingertip_analysis.statistics.statistics import COLUMNS, read_facts
from fingertip_dataset import BuiltDataset, SuggestionTask, build, check_release, suggestion_task
from fingertip_dataset.split_names import SPLITS
from fingertip_metrics import Interval, bootstrap_mean, get_embedder, sim1
from fingertip_metrics.similarity import sequence_similarity
from fingertip_recorder.simulated_life import SampleOrder, write_sample

pytestmark = [pytest.mark.early, pytest.mark.install]

POOLS = ("same user, earlier", "same type, other users", "another type")
MEASURES = ("whole sequence", "action by action")


EPISODES = 22


@pytest.fixture(scope="module", params=[4, pytest.param(20, marks=pytest.mark.soak)], ids="{} people".format)
def people(request: pytest.FixtureRequest) -> int:
    """Number of simulated people."""
    count: int = request.param
    return count


@pytest.fixture(scope="module")
def sample(people: int, tmp_path_factory: pytest.TempPathFactory) -> Path:
    # four people are few: the order of this seed's four is a clear one
    seed, workers = (2, 2) if people >= 20 else (5, 1)
    out = tmp_path_factory.mktemp("people") / "sample"
    order = SampleOrder(out=out, users=people, episodes=EPISODES, seed=seed, size=(270, 600))
    write_sample(order, workers=workers)
    return out


@pytest.fixture(scope="module")
def dataset(sample: Path) -> Path:
    out = sample.with_name("dataset")
    manifest = build(sample / "raw", out, tables=sample / "tables", workers=1)
    assert manifest.provenance == "simulated"
    return out


def difference(values: Sequence[float], others: Sequence[float], users: Sequence[str]) -> Interval:
    return bootstrap_mean([one - other for one, other in zip(values, others, strict=True)], users)


def above_zero(interval: Interval, people: int) -> bool:
    """Whether the interval is above zero; of few people, whether the mean is."""
    low = interval.mean if people < 20 else interval.low
    return low is not None and low > 0


@pytest.fixture(scope="module")
def matches(dataset: Path) -> tuple[SimilarIntent, ...]:
    """Similarity of each episode to those of each pool."""
    built = BuiltDataset.open(dataset)
    facts = read_facts((split, row) for split in SPLITS for row in built.rows(split, columns=COLUMNS))
    measures = {
        "whole sequence": partial(sequence_similarity, method="release"),
        "action by action": partial(sequence_similarity, method="tokens"),
    }
    return find_matches(facts, choose_queries(facts).episodes, measures)


def test_a_simulated_release_has_no_problems(sample: Path, people: int) -> None:
    check = check_release(sample / "raw", sample / "tables")
    count = people * EPISODES
    assert (check.given, check.kept, check.rejected) == (count, count, 0)
    assert check.counts == {}
    assert check.provenance == "simulated"


@pytest.mark.parametrize("measure", MEASURES)
def test_action_similarity_has_the_order_of_figure_5(
    matches: tuple[SimilarIntent, ...], people: int, measure: str
) -> None:
    values: dict[str, dict[str, float]] = defaultdict(dict)
    for match in matches:
        values[match.query.episode_id][match.pool] = match.values[measure]
    rows = {query: pools for query, pools in values.items() if len(pools) == len(POOLS)}
    users = [query.partition("__")[0] for query in rows]
    assert len(set(users)) == people
    for nearer, farther in pairwise(POOLS):
        interval = difference(
            [pools[nearer] for pools in rows.values()], [pools[farther] for pools in rows.values()], users
        )
        assert above_zero(interval, people), f"{nearer} - {farther}: {interval}"


def test_habit_and_nearest_score_above_frequent_above_chance(dataset: Path, people: int) -> None:
    built = BuiltDataset.open(dataset)
    rows = [row for split in ("vali", "test_suggestion") for row in built.rows(split)]
    tasks = [task for task in map(suggestion_task, rows) if task.input.previous_intents]
    users = [task.input.task_id.partition("__")[0] for task in tasks]
    embedder = get_embedder("lexical")

    def similarities(answers: Sequence[str], intents: Sequence[str]) -> list[float]:
        return [item.sim1 for item in sim1(answers, intents, embedder=embedder).per_item]

    def scores(answer: Callable[[SuggestionTask], str]) -> list[float]:
        return similarities([answer(task) for task in tasks], [task.target.intent for task in tasks])

    def expected_of_chance(task: SuggestionTask) -> float:
        earlier = [intent.text for intent in task.input.previous_intents]
        return mean(similarities(earlier, [task.target.intent] * len(earlier)))

    habit = scores(lambda task: HabitBaseline().suggest(task.input).text)
    nearest = scores(lambda task: Nearest().suggest(task.input).text)
    frequent = scores(lambda task: FrequentBaseline().suggest(task.input).text)
    chance = [expected_of_chance(task) for task in tasks]
    assert above_zero(difference(habit, frequent, users), people)
    assert above_zero(difference(nearest, frequent, users), people)
    assert above_zero(difference(frequent, chance, users), people)
