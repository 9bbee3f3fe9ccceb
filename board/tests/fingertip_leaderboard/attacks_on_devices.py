"""Attacks: a run on other devices than its data have."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any

from board.tests.fingertip_leaderboard.forging import of_head
from board.tests.fingertip_leaderboard.parts import Parts
from fingertip_dataset.times import BEIJING


def _on(device: str, **fields: Any) -> Callable[[Parts], None]:  # noqa: ANN401 - of any kind
    """Say that a run was on this device; other fields of run.json are set, too."""

    def forge(parts: Parts) -> None:
        parts.head["run"].update(device=device, **fields)

    return forge


def _of_suite(version: str | None) -> Callable[[Parts], None]:
    """Say that a run was on goals of this version, or that it records no versions."""

    def forge(parts: Parts) -> None:
        run = parts.head["run"]
        if version is None:
            del run["versions"]
        else:
            run["versions"]["suite"] = version

    return forge


def _labelled_phone(parts: Parts) -> None:
    """A simulated run as one on a real phone, done by the word of a rater who does not exist."""
    _on("adb", safety="0" * 64)(parts)
    now = datetime.now(BEIJING).isoformat(timespec="seconds")
    for task in parts.tasks:
        task.update(success=None, success_by=None, state=None)
        parts.labels.append(
            {
                "task_id": task["task_id"], "attempt": task["attempt"], "rater": "王小明", "kind": "person",
                "success": "yes", "why": "", "rating": None, "at": now,
            }
        )  # fmt: skip
    parts.head["scores"].update(decided=len(parts.tasks), successes=len(parts.tasks), sr2=1.0)


# the same attack builders, from another bundle or with what cannot but follow
person_head = partial(of_head, seed="person")


DEVICES = (
    person_head("simulated people on a real phone, done by a rater's word", "contradiction", _labelled_phone),
    of_head("people's tasks on a simulated phone", "contradiction", _on("simulated"), seed="phone"),
    of_head("a fault of a real phone", "contradiction", _on("adb", faults=["popup"]), seed="phone"),
    of_head("a fault of a recording", "contradiction", _on("replay", faults=["popup"]), seed="replayed"),
    person_head(
        "simulated people on a real phone without a safety gate", "contradiction", _on("adb", safety="off")
    ),
    person_head("a run on another version of the suite", "older_version", _of_suite("0.1")),
    person_head("a simulated run without versions", "older_version", _of_suite(None)),
)
