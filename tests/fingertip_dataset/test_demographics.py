from __future__ import annotations

import pytest

from fingertip_dataset import paper_facts
from fingertip_dataset.demographics import count_people
from fingertip_dataset.episodes import UserProfile
from fingertip_metrics import published_rows
from tests.vectors import read_vectors

VECTORS = read_vectors(__file__)


@pytest.mark.parametrize(("occupation", "group"), VECTORS["occupations_are_grouped_by_their_words"])
def test_occupations_are_grouped_by_their_words(occupation: str | None, group: str) -> None:
    assert count_people([UserProfile(occupation=occupation)]).occupations == {group: 1}


def test_everybody_is_counted_once() -> None:
    people = [UserProfile(sex=sex, age=age) for sex, age in (("男", 18), ("F", 60), ("?", None), (None, 30))]
    found = count_people(people)
    assert found.sexes == {"male": 1, "female": 1, "other": 1, "unknown": 1}
    assert (found.users, found.ages, found.mean_age) == (4, (18, 30, 60), 36)
    assert count_people([]).mean_age is None


def test_the_papers_numbers_are_the_published_ones() -> None:
    for row in published_rows("table 7"):
        (split,) = row.setting["splits"]
        assert dict(paper_facts.TABLE_7[split]) == dict(row.values)
    (people,) = published_rows("demographics")
    assert dict(paper_facts.SEXES) == {"male": people.values["men"], "female": people.values["women"]}
    ages = tuple(people.values[f"age_{name}"] for name in ("lowest", "highest", "mean"))
    assert ages == (paper_facts.YOUNGEST, paper_facts.OLDEST, paper_facts.MEAN_AGE)
