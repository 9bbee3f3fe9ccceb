"""Validating types by behaviour: do clusters of action statistics find the habits of simulated people?

`fingertip score --also-types behaviour` groups users by what they do in the training part. Of simulated
people it is known how each of them ends a goal, opens apps, and so on. The adjusted Rand index of the
clusters with such a habit is 1 if they are the same groups, and 0 on average if they have nothing in common.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from fingertip_dataset.errors import UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.tasks.behaviour import CLUSTERS
from fingertip_runs.reference_encoder import reference_encoder
from fingertip_runs.type_references import TypeSearch, UserTyping
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
class Agreement:
    """Agreement of the clusters with what is known of the people.

    Attributes:
        typing: The clusters.
        rand: Habit -> adjusted Rand index, at most 1; about 0 where the two have nothing in common.
    """

    typing: UserTyping
    rand: Mapping[str, float]


def measure_agreement(dataset: Path, *, seed: int = 0, clusters: int = CLUSTERS) -> Agreement:
    """Compare the clusters of a dataset of simulated people with their habits.

    Args:
        dataset: The built dataset.
        seed: Seed that the people were simulated with.
        clusters: Number of clusters.

    Raises:
        UsageError: The people were simulated with another seed, or are not simulated.
    """
    from sklearn.metrics import adjusted_rand_score

    built = BuiltDataset.open(dataset)
    search = TypeSearch(built, encode=reference_encoder(built), clusters=clusters)
    typing = search.assign_types("behaviour")
    styles = {user: draw_user_style(make_person(int(user) - FIRST_ID, seed)) for user in typing.types}
    phones = {name.partition("__")[0]: one["seed"] for name, one in built.simulations().items()}
    if phones != {user: style.person.seed for user, style in styles.items()}:
        raise UsageError(f"expected people simulated with seed {seed}: give their --seed", file=dataset)
    users = [user for user, kind in typing.types.items() if kind is not None]
    found = [typing.types[user] for user in users]
    rand = {
        habit: float(adjusted_rand_score([value_of(styles[user]) for user in users], found))
        for habit, value_of in HABITS.items()
    }
    return Agreement(typing=typing, rand=rand)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dataset", type=Path, required=True, help="A built dataset of simulated people.")
    parser.add_argument("--seed", type=int, default=0, help="Seed that they were simulated with.")
    parser.add_argument("--clusters", type=int, default=CLUSTERS)
    options = parser.parse_args()
    found = measure_agreement(options.dataset, seed=options.seed, clusters=options.clusters)
    print(f"{len(found.typing.types)} simulated people: {found.typing.method}")
    print("| what is known of the people | adjusted Rand |")
    print("|---|---|")
    for habit, value in found.rand.items():
        print(f"| {habit} | {value:.2f} |")


if __name__ == "__main__":
    main()
