"""Clusters of behaviour find habits of simulated people."""

from __future__ import annotations

from pathlib import Path

import pytest

from fingertip_dataset.errors import UsageError
from fingertip_dataset.parquet.dataset_rows import list_action_fields
from fingertip_dataset.tasks.behaviour import cluster_users, read_user_episodes
from fingertip_studies.behaviour_types import HABITS, measure_agreement
from fingertip_studies.sim2_validation import simulate_month
from simulated_phone.people.person import make_person
from simulated_phone.people.user_style import draw_user_style


def test_each_habit_is_compared_with_the_clusters(people: Path) -> None:
    found = measure_agreement(people, seed=3)
    assert list(found.rand) == list(HABITS)
    assert max(found.rand.values()) <= 1
    assert len(found.typing.types) == 2
    with pytest.raises(UsageError, match="expected people simulated with seed 4: give their --seed"):
        measure_agreement(people, seed=4)


@pytest.mark.install
def test_who_backs_out_of_apps_is_told_from_who_goes_home() -> None:
    from sklearn.metrics import adjusted_rand_score

    rows = [
        {
            "user_id": one.episode.intent.user_id,
            "app": one.episode.intent.app,
            "actions": [list_action_fields(step.action, step.raw or "") for step in one.episode.steps],
        }
        for number in range(24)
        for one in simulate_month(number, episodes=12, seed=0)
    ]
    found = cluster_users(read_user_episodes(rows)).types
    styles = {user: draw_user_style(make_person(number, 0)) for number, user in enumerate(sorted(found))}
    rand = {
        habit: adjusted_rand_score([value_of(styles[user]) for user in found], list(found.values()))
        for habit, value_of in HABITS.items()
    }
    assert rand["backs out of an app at the end"] > 0.5
    assert max(rand, key=lambda habit: rand[habit]) in list(HABITS)[:2]
    assert rand["sex"] < 0.2
