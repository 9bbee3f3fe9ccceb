from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from board.tests.fingertip_leaderboard.bundle_factory import Workshop
from board.tests.fingertip_leaderboard.parts import Parts
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_leaderboard import RefusalKind, verify_bundles

LATER = datetime.now(UTC) + timedelta(hours=1)


def kinds(workshop: Workshop, tmp_path: Path, *given: Parts) -> list[set[RefusalKind]]:
    places = [parts.write(tmp_path / f"bundle{number}") for number, parts in enumerate(given)]
    return [
        {problem.kind for problem in report.problems}
        for report in verify_bundles(places, workshop.sample, now=LATER)
    ]


def slower(parts: Parts) -> Parts:
    """A run with other seconds."""
    for number, line in enumerate(parts.tasks):
        if "time_s" in line:
            line["time_s"] += 0.1 + number / 100
        for step in line.get("steps", ()):
            step["agent_s"] += 0.1 + number / 100
    return parts


def marks(workshop: Workshop, tmp_path: Path, *given: Parts) -> list[set[str]]:
    """Kinds of marks of each bundle; none of them may be refused."""
    places = [parts.write(tmp_path / f"bundle{number}") for number, parts in enumerate(given)]
    reports = verify_bundles(places, workshop.sample, now=LATER)
    assert [str(problem) for report in reports for problem in report.problems] == []
    for report in reports:
        others = {other.sha256 for other in reports if other is not report}
        assert {mark.other for mark in report.marks} <= others
    return [{mark.kind for mark in report.marks} for report in reports]


def renamed(parts: Parts, name: str = "Another") -> Parts:
    parts.head["card"]["name"] = name
    return parts


@pytest.mark.parametrize("seed", ["model", "phone"])
@pytest.mark.parametrize("change", [copy.copy, slower], ids=["as it is", "with other seconds"])
def test_two_equal_runs_are_both_marked_and_none_is_refused(
    workshop: Workshop, tmp_path: Path, seed: str, change: Callable[[Parts], Parts]
) -> None:
    second = renamed(change(workshop.parts(seed)))
    if seed == "phone" and change is slower:
        # these actions equal the targets, and correct answers do not indicate a copy
        expected: set[str] = set()
    else:
        expected = {"answers"} if change is slower else {"seconds"}
    assert marks(workshop, tmp_path, workshop.parts(seed), second) == [expected, expected]


def changed_answers(change: Callable[[int, str], str]) -> Callable[[Parts], Parts]:
    """Change each intent of a run and its output by number and text; the claimed scores follow."""

    def changed(parts: Parts) -> Parts:
        for number, line in enumerate(parts.tasks):
            before = line["predicted_intent"]
            line["predicted_intent"] = change(number, before)
            line["output"] = json.dumps({"intent": line["predicted_intent"]}, ensure_ascii=False)
        return parts

    return changed


COPIES: dict[str, Callable[[int, str], str]] = {
    "a space": lambda number, text: f"{text} ",
    "a space inside": lambda number, text: f"{text[:3]} {text[3:]}",
    "a zero-width space": lambda number, text: f"{text[:2]}\u200b{text[2:]}",
    "a Hangul filler": lambda number, text: f"{text}\u3164",
    "a variation selector": lambda number, text: f"{text}\ufe0f",
    "full-width digits": lambda number, text: text.translate({48 + n: 0xFF10 + n for n in range(10)}),
    "a compatibility ideograph": lambda number, text: text.replace("⼀", "一").replace("用", "⽤"),
    "three of twelve others": lambda number, text: f"打车去公司第{number}次" if number < 3 else text,
    "five of twelve others": lambda number, text: f"打车去公司第{number}次" if number < 5 else text,
    "a letter more": lambda number, text: f"{text}x",
}
"""Name of an attack -> change of the answers of a copied run."""


@pytest.mark.parametrize("name", COPIES)
def test_a_copy_with_changed_answers_is_marked_on_both_sides(
    workshop: Workshop, tmp_path: Path, name: str
) -> None:
    copied = renamed(slower(changed_answers(COPIES[name])(workshop.parts("no history"))))
    assert with_right_scores(workshop, tmp_path, workshop.parts("no history"), copied) == [
        {"answers"},
        {"answers"},
    ]


def with_right_scores(workshop: Workshop, tmp_path: Path, first: Parts, second: Parts) -> list[set[str]]:
    """The marks of two bundles, of which the second claims the scores that its verifier recomputes."""
    place = second.write(tmp_path / "unscored")
    for problem in verify_bundles([place], workshop.sample, now=LATER)[0].problems:
        found = re.fullmatch(r"expected (\w+) (\S+), as recomputed, got \S+", problem.reason)
        assert found is not None, problem
        second.head["scores"][found[1]] = json.loads(found[2])
    return marks(workshop, tmp_path, first, second)


