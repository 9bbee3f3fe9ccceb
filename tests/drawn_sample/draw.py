"""Draws the sample release: `python -m tests.drawn_sample.draw OUT`.

Made by a program from made-up people, so it shows the layout of the release and its usual defects; its
scores say nothing about anyone. Every survey file says `"provenance": "sample"`.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np

from fingertip_dataset.actions import Action, Click, Finished, Scroll, Type, format_action
from fingertip_dataset.times import BEIJING, TIME_FORMAT
from tests.drawn_sample.people import APPS, CATEGORIES, PEOPLE, SECTIONS, Habit, Person
from tests.drawn_sample.screens import WIDTH, Screen, draw, home, page, tree

DAYS = 4
FIRST_DAY = datetime(2025, 3, 3, tzinfo=BEIJING)
HEADER = ("user_id", "time", "scenario", "app", "intentDescription", "intentClass")
PROFILE_HEADER = ("user_id", "sex", "age", "occupation", "address", "family", "phone_brand")
SURVEY = {
    "provenance": "sample",
    "origin": "drawn sample of made-up people, fingertip-20k",
    "licence": "apache-2.0",
}
Row = tuple[str, ...]


def draw_release(out: Path, *, seed: int = 20) -> None:
    """Writes `raw/` and `tables/` below `out`: four people, four days, three episodes a day.

    Args:
        out: A folder that is made or filled.
        seed: The same seed writes the same release.
    """
    rng = np.random.default_rng(seed)
    rows = {
        person.user_id: [_episode(out / "raw", person, *planned) for planned in _planned(person, rng)]
        for person in PEOPLE
    }
    _write_tables(out / "tables", rows)
    _spoil(out)


def _planned(person: Person, rng: np.random.Generator) -> Iterator[tuple[datetime, Habit, str, str]]:
    for day in range(DAYS):
        for habit in person.habits:
            start = FIRST_DAY + timedelta(days=day, hours=int(habit.clock[:2]), minutes=int(habit.clock[2:]))
            moment = start + timedelta(seconds=int(rng.integers(-900, 900)))
            item = habit.items[int(rng.random() < 0.3)]
            wording = habit.wordings[int(rng.random() < 0.35)]
            yield moment, habit, item, wording.format(item)


def _episode(raw: Path, person: Person, moment: datetime, habit: Habit, item: str, intent: str) -> Row:
    time = moment.strftime(TIME_FORMAT)
    nested = Path(person.user_id) / person.user_id if person.user_id == "104" else Path(person.user_id)
    folder = raw / nested / time
    screenshots = folder / "Screenshots"
    screenshots.mkdir(parents=True, exist_ok=True)
    lines = []
    for number, (screen, action) in enumerate(_way(person, habit, item)):
        stamp = int(moment.timestamp() * 1000) + 1000 + 2317 * number
        (screenshots / f"{stamp}.jpg").write_bytes(draw(screen))
        (screenshots / f"tree_{stamp}.xml").write_text(tree(screen), encoding="utf-8")
        lines.append(json.dumps({f"{stamp}.jpg": format_action(action)}, ensure_ascii=False))
    (folder / "action.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    row = (person.user_id, time, habit.scenario, APPS[habit.app], intent)
    survey = dict(zip(HEADER, row, strict=False)) | SURVEY
    (folder / "survey_result.json").write_text(json.dumps(survey, ensure_ascii=False), encoding="utf-8")
    return (*row, CATEGORIES[habit.app])


def _way(person: Person, habit: Habit, item: str) -> Iterator[tuple[Screen, Action]]:
    package = APPS[habit.app]
    start = home(APPS)
    yield start, _click(start, habit.app)
    sections = SECTIONS[habit.app]
    first = page(package, habit.app, sections, search=f"搜索{habit.app}")
    others = tuple(other for other in (*habit.items, "推荐", "最近") if other != item)
    if person.way == "search":
        yield first, _click(first, f"搜索{habit.app}")
        yield page(package, "搜索", (), search="输入关键词"), Type(text=item)
        results = page(package, "搜索结果", (item, *others), search=item)
    else:
        yield first, _click(first, sections[0])
        longer = page(package, sections[0], (*others, "更多"))
        if person.age > 60:
            yield longer, Scroll(x=WIDTH // 2, y=300, direction="down")
        results = page(package, sections[0], (*others, item))
    # the last row of that label: in a result list the search field above says the same word
    target = [widget for widget in results.widgets if widget.label == item][-1]
    yield results, Click(x=target.centre[0], y=target.centre[1], content=item)
    yield page(package, item, ("完成",), button="返回"), Finished()


def _click(screen: Screen, label: str) -> Click:
    x, y = screen.find(label).centre
    return Click(x=x, y=y, content=label)


def _write_tables(folder: Path, rows: dict[str, list[Row]]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    everything = [row for user_rows in rows.values() for row in user_rows]
    suggestion = [row for user_rows in rows.values() for row in user_rows[-3:]]
    _write_csv(folder / "total.csv", HEADER, everything)
    _write_csv(
        folder / "train_set.csv", HEADER, [row for user_rows in rows.values() for row in user_rows[:7]]
    )
    _write_csv(folder / "test_suggestion.csv", HEADER, [*suggestion, suggestion[0]])
    _write_csv(folder / "test_execution.csv", HEADER, [user_rows[-1] for user_rows in rows.values()])
    profiles = [
        (p.user_id, p.sex, str(p.age), p.occupation, p.address, p.family, p.phone_brand) for p in PEOPLE
    ]
    _write_csv(folder / "user_profile.csv", PROFILE_HEADER, profiles)


def _write_csv(path: Path, header: Row, rows: Sequence[Row]) -> None:
    with path.open("w", encoding="utf-8-sig", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def _spoil(out: Path) -> None:
    """Leaves the defects that the public release has too, one of each, in episodes of the training set."""
    first, second, third, fourth = sorted((out / "raw" / "102").iterdir())[:4]
    sorted((first / "Screenshots").glob("*.jpg"))[1].unlink()
    broken = sorted((second / "Screenshots").glob("*.xml"))[0]
    broken.write_text(broken.read_text(encoding="utf-8")[:200], encoding="utf-8")
    actions = third / "action.jsonl"
    actions.write_text(
        actions.read_text(encoding="utf-8").replace("type(text=", "input(text="), encoding="utf-8"
    )
    torn = sorted((fourth / "Screenshots").glob("*.jpg"))[0]
    torn.write_bytes(torn.read_bytes()[:1500])


if __name__ == "__main__":
    draw_release(Path(sys.argv[1]))
