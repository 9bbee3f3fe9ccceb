"""A small release typed by hand in the layout of the published one, and what a later one may add to it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import datasets
import pytest

from execution_runner.run_plan import plan_tasks
from fingertip_analysis.statistics.statistics import read_facts
from fingertip_dataset.episodes import Intent, UserProfile
from fingertip_dataset.errors import UnknownNameError, UsageError
from fingertip_dataset.parquet.build import build
from fingertip_dataset.parquet.build_plan import BuildConfig
from fingertip_dataset.parquet.builder import FingerTip20K
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.parquet.loading import load
from fingertip_dataset.parquet.manifest import Manifest
from fingertip_dataset.release.checking import check_release
from fingertip_dataset.release.extra_fields import ExtraField, ExtraKind, KeptIn
from fingertip_dataset.release.read_release import read_release
from fingertip_dataset.ui_tree.accessibility import parse_tree
from suggestion_runner.inferred.inference_run import earlier_episodes
from tests.fingertip_dataset.conftest import JPEG, RawMaker

HEADER = "user_id,time,scenario,app,intentDescription,intentClass"
PROFILE = "user_id,sex,age,occupation,address,family,phone_brand"

COLLECTORS = (
    "<hierarchy><node text='' content_desc='搜索' hint='歌曲' view_id='a:id/s' class='android.widget.Edit' "
    "bounds='[0,0][90,20]' clickable='true' editable='true' visible='true'/></hierarchy>"
)
UIAUTOMATOR = (
    "<?xml version='1.0'?><hierarchy rotation='0'><node text='播放' content-desc='' resource-id='a:id/p' "
    "class='android.widget.Button' bounds='[0,140][90,160]' clickable='true' enabled='true'/></hierarchy>"
)


@pytest.fixture
def release(maker: RawMaker) -> RawMaker:
    """Users 3 and 30, the second nested; every file as the published release writes it."""
    maker.episode(
        time="20250309_133115",
        survey=maker.survey(time="20250309_133115", app="com.tencent.qqmusic", intentDescription="听歌"),
        lines=[
            {"1741498279844.jpg": "click(coordinates=(45, 10), content='搜索')"},
            {"1741498281000.jpg": 'type(text="晴天, (live)")'},
            {"1741498283000.jpg": "scroll(coordinates=(45, 80), direction='down')"},
            {"1741498285000.jpg": "finished()"},
        ],
        images={f"{name}.jpg": JPEG for name in ("1741498279844", "1741498281000", "1741498285000")},
        trees={
            "1741498279844.xml": COLLECTORS.encode(),
            "tree_1741498281000.xml": UIAUTOMATOR.encode(),
        },
    )
    maker.episode(
        time="20250310_081530",
        survey=maker.survey(),
        lines=[{"1741565730000.jpg": "press_back()"}, {"1741565731000.jpg": "finish()"}],
        images={},
        trees={},
    )
    maker.episode("30", "20250311_200000", folder="30/30/20250311_200000", survey=b"")
    maker.episode("30", "20250312_200000", folder="30/30/20250312_200000")
    (maker.raw / "30/30/20250312_200000/action.jsonl").unlink()
    maker.table(
        "total.csv",
        "3,20250309_133115,住所,com.tencent.qqmusic,听歌,音乐/音频",
        "3,20250310_081530,住所,com.a,买票,购物",
        '30,20250311_200000,快递站,com.b/.Main,"定闹钟, 七点",闹钟/计时',
        "30,20250312_200000,住所,com.a,买票,购物",
        header=HEADER,
        bom=True,
    )
    maker.table("train_set.csv", "3,20250309_133115,住所,com.tencent.qqmusic,听歌,音乐/音频", bom=True)
    maker.table(
        "test_suggestion.csv", *['30,20250311_200000,快递站,com.b/.Main,"定闹钟, 七点",闹钟/计时'] * 2
    )
    maker.table("test_execution.csv", '30,20250311_200000,快递站,com.b/.Main,"定闹钟, 七点",闹钟/计时')
    maker.table(
        "user_profile.csv", "3,男,21,学生,北京市,未婚,华为", "30,女,62,退休,上海市,已婚,", header=PROFILE
    )
    return maker


def test_the_release_of_today_is_read_to_the_letter(release: RawMaker) -> None:
    found = read_release(release.raw)
    assert found.parts == ()
    one, two, three, four = found.episodes
    assert [episode.extra for episode in found.episodes] == [()] * 4
    assert one.profile == UserProfile(
        sex="男", age=21, occupation="学生", address="北京市", marital_status="未婚", phone_brand="华为"
    )
    assert three.intent == Intent(
        user_id="30",
        time="20250311_200000",
        scenario="快递站",
        app="com.b/.Main",
        text="定闹钟, 七点",
        category="闹钟/计时",
    )
    shots = "3/20250309_133115/Screenshots"
    assert [(step.raw, step.screenshot, step.tree) for step in one.steps] == [
        (
            "click(coordinates=(45, 10), content='搜索')",
            f"{shots}/1741498279844.jpg",
            f"{shots}/1741498279844.xml",
        ),
        ('type(text="晴天, (live)")', f"{shots}/1741498281000.jpg", f"{shots}/tree_1741498281000.xml"),
        ("scroll(coordinates=(45, 80), direction='down')", None, None),
        ("finished()", f"{shots}/1741498285000.jpg", None),
    ]
    assert [step.raw for step in two.steps] == ["press_back()", "finish()"]
    assert two.steps[1].action == one.steps[3].action
    assert (str(three.folder), four.intent.text) == ("30/30/20250311_200000", "买票")
    # without action.jsonl the screens are steps without actions
    assert [step.raw for step in four.steps] == ["", ""]
    names = [
        [attributes.get(name) for name in ("text", "content_desc", "content-desc")]
        for xml in (COLLECTORS, UIAUTOMATOR)
        for attributes in parse_tree(xml.encode()).attributes
    ]
    assert names == [["", "搜索", None], ["播放", None, ""]]
    assert check_release(release.raw).counts == {
        "unreadable_survey": 1,
        "missing_actions": 1,
        "missing_screenshot": 3,
        "missing_tree": 4,
        "duplicate_row": 1,
        "missing_table": 1,
    }


def add_next(maker: RawMaker) -> None:
    """A further column, profile field and survey field, three further tables, and a table of validation."""
    rows = {
        "3,20250309_133115,住所,com.tencent.qqmusic,听歌,音乐/音频": "晴",
        "3,20250310_081530,住所,com.a,买票,购物": "",
        '30,20250311_200000,快递站,com.b/.Main,"定闹钟, 七点",闹钟/计时': "大雨, 有风",
        "30,20250312_200000,住所,com.a,买票,购物": "晴",
    }
    header = f"{HEADER},weather"
    maker.table(
        "total.csv", *(f'{row},"{weather}"' for row, weather in rows.items()), header=header, bom=True
    )
    maker.table("vali.csv", "3,20250310_081530,住所,com.a,买票,购物,阴", header=header)
    maker.table(
        "sampled_test_execution.csv", '30,20250311_200000,快递站,com.b/.Main,"定闹钟, 七点",闹钟/计时'
    )
    profiles = ("3,男,21,学生,北京市,未婚,华为,INFP", "30,女,62,退休,上海市,已婚,,")
    maker.table("user_profile.csv", *profiles, header=f"{PROFILE},MBTI")
    maker.table("battery.csv", "3,20250309_133115,80", "3,20250309_133115,80", header="user_id,time,level")
    maker.table("income.csv", "30,高", header="user_id,income")
    maker.table("apps.csv", "3,com.a", "3,com.b", header="user_id,installed")
    survey = maker.survey(time="20250310_081530", mood={"valence": 2, "words": ["累"]})
    (maker.raw / "3/20250310_081530/survey_result.json").write_text(json.dumps(survey), encoding="utf-8")


WEATHER = {"name": "weather", "source": "total.csv"}
EXTRA = {
    "3__20250309_133115": [
        WEATHER | {"value": "晴", "line": 2},
        {"source": "battery.csv", "name": "level", "value": "80", "line": 2},
        {"source": "battery.csv", "name": "level", "value": "80", "line": 3},
        {"source": "user_profile.csv", "name": "MBTI", "value": "INFP", "line": 2},
    ],
    "3__20250310_081530": [
        {"source": "vali.csv", "name": "weather", "value": "阴", "line": 2},
        {"source": "user_profile.csv", "name": "MBTI", "value": "INFP", "line": 2},
        {
            "source": "survey_result.json",
            "name": "mood",
            "value": '{"valence": 2, "words": ["累"]}',
            "line": None,
        },
    ],
    "30__20250311_200000": [
        WEATHER | {"value": "大雨, 有风", "line": 4},
        {"source": "income.csv", "name": "income", "value": "高", "line": 2},
    ],
}


def test_what_a_later_release_adds_is_named_and_is_no_problem(release: RawMaker) -> None:
    before = check_release(release.raw).counts
    add_next(release)
    check = check_release(release.raw)
    assert check.counts | {"missing_table": 1} == before
    named = {(part.kind, part.file, part.name): (part.count, part.kept_in) for part in check.parts}
    assert named == {
        (ExtraKind.COLUMN, "total.csv", "weather"): (3, KeptIn.ROWS),
        (ExtraKind.COLUMN, "vali.csv", "weather"): (1, KeptIn.ROWS),
        (ExtraKind.COLUMN, "user_profile.csv", "MBTI"): (1, KeptIn.ROWS),
        (ExtraKind.TABLE, "apps.csv", "user_id, installed"): (2, KeptIn.FILE),
        (ExtraKind.TABLE, "battery.csv", "level"): (2, KeptIn.ROWS),
        (ExtraKind.TABLE, "income.csv", "income"): (1, KeptIn.ROWS),
        (ExtraKind.FIELD, "survey_result.json", "mood"): (1, KeptIn.ROWS),
    }


def test_a_later_release_is_kept_by_build_and_loaded_by_datasets(release: RawMaker, tmp_path: Path) -> None:
    add_next(release)
    out = tmp_path / "out"
    manifest = build(release.raw, out)
    assert manifest == Manifest.read(out / "manifest.json")
    assert (manifest.version, manifest.schema_version, manifest.vali_table) == (7, 5, True)
    # the fourth episode is in no table of a split
    assert manifest.unassigned == 1
    ids = {
        "train": ["3__20250309_133115"],
        "vali": ["3__20250310_081530"],
        "test_suggestion": ["30__20250311_200000"],
        "test_execution": ["30__20250311_200000"],
        "sampled_test_execution": ["30__20250311_200000"],
    }
    loaded = datasets.load_dataset(str(out), "text", cache_dir=str(tmp_path / "cache"))
    assert {split: rows["episode_id"][:] for split, rows in loaded.items()} == ids
    for rows in loaded.values():
        assert [list(row["extra"]) for row in rows] == [EXTRA[name] for name in rows["episode_id"]]
    whole = datasets.load_dataset(str(out), split="vali", cache_dir=str(tmp_path / "cache"))
    assert whole["extra"][0] == loaded["vali"]["extra"][0]
    assert (out / "tables/apps.csv").read_bytes() == (release.raw / "apps.csv").read_bytes()
    built = BuiltDataset.open(out)
    built.verify()
    assert [row["extra"] for row in built.rows("vali")] == [EXTRA["3__20250310_081530"]]
    card = (out / "README.md").read_text(encoding="utf-8")
    assert "`vali` is the release's own table vali.csv, 1 here; 1 kept" in card
    assert "| apps.csv | table user&#95;id, installed | 2 | folder tables |" in card


def test_the_sampled_test_can_be_chosen_where_there_is_one(release: RawMaker, tmp_path: Path) -> None:
    build(release.raw, tmp_path / "without")
    with pytest.raises(UsageError, match="test_execution, got 'sampled_test_execution'"):
        plan_tasks(BuiltDataset.open(tmp_path / "without"), split="sampled_test_execution")
    add_next(release)
    build(release.raw, tmp_path / "with")
    plan = plan_tasks(BuiltDataset.open(tmp_path / "with"), split="sampled-test-execution")
    assert (plan.split, [task.task_id for task in plan.tasks]) == (
        "sampled_test_execution",
        ["30__20250311_200000"],
    )
    assert list(load("sampled-test-execution", "text", path=tmp_path / "with")["intent"]) == ["定闹钟, 七点"]


def test_an_episode_of_the_sampled_test_alone_is_read_with_all_others(
    release: RawMaker, tmp_path: Path
) -> None:
    add_next(release)
    release.table("sampled_test_execution.csv", "30,20250312_200000,住所,com.a,买票,购物")
    build(release.raw, tmp_path / "out")
    built = BuiltDataset.open(tmp_path / "out")
    alone = "30__20250312_200000"
    own = [name for name in built.split_names if alone in {row["episode_id"] for row in built.rows(name)}]
    assert own == ["sampled_test_execution"]
    assert alone in earlier_episodes(built, "all")
    facts = read_facts((split, row) for split in built.split_names for row in built.rows(split))
    assert alone in {fact.episode_id for fact in facts}
    with pytest.raises(UnknownNameError, match="test_execution, sampled_test_execution, all, got 'sampled'"):
        earlier_episodes(built, "sampled")
    # the earlier episode of the same person
    assert earlier_episodes(built, "sampled-test-execution", history="all") == ("30__20250311_200000",)


def test_a_table_is_known_by_its_suffix_in_capitals_too(release: RawMaker) -> None:
    (release.raw / "NOTES.CSV").write_text("key,value\n1,2\n", encoding="utf-8")
    assert [(part.file, part.kept_in) for part in check_release(release.raw).parts] == [
        ("NOTES.CSV", KeptIn.FILE)
    ]


def test_english_names_and_extra_stand_side_by_side(release: RawMaker, tmp_path: Path) -> None:
    add_next(release)
    manifest = build(release.raw, tmp_path / "out", config=BuildConfig(english_names=True))
    assert (manifest.schema_version, manifest.english_names, manifest.has_extra) == (6, True, True)
    row = next(BuiltDataset.open(tmp_path / "out").rows("train", config="default"))
    assert list(row)[-4:] == ["scenario_en", "app_en", "intent_category_en", "extra"]


def test_the_builder_of_datasets_has_the_column_too(release: RawMaker, tmp_path: Path) -> None:
    add_next(release)
    builder: Any = FingerTip20K(
        config_name="text", data_dir=str(release.raw), cache_dir=str(tmp_path / "cache")
    )
    rows = list(builder.as_streaming_dataset("sampled_test_execution"))
    assert [row["extra"] for row in rows] == [EXTRA["30__20250311_200000"]]


def test_a_release_with_nothing_more_is_built_as_before(release: RawMaker, tmp_path: Path) -> None:
    manifest = build(release.raw, tmp_path / "out")
    assert (manifest.version, manifest.schema_version, manifest.extra) == (3, 3, ())
    written = json.loads((tmp_path / "out" / "manifest.json").read_text(encoding="utf-8"))
    assert not {"extra", "vali_table", "unassigned"} & written.keys()
    # without vali.csv it is the remainder
    assert [row["episode_id"] for row in BuiltDataset.open(tmp_path / "out").rows("vali")] == [
        "3__20250310_081530",
        "30__20250312_200000",
    ]


VALI = "3,20250310_081530,住所,com.a,买票,购物"


@pytest.mark.parametrize(
    ("rows", "kind", "line", "kept"),
    [
        ((VALI, VALI.replace("20250310", "20240310")), "row_without_episode", 3, 1),
        ((VALI, VALI), "duplicate_row", 3, 1),
        ((VALI, VALI.replace("买票", "退票")), "conflicting_rows", 2, 0),
        ((VALI, '30,20250311_200000,快递站,com.b/.Main,"定闹钟, 七点",闹钟/计时'), "vali_and_test", 3, 1),
        ((VALI, "3,20250309_133115,住所,com.tencent.qqmusic,听歌,音乐/音频"), "train_and_vali", 2, 2),
        ((VALI, "3,gestern,住所,com.a,买票,购物"), "bad_row", 3, 1),
    ],
)
def test_a_bad_row_of_vali_is_one_line(
    release: RawMaker, rows: tuple[str, ...], kind: str, line: int, kept: int
) -> None:
    before = check_release(release.raw).problems
    release.table("vali.csv", *rows)
    check = check_release(release.raw)
    new = [problem for problem in check.problems if problem not in before]
    assert new[0].kind == kind
    assert (new[0].file, new[0].line) == ("train_set.csv" if kind == "train_and_vali" else "vali.csv", line)
    assert len(new) == (2 if kind == "conflicting_rows" else 1)
    splits = build_ids(release)
    assert len(splits["vali"]) == kept
    assert not {*splits["vali"]} & {*splits["train"], *splits["test_suggestion"], *splits["test_execution"]}


def build_ids(release: RawMaker) -> dict[str, list[str]]:
    from fingertip_dataset.tasks.splits import split_release

    plan = split_release(read_release(release.raw))
    return {split: list(ids) for split, ids in plan.episode_ids.items()}


def test_an_unreadable_vali_leaves_its_split_empty(release: RawMaker) -> None:
    (release.raw / "vali.csv").write_bytes(b"\xff\xfe\x00")
    assert check_release(release.raw).counts["unreadable_table"] == 1
    assert build_ids(release)["vali"] == []


def test_values_of_repeated_and_disagreeing_rows_are_all_kept(release: RawMaker) -> None:
    row = '30,20250311_200000,快递站,com.b/.Main,"定闹钟, 七点",闹钟/计时'
    release.table("test_suggestion.csv", f"{row},雨,", f"{row},雨,风", header=f"{HEADER},a,")
    release.table("test_execution.csv", f"{row},晴", header=f"{HEADER},a")
    found = read_release(release.raw)
    extra = next(one.extra for one in found.episodes if one.intent.user_id == "30")
    assert extra == (
        ExtraField(source="test_execution.csv", name="a", value="晴", line=2),
        ExtraField(source="test_suggestion.csv", name="a", value="雨", line=2),
        ExtraField(source="test_suggestion.csv", name="column 8", value="风", line=3),
    )


def test_a_further_table_that_cannot_be_read_is_named(release: RawMaker, tmp_path: Path) -> None:
    (release.raw / "mood.csv").write_bytes("user_id,mood\n3,\xe9\n".encode("latin-1"))
    (part,) = check_release(release.raw).parts
    assert (part.file, part.kept_in) == ("mood.csv", KeptIn.NOWHERE)
    assert part.detail == "expected UTF-8, got another encoding at byte 15"
    assert not (tmp_path / "out" / "tables").exists()
    assert build(release.raw, tmp_path / "out").extra[0].detail == part.detail
