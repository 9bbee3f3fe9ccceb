"""A tiny generated release, and the dataset that the real writer builds from it."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from fingertip_dataset.parquet.build import build
from tests.shared_datasets import built, built_sample, shared_folder

TABLE_COLUMNS = ("user_id", "time", "scenario", "app", "intentDescription", "intentClass")

DAYS = {
    # user -> (day of March, hour, scenario, intent, split); "" and "no folder" are in total.csv only
    "1": [
        (3, 8, "住所", "打开闹钟", "train_set"),
        (4, 8, "住所", "听歌", "train_set"),
        (5, 20, "学校", "看小说", "train_set"),
        (6, 8, "住所", "听歌", "no folder"),
        (7, 8, "住所", "听歌。", "test_suggestion"),
        (10, 20, "学校", "看小说", "test_suggestion"),
    ],
    "30": [
        (2, 9, "办公场所", "打车回家", "test_suggestion"),
        (3, 9, "办公场所", "打车回家", "train_set"),
        (5, 9, "办公场所", "点外卖", ""),
        (7, 9, "办公场所", "打车回家", "test_suggestion"),
    ],
}


def draw_episode(folder: Path, survey: Mapping[str, object], stamp: int) -> None:
    shots = folder / "Screenshots"
    shots.mkdir(parents=True)
    lines = []
    for step, action in enumerate(("click(coordinates=(10, 20), content='开始')", "finished()")):
        image = BytesIO()
        Image.new("RGB", (32, 64), (step * 90, stamp % 251, 80)).save(image, "JPEG")
        (shots / f"{stamp + step}.jpg").write_bytes(image.getvalue())
        (shots / f"tree_{stamp + step}.xml").write_text("<hierarchy><node text='开始'/></hierarchy>", "utf-8")
        lines.append(json.dumps({f"{stamp + step}.jpg": action}, ensure_ascii=False))
    (folder / "action.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "survey_result.json").write_text(json.dumps(survey, ensure_ascii=False), encoding="utf-8")


def draw_release(folder: Path) -> None:
    tables: dict[str, list[tuple[str, ...]]] = {"train_set": [], "test_suggestion": [], "test_execution": []}
    total = []
    for user, days in DAYS.items():
        for day, hour, scenario, intent, split in days:
            time = f"202503{day:02}_{hour:02}0000"
            row = (user, time, scenario, f"com.app{user}", intent, "示例")
            total.append(row)
            tables.get(split, []).append(row)
            if split != "no folder":
                survey = dict(zip(TABLE_COLUMNS[:5], row, strict=False)) | {"provenance": "sample"}
                draw_episode(folder / "raw" / user / time, survey, 1741000000000 + 100_000 * day + int(user))
    (folder / "tables").mkdir()
    for name, rows in (tables | {"total": total}).items():
        with (folder / "tables" / f"{name}.csv").open("w", encoding="utf-8-sig", newline="") as file:
            csv.writer(file).writerows([TABLE_COLUMNS, *rows])


@pytest.fixture(scope="session")
def small_dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two users, four tasks of track 1: those of `DAYS` whose split is test_suggestion."""

    def make(folder: Path) -> None:
        draw_release(folder)
        build(folder / "raw", folder / "dataset", tables=folder / "tables")

    return shared_folder(tmp_path_factory, "small", make) / "dataset"


@pytest.fixture(scope="session")
def real_dataset(real_release: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The dataset built from the real screens."""
    return built(tmp_path_factory, "real", real_release)


@pytest.fixture(scope="session")
def sample_dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The dataset built from the drawn sample: twelve tasks of track 1."""
    return built_sample(tmp_path_factory)


def draw_lives(folder: Path, *, users: int, episodes: int, seed: int, locale: str) -> None:
    """Write a release of the months that simulated people planned; nobody carries the intents out.

    Simulating the gestures would take a hundred times as long, and track 1 does not look at them.
    """
    from fingertip_recorder.simulated_life import ORIGIN, PROVENANCE
    from fingertip_studies.why_suggestions_fail import KnownLife
    from simulated_phone.goals.app_definition import GoalInstance
    from simulated_phone.people.life import PhoneSetup
    from simulated_phone.people.routine import plan_month
    from simulated_phone.people.simulation import Simulation
    from simulated_phone.people.wording import IntentWriter, draw_wording_style

    tables: dict[str, list[tuple[str, ...]]] = {"train_set": [], "test_suggestion": [], "test_execution": []}
    total = []
    for person_number in range(users):
        life = KnownLife.draw(person_number, seed, locale)
        person, writer = life.person, IntentWriter(draw_wording_style(life.person))
        for number, one in enumerate(plan_month(person, list(life.apps.values()), episodes)):
            rng = person.generator("test", number)
            intent = writer.write(one.app, one.goal, one.case, one.moment, one.place, rng)
            time = one.moment.strftime("%Y%m%d_%H%M%S")
            row = (person.user_id, time, one.place, one.app.package, intent, "示例")
            goal = GoalInstance(package=one.app.package, goal=one.goal.name, arguments=one.case)
            setup = PhoneSetup(seed=person.seed, moment=one.moment, locale=locale)
            simulation = Simulation(setup=setup, goal_instance=goal, size=(32, 64)).to_json()
            survey = dict(zip(TABLE_COLUMNS[:5], row, strict=False)) | {"provenance": PROVENANCE}
            stamp = 1741000000000 + 100_000 * number + person_number
            draw_episode(folder / "raw" / row[0] / time, survey | ORIGIN | {"simulation": simulation}, stamp)
            total.append(row)
            if 2 * number < episodes or number % 2:
                tables["train_set" if 2 * number < episodes else "test_suggestion"].append(row)
    (folder / "tables").mkdir()
    for name, rows in (tables | {"total": total}).items():
        with (folder / "tables" / f"{name}.csv").open("w", encoding="utf-8-sig", newline="") as file:
            csv.writer(file).writerows([TABLE_COLUMNS, *rows])


def lived_dataset(
    factory: pytest.TempPathFactory, *, users: int = 4, episodes: int = 40, seed: int = 11, locale: str = "zh"
) -> Path:
    """The dataset built from `draw_lives`; a quarter of the episodes are tasks of track 1."""

    def make(folder: Path) -> None:
        draw_lives(folder, users=users, episodes=episodes, seed=seed, locale=locale)
        build(folder / "raw", folder / "dataset", tables=folder / "tables", workers=1)

    return shared_folder(factory, f"lives-{users}-{episodes}-{seed}-{locale}", make) / "dataset"
