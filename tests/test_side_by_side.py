"""The comparison in docs/simulated-phone.md: its own figures are those of the code."""

from __future__ import annotations

import re
from pathlib import Path

from fingertip_recorder.published_sample import PUBLISHED
from simulated_phone.apps import APPS
from simulated_phone.language.language import languages

ROWS = {
    row[0]: row[1]
    for line in (Path(__file__).parents[1] / "docs" / "simulated-phone.md")
    .read_text(encoding="utf-8")
    .splitlines()
    if line.startswith("| ") and len(row := [cell.strip() for cell in line.strip("|").split("|")]) == 7
}


def number(row: str) -> int:
    found = re.search(r"\d+", ROWS[row])
    assert found is not None
    return int(found[0])


def test_apps_goals_people_and_languages_are_counted() -> None:
    with_goals = [app for app in APPS if app.goals]
    assert number("apps") == len(with_goals)
    assert number("tasks") == sum(len(app.goals) for app in with_goals)
    assert number("persons") == PUBLISHED.users
    assert len(ROWS["languages"].split(",")) == len(languages())
