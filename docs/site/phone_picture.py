"""The picture of episodes of simulated people.

A row for each of three people: their first episode on a light phone of eight screens, in an app, in
a way and with a look that no row above shows. `python -m docs.site.pictures` draws it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from PIL import Image

ROWS, COLUMNS = 3, 8
SIZE = (160, 356)
GAP = 8
GROUND = "#d5d8e0"


def choose_episodes(raw: Path) -> Iterator[Path]:
    """Folders of episodes of `COLUMNS` screens that begin in their app, of different apps, looks and ways."""
    shown: set[str] = set()
    for person in sorted(path for path in raw.iterdir() if path.is_dir()):
        for episode in sorted(person.iterdir()):
            told = json.loads((episode / "survey_result.json").read_text(encoding="utf-8"))
            simulation = told["simulation"]
            look = {told["app"], simulation["design"], simulation["way"]}
            fits = simulation["start"] == "app" and not simulation.get("dark") and not simulation["faults"]
            if fits and not look & shown and len(list_screens(episode)) == COLUMNS:
                shown |= look
                yield episode
                break


def list_screens(episode: Path) -> list[Path]:
    """Screenshots of an episode, in their order."""
    return sorted((episode / "Screenshots").glob("*.jpg"), key=lambda file: int(file.stem))


def draw_people(raw: Path) -> Image.Image:
    """Draw a row of screens for each of the first people of a release whose episodes fit."""
    return _draw_rows([episode for episode, _ in zip(choose_episodes(raw), range(ROWS), strict=False)])


def _draw_rows(episodes: list[Path]) -> Image.Image:
    width, height = (side + GAP for side in SIZE)
    whole = Image.new("RGB", (COLUMNS * width - GAP, len(episodes) * height - GAP), GROUND)
    for row, episode in enumerate(episodes):
        for column, file in enumerate(list_screens(episode)[:COLUMNS]):
            with Image.open(file) as screen:
                small = screen.convert("RGB").resize(SIZE, Image.Resampling.LANCZOS)
            whole.paste(small, (column * width, row * height))
    return whole.quantize(256)
