"""English names: the functions, the opt-in columns, and the names of the simulated phone's apps."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import datasets
import pytest

from fingertip_dataset import BuiltDataset, build, english_app, english_category, english_place, load
from fingertip_dataset.errors import UsageError
from fingertip_dataset.parquet.build_plan import BuildConfig
from fingertip_dataset.parquet.features import COLUMNS, ENGLISH
from fingertip_dataset.release.settings import SETTINGS_FILE, ReleaseSettings
from fingertip_dataset.release.words import SCENARIO_CATEGORIES
from simulated_phone.apps import list_apps

if TYPE_CHECKING:
    from tests.fingertip_dataset.conftest import RawMaker


def test_unknown_names_stay_as_they_are() -> None:
    for name in ("快递站", "", "com.unknown.app/.Main"):
        assert english_app(name) == english_category(name) == english_place(name) == name
    assert [english_place(place) for place in SCENARIO_CATEGORIES] == list(SCENARIO_CATEGORIES.values())


def test_a_release_names_its_own_first() -> None:
    own = ReleaseSettings(
        language="de",
        places={"zu Hause": "residence"},
        categories={"Wecker": "alarm"},
        apps={"com.tencent.mm": "Weixin"},
    )
    assert english_place("zu Hause", own) == "residence"
    assert english_category("Wecker", own) == "alarm"
    assert [english_app(app, own) for app in ("com.tencent.mm", "com.tencent.mobileqq")] == ["Weixin", "QQ"]


def test_every_app_of_the_simulated_phone_has_a_name() -> None:
    assert [app.package for app in list_apps("zh") if english_app(app.package) == app.package] == []


def test_real_tables_have_names(real_release: Path) -> None:
    from fingertip_dataset.release.tables.index_tables import read_tables

    intents = (read_tables(real_release / "tables").total or {}).values()
    assert {
        one.category for one in intents if one.category and english_category(one.category) == one.category
    } == set()


def test_columns_of_english_names_are_asked_for(maker: RawMaker, tmp_path: Path) -> None:
    maker.episode(survey={**maker.survey("3", "20250310_081530"), "app": "com.tencent.mm/.ui.Main"})
    maker.raw.joinpath(SETTINGS_FILE).write_text('[apps]\n"com.tencent.mm" = "Weixin"\n')
    plain = build(maker.raw, tmp_path / "plain")
    named = build(maker.raw, tmp_path / "named", config=BuildConfig(english_names=True))
    assert (plain.schema_version, named.schema_version) == (3, 4)
    split = next(split for split, counts in named.splits.items() if counts.episodes)
    rows = datasets.load_dataset(str(tmp_path / "named"), split=split, cache_dir=str(tmp_path / "cache"))
    assert rows.column_names == [*COLUMNS, *ENGLISH]
    assert {name: rows[0][name] for name in ENGLISH} == {
        "scenario_en": "residence",
        "app_en": "Weixin",
        "intent_category_en": None,
    }
    empty = next(name for name, counts in named.splits.items() if not counts.episodes)
    assert load(empty, path=tmp_path / "named", config="text").column_names[-3:] == list(ENGLISH)
    # an older or plain dataset has no such column, and says so
    assert "app_en" not in next(BuiltDataset.open(tmp_path / "plain").rows(split))
    with pytest.raises(UsageError, match="app_en"):
        list(BuiltDataset.open(tmp_path / "plain").rows(split, columns=("app_en",)))