def test_a_name_that_sorts_first_makes_no_original(workshop: Workshop, tmp_path: Path) -> None:
    thief = renamed(slower(workshop.parts("model")), "Aaa")
    places = [thief.write(tmp_path / "aaa"), workshop.parts("model").write(tmp_path / "model")]
    reports = verify_bundles(places, workshop.sample, now=LATER)
    assert [report.accepted for report in reports] == [True, True]
    assert [[str(mark) for mark in report.marks] for report in reports] == [
        ["answers nearly equal to model (12 of 12)"],
        ["answers nearly equal to aaa (12 of 12)"],
    ]


def test_a_refused_bundle_marks_nobody(workshop: Workshop, tmp_path: Path) -> None:
    forged = workshop.parts("model")
    forged.tasks.pop()
    places = [forged.write(tmp_path / "forged"), workshop.parts("model").write(tmp_path / "honest")]
    first, second = verify_bundles(places, workshop.sample, now=LATER)
    assert first.problems
    assert (first.marks, second.marks, second.problems) == ((), (), ())


def test_a_baseline_under_another_name_is_marked(workshop: Workshop, tmp_path: Path) -> None:
    second = renamed(slower(workshop.parts("habit")))
    second.head["run"]["agent"] = {"name": "mine", "settings": {}}
    assert marks(workshop, tmp_path, workshop.parts("habit"), second) == [{"answers"}, {"answers"}]


def test_a_baseline_may_run_twice(workshop: Workshop, tmp_path: Path) -> None:
    second = renamed(slower(workshop.parts("habit")))
    assert marks(workshop, tmp_path, workshop.parts("habit"), second) == [set(), set()]


def test_seconds_copied_from_another_run_are_marked(workshop: Workshop, tmp_path: Path) -> None:
    second = renamed(workshop.parts("no history"))
    times = {line["task_id"]: line["time_s"] for line in workshop.parts("ours").tasks}
    for number, line in enumerate(second.tasks):
        line["output"] += "\n" * number
        line["time_s"] = times[line["task_id"]]
    assert marks(workshop, tmp_path, workshop.parts("ours"), second) == [{"seconds"}, {"seconds"}]


@pytest.mark.parametrize("name", ["HABIT", "Hab\u0131t", "НАВІТ", "Ha bit", "habit"], ids=ascii)
def test_names_side_by_side_that_look_alike_are_marked(workshop: Workshop, tmp_path: Path, name: str) -> None:
    given = [renamed(workshop.parts("recent"), "Habit"), renamed(workshop.parts("model"), name)]
    assert marks(workshop, tmp_path, *given) == [{"name"}, {"name"}]


def test_one_name_on_both_tracks_is_not_marked(workshop: Workshop, tmp_path: Path) -> None:
    given = [renamed(workshop.parts(seed), "Habit") for seed in ("model", "phone")]
    assert marks(workshop, tmp_path, *given) == [set(), set()]


def test_different_honest_runs_are_all_accepted_without_a_mark(workshop: Workshop, tmp_path: Path) -> None:
    seeds = ("habit", "recent", "model", "silent", "replayed", "phone", "points")
    given = [renamed(workshop.parts(seed), seed) for seed in seeds]
    assert marks(workshop, tmp_path, *given) == [set()] * len(given)


def test_a_run_with_one_answer_is_accepted_with_a_remark(workshop: Workshop, tmp_path: Path) -> None:
    place = workshop.parts("silent").write(tmp_path / "bundle")
    (report,) = verify_bundles([place], workshop.sample, now=LATER)
    assert report.accepted
    assert "the same answer to all 12 tasks" in report.remarks


def test_nothing_is_scored_without_a_dataset(workshop: Workshop, tmp_path: Path) -> None:
    (report,) = verify_bundles([workshop.parts("model").write(tmp_path / "bundle")], None, now=LATER)
    assert report.problems == ()
    assert not report.accepted
    assert report.remarks == ("no dataset: neither targets nor scores are checked",)


def leak(parts: Parts, text: Any) -> Parts:  # noqa: ANN401 - as JSON has it
    parts.head["run"]["agent"]["settings"]["examples"] = text
    return parts


def test_a_true_intent_in_the_settings_is_refused(workshop: Workshop, tmp_path: Path) -> None:
    rows = BuiltDataset.open(workshop.sample).rows("test_suggestion", columns=("intent",))
    longest = max((row["intent"] for row in rows), key=len)
    leaked = leak(workshop.parts("model"), [{"shot": f"例如：{longest}"}])
    assert kinds(workshop, tmp_path, leaked) == [{RefusalKind.TARGET_LEAKED}]


def test_golden_actions_in_the_settings_are_refused(workshop: Workshop, tmp_path: Path) -> None:
    steps = workshop.parts("phone").tasks[0]["steps"]
    leaked = leak(workshop.parts("phone"), "; ".join(step["action"] for step in steps))
    assert kinds(workshop, tmp_path, leaked) == [{RefusalKind.TARGET_LEAKED}]
