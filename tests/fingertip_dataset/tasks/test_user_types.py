from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fingertip_dataset.episodes import UserProfile
from fingertip_dataset.errors import UsageError
from fingertip_dataset.release.words import RELEASE_GROUP_2
from fingertip_dataset.tasks.user_types import find_user_types


def people(*ids: str, age: int | None = 50) -> dict[str, UserProfile]:
    return {user: UserProfile(age=age) for user in ids}


def test_the_list_of_the_release_has_sixteen_users() -> None:
    assert len(RELEASE_GROUP_2) == 16
    assert all(1 <= int(user) <= 100 for user in RELEASE_GROUP_2)


def test_recorded_data_with_the_ids_of_the_release_take_its_list() -> None:
    found = find_user_types(people("1", "30", "74", "100", age=None), "recorded")
    assert dict(found.types) == {"1": 1, "30": 2, "74": 2, "100": 1}
    assert found.method == "two age groups by the user ids of the authors' script"
    assert found.unknown == 0


@pytest.mark.parametrize("stranger", ["0", "101", "guest", "1e1", "٣", "-5", ""])
def test_an_id_that_the_release_cannot_have_means_age(stranger: str) -> None:
    found = find_user_types(people("30", stranger, age=20), "recorded")
    assert dict(found.types) == {"30": 1, stranger: 1}


@pytest.mark.parametrize("provenance", ["sample", "simulated", "recorded+simulated"])
def test_data_that_were_not_recorded_go_by_age(provenance: str) -> None:
    found = find_user_types(people("30", age=20), provenance)
    assert found["30"] == 1
    assert found.method.startswith("by age: type 2 from 40 years")


@settings(deadline=None)
@given(ages=st.lists(st.none() | st.integers(0, 110), min_size=1, max_size=20), boundary=st.integers(0, 110))
def test_types_by_age(ages: list[int | None], boundary: int) -> None:
    profiles = {f"user{place}": UserProfile(age=age) for place, age in enumerate(ages)}
    found = find_user_types(profiles, "recorded", age_boundary=boundary)
    assert found.unknown == ages.count(None)
    assert found.method.endswith(f"type: {ages.count(None)}")
    for user, profile in profiles.items():
        assert found[user] == (None if profile.age is None else 1 + (profile.age >= boundary))


def test_either_method_can_be_forced() -> None:
    assert find_user_types(people("30", age=20), "sample", method="release")["30"] == 2
    assert find_user_types(people("30", age=20), "recorded", method="age")["30"] == 1
    assert find_user_types({}, "recorded")["30"] is None
    with pytest.raises(UsageError, match=r"^expected user types by auto, release or age, got 'sex'$"):
        find_user_types({}, "recorded", method="sex")  # type: ignore[arg-type]
