"""Identification: whose way was it? A bounded measure of personality beside Sim_2, from S_I alone.

Tasks are put in groups of `GROUP_SIZE` people who wanted the same or the most similar thing. An attempt at
one of these tasks is compared with the recorded actions of everybody of its group; it is identified if those
of the task's own person are the nearest. Where m people tie for the nearest, one of them being the right one
counts 1/m. Identification is the share of attempts that are identified.

Everybody of a group is the right one exactly once, so whoever does the same thing whatever the task
(`finished()` alone, nothing, one key again and again) has exactly 1 of its K attempts right, which is chance.
Sim_2 has no such floor: it depends on how long the other person's way is.

Source: ours; the paper has Sim_2 alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.fuzz import ratio
from rapidfuzz.process import cdist

from fingertip_dataset.errors import UsageError
from fingertip_metrics.check_arguments import check_lengths, check_sequences, check_texts
from fingertip_metrics.conventions import get_protocol
from fingertip_metrics.execution import choose_spelling, compare_actions, spell_canonically
from fingertip_metrics.plain_values import make_plain

GROUP_SIZE = 3
"""Number of people in a group, K: chance is 1/K."""

_SAME_APP, _SAME_SCRIPT = 2.0, 4.0
"""Added to the similarity of two intents, 0-1, of one app, and of one script: people of one language are
compared first, then people who used one app."""

_HAN = re.compile("[\u3400-\u9fff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentificationItem:
    """Identification of one attempt.

    Attributes:
        identified: 1 if the actions of the task's own person are the nearest, 1/m if m people tie for the
            nearest and it is one of them, else 0; None for a task without a group.
        group: Number of the group, from 0, those of the most similar intents first; None without one.
    """

    identified: float | None
    group: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Identification:
    """Identification over attempts.

    Attributes:
        identification: Mean of `identified` over the attempts in groups, 0-1; None without a group.
        chance: 1/K, which answers that do not depend on the task have.
        groups: Number of groups.
        same_app: Number of groups whose people all used one app.
        left_out: Number of attempts without a group.
        n: Number of attempts in groups.
        size: Number of people in a group, K.
        protocol: "release" or "paper".
        similarity: Method of `sequence_similarity`.
        spelling: "written" or "canonical".
        per_item: Values of each attempt, in input order.
    """

    identification: float | None
    chance: float
    groups: int
    same_app: int
    left_out: int
    n: int
    size: int
    protocol: str
    similarity: str
    spelling: str
    per_item: tuple[IdentificationItem, ...]


def score_identification(
    predictions: Sequence[Sequence[str]],
    references: Sequence[Sequence[str]],
    *,
    users: Sequence[str],
    intents: Sequence[str],
    apps: Sequence[str] | None = None,
    size: int = GROUP_SIZE,
    protocol: str = "release",
    similarity: str | None = None,
    spelling: str | None = None,
) -> Identification:
    """Share of attempts that are nearest to the task's own person among people who wanted the most similar.

    Args:
        predictions: The agent's action strings, one list per task; an empty list if it did nothing.
        references: The person's action strings, at least one action per task.
        users: Id of each task's person; nobody is in a group twice.
        intents: Intent of each task.
        apps: Package name of each task's app; None if not known.
        size: Number of people in a group, 2 or more.
        protocol: "release" or "paper": how S_I is computed.
        similarity: Method of `sequence_similarity`; None for the protocol's own.
        spelling: "written" or "canonical"; None for the protocol's own.

    Raises:
        MetricInputError: No task, unequal lengths, or a row of another type.
        UsageError: An unknown protocol, similarity or spelling, or a size below 2.

    >>> home, back, done = "press_home()", "press_back()", "finished()"
    >>> ways, people = [[home, done], [back, done]], {"users": ["7", "8"], "intents": ["see"] * 2}
    >>> score_identification(ways, ways, size=2, **people).identification
    1.0
    >>> score_identification([[done], [done]], ways, size=2, **people).identification
    0.5
    """
    if size < 2:
        raise UsageError(f"expected groups of 2 or more people, got {size}")
    rules = get_protocol(protocol)
    method, spelled = similarity or rules.similarity, choose_spelling(rules, spelling)
    # refuses an unknown method, even where no task has a group
    compare_actions((), (), rules, method)
    predictions, references = make_plain(predictions), make_plain(references)
    users, intents = make_plain(users), make_plain(intents)
    apps = [""] * len(users) if apps is None else make_plain(apps)
    _check_columns(predictions, references, users=users, intents=intents, apps=apps)
    apps = [app.partition("/")[0] for app in apps]
    groups = group_people(users, intents, apps, size=size)
    if spelled == "canonical" or method == "tokens":
        predictions = [spell_canonically(one) for one in predictions]
        references = [spell_canonically(one) for one in references]
    items = [IdentificationItem(identified=None, group=None)] * len(users)
    for number, group in enumerate(groups):
        for place, at in enumerate(group):
            near = [compare_actions(references[one], predictions[at], rules, method) for one in group]
            items[at] = IdentificationItem(identified=_share_of_nearest(near, place), group=number)
    values = [item.identified for item in items if item.identified is not None]
    return Identification(
        identification=fmean(values) if values else None,
        chance=1 / size,
        groups=len(groups),
        same_app=sum(len({apps[at] for at in group}) == 1 and apps[group[0]] != "" for group in groups),
        left_out=len(items) - len(values),
        n=len(values),
        size=size,
        protocol=rules.name,
        similarity=method,
        spelling=spelled,
        per_item=tuple(items),
    )


def _check_columns(predictions: Any, references: Any, **texts: Any) -> None:  # noqa: ANN401 - unchecked
    check_sequences("predictions", predictions, empty=True)
    check_sequences("references", references, empty=False)
    for name, column in texts.items():
        check_texts(name, column)
    check_lengths(predictions=predictions, references=references, **texts)


def _share_of_nearest(near: Sequence[float], place: int) -> float:
    best = max(near)
    return (near[place] == best) / near.count(best)


def group_people(
    users: Sequence[str], intents: Sequence[str], apps: Sequence[str], *, size: int = GROUP_SIZE
) -> tuple[tuple[int, ...], ...]:
    """Divide tasks into groups of people with the same or the most similar intents.

    The two most similar tasks of different people begin a group, and the task most similar to its members
    joins until it is full; then the next group begins. Similar are first tasks of one script (Chinese or
    not), then of one app, then by the letters of their intents. Equal ones are taken in their order. What
    the agent did has no part in it.

    Args:
        users: Id of each task's person; nobody is in a group twice.
        intents: Intent of each task.
        apps: Package name of each task's app; "" if not known.
        size: Number of people in a group.

    Returns:
        Indices of the tasks of each group. Tasks that are left over when no full group remains are in none.

    >>> group_people(["a", "b", "c", "d"], ["call Li", "pay rent", "call Wu", "pay gas"], [""] * 4, size=2)
    ((0, 2), (1, 3))
    """
    near = _compare_tasks(users, intents, apps)
    groups: list[tuple[int, ...]] = []
    while len(users):
        first = np.unravel_index(int(near.argmax()), near.shape)
        group = [int(at) for at in first]
        if near[first] == -np.inf:
            break
        while len(group) < size:
            joint = near[group].sum(axis=0)
            following = int(joint.argmax())
            if joint[following] == -np.inf:
                break
            group.append(following)
        if len(group) == size:
            groups.append(tuple(sorted(group)))
            near[group, :] = near[:, group] = -np.inf
        else:
            # these two begin no full group, but either may be in another one
            near[first] = near[first[::-1]] = -np.inf
    return tuple(groups)


def _compare_tasks(users: Sequence[str], intents: Sequence[str], apps: Sequence[str]) -> NDArray[np.float64]:
    """Similarity of each pair of tasks; -inf for two of one person, and for a task with itself."""
    near = cdist(intents, intents, scorer=ratio, dtype=np.float64) / 100
    chinese = np.array([_HAN.search(intent) is not None for intent in intents])
    near += _SAME_SCRIPT * (chinese[:, None] == chinese[None, :])
    app = np.array(apps)
    near += _SAME_APP * ((app[:, None] == app[None, :]) & (app != "")[None, :])
    user = np.array(users)
    near[user[:, None] == user[None, :]] = -np.inf
    return near
