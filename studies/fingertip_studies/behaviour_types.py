"""Validating types by behaviour: do clusters of action statistics find the habits of simulated people?

`fingertip score --also-types behaviour` groups users by what they do in the training part. Of simulated
people it is known how each of them ends a goal, opens apps, and so on. The adjusted Rand index of the
clusters with such a habit is 1 if they are the same groups, and 0 on average if they have nothing in common.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from fingertip_dataset.actions import list_action_fields
from fingertip_dataset.errors import UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.split_names import TRAIN
from fingertip_dataset.tasks.behaviour import (
    CLUSTERS,
    BehaviourClusters,
    EpisodeActions,
    cluster_users,
    read_user_episodes,
)
from fingertip_studies.sim2_validation import simulate_month
from simulated_phone.people.person import FIRST_ID, make_person
from simulated_phone.people.user_style import BACKS_OUT, UserStyle, draw_user_style

HABITS: Mapping[str, Callable[[UserStyle], object]] = MappingProxyType(
    {
        "backs out of an app at the end": lambda style: style.ending == BACKS_OUT,
        "how a goal is ended (4 ways)": lambda style: style.ending,
        "how apps are opened (4 ways)": lambda style: style.opening,
        "how wheels are turned": lambda style: style.turning,
        "looks around first": lambda style: style.looks_around,
        "closes the keyboard": lambda style: style.keyboard_away,
        "age group": lambda style: style.person.group,
        "sex": lambda style: style.person.sex,
    }
)
"""Habit in words -> its value of a person; the last two are no habits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HabitAgreement:
    """Agreement of the clusters with what is known of the people.

    Attributes:
        found: The clusters.
        rand: Habit -> adjusted Rand index, at most 1; about 0 where the two have nothing in common.
    """

    found: BehaviourClusters
    rand: Mapping[str, float]


def measure_agreement(
    people: Mapping[str, Sequence[EpisodeActions]], *, seed: int, clusters: int = CLUSTERS
) -> HabitAgreement:
    """Compare the clusters of simulated people with their habits.

    Args:
        people: user_id -> episodes, as `read_trained` and `simulate_people` return them.
        seed: Seed that the people were simulated with.
        clusters: Number of clusters.
    """
    from sklearn.metrics import adjusted_rand_score

    found = cluster_users(people, clusters=clusters)
    styles = {user: draw_user_style(make_person(int(user) - FIRST_ID, seed)) for user in found.types}
    labels = list(found.types.values())
    rand = {
        habit: float(adjusted_rand_score([value_of(styles[user]) for user in found.types], labels))
        for habit, value_of in HABITS.items()
    }
    return HabitAgreement(found=found, rand=rand)


def read_trained(dataset: Path, *, seed: int) -> dict[str, list[EpisodeActions]]:
    """Read the training part of a dataset of simulated people.

    Raises:
        UsageError: The people were simulated with another seed, or are not simulated.
    """
    built = BuiltDataset.open(dataset)
    phones = {name.partition("__")[0]: one["seed"] for name, one in built.simulations().items()}
    if not phones or any(make_person(int(user) - FIRST_ID, seed).seed != phones[user] for user in phones):
        raise UsageError(f"expected people simulated with seed {seed}: give their --seed", file=dataset)
    return read_user_episodes(built.rows(TRAIN, columns=("user_id", "app", "actions")))


def simulate_people(users: int, *, episodes: int, seed: int) -> dict[str, list[EpisodeActions]]:
    """Simulate people in this process, without screens."""
    return read_user_episodes(
        {
            "user_id": one.episode.intent.user_id,
            "app": one.episode.intent.app,
            "actions": [list_action_fields(step.action, step.raw or "") for step in one.episode.steps],
        }
        for number in range(users)
        for one in simulate_month(number, episodes=episodes, seed=seed)
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--dataset", type=Path, help="A built dataset of simulated people, instead of new ones."
    )
    parser.add_argument("--users", type=int, default=40)
    parser.add_argument("--episodes", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0, help="Seed of the people.")
    parser.add_argument("--clusters", type=int, default=CLUSTERS)
    options = parser.parse_args()
    seed = options.seed
    people = (
        read_trained(options.dataset, seed=seed)
        if options.dataset
        else simulate_people(options.users, episodes=options.episodes, seed=seed)
    )
    measured = measure_agreement(people, seed=seed, clusters=options.clusters)
    print(f"{len(people)} simulated people, told apart most by {', '.join(measured.found.marks)}")
    print("| what is known of the people | adjusted Rand |")
    print("|---|---|")
    for habit, value in measured.rand.items():
        print(f"| {habit} | {value:.2f} |")


if __name__ == "__main__":
    main()
