"""Generator of releases of any size in the layout of FingerTip-20K: realistic sizes, no real content.

Screens are noise JPEGs of about 148 KB at 1080x2340, trees have about 9 KB, episodes eleven steps (the means
of the public release). The output is deterministic.
"""

from __future__ import annotations

import csv
import io
import json
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image

from fingertip_dataset.release.words import SCENARIO_CATEGORIES
from fingertip_dataset.times import BEIJING, TIME_FORMAT, parse_time

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

STEPS = 11
USERS = 20
BASES = 8
"""Number of distinct pictures; each file has its own number in a comment segment, so all files differ."""

WIDTH, HEIGHT = 1080, 2340
HEADER = ["user_id", "time", "scenario", "app", "intentDescription", "intentClass"]
PROFILE = ["user_id", "sex", "age", "occupation", "address", "marital_status", "phone_brand"]
INTENTS = (
    "设置早上7点的闹钟",
    "打开音乐播放周杰伦的歌",
    "给妈妈发消息说晚点到家",
    "查看明天上海的天气",
    "购买一杯少糖的拿铁",
)
APPS = (
    "com.android.deskclock",
    "com.tencent.qqmusic",
    "com.tencent.mm",
    "com.moji.mjweather",
    "com.lucky.luckyclient",
)


def noise_jpeg(seed: int) -> bytes:
    """A picture of phone size whose file is about as large as a real screenshot's.

    Args:
        seed: Seed of the picture.
    """
    rng = np.random.default_rng(seed)
    coarse = rng.integers(0, 256, (HEIGHT // 60, WIDTH // 60, 3), dtype=np.uint8)
    grain = rng.normal(0, 1.0, (HEIGHT, WIDTH, 1))
    blocks = coarse.repeat(60, axis=0).repeat(60, axis=1)
    pixels = np.clip(blocks + grain, 0, 255).astype(np.uint8)
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "JPEG", quality=75)
    return file.getvalue()


def numbered(jpeg: bytes, number: int) -> bytes:
    """The picture with a number in a comment segment after the start marker."""
    return jpeg[:2] + b"\xff\xfe\x00\x0a" + number.to_bytes(8, "big") + jpeg[2:]


def tree_xml(number: int) -> str:
    """An accessibility tree of about 9 KB in the collector app's dialect."""
    rows = (
        f'<node text="{INTENTS[row % 5]} {number}" content_desc="" hint="" view_id="com.example:id/row{row}"'
        f' class="android.widget.TextView" bounds="[0,{row * 60}][1080,{row * 60 + 60}]" clickable="true"'
        ' enabled="true" visible="true" scrollable="false" editable="false"/>'
        for row in range(36)
    )
    frame = '<node class="android.widget.FrameLayout" bounds="[0,0][1080,2340]">'
    return f"<hierarchy>{frame}{''.join(rows)}</node></hierarchy>"


def episodes(count: int) -> Iterator[dict[str, str]]:
    """The rows of total.csv, user by user, two hours apart."""
    for number in range(count):
        user, round_number = number % USERS + 1, number // USERS
        moment = datetime(2025, 3, 1, 7, 0, tzinfo=BEIJING) + timedelta(hours=2 * round_number, minutes=user)
        kind = (user + round_number * round_number) % len(INTENTS)
        scenario = tuple(SCENARIO_CATEGORIES)[(user + round_number) % len(SCENARIO_CATEGORIES)]
        values = (
            str(user),
            moment.strftime(TIME_FORMAT),
            scenario,
            APPS[kind],
            f"{INTENTS[kind]}，第{round_number % 7}次",
            f"类别{kind}",
        )
        yield dict(zip(HEADER, values, strict=True))


def write_episode(raw: Path, row: dict[str, str], number: int, pictures: list[bytes]) -> None:
    """Writes one episode's folder.

    Args:
        raw: The release's folder `raw`.
        row: The episode's row of total.csv.
        number: Index of the episode, from 0; determines the picture numbers.
        pictures: Pictures from `noise_jpeg`.
    """
    folder = raw / row["user_id"] / row["time"]
    screens = folder / "Screenshots"
    screens.mkdir(parents=True)
    survey = {key: value for key, value in row.items() if key != "intentClass"} | {"provenance": "generated"}
    (folder / "survey_result.json").write_text(json.dumps(survey, ensure_ascii=False), encoding="utf-8")
    start = int(parse_time(row["time"]).timestamp() * 1000)
    lines = []
    for step in range(STEPS):
        stamp, file_number = start + 4000 * step, number * STEPS + step
        call = f"click(coordinates=({30 + step}, {60 * step + 30}), content='{INTENTS[step % 5]}')"
        lines.append(
            json.dumps({f"{stamp}.jpg": call if step < STEPS - 1 else "finished()"}, ensure_ascii=False)
        )
        (screens / f"{stamp}.jpg").write_bytes(numbered(pictures[file_number % BASES], file_number))
        (screens / f"tree_{stamp}.xml").write_text(tree_xml(file_number), encoding="utf-8")
    (folder / "action.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


def write_table(file: Path, header: list[str], rows: Iterable[dict[str, str]]) -> None:
    """Writes a CSV with a byte order mark, like the release's tables."""
    with file.open("w", encoding="utf-8-sig", newline="") as text:
        writer = csv.DictWriter(text, header)
        writer.writeheader()
        writer.writerows(rows)


def write_tables(folder: Path, rows: list[dict[str, str]]) -> None:
    """Writes the index tables: the first 75 % are training, the last 8 % tests, the rest is in no split."""
    folder.mkdir(parents=True, exist_ok=True)
    train, rest = rows[: len(rows) * 3 // 4], rows[len(rows) * 23 // 25 :]
    write_table(folder / "total.csv", HEADER, rows)
    write_table(folder / "train_set.csv", HEADER, train)
    write_table(folder / "test_suggestion.csv", HEADER, rest)
    write_table(folder / "test_execution.csv", HEADER, rest[::4])
    profiles = (
        (str(user), "女" if user % 2 else "男", str(18 + 2 * user), "教师", "北京", "已婚", "HUAWEI")
        for user in range(1, USERS + 1)
    )
    write_table(
        folder / "user_profile.csv", PROFILE, (dict(zip(PROFILE, row, strict=True)) for row in profiles)
    )


def generate(folder: Path, count: int) -> int:
    """Writes `folder/raw` and `folder/tables` with `count` episodes.

    Args:
        folder: Output folder, which must not exist.
        count: Number of episodes, about 1.72 MB each.

    Returns:
        Total bytes of all files in `folder/raw`.
    """
    raw = folder / "raw"
    pictures = [noise_jpeg(seed) for seed in range(BASES)]
    rows = list(episodes(count))
    for number, row in enumerate(rows):
        write_episode(raw, row, number, pictures)
    write_tables(folder / "tables", rows)
    return sum(file.stat().st_size for file in raw.rglob("*") if file.is_file())
