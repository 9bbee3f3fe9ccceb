"""Habits of simulated people: how far a person is from themselves, from the like-aged and from the others.

`python -m fingertip_studies.stable_habits DATASET`, on a built dataset of simulated people. Each person's
month is cut in the middle. Their first half is compared with a second half: their own, that of people of
their type, and that of people of another type, all of one language. Goals are compared as shares of the half;
hours, strategies, actions and wordings as pairs of episodes with the same goal, so that they do not follow
from the goals. Last comes the order of the paper's figure 5 on the test of track 2, or on all episodes if
that has fewer than fifty tasks.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import pairwise
from pathlib import Path

from rapidfuzz import fuzz

from fingertip_agents.suggestion.baselines import measure_hours
from fingertip_analysis.statistics.action_similarity import POOLS, choose_queries, find_matches
from fingertip_analysis.statistics.statistics import COLUMNS as FACT_COLUMNS
from fingertip_analysis.statistics.statistics import read_facts
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_metrics import Interval, bootstrap_mean
from fingertip_metrics.similarity import sequence_similarity

OWN, LIKE, OTHER = "the same person", "another person of the type", "a person of another type"
COLUMNS = ("episode_id", "user_id", "user_type", "time", "intent", "actions")


@dataclass(frozen=True, slots=True, kw_only=True)
class LivedEpisode:
    """An episode of a simulated person, with what its phone knows of it."""

    user_id: str
    user_type: int
    language: str
    moment: datetime
    goal: str
    strategy: str
    intent: str
    actions: tuple[str, ...]


Measure = Callable[[LivedEpisode, LivedEpisode], float]
MEASURES: Mapping[str, Measure] = {
    "hours between the times of day": lambda one, other: measure_hours(one.moment, other.moment),
    "share with another strategy": lambda one, other: float(one.strategy != other.strategy),
    "distance of the actions": lambda one, other: 1 - sequence_similarity(one.actions, other.actions),
    "distance of the wording": lambda one, other: 1 - fuzz.ratio(one.intent, other.intent) / 100,
}
"""Title -> distance of two episodes with the same goal."""


def read_episodes(built: BuiltDataset) -> list[LivedEpisode]:
    """All episodes of the dataset, by person and time."""
    simulations, found = built.simulations(), dict[str, LivedEpisode]()
    for row in (row for split in built.split_names for row in built.rows(split, columns=COLUMNS)):
        simulation = simulations[row["episode_id"]]
        found[row["episode_id"]] = LivedEpisode(
            user_id=row["user_id"],
            user_type=row["user_type"],
            language=simulation.get("locale", "zh"),
            moment=datetime.fromisoformat(simulation["moment"]),
            goal=f"{simulation['package']} {simulation['goal']}",
            strategy=simulation["way"],
            intent=row["intent"],
            actions=tuple(step["raw"] for step in row["actions"]),
        )
    return [found[name] for name in sorted(found)]


def relation(one: LivedEpisode, other: LivedEpisode) -> str | None:
    """Whose the other episode is; None in another language."""
    if one.language != other.language:
        return None
    if one.user_id == other.user_id:
        return OWN
    return LIKE if one.user_type == other.user_type else OTHER


def halves(episodes: Sequence[LivedEpisode]) -> tuple[list[list[LivedEpisode]], list[list[LivedEpisode]]]:
    """First and second halves of the months, a list for each person."""
    people: dict[str, list[LivedEpisode]] = {}
    for episode in episodes:
        people.setdefault(episode.user_id, []).append(episode)
    months = list(people.values())
    return [own[: len(own) // 2] for own in months], [own[len(own) // 2 :] for own in months]


def goal_distances(
    first: Sequence[Sequence[LivedEpisode]], second: Sequence[Sequence[LivedEpisode]]
) -> Iterator[tuple[str, str, float]]:
    """(user, relation, total variation of the shares of goals) of each first half and each second one."""
    shares = [[_shares(half) for half in part] for part in (first, second)]
    for one, mine in zip(first, shares[0], strict=True):
        for other, theirs in zip(second, shares[1], strict=True):
            apart = sum(abs(mine.get(goal, 0) - theirs.get(goal, 0)) for goal in {*mine, *theirs}) / 2
            if (name := relation(one[0], other[0])) is not None:
                yield one[0].user_id, name, apart


def _shares(half: Sequence[LivedEpisode]) -> dict[str, float]:
    return {goal: count / len(half) for goal, count in Counter(episode.goal for episode in half).items()}


def same_goal_triples(
    first: Sequence[Sequence[LivedEpisode]], second: Sequence[Sequence[LivedEpisode]], *, seed: int = 0
) -> Iterator[tuple[LivedEpisode, dict[str, LivedEpisode]]]:
    """Each episode of a first half with one of the same goal from a second half of each relation, by lot.

    Episodes without one of each relation are left out, so that the three columns rest on the same episodes.
    """
    by_goal: dict[str, list[LivedEpisode]] = {}
    for episode in (episode for half in second for episode in half):
        by_goal.setdefault(episode.goal, []).append(episode)
    rng = random.Random(seed)  # noqa: S311 - a sample, not a secret
    for episode in (episode for half in first for episode in half):
        pools: dict[str, list[LivedEpisode]] = {}
        for other in by_goal.get(episode.goal, ()):
            if (name := relation(episode, other)) is not None:
                pools.setdefault(name, []).append(other)
        if len(pools) == 3:
            yield episode, {name: rng.choice(pools[name]) for name in (OWN, LIKE, OTHER)}


def figure_5(built: BuiltDataset) -> Iterator[tuple[str, list[str], list[list[float]]]]:
    """(measure, users, similarities of each pool in the order of `POOLS`), over queries with all pools."""
    facts = read_facts(
        (split, row) for split in built.split_names for row in built.rows(split, columns=FACT_COLUMNS)
    )
    measures = {
        "whole sequence": partial(sequence_similarity, method="release"),
        "action by action": partial(sequence_similarity, method="tokens"),
    }
    rows: dict[str, dict[str, Mapping[str, float]]] = {}
    for match in find_matches(facts, choose_queries(facts).episodes, measures):
        rows.setdefault(match.query.episode_id, {})[match.pool] = match.values
    whole = {query: pools for query, pools in rows.items() if len(pools) == len(POOLS)}
    users = [query.partition("__")[0] for query in whole]
    for measure in measures:
        yield measure, users, [[pools[pool][measure] for pools in whole.values()] for pool in POOLS]


def words(interval: Interval) -> str:
    """A mean with its interval."""
    if interval.low is None or interval.high is None:
        return f"{interval.mean:.3f}"
    return f"{interval.mean:.3f} [{interval.low:.3f}, {interval.high:.3f}]"


def habit_lines(episodes: Sequence[LivedEpisode]) -> Iterator[str]:
    """The table of distances."""
    first, second = halves(episodes)
    yield f"| from the first half of the month to the second half of | {OWN} | {LIKE} | {OTHER} |"
    yield "|---|---|---|---|"
    found = list(goal_distances(first, second))
    cells = []
    for name in (OWN, LIKE, OTHER):
        apart = [(distance, user) for user, of, distance in found if of == name]
        cells.append(words(bootstrap_mean(*map(list, zip(*apart, strict=True)))))
    yield f"| distance of the goals (total variation) | {' | '.join(cells)} |"
    triples = list(same_goal_triples(first, second))
    users = [one.user_id for one, _ in triples]
    for title, measure in MEASURES.items():
        cells = [
            words(bootstrap_mean([measure(one, others[name]) for one, others in triples], users))
            for name in (OWN, LIKE, OTHER)
        ]
        yield f"| {title}, same goal | {' | '.join(cells)} |"
    yield f"\n{len(first)} simulated people, {len(triples)} pairs of the same goal in each column."


def figure_lines(built: BuiltDataset) -> Iterator[str]:
    """The table of figure 5, and its differences."""
    yield f"| similarity of the actions | {' | '.join(POOLS)} |"
    yield "|---|---|---|---|"
    notes = []
    for measure, users, columns in figure_5(built):
        cells = [words(bootstrap_mean(values, users)) for values in columns]
        yield f"| {measure} (n = {len(users)}) | {' | '.join(cells)} |"
        for at, (nearer, farther) in enumerate(pairwise(columns)):
            apart = [one - other for one, other in zip(nearer, farther, strict=True)]
            difference = words(bootstrap_mean(apart, users))
            notes.append(f"- {measure}, {POOLS[at]} over {POOLS[at + 1]}: {difference}")
    yield ""
    yield from notes


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("dataset", type=Path)
    built = BuiltDataset.open(parser.parse_args().dataset)
    for line in (*habit_lines(read_episodes(built)), "", *figure_lines(built)):
        print(line)


if __name__ == "__main__":
    main()
