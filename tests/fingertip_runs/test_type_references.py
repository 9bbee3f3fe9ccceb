"""References under further definitions of the user types, compared with a slow search over the rows."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rapidfuzz.distance import Indel

from fingertip_dataset.errors import UnknownNameError, UsageError
from fingertip_dataset.parquet.build import BuildConfig
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.split_names import SPLITS, TEST_EXECUTION, TRAIN
from fingertip_runs.type_references import TYPE_NAMES, TypeSearch, UserTyping, check_type_names
from tests.drawn_people import DrawnPerson, build_people

TAP, SCROLL, TYPE, BACK, HOME = (
    "click(coordinates=(3, 4), content='开始')",
    "scroll(coordinates=(3, 4), direction='up')",
    "type(text='稻香')",
    "press_back()",
    "press_home()",
)
TYPIST, SCROLLER = (TAP, TYPE, HOME), (SCROLL, SCROLL, TAP, BACK)
OTHER_ACTIONS = (BACK, BACK, BACK, SCROLL)

PEOPLE: Mapping[str, DrawnPerson] = {
    "7": DrawnPerson(
        sex="女",
        age=30,
        episodes=[("打开微信", TYPIST), ("听稻香", TYPIST), ("查天气", TYPIST), ("打开微信发红包", TYPIST)],
    ),
    "8": DrawnPerson(
        sex="男",
        age=50,
        episodes=[
            ("打开微信发红包", SCROLLER),
            ("订闹钟", SCROLLER),
            ("听歌", SCROLLER),
            ("查天气", SCROLLER),
        ],
    ),
    "9": DrawnPerson(
        sex=" Female ",
        age=61,
        episodes=[("听稻香歌", TYPIST), ("打开微博", TYPIST), ("订闹钟", TYPIST)],
    ),
    "20": DrawnPerson(
        age=20, episodes=[("打开微信", SCROLLER), ("查明天天气", SCROLLER), ("打开微信红包", SCROLLER)]
    ),
    "21": DrawnPerson(
        sex="femme", episodes=[("订明天闹钟", SCROLLER), ("听歌曲", SCROLLER), ("听歌", SCROLLER)]
    ),
    "30": DrawnPerson(sex="男", age=45, episodes=[("查今天天气", TYPIST)]),
}
"""User 20 has no sex, 21 no age and a sex in a language that nothing explains, 30 no training episode."""

SEXES = {"7": "female", "8": "male", "9": "female", "20": None, "21": "femme", "30": "male"}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> BuiltDataset:
    return BuiltDataset.open(build_people(tmp_path_factory.mktemp("people"), PEOPLE))


def read_rows(built: BuiltDataset) -> dict[str, dict[str, Any]]:
    return {row["episode_id"]: row for split in SPLITS for row in built.rows(split)}


def search_slowly(
    built: BuiltDataset, types: Mapping[str, str | None], *, skip: bool = False, strict: bool = False
) -> dict[str, tuple[str, float]]:
    """Each test's reference and its similarity, by comparing it with one episode after another."""
    rows = read_rows(built)
    train = {row["episode_id"] for row in built.rows(TRAIN)}
    found = {}
    for task in built.rows(TEST_EXECUTION):
        best = -1.0
        for row in sorted(rows.values(), key=lambda row: (int(row["user_id"]), row["time"])):
            own, theirs = types[task["user_id"]], types[row["user_id"]]
            if own is None or theirs is None or own == theirs:
                continue
            if (skip and row["intent"] == task["intent"]) or (strict and row["episode_id"] not in train):
                continue
            similarity = Indel.normalized_similarity(task["intent"], row["intent"])
            if similarity > best + 1e-6:
                best = similarity
                found[task["episode_id"]] = (row["episode_id"], similarity)
    return found


def find_all(built: BuiltDataset, *typings: UserTyping) -> dict[str, dict[str, tuple[str, float]]]:
    tests = [row["episode_id"] for row in built.rows(TEST_EXECUTION)]
    return {
        name: {
            task: (reference.episode_id, pytest.approx(reference.similarity, abs=2e-6))
            for task, reference in found.items()
        }
        for name, found in TypeSearch(built).find(tests, typings).items()
    }


