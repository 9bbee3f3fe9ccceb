"""What reads a release's folders and tables, as parsers of a text: every 32 letters are an entry or a row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path

from fingertip_dataset.release.episode_folders import EpisodeFolder, find_episodes
from fingertip_dataset.release.raw_folder import Listing, RawFolder
from fingertip_dataset.release.read_release import read_release
from fingertip_dataset.release.recordings import read_recording
from fingertip_dataset.release.screens.screen_files import join_screens, named_screen, parse_screen_file
from fingertip_dataset.release.tables.index_tables import EPISODE_TABLES, PROFILE_TABLE, read_tables
from fingertip_dataset.release.user_folders import UserFolder
from tests.growth.measure import Parse, Parser

EACH = 32
"""Letters of a text for an entry or a row."""

_START = datetime(2025, 1, 1)
_NOWHERE = RawFolder("/nonexistent")


def pieces(letters: str, *mixed: str) -> tuple[str, ...]:
    """Pieces of texts: a letter for an entry, and some sequences of them."""
    return tuple("".join(letter * EACH for letter in word) for word in (*letters, *mixed))


def entries(text: str) -> Iterator[tuple[int, str]]:
    """The number and the letter of each entry."""
    return enumerate(text[::EACH])


def moment(number: int) -> str:
    """A time of its own for each entry, as a folder's name."""
    return f"{_START + timedelta(seconds=number):%Y%m%d_%H%M%S}"


USER = "ftodxu"
"""File, folder, folder of the same time in another spelling, link that leaves the release, other names."""


def user_folder(text: str) -> None:
    """A user's folder."""
    files, folders, outside = [], [], []
    for number, letter in entries(text):
        if letter == "f":
            files.append(f"{number}.txt")
        elif letter == "t":
            folders.append(moment(number))
        elif letter == "o":
            outside.append(moment(number))
        elif letter == "d":
            # the same moment again and again
            folders.append(f"{_START:%Y%m%d %H%M%S}.{'0' * (number % 200 + 1)}" if number else moment(0))
        else:
            folders.append(f"{'x' if letter == 'x' else '0'}{number}")
    listing = Listing(files=tuple(files), folders=tuple(dict.fromkeys(folders)), outside=tuple(outside))
    find_episodes(_NOWHERE, [UserFolder("1", "1", listing.without(folders[::2]))])


EPISODE = "sfto"
"""Folder of screenshots, file, other folder, link that leaves the release."""


def episode_folder(text: str) -> None:
    """An episode's folder with many folders in it."""
    names: dict[str, list[str]] = {letter: [] for letter in EPISODE}
    for number, letter in entries(text):
        names.get(letter, names["f"]).append(f"{'Screenshots' if letter == 's' else ''}{number}")
    listing = Listing(files=tuple(names["f"]), folders=(*names["s"], *names["t"]), outside=tuple(names["o"]))
    folder = EpisodeFolder(user_id="1", time=moment(0), path=f"1/{moment(0)}")
    read_recording(_NOWHERE, folder, listing)


STEPS = "simtrlh"
"""Step with its screenshot, spare screenshot, step without one, tree, repeated name, early and late step."""


def screens(text: str) -> None:
    """The join of steps, screenshots and trees."""
    keys, images, trees = [], [parse_screen_file("s/x_1.png"), parse_screen_file(f"s/x_{10**17}.png")], []
    for number, letter in entries(text):
        name = f"x_{10**12 + number}.png"
        if letter in "si":
            images.append(parse_screen_file(f"s/{name}"))
        if letter == "t":
            trees.append(parse_screen_file(f"s/{name[:-3]}xml"))
        named = {"s": name, "m": name, "r": "x_1000000000000.png", "l": "x_1.png", "h": f"x_{10**17}.png"}
        if letter in named:
            keys.append(named_screen(named[letter]))
    join_screens(keys, images, trees)


