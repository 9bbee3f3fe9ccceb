"""Clusters of behaviour find habits of simulated people."""

from __future__ import annotations

from pathlib import Path

import pytest

from fingertip_dataset.errors import UsageError
from fingertip_studies.behaviour_types import HABITS, measure_agreement, read_trained, simulate_people


def test_each_habit_is_compared_with_the_clusters(people: Path) -> None:
    measured = measure_agreement(read_trained(people, seed=3), seed=3)
    assert list(measured.rand) == list(HABITS)
    assert max(measured.rand.values()) <= 1
    assert len(measured.found.types) == 2
    with pytest.raises(UsageError, match="expected people simulated with seed 4: give their --seed"):
        read_trained(people, seed=4)


@pytest.mark.install
def test_who_backs_out_of_apps_is_told_from_who_goes_home() -> None:
    rand = measure_agreement(simulate_people(24, episodes=12, seed=0), seed=0).rand
    assert rand["backs out of an app at the end"] > 0.5
    assert max(rand, key=lambda habit: rand[habit]) in list(HABITS)[:2]
    assert rand["sex"] < 0.2
