from __future__ import annotations

import pytest

from fingertip_dataset.tasks.task import TaskTarget
from fingertip_studies.identification_power import (
    OTHER,
    OWN,
    ComparedWays,
    measure_power,
    print_power,
    print_table,
)

KEYS = [f"type(text='{letter * 6}')" for letter in "abcdefghijklmnopqrstuvwxyz"]


def compare(people: int) -> ComparedWays:
    """Own ways that differ, nearly the same ways, and those of the next person."""
    golden = [(key, "finished()") for key in KEYS[:people]]
    targets = [
        TaskTarget(
            task_id=f"{at}__20250303_080000",
            user_id=str(at),
            app="a",
            intent="the same",
            intent_category=None,
            golden_actions=way,
            other_type_actions=golden[at - 1],
        )
        for at, way in enumerate(golden)
    ]
    near = [(way[0].replace("')", "x')"), way[1]) for way in golden]
    return ComparedWays(
        targets=targets, ways={OWN: golden, "near": near, OTHER: [golden[at - 1] for at in range(people)]}
    )


def test_a_personal_way_is_told_from_another_persons(capsys: pytest.CaptureFixture[str]) -> None:
    ways = compare(20)
    assert measure_power(ways, "near", OTHER, 15)[0] > 0.6
    assert measure_power(ways, "near", "near", 15) == (0.0, 0.0)
    print_table(ways)
    print_power(ways, "near")
    shown = capsys.readouterr().out
    assert f"| {OWN} | 100.0 |" in shown
    assert f"| {OTHER} | " in shown.partition("| above |")[2]
