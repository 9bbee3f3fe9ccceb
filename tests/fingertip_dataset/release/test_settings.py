"""release.toml: what a release may state, what is refused, and what it changes in a build."""

from __future__ import annotations

import json
import os
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fingertip_dataset.errors import ReleaseError
from fingertip_dataset.parquet.build import build
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.release.settings import (
    PUBLISHED,
    SETTINGS_FILE,
    ReleaseSettings,
    format_settings,
    parse_settings,
)
from tests.examples import examples

if TYPE_CHECKING:
    from tests.fingertip_dataset.conftest import RawMaker

WORDS = st.dictionaries(
    st.text(st.characters(codec="utf-8"), min_size=1, max_size=9).filter(str.strip),
    st.text(st.characters(codec="utf-8"), min_size=1, max_size=9).filter(str.strip),
    max_size=4,
)
BOSTON = """
name = "Boston phones"
language = "en"
time_zone = "America/New_York"
licence = "CC-BY-4.0"
origin = "twenty people in Boston"
places = ["home", "office"]

[occupations]
barista = "employed"
"on leave" = "not employed"
"""


@settings(max_examples=examples(100))
@given(
    places=WORDS,
    apps=WORDS,
    name=st.text(st.characters(codec="utf-8"), min_size=1, max_size=20).filter(str.strip),
)
def test_written_settings_read_back(places: dict[str, str], apps: dict[str, str], name: str) -> None:
    stated = ReleaseSettings(
        name=name, language="de", languages={"3": "fr"}, time_zone="Europe/Berlin", places=places, apps=apps,
        licence="cc0-1.0",
    )  # fmt: skip
    assert parse_settings(format_settings(stated)) == stated


def test_no_file_is_the_published_release(maker: RawMaker) -> None:
    maker.episode()
    assert maker.read().settings is PUBLISHED
    assert (PUBLISHED.language, PUBLISHED.time_zone, len(PUBLISHED.listed_places)) == (
        "zh",
        "Asia/Shanghai",
        12,
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("language = ", "the settings are not valid TOML: Invalid value"),
        ('langage = "en"', "no setting 'langage': expected one of name, language, languages, time_zone"),
        ('language = "klingon"', "language is not valid: expected an ISO 639 code such as zh, en, de"),
        ('[languages]\n3 = "klingon"', "languages is not valid: expected an ISO 639 code such as zh, en, de"),
        ('time_zone = "Boston"', "time_zone is not valid: there is no time zone 'Boston'"),
        ('licence = "mine, all mine"', "licence is not valid: expected a licence by its SPDX id"),
        ('[sexes]\nf = "woman"', "expected one of male, female, other for 'f', got 'woman'"),
        ('[occupations]\nx = "boss"', "expected one of undergraduate, postgraduate"),
        ("x" * 300_000, "expected at most 262144 bytes"),
    ],
)
def test_what_is_wrong_is_one_line_that_says_so(maker: RawMaker, text: str, message: str) -> None:
    maker.episode()
    (maker.raw / SETTINGS_FILE).write_text(text)
    with pytest.raises(ReleaseError, match=message) as caught:
        maker.read()
    assert caught.value.file == maker.raw / SETTINGS_FILE
    assert "\n" not in str(caught.value)


def test_places_are_known_in_both_languages_unless_the_file_lists_its_own() -> None:
    mixed = ReleaseSettings(language="zh", languages={"3": "en"})
    assert [mixed.place_category(place) for place in ("住所", " residence", "a friend's")] == [
        "residence",
        "residence",
        "other",
    ]
    own = ReleaseSettings(language="en", places={"home": "residence"})
    assert [own.place_category(place) for place in ("home", "residence", "住所")] == [
        "residence",
        "other",
        "other",
    ]


def test_a_pipe_in_its_place_does_not_hang(maker: RawMaker) -> None:
    maker.episode()
    os.mkfifo(maker.raw / SETTINGS_FILE)
    with pytest.raises(ReleaseError, match="expected a regular file"):
        maker.read()


def test_two_files_that_differ_are_refused(maker: RawMaker, tmp_path: Path) -> None:
    maker.episode()
    tables = maker.raw / "tables"
    tables.mkdir()
    (tables / "total.csv").write_text("user_id,time,scenario,app,intentDescription\n")
    (tables / SETTINGS_FILE).write_text('language = "en"')
    assert maker.read().settings.language == "en"
    (maker.raw / SETTINGS_FILE).write_text('language = "fr"')
    with pytest.raises(ReleaseError, match="states other settings: keep one of the two files"):
        maker.read()