ROWS = "udcbqlen"
"""Row of its own, the same again, with another intent, short, with an open quote, long, empty, with a NUL."""

_HEADER = "user_id,time,scenario,app,intentDescription,intentClass\n"


def tables(folder: Path) -> Parse:
    """The index tables: every one has the rows, and every second one has them in another order."""

    def parse(text: str) -> object:
        rows = []
        for number, letter in entries(text):
            time = moment(number if letter in "ul" else 0)
            rows.append(
                {
                    "c": f"1,{time},home,微信,text {number},a\n",
                    "b": f"1,{time}\n",
                    "q": f'1,{time},"home,微信,text,a\n',
                    "l": f"1,{time},{'x' * 400},微信,text,a\n",
                    "e": "\n",
                    "n": f"1,{time},\0,微信,text,a\n",
                }.get(letter, f"1,{time},home,微信,text,a\n")
            )
        for number, file in enumerate(EPISODE_TABLES.values()):
            content = _HEADER + "".join(reversed(rows) if number % 2 else rows)
            (folder / file).write_text(content, encoding="utf-8")
        users = "".join(
            f"{number if letter == 'u' else 0},m,{number if letter == 'c' else 20},x,y,z,p\n"
            for number, letter in entries(text)
        )
        head = "user_id,sex,age,occupation,address,marital_status,phone_brand\n"
        (folder / PROFILE_TABLE).write_text(head + users, encoding="utf-8")
        return read_tables(folder)

    return parse


def release_parsers(folder: Path) -> Mapping[str, Parser]:
    """All of them by name; `folder` is empty, for the tables."""
    return {
        "index tables": Parser(
            parse=tables(folder), pieces=pieces(ROWS, "ud", "uc", "ul", "qu"), most=1 << 17
        ),
        # 8,192 entries: of fewer a set and a list take the same time
        "user's folder": Parser(parse=user_folder, pieces=pieces(USER, "to", "dt", "ox"), least=1 << 18),
        "episode's folder": Parser(parse=episode_folder, pieces=pieces(EPISODE, "sf", "st"), least=1 << 18),
        "screens": Parser(parse=screens, pieces=pieces(STEPS, "lmhi", "lmhmi", "sm", "mi"), least=1 << 18),
    }


KINDS = ("users", "episodes", "duplicates", "files", "screenshots", "rows")


def written_release(place: Path, kind: str, number: int) -> Path:
    """Write a release with that many of one kind: users, episodes, duplicates, files, screenshots or rows."""
    survey = '{"userId": "1", "time": "x", "scenario": "a", "app": "b", "intentDescription": "c"}'
    for index in range(number if kind in ("users", "episodes", "duplicates") else 1):
        user = index + 1 if kind == "users" else 1
        time, name = moment(index if kind == "episodes" else 0), str(user)
        if kind == "duplicates":
            # users 1, 01 and 001 are one user, and times with .0 and .00 are one time
            name = "0" * (index % 100) + "1"
            time += f".{'0' * (index // 100 + 1)}"
        episode = place / name / time
        (episode / "Screenshots").mkdir(parents=True)
        (episode / "survey_result.json").write_text(survey, encoding="utf-8")
    if kind == "files":
        for index in range(number):
            (episode / f"{index}.txt").touch()
    if kind == "screenshots":
        steps = [f"x_{10**12 + index}" for index in range(number)]
        for step in steps:
            (episode / "Screenshots" / f"{step}.png").touch()
        lines = "".join(f'{{"{step}.png": "click (1, 2)"}}\n' for step in steps)
        (episode / "action.jsonl").write_text(lines, encoding="utf-8")
    if kind == "rows":
        rows = "".join(f"1,{moment(index)},home,微信,text,a\n" for index in range(number))
        (place / "total.csv").write_text(_HEADER + rows, encoding="utf-8")
    return place


def whole_release(place: str) -> None:
    """A release by its path."""
    read_release(Path(place))
