"""Simulated people's months as a release in the authors' raw layout: played, and recorded meanwhile."""

from __future__ import annotations

import csv
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from fingertip_agents.touch_actions import action_of
from fingertip_dataset.episodes import Intent
from fingertip_dataset.errors import UsageError
from fingertip_dataset.release.index_tables import EPISODE_TABLES
from fingertip_dataset.split_names import TESTS, TRAIN
from fingertip_dataset.tasks.splits import split_by_rule
from fingertip_dataset.times import format_time
from fingertip_recorder.episode_writer import EpisodeWriter
from simulated_phone.people.life import Life, SimulatedEpisode
from simulated_phone.people.person import Person, make_person
from simulated_phone.people.simulation import Simulation
from simulated_phone.phone import Phone
from simulated_phone.phone_errors import PhoneSetupError
from simulated_phone.screens.screen import Pictures
from simulated_phone.screens.theme import usual_density

PROVENANCE = "simulated"

ORIGIN = {"origin": "simulated people on simulated phones, fingertip sample", "licence": "apache-2.0"}
"""What each survey says of where the episode comes from: all of it is made by this project's programs."""

EPISODE_COLUMNS = ("user_id", "time", "scenario", "app", "intentDescription", "intentClass")
PROFILE_COLUMNS = ("user_id", "sex", "age", "occupation", "address", "family", "phone_brand")

_CLASSES = {
    "Clock": "闹钟/计时",
    "Weather": "天气查询",
    "Music": "音乐播放",
    "Food": "外卖点餐",
    "Maps": "地图导航",
    "Shopping": "网络购物",
    "Chat": "聊天通讯",
    "Notes": "笔记备忘",
    "Calendar": "日程安排",
    "Video": "视频播放",
    "Reader": "阅读",
    "Settings": "系统设置",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleOrder:
    """What is to be made.

    Attributes:
        out: Folder that gets `raw` and `tables`.
        users: How many people.
        episodes: How many episodes each.
        seed: What everything follows from.
        size: Width and height of the phones, px.
    """

    out: Path
    users: int
    episodes: int
    seed: int
    size: tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Month:
    """What a person's recorded month says for the tables.

    Attributes:
        person: Who.
        intents: One for each episode.
        steps: Lines of action.jsonl in all.
        slips: Name of a slip -> episodes with it.
        given_up: (package, goal, way) -> how often it was begun in vain, and something else recorded.
    """

    person: Person
    intents: tuple[Intent, ...]
    steps: int
    slips: Counter[str]
    given_up: Counter[tuple[str, str, str]]


def write_sample(
    order: SampleOrder, *, workers: int = 1, on_progress: Callable[[int, int], None] | None = None
) -> tuple[Month, ...]:
    """Plays and records everyone's month, and writes the tables; the same order gives the same bytes.

    Args:
        order: What is to be made.
        workers: Processes, a person at a time each; 1 works in this one.
        on_progress: Called with the people done and all of them.

    Raises:
        UsageError: An empty order, an impossible size, or something at `out` already.
    """
    _check(order)
    months: list[Month] = []
    try:
        for month in _months(order, min(workers, order.users)):
            months.append(month)
            if on_progress is not None:
                on_progress(len(months), order.users)
        _write_tables(order, months)
    except BaseException:
        shutil.rmtree(order.out, ignore_errors=True)
        raise
    return tuple(months)


def record_month(order: SampleOrder, number: int) -> Month:
    """Plays and records the month of the person of that number (0 is the first)."""
    person, pictures = make_person(number, order.seed), Pictures()
    life = Life(person, _phone(person.seed, order.size), pictures)
    intents, steps, slips = [], 0, Counter[str]()
    for episode in life.month(order.episodes):
        intents.append(_record_episode(order.out / "raw", episode))
        steps += len(episode.seen)
        slips.update(episode.slips)
    return Month(person=person, intents=tuple(intents), steps=steps, slips=slips, given_up=life.given_up)


def _record_episode(raw: Path, episode: SimulatedEpisode) -> Intent:
    """Writes one episode."""
    simulation = Simulation(
        start=episode.start, aim=episode.aim, size=episode.size, way=episode.way, slips=episode.slips
    )
    with EpisodeWriter(
        raw,
        user_id=episode.person.user_id,
        moment=episode.start.moment,
        scenario=episode.place,
        app=episode.aim.package,
        intent=episode.intent,
        provenance=PROVENANCE,
        survey={**ORIGIN, "simulation": simulation.to_json()},
    ) as writer:
        for seen in episode.seen:
            if seen.touch is None:
                writer.finish(seen.screenshot, seen.tree, moment=seen.moment)
            else:
                writer.step(seen.screenshot, seen.tree, action_of(seen.touch), moment=seen.moment)
    return Intent(
        user_id=episode.person.user_id,
        time=format_time(episode.start.moment),
        scenario=episode.place,
        app=episode.aim.package,
        text=episode.intent,
        category=_CLASSES.get(episode.english, episode.english),
    )


def _phone(seed: int, size: tuple[int, int]) -> Phone:
    return Phone(seed=seed, size=size, density=usual_density(size[0]))


def _check(order: SampleOrder) -> None:
    if order.users < 1 or order.episodes < 1:
        raise UsageError(f"expected at least 1 user and 1 episode, got {order.users} and {order.episodes}")
    if order.out.exists() and (not order.out.is_dir() or any(order.out.iterdir())):
        raise UsageError("expected a new folder or an empty one", file=order.out)
    try:
        _phone(0, order.size)
    except PhoneSetupError as error:
        raise UsageError(str(error)) from None


def _months(order: SampleOrder, workers: int) -> Iterator[Month]:
    if workers <= 1:
        yield from (record_month(order, number) for number in range(order.users))
        return
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        yield from pool.map(record_month, [order] * order.users, range(order.users))


def _write_tables(order: SampleOrder, months: Sequence[Month]) -> None:
    """The tables by rule A.5; what is in no table but total.csv is the validation part."""
    intents = {intent.episode_id: intent for month in months for intent in month.intents}
    parts = split_by_rule(intents.values(), seed=order.seed).episode_ids
    folder = order.out / "tables"
    folder.mkdir(parents=True)
    _write_csv(folder / "total.csv", EPISODE_COLUMNS, map(_row, intents.values()))
    for part in (TRAIN, *TESTS):
        _write_csv(
            folder / EPISODE_TABLES[part], EPISODE_COLUMNS, (_row(intents[name]) for name in parts[part])
        )
    profiles = ([str(getattr(month.person, name)) for name in PROFILE_COLUMNS] for month in months)
    _write_csv(folder / "user_profile.csv", PROFILE_COLUMNS, profiles)


def _row(intent: Intent) -> list[str]:
    return [intent.user_id, intent.time, intent.scenario, intent.app, intent.text, intent.category or ""]


def _write_csv(path: Path, header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    with path.open("w", encoding="utf-8-sig", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)
