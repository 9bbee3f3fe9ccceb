"""Where a release comes from: stated, recognised by its tables, or unknown."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fingertip_dataset.episodes import Intent
from fingertip_dataset.errors import UsageError
from fingertip_dataset.parquet.build import build
from fingertip_dataset.parquet.build_plan import BuildConfig
from fingertip_dataset.release.origins import (
    AUTHORS,
    AUTHORS_LICENCE,
    PUBLIC_ROWS,
    PUBLIC_USERS,
    UNKNOWN,
    DataOrigin,
    find_origins,
    read_licence,
    read_origin,
)
from fingertip_dataset.release.tables.index_tables import Tables
from fingertip_dataset.release.tables.keyed_table import TableCount

SILENT = ("", DataOrigin())


def tables(*, users: int = PUBLIC_USERS, **rows: int) -> Tables:
    """Index tables of so many rows and users."""
    intents = [
        Intent(user_id=str(user), time="20250310_081530", scenario="", app="", text="x")
        for user in range(users)
    ]
    counts = {file: TableCount(given=rows.get(file[:-4], count)) for file, count in PUBLIC_ROWS.items()}
    return Tables(total={intent.episode_id: intent for intent in intents}, counts=counts)


def test_the_public_release_is_recognized_by_its_tables() -> None:
    found = find_origins([SILENT], tables())
    assert (found.origins, found.licences) == ((AUTHORS,), (AUTHORS_LICENCE,))


@pytest.mark.parametrize(
    "output", [None, Tables(), tables(users=82), tables(total=19_999), tables(test_execution=3)]
)
def test_other_tables_give_no_origin(output: Tables | None) -> None:
    found = find_origins([SILENT], output)
    assert (found.origins, found.licences) == ((UNKNOWN,), (UNKNOWN,))


def test_a_survey_cannot_claim_the_authors_origin() -> None:
    """A recording of one's own phone among the public release's episodes."""
    own = DataOrigin(origin="recorded by me")
    found = find_origins([SILENT, ("recorded", own), ("recorded", DataOrigin())], tables())
    assert found.origins == (AUTHORS, "recorded by me", UNKNOWN)
    assert found.licences == (AUTHORS_LICENCE, UNKNOWN)


@pytest.mark.parametrize(
    ("text", "licence"),
    [
        ("CC-BY-4.0", "cc-by-4.0"),
        (" mit ", "mit"),
        ("all mine", None),
        ("", None),
        ("x\ny", None),
        ("a" * 99, None),
    ],
)
def test_only_ids_are_licences(text: str, licence: str | None) -> None:
    assert read_licence(text) == licence


def test_a_survey_is_read_as_one_short_line() -> None:
    output = read_origin({"origin": "me\n# Heading\x1b" + "x" * 500, "license": "MIT"})
    assert output.licence == "mit"
    assert output.origin.isprintable()
    assert len(output.origin) == 200


def test_origin_and_licence_come_from_surveys(maker: Any) -> None:  # noqa: ANN401
    maker.episode("3", survey=maker.survey("3", origin="of mine", licence="CC0-1.0", provenance="recorded"))
    maker.episode("4")
    release = maker.read()
    assert release.provenance == "recorded"
    assert release.origins.origins == ("of mine", UNKNOWN)
    assert release.origins.licences == ("cc0-1.0", UNKNOWN)


def test_origin_and_licence_may_be_given_to_the_build(maker: Any, tmp_path: Path) -> None:  # noqa: ANN401
    maker.episode()
    manifest = build(maker.raw, tmp_path / "out", config=BuildConfig(licence="CC-BY-4.0", origin="my study"))
    assert (manifest.origins, manifest.licences) == (("my study",), ("cc-by-4.0",))
    card = (tmp_path / "out" / "README.md").read_text(encoding="utf-8")
    assert "license: cc-by-4.0" in card
    assert "the authors' and under" not in card
    for wrong in ({"licence": "do what you want"}, {"origin": " "}):
        with pytest.raises(UsageError, match=r"expected a|the origin is empty"):
            BuildConfig(**wrong)  # type: ignore[arg-type]
