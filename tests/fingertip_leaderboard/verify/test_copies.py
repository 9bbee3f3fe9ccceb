from __future__ import annotations

import copy
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_leaderboard import RefusalKind, verify_bundles
from tests.fingertip_leaderboard.bundle_factory import Workshop
from tests.fingertip_leaderboard.parts import Parts

LATER = datetime.now(UTC) + timedelta(hours=1)


def kinds(workshop: Workshop, tmp_path: Path, *given: Parts) -> list[set[RefusalKind]]:
    places = [parts.write(tmp_path / f"bundle{number}") for number, parts in enumerate(given)]
    return [
        {problem.kind for problem in report.problems}
        for report in verify_bundles(places, workshop.sample, now=LATER)
    ]


def slower(parts: Parts) -> Parts:
    """The same run, with other seconds."""
    for number, line in enumerate(parts.tasks):
        if "time_s" in line:
            line["time_s"] += 0.1 + number / 100
        for step in line.get("steps", ()):
            step["agent_s"] += 0.1 + number / 100
    return parts


@pytest.mark.parametrize("seed", ["model", "phone"])
@pytest.mark.parametrize("change", [copy.copy, slower], ids=["as it is", "with other seconds"])
def test_the_later_of_two_equal_runs_is_refused(
    workshop: Workshop, tmp_path: Path, seed: str, change: Callable[[Parts], Parts]
) -> None:
    second = change(workshop.parts(seed))
    second.head["card"]["name"] = "Another"
    if seed == "phone" and change is slower:
        # these actions equal the targets, and correct answers do not indicate a copy
        assert kinds(workshop, tmp_path, workshop.parts(seed), second) == [set(), set()]
    else:
        assert kinds(workshop, tmp_path, workshop.parts(seed), second) == [set(), {RefusalKind.COPIED_RUN}]


def test_a_refused_bundle_does_not_count_as_an_original(workshop: Workshop, tmp_path: Path) -> None:
    forged = workshop.parts("model")
    forged.tasks.pop()
    first, second = kinds(workshop, tmp_path, forged, workshop.parts("model"))
    assert first
    assert second == set()


def test_a_baseline_under_another_name_is_refused(workshop: Workshop, tmp_path: Path) -> None:
    second = slower(workshop.parts("habit"))
    second.head["run"]["agent"] = {"name": "mine", "settings": {}}
    assert kinds(workshop, tmp_path, workshop.parts("habit"), second) == [set(), {RefusalKind.COPIED_RUN}]


def test_a_baseline_may_run_twice(workshop: Workshop, tmp_path: Path) -> None:
    assert kinds(workshop, tmp_path, workshop.parts("habit"), slower(workshop.parts("habit"))) == [
        set(),
        set(),
    ]


def test_seconds_copied_from_another_run_are_refused(workshop: Workshop, tmp_path: Path) -> None:
    second = workshop.parts("no history")
    times = {line["task_id"]: line["time_s"] for line in workshop.parts("ours").tasks}
    for number, line in enumerate(second.tasks):
        line["output"] += "\n" * number
        line["time_s"] = times[line["task_id"]]
    assert kinds(workshop, tmp_path, workshop.parts("ours"), second) == [set(), {RefusalKind.COPIED_RUN}]


def test_different_honest_runs_are_all_accepted(workshop: Workshop, tmp_path: Path) -> None:
    given = [
        workshop.parts(seed) for seed in ("habit", "recent", "model", "silent", "replayed", "phone", "points")
    ]
    assert kinds(workshop, tmp_path, *given) == [set()] * len(given)


def test_a_run_with_one_answer_is_accepted_with_a_remark(workshop: Workshop, tmp_path: Path) -> None:
    place = workshop.parts("silent").write(tmp_path / "bundle")
    (report,) = verify_bundles([place], workshop.sample, now=LATER)
    assert report.accepted
    assert report.remarks == ("the same answer to all 12 tasks",)


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