def episode(maker: RawMaker, time: str, screen: str, place: str = "home") -> None:
    """An episode with a click and an end, whose first screen was taken at a UTC moment."""
    begin = round(datetime.fromisoformat(screen).timestamp() * 1000)
    names = [f"{begin + step}" for step in (0, 5000)]
    maker.episode(
        "3",
        time,
        survey={**maker.survey("3", time), "scenario": place, "intentDescription": f"wake me at {screen}"},
        lines=[
            {f"{names[0]}.jpg": "click(coordinates=(5, 6), content='ok')"},
            {f"{names[1]}.jpg": "finished()"},
        ],
        images={f"{name}.jpg": maker.jpeg for name in names},
        trees={f"tree_{name}.xml": maker.tree for name in names},
    )


def test_the_order_is_that_of_moments_where_clocks_are_set_back(maker: RawMaker, tmp_path: Path) -> None:
    """01:40 EDT is before 01:20 EST, though its name and its text sort after."""
    (maker.raw / SETTINGS_FILE).parent.mkdir(exist_ok=True)
    (maker.raw / SETTINGS_FILE).write_text(BOSTON)
    episode(maker, "20251102_012000", "2025-11-02T06:20:03+00:00")
    episode(maker, "20251102_014000", "2025-11-02T05:40:03+00:00", place="a friend's")
    episode(maker, "20251103_080000", "2025-11-03T13:00:00+00:00")
    episode(maker, "20260308_023000", "2026-03-08T07:30:00+00:00")
    maker.check(ambiguous_time=2, missing_time=1)
    manifest = build(maker.raw, tmp_path / "out")
    assert manifest.version == 6
    assert manifest.settings.name == "Boston phones"
    assert (manifest.origins, manifest.licences) == (("twenty people in Boston",), ("cc-by-4.0",))
    dataset = BuiltDataset.open(tmp_path / "out")
    rows = {row["episode_id"][3:]: row for split in manifest.splits for row in dataset.rows(split)}
    assert {name: row["time"].isoformat() for name, row in rows.items()} == {
        "20251102_014000": "2025-11-02T01:40:00-04:00",
        "20251102_012000": "2025-11-02T01:20:00-05:00",
        "20251103_080000": "2025-11-03T08:00:00-05:00",
        "20260308_023000": "2026-03-08T02:30:00-05:00",
    }
    earlier = [intent["episode_id"][3:] for intent in rows["20260308_023000"]["previous_intents"]]
    assert earlier == ["20251102_014000", "20251102_012000", "20251103_080000"]
    assert rows["20251102_014000"]["previous_intents"] == []
    assert rows["20251102_014000"]["scenario_category"] == "other"
    assert rows["20251102_012000"]["scenario_category"] == "home"
    # ids from 1 to 100, as those of the authors' list: but these are other people
    assert "without a type: 1" in manifest.user_types
    card = (tmp_path / "out" / "README.md").read_text()
    assert "pretty_name: Boston phones" in card
    assert "local times of `America/New_York`" in card
    assert "mainland China" not in card
    croissant = json.loads((tmp_path / "out" / "croissant.json").read_text())
    assert (croissant["name"], croissant["inLanguage"]) == ("boston-phones", "en")


def test_stated_defaults_build_the_bytes_of_no_file(maker: RawMaker, tmp_path: Path) -> None:
    maker.episode()
    maker.episode("74", "20250311_235959")
    without = build(maker.raw, tmp_path / "without")
    (maker.raw / SETTINGS_FILE).write_text('language = "zh"\ntime_zone = "Asia/Shanghai"\n')
    stated = build(maker.raw, tmp_path / "stated")
    assert stated == without
    assert stated.release is None
    for file in ("README.md", "croissant.json", "manifest.json"):
        assert (tmp_path / "stated" / file).read_bytes() == (tmp_path / "without" / file).read_bytes()


def test_more_words_of_profiles_are_counted(maker: RawMaker, tmp_path: Path) -> None:
    maker.episode()
    (maker.raw / "user_profile.csv").write_text("user_id,sex,age,occupation\n3,weiblich,31,on leave\n")
    (maker.raw / SETTINGS_FILE).write_text(BOSTON + '\n[sexes]\nweiblich = "female"\n')
    people = build(maker.raw, tmp_path / "out").people
    assert people is not None
    assert (people.sexes, people.occupations) == ({"female": 1}, {"not employed": 1})