def test_sex_and_any_equal_a_slow_search(built: BuiltDataset) -> None:
    search = TypeSearch(built)
    sex, anyone = search.assign_types("sex"), search.assign_types("any")
    assert (sex.types, sex.without) == (SEXES, ("20",))
    assert sex.sizes == {"female": 2, "femme": 1, "male": 2}
    assert (anyone.types, anyone.without) == ({user: user for user in PEOPLE}, ())
    found = find_all(built, sex, anyone)
    assert found == {
        "sex": search_slowly(built, SEXES),
        "any": search_slowly(built, {user: user for user in PEOPLE}),
    }
    assert {task.partition("__")[0] for task in found["sex"]} == {"7", "8", "9", "21", "30"}
    assert found["sex"] != {task: found["any"][task] for task in found["sex"]}


def test_references_carry_the_actions_as_written(built: BuiltDataset) -> None:
    search, rows = TypeSearch(built), read_rows(built)
    for reference in search.find(list(rows), [search.assign_types("any")])["any"].values():
        row = rows[reference.episode_id]
        assert reference.written == tuple(step["raw"] for step in row["actions"])
        assert (reference.intent, len(reference.actions)) == (row["intent"], len(reference.written))


@pytest.mark.parametrize("of", ["drawn", "simulated"])
def test_types_by_age_are_the_datasets_own(
    built: BuiltDataset, of: str, request: pytest.FixtureRequest
) -> None:
    dataset = built if of == "drawn" else BuiltDataset.open(request.getfixturevalue("people"))
    search = TypeSearch(dataset)
    age = search.assign_types("age")
    assert age.method == "two age groups, the dataset's own, type 2 from 40 years"
    own = {
        row["episode_id"]: (row["other_type_reference"]["episode_id"], row["other_type_reference"]["actions"])
        for row in dataset.rows(TEST_EXECUTION)
        if row["other_type_reference"]
    }
    found = search.find([row["episode_id"] for row in dataset.rows(TEST_EXECUTION)], [age])["age"]
    assert {task: (one.episode_id, list(one.written)) for task, one in found.items()} == own
    assert own
    if of == "drawn":
        assert (age.without, age.sizes) == (("21",), {"1": 2, "2": 3})


def test_types_by_age_where_the_dataset_has_the_authors_list(tmp_path: Path) -> None:
    built = BuiltDataset.open(build_people(tmp_path, PEOPLE, BuildConfig(user_types="release")))
    age = TypeSearch(built).assign_types("age")
    assert age.types == {"7": 1, "8": 2, "9": 2, "20": 1, "21": None, "30": 2}
    assert age.method == "two age groups, the second from 40 years"
    assert {row["user_type"] for row in built.rows(TEST_EXECUTION) if row["user_id"] == "8"} == {1}


def test_behaviour_is_of_the_training_part_alone(built: BuiltDataset, tmp_path: Path) -> None:
    changed = {
        user: DrawnPerson(
            sex=person.sex,
            age=person.age,
            episodes=[*person.episodes[:-1], (person.episodes[-1][0], OTHER_ACTIONS)],
        )
        for user, person in PEOPLE.items()
    }
    found = TypeSearch(built).assign_types("behaviour")
    again = TypeSearch(BuiltDataset.open(build_people(tmp_path, changed))).assign_types("behaviour")
    assert found == again
    assert found.without == ("30",)
    kinds = {user: found.types[user] for user in PEOPLE if user != "30"}
    assert kinds["7"] == kinds["9"] != kinds["8"] == kinds["20"] == kinds["21"]
    assert found.method.startswith(
        "2 clusters of users by k-means over action statistics of the training part"
    )


def test_protocol_and_same_tasks_are_those_of_the_dataset(tmp_path: Path) -> None:
    config = BuildConfig(history="strict", skip_same_task=True)
    built = BuiltDataset.open(build_people(tmp_path, PEOPLE, config))
    found = find_all(built, TypeSearch(built).assign_types("any"))["any"]
    types = {user: user for user in PEOPLE}
    assert found == search_slowly(built, types, skip=True, strict=True)
    assert found != search_slowly(built, types, strict=True)
    assert found != search_slowly(built, types, skip=True)


def test_an_embedder_is_needed_where_the_dataset_used_one(built: BuiltDataset) -> None:
    def encode(texts: object) -> np.ndarray:
        return np.zeros((len(texts), 2), dtype=np.float32)

    with pytest.raises(
        UsageError, match="expected the similarity by which the dataset found its references, text"
    ):
        TypeSearch(built, encode=encode)


def test_names_of_definitions() -> None:
    assert check_type_names(["any", "sex", "any"]) == ("any", "sex")
    assert check_type_names(TYPE_NAMES) == TYPE_NAMES
    with pytest.raises(
        UnknownNameError,
        match=r"^expected a definition of the user types, one of age, sex, behaviour, any, got 'sexes'",
    ):
        check_type_names(["age", "sexes"])
