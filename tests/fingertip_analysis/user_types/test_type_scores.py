"""Sim_2 under further definitions of the user types, compared with a direct computation from the rows."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest
from rapidfuzz import fuzz
from rapidfuzz.distance import Indel
from rich.console import Console

from execution_runner.scoring.run_scores import ExecutionRunScores, score_run, scores_dict
from fingertip_analysis.user_types.type_scores import TypeScores, open_type_search, score_types, types_dict
from fingertip_analysis.user_types.type_tables import type_notes, type_tables
from fingertip_dataset.errors import UnknownNameError, UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.split_names import SPLITS, TEST_EXECUTION
from fingertip_dataset.tasks.task import execution_task
from fingertip_runs.run_record import DatasetRecord
from tests.drawn_people import DrawnPerson, build_people

DrawRun = Callable[..., Path]

TAP, SCROLL, TYPE = (
    "click(coordinates=(3, 4), content='开始')",
    "scroll(coordinates=(3, 4), direction='up')",
    "type(text='稻香')",
)
PEOPLE: Mapping[str, DrawnPerson] = {
    "7": DrawnPerson(
        sex="女", age=30, episodes=[("打开微信", [TAP, TYPE]), ("查天气", [TYPE]), ("打开微信发红包", [TAP])]
    ),
    "8": DrawnPerson(
        sex="男",
        age=50,
        episodes=[("打开微信发红包", [SCROLL] * 3), ("听歌", [SCROLL, TAP]), ("查天气", [SCROLL])],
    ),
    "9": DrawnPerson(
        sex="女", age=61, episodes=[("听稻香", [TYPE, TAP]), ("打开微博", [TYPE]), ("听稻香的歌", [TYPE] * 2)]
    ),
    "20": DrawnPerson(
        age=20,
        episodes=[("打开微信", [SCROLL] * 2), ("查明天天气", [SCROLL]), ("打开微信红包", [SCROLL, TAP])],
    ),
    "30": DrawnPerson(sex="男", age=45, episodes=[("查今天天气", ["press_home()", TAP])]),
}
"""User 20 has no sex, 30 no training episode."""

MADE = ["press_home()", TAP, TYPE, "finished()"]
"""What the agent does in every task."""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> BuiltDataset:
    return BuiltDataset.open(build_people(tmp_path_factory.mktemp("people"), PEOPLE))


@pytest.fixture
def run(built: BuiltDataset, draw_run: DrawRun) -> Path:
    """A run in which the agent does `MADE` in every task."""
    tasks = []
    for row in built.rows(TEST_EXECUTION):
        target = execution_task(row).target
        tasks.append(
            {
                "actions": MADE,
                "task_id": target.task_id,
                "user_id": target.user_id,
                "intent": target.intent,
                "golden_actions": list(target.golden_actions),
                "other_type_actions": list(target.other_type_actions),
            }
        )
    return draw_run(tasks, dataset=DatasetRecord.of(built, built.path).model_dump(mode="json"))


def compare(reference: list[str]) -> float:
    """S of the release between a reference and `MADE`, by the library of the authors' script."""
    return fuzz.ratio("，".join(reference), "".join(f"{action}，" for action in MADE)) / 100


def compute_directly(built: BuiltDataset, types: Mapping[str, str | None]) -> dict[str, tuple[float, float]]:
    """(Sim_2, S_II) of each task: its own actions over those of the nearest intent of another type."""
    rows = {row["episode_id"]: row for split in SPLITS for row in built.rows(split)}
    found = {}
    for task in built.rows(TEST_EXECUTION):
        others = [
            row
            for row in sorted(rows.values(), key=lambda row: (int(row["user_id"]), row["time"]))
            if None not in (types[row["user_id"]], types[task["user_id"]])
            and types[row["user_id"]] != types[task["user_id"]]
        ]
        if others:
            best = max(others, key=lambda row: Indel.normalized_similarity(task["intent"], row["intent"]))
            own, other = ([step["raw"] for step in row["actions"]] for row in (task, best))
            s_ii = round(compare(other), 2)
            found[task["episode_id"]] = (round(compare(own), 2) / s_ii, s_ii)
    return found


def as_pairs(types: TypeScores) -> dict[str, Any]:
    return {task.task_id: (task.sim2, task.s_ii) for task in types.tasks if task.reference_id}


def test_sex_and_any_equal_a_direct_computation(built: BuiltDataset, run: Path) -> None:
    scores = score_run(run)
    sex, anyone = score_types(scores, ["sex", "any", "sex"])
    sexes = {user: person.sex or None for user, person in PEOPLE.items()}
    for types, kinds in ((sex, sexes), (anyone, {user: user for user in PEOPLE})):
        expected = compute_directly(built, kinds)
        assert as_pairs(types) == {task: pytest.approx(values) for task, values in expected.items()}
        assert types.n == types.sim2.clusters == len(expected)
        assert types.sim2.mean == pytest.approx(fmean(sim2 for sim2, _ in expected.values()))
        assert types.s_ii.mean == pytest.approx(fmean(s_ii for _, s_ii in expected.values()))
        assert types.sim2.low < types.sim2.mean < types.sim2.high
    assert (sex.n, anyone.n) == (4, 5)


def test_age_is_the_dataset_s_own_sim2(run: Path) -> None:
    scores = score_run(run)
    (age,) = score_types(scores, ["age"])
    assert [task.sim2 for task in age.tasks] == [task.sim2.sim2 for task in scores.tasks]
    assert [task.s_ii for task in age.tasks] == [task.sim2.s_ii for task in scores.tasks]
    assert age.sim2 == age.own_sim2 == scores.means["sim2"]
    assert age.s_ii == scores.means["s_ii"]


@pytest.mark.parametrize(("protocol", "spelling"), [("paper", None), ("release", "canonical")])
def test_age_equals_the_own_types_in_each_way_of_scoring(
    run: Path, protocol: str, spelling: str | None
) -> None:
    scores = score_run(run, protocol=protocol, spelling=spelling)
    (age,) = score_types(scores, ["age"])
    assert age.sim2 == scores.means["sim2"]


def test_tasks_without_such_a_reference_are_left_out_and_named(run: Path) -> None:
    scores = score_run(run)
    sex, behaviour = score_types(scores, ["sex", "behaviour"])
    assert [(reason, len(tasks)) for reason, tasks in sex.reasons.items()] == [
        ("of users whose sex is not known", 1)
    ]
    (task,) = sex.reasons["of users whose sex is not known"]
    assert task.startswith("20__")
    assert behaviour.reasons == {"of users without an episode in the training part": ["30__20250301_080000"]}
    # the mean by the dataset's own types is of the same tasks
    kept = [one.sim2.sim2 for one in scores.tasks if one.task_id != task]
    assert sex.own_sim2.mean == pytest.approx(fmean(kept))
    assert (sex.own_sim2.n, sex.sim2.undefined) == (4, 0)
    notes = type_notes([(scores, [sex, behaviour])])
    assert any(
        note.endswith("sex: 1 of 5 tasks left out of users whose sex is not known: " + task + ".")
        for note in notes
    )
    assert any("; without a type: 20)" in note for note in notes)


def test_one_type_alone_gives_no_number(draw_run: DrawRun, tmp_path: Path) -> None:
    people = {user: replace(PEOPLE[user], sex="女") for user in ("7", "9")}
    built = BuiltDataset.open(build_people(tmp_path / "women", people))
    tasks = [
        {"actions": MADE, "task_id": row["episode_id"], "user_id": row["user_id"]}
        for row in built.rows(TEST_EXECUTION)
    ]
    scores = score_run(draw_run(tasks, dataset=DatasetRecord.of(built, built.path).model_dump(mode="json")))
    (sex,) = score_types(scores, ["sex"])
    assert (sex.sim2, sex.s_ii, sex.own_sim2, sex.n) == (None, None, None, 0)
    assert list(sex.reasons) == ["because all users are of one type"]
    assert json.loads(json.dumps(types_dict([sex])))[0]["sim2"] is None
    assert "–" in render([(scores, [sex])])


def render(runs: list[tuple[ExecutionRunScores, list[TypeScores]]]) -> str:
    text = io.StringIO()
    for table in type_tables(runs):
        Console(file=text, width=110).print(table)
    return text.getvalue()


def test_the_table_has_the_dataset_s_own_row_first(run: Path) -> None:
    scores = score_run(run)
    types = list(score_types(scores, ["age", "any"]))
    page = render([(scores, types)])
    assert page.index("dataset's") < page.index("age") < page.index("any")
    assert "same tasks" not in page
    assert f"{scores.means['sim2'].mean:.3f}" in page
    assert f"{types[1].sim2.mean:.3f}" in page
    assert "same tasks [95 %]" in render([(scores, list(score_types(scores, ["sex"])))])
    assert type_notes([]) == []


def test_json_has_what_each_number_rests_on(run: Path) -> None:
    scores = score_run(run)
    (sex,) = types_dict(score_types(scores, ["sex"]))
    assert (sex["types"], sex["users"], sex["users_without_type"], sex["n"]) == (
        "sex",
        {"female": 2, "male": 2},
        ["20"],
        4,
    )
    assert len(sex["per_item"]) == 5
    assert json.loads(json.dumps(sex, allow_nan=False)) == sex
    # scores.json is the same with and without further types
    assert "also_types" not in scores_dict(scores)


def test_a_missing_or_other_dataset_is_named(built: BuiltDataset, draw_run: DrawRun, tmp_path: Path) -> None:
    scores = score_run(draw_run([{"actions": MADE}]))
    with pytest.raises(UsageError, match=r"^further user types need the run's dataset: no built dataset"):
        score_types(scores, ["sex"])
    record = DatasetRecord.of(built, built.path)
    with pytest.raises(
        UsageError,
        match="this is another dataset than the run was made on, or it was built again since: bring "
        "that one back to this path",
    ):
        open_type_search(record.model_copy(update={"data_sha256": "0" * 64}))
    with pytest.raises(UsageError, match="the run's record has no path of its dataset"):
        open_type_search(record.model_copy(update={"path": ""}))
    with pytest.raises(UnknownNameError, match="expected a definition of the user types"):
        score_types(scores, ["sexes"])
