"""Tables: every spelling of a header, every refusal by name, and counts that add up."""

from __future__ import annotations

import csv
import io
import os
from collections import defaultdict
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingertip_dataset.episodes import Intent, UserProfile
from fingertip_dataset.errors import ReleaseError
from fingertip_dataset.release.problems import Problem
from fingertip_dataset.release.spelling import find_intent_fault
from fingertip_dataset.release.tables.index_tables import (
    find_missing_sample,
    find_tables,
    note_unused_tables,
    read_tables,
)
from fingertip_dataset.release.tables.keyed_table import TableCount

HEADER = "user_id,time,scenario,app,intentDescription,intentClass"
ROW = "3,20250310_081530,住所,com.a,买票,购物"
OTHER = "4,20250310_081530,学校,com.b,看书,阅读"
ID = "3__20250310_081530"
INTENT = Intent(
    user_id="3", time="20250310_081530", scenario="住所", app="com.a", text="买票", category="购物"
)


def write(folder: Path, name: str, *lines: str | bytes) -> None:
    data = [line if isinstance(line, bytes) else line.encode() for line in lines]
    (folder / name).write_bytes(b"\n".join(data) + b"\n")


def kinds(problems: tuple[Problem, ...]) -> list[tuple[str, str | None, int | None]]:
    return [(problem.kind.value, problem.file, problem.line) for problem in problems]


@pytest.mark.parametrize(
    "header",
    [
        HEADER,
        "\ufeff" + HEADER,
        "User_ID, Time ,SCENARIO,App,intent_description,Intent Class",
        '"user_id","time","scenario","app","intentDescription","intentClass"',
    ],
)
def test_spellings_of_the_header(tmp_path: Path, header: str) -> None:
    write(tmp_path, "total.csv", header, ROW)
    tables = read_tables(tmp_path)
    assert tables.total == {ID: INTENT}
    assert tables.problems == ()
    assert (tables.train, tables.test_suggestion, tables.test_execution) == (None, None, None)
    assert tables.counts == {"total.csv": TableCount(given=1, kept=1)}
    assert tables.places == {ID: ("total.csv", 2)}


def test_order_of_columns_and_extra_ones_do_not_matter(tmp_path: Path) -> None:
    header = ",intentClass,note,intentDescription,app,scenario,time,user_id"
    write(tmp_path, "total.csv", header, "0,购物,x,买票,com.a,住所,2025-03-10 08:15:30,3.0", "")
    assert read_tables(tmp_path).total == {ID: INTENT}


def test_line_ends_quotes_and_commas(tmp_path: Path) -> None:
    write(
        tmp_path,
        "total.csv",
        f'{HEADER}\r\n3,20250310_081530,住所,com.a,"买""两,张""\r\n票",购物\r\n{OTHER}\r',
    )
    total = read_tables(tmp_path).total
    assert total is not None
    assert total[ID].text == '买"两,张"\r\n票'
    assert len(total) == 2


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"user_id,time\n3,20250310_081530\n",
        b"user_id,time,scenario,app,intentDescription,time\n",
        HEADER.encode("utf-16"),
        f"{HEADER}\n".encode() + b"\xff",
        b"\x00" * 100,
        b"," * 1_000_000,
        (HEADER + "," * 300).encode(),
        b"x" * (17 * 2**20),
        HEADER.encode() + b"\nx" * 100_001,
        b'"' + b"x" * 200_000,
    ],
)
def test_a_table_that_cannot_be_read_is_refused_as_a_whole(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "total.csv").write_bytes(data)
    write(tmp_path, "train_set.csv", HEADER, ROW)
    tables = read_tables(tmp_path)
    assert tables.total is None
    assert kinds(tables.problems) == [
        ("missing_table", "test_suggestion.csv", None),
        ("missing_table", "test_execution.csv", None),
        ("missing_table", "user_profile.csv", None),
        ("unreadable_table", "total.csv", None),
    ]
    assert tables.problems[-1].detail.startswith("expected ")
    assert tables.counts["total.csv"] == TableCount()
    assert tables.intent(ID) == INTENT


@pytest.mark.parametrize(
    "row",
    [
        "3,20250310_081530,住所,com.a,买票",
        ",20250310_081530,住所,com.a,买票,购物",
        "3,20251310_081530,住所,com.a,买票,购物",
        "3,20250310_081530,住所,com.a, ,购物",
        "3,20250310_081530,住所,com.a,买\0票,购物",
        "a/b,20250310_081530,住所,com.a,买票,购物",
        "," * 50_000,
        "3,20250310_081530,住所,com.a," + "x" * 1_000_000 + ",购物",
    ],
)
def test_a_row_that_cannot_be_used_is_refused(tmp_path: Path, row: str) -> None:
    write(tmp_path, "total.csv", HEADER, OTHER, row, ROW)
    tables = read_tables(tmp_path)
    count = tables.counts["total.csv"]
    assert count.given == count.kept + count.refused
    assert count.refused >= 1
    assert tables.total is not None
    assert tables.total[ID] == INTENT
    assert kinds(tables.problems)[0] == ("bad_row", "total.csv", 3)


def test_an_unclosed_quote_loses_only_the_rows_it_spans(tmp_path: Path) -> None:
    rows = [
        f"3,20250310_{hour:02}{minute:02}00,住所,com.a,买票,购物"
        for hour in range(24)
        for minute in range(60)
    ]
    write(tmp_path, "total.csv", HEADER, *rows, '3,20250311_000000,住所,com.a,"买票,购物', *[OTHER] * 3)
    tables = read_tables(tmp_path)
    assert tables.counts["total.csv"] == TableCount(given=1441, kept=1440, refused=1)
    assert kinds(tables.problems) == [("bad_row", "total.csv", 1442)]


def test_a_cell_without_end_is_refused(tmp_path: Path) -> None:
    write(tmp_path, "total.csv", HEADER, OTHER, '3,20250310_081530,住所,com.a,"' + "x\n" * 70_000 + '",购物')
    tables = read_tables(tmp_path)
    assert list(tables.total or ()) == ["4__20250310_081530"]
    assert {kind for kind, *_ in kinds(tables.problems)} == {"bad_row"}
    assert "up to line" in tables.problems[0].detail


def test_rows_that_repeat_are_merged_and_rows_that_conflict_refused(tmp_path: Path) -> None:
    conflict = ROW.replace("买票", "看书")
    write(tmp_path, "total.csv", HEADER, OTHER, ROW, OTHER, conflict, f"{OTHER} ")
    tables = read_tables(tmp_path)
    assert list(tables.total or ()) == ["4__20250310_081530"]
    assert tables.counts["total.csv"] == TableCount(given=5, kept=1, merged=2, refused=2)
    assert kinds(tables.problems) == [
        ("duplicate_row", "total.csv", 4),
        ("duplicate_row", "total.csv", 6),
        ("conflicting_rows", "total.csv", 3),
        ("conflicting_rows", "total.csv", 5),
    ]


def test_a_row_of_training_and_test_belongs_to_the_test(tmp_path: Path) -> None:
    write(tmp_path, "train_set.csv", HEADER, OTHER, ROW)
    write(tmp_path, "test_suggestion.csv", HEADER, ROW)
    write(tmp_path, "test_execution.csv", HEADER, ROW)
    write(tmp_path, "sampled_test_execution.csv", HEADER, ROW)
    tables = read_tables(tmp_path)
    assert list(tables.train or ()) == ["4__20250310_081530"]
    assert tables.test_suggestion == tables.test_execution == tables.sampled_test_execution == {ID: INTENT}
    assert tables.counts["train_set.csv"] == TableCount(given=2, kept=1, refused=1)
    assert kinds(tables.problems) == [
        ("missing_table", "total.csv", None),
        ("missing_table", "user_profile.csv", None),
        ("train_and_test", "train_set.csv", 3),
    ]


def test_tables_that_make_no_split_are_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    raw, tables = tmp_path / "zh" / "raw", tmp_path / "zh" / "tables"
    for folder in (raw / "3" / "20250310_081530", tables):
        folder.mkdir(parents=True)
    assert note_unused_tables(raw) is None
    write(tables, "sampled_test_execution.csv", HEADER, ROW)
    assert f"{tables} has index tables, and {raw} is read without them" in str(note_unused_tables(raw))
    monkeypatch.chdir(raw)
    assert str(note_unused_tables(Path())).endswith("; add --tables ../tables")
    assert note_unused_tables(tmp_path / "zh" / "nothing") is None
    alone = f"{tables}/sampled_test_execution.csv is the only table of a split: it makes none, and all splits"
    write(tables, "total.csv", HEADER, ROW)
    for place in ((raw, tables), (tables.parent,)):
        assert str(note_unused_tables(*place)).startswith(alone)
    write(tables, "train_set.csv", HEADER, ROW)
    assert note_unused_tables(raw, tables) is None


def test_the_table_of_the_narrower_split_takes_precedence(tmp_path: Path) -> None:
    write(tmp_path, "total.csv", HEADER, ROW, OTHER)
    write(tmp_path, "test_execution.csv", HEADER, ROW.replace("买票", "看书"))
    write(tmp_path, "train_set.csv", HEADER.replace("intentClass", "x"), OTHER)
    tables = read_tables(tmp_path)
    assert kinds(tables.problems) == [
        ("missing_table", "test_suggestion.csv", None),
        ("missing_table", "user_profile.csv", None),
        ("missing_column", "train_set.csv", 1),
        ("tables_disagree", "total.csv", 2),
    ]
    assert tables.total is not None
    believed = tables.intent(ID)
    assert believed is not None
    assert (believed.text, tables.total[ID].text) == ("看书", "买票")
    # what one table leaves open another fills
    assert tables.intent("4__20250310_081530") == tables.total["4__20250310_081530"]
    assert tables.intent("5__20250310_081530") is None


@pytest.mark.parametrize(
    ("header", "row"),
    [
        ("user_id,sex,age,occupation,address,marital_status,phone_brand", "3,女,21,学生,北京,未婚,华为"),
        ("\ufeffUser_ID,Gender,Age,Occupation,Address,Family,Phone", "03, 女 ,21.0,学生,北京,未婚,华为"),
        ("phone brand,x,family,address,occupation,age,sex,userId", "华为,?,未婚,北京,学生,21岁,女,3"),
    ],
)
def test_spellings_of_profiles(tmp_path: Path, header: str, row: str) -> None:
    write(tmp_path, "user_profile.csv", header, row)
    tables = read_tables(tmp_path)
    assert tables.problems == ()
    assert tables.profiles == {
        "3": UserProfile(
            sex="女", age=21, occupation="学生", address="北京", marital_status="未婚", phone_brand="华为"
        )
    }


@pytest.mark.parametrize("age", ["old", "20-30", "-1", "131", "999999999999", "2²", "nan", "21.5", "２１"])
def test_an_invalid_age_is_unknown(tmp_path: Path, age: str) -> None:
    write(tmp_path, "user_profile.csv", "user_id,sex,age,occupation,address,family,phone", f"3,女,{age},,,,")
    tables = read_tables(tmp_path)
    assert tables.profiles == {"3": UserProfile(sex="女")}
    assert kinds(tables.problems) == [("bad_age", "user_profile.csv", 2)]


def test_profiles_that_repeat_conflict_or_lack_columns(tmp_path: Path) -> None:
    write(tmp_path, "user_profile.csv", "user_id,sex", "3,女", "3,女", "4,女", "4,男", "?,男")
    tables = read_tables(tmp_path)
    assert tables.profiles == {"3": UserProfile(sex="女")}
    assert tables.counts["user_profile.csv"] == TableCount(given=5, kept=1, merged=1, refused=3)
    assert [kind for kind, *_ in kinds(tables.problems)] == [
        "bad_row",
        "duplicate_row",
        "conflicting_rows",
        "conflicting_rows",
        *["missing_column"] * 5,
    ]
    write(tmp_path, "user_profile.csv", "user_id,name", "3,a")
    assert kinds(read_tables(tmp_path).problems) == [("unreadable_table", "user_profile.csv", None)]


def test_tables_that_are_no_files(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "total.csv")
    (tmp_path / "train_set.csv").mkdir()
    (tmp_path / "test_execution.csv").symlink_to("/etc/hostname")
    (tmp_path / "user_profile.csv").symlink_to("nowhere")
    tables = read_tables(tmp_path)
    assert {kind for kind, *_ in kinds(tables.problems)} == {"unreadable_table", "missing_table"}
    assert set(tables.counts.values()) == {TableCount()}
    assert len(tables.counts) == 4


def test_where_there_are_no_tables(tmp_path: Path) -> None:
    assert find_tables(tmp_path) is None
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "total.csv").touch()
    with pytest.raises(ReleaseError, match=r"got a folder without them: did you mean .*/tables\?"):
        read_tables(tmp_path)
    (tmp_path / "tables" / "total.csv").unlink()
    with pytest.raises(ReleaseError, match="expected one of the tables"):
        read_tables(tmp_path)
    with pytest.raises(ReleaseError, match="no such file"):
        read_tables(tmp_path / "nowhere")


CELL = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), max_size=6)
ROWS = st.lists(
    st.tuples(
        st.sampled_from(["3", "4", "04", "", "x y"]),
        st.sampled_from(["20250310_081530", "20250311_081530", "tomorrow"]),
        st.sampled_from(["a", "b"]),
        CELL,
        st.one_of(st.just("买票"), CELL),
        st.sampled_from(["", "c"]),
    ),
    max_size=12,
)


@given(rows=ROWS, bom=st.booleans(), end=st.sampled_from(["\n", "\r\n"]))
def test_counts_agree_with_a_plain_count(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, ...]], bom: bool, end: str
) -> None:
    folder = tmp_path_factory.mktemp("tables")
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator=end, quoting=csv.QUOTE_ALL).writerows([HEADER.split(","), *rows])
    (folder / "total.csv").write_bytes((b"\xef\xbb\xbf" if bom else b"") + out.getvalue().encode())
    groups: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    refused = 0
    for user, time, *output in rows:
        if user in ("3", "4", "04") and time != "tomorrow" and is_intent(output[2]):
            groups[f"{user.lstrip('0')}__{time}"].add(tuple(part.strip() for part in output))
        else:
            refused += 1
    kept = {key for key, output in groups.items() if len(output) == 1}
    tables = read_tables(folder)
    assert set(tables.total or ()) == kept
    count = tables.counts["total.csv"]
    assert (count.given, count.kept) == (len(rows), len(kept))
    assert count.given == count.kept + count.merged + count.refused
    assert sum(kind == "bad_row" for kind, *_ in kinds(tables.problems)) == refused
    assert sum(kind == "duplicate_row" for kind, *_ in kinds(tables.problems)) == count.merged


def is_intent(text: str) -> bool:
    return bool(text.strip()) and find_intent_fault(text) is None


@pytest.mark.parametrize("text", ["\u200b", "\u200b \ufeff", "？！", "买" * 100_000])
def test_a_row_whose_intent_says_nothing_is_refused(tmp_path: Path, text: str) -> None:
    write(tmp_path, "total.csv", HEADER, OTHER, f"3,20250310_081530,住所,com.a,{text[:90_000]},购物")
    (problem,) = read_tables(tmp_path).problems
    assert (problem.kind.value, problem.line) == ("bad_row", 3)
    assert problem.detail.startswith("expected an intent, got ")


def test_a_table_as_chinese_spreadsheets_save_it_is_read(tmp_path: Path) -> None:
    write(tmp_path, "total.csv", HEADER, f"{ROW}\n{OTHER}".encode("gb18030"))
    tables = read_tables(tmp_path)
    assert tables.total is not None
    assert tables.total[ID] == INTENT
    assert tables.problems == ()
    # one broken character makes no other words of a table in UTF-8
    rows = "\n".join(f"3,20250310_0815{second:02},住所,com.a,买票,购物" for second in range(60)).encode()
    write(tmp_path, "total.csv", HEADER, rows.replace("买".encode(), b"\xe4\xb9", 1))
    assert kinds(read_tables(tmp_path).problems) == [("unreadable_table", "total.csv", None)]


@pytest.mark.parametrize(
    ("missing", "words"),
    [
        ("train_set.csv", "its split is empty"),
        ("test_suggestion.csv", "its split is empty"),
        ("test_execution.csv", "its split is empty"),
        ("total.csv", "nobody sees which episodes are missing"),
        ("user_profile.csv", "age, sex and the rest are not known"),
    ],
)
def test_a_table_that_is_missing_beside_those_of_splits_is_named(
    tmp_path: Path, missing: str, words: str
) -> None:
    names = {"train_set.csv", "test_suggestion.csv", "test_execution.csv", "total.csv"} - {missing}
    for name in names:
        write(tmp_path, name, HEADER)
    if missing != "user_profile.csv":
        write(tmp_path, "user_profile.csv", "user_id,sex,age,occupation,address,marital_status,phone_brand")
    tables = read_tables(tmp_path)
    assert kinds(tables.problems) == [("missing_table", missing, None)]
    assert tables.problems[0].detail.endswith(words)


def test_the_sampled_test_of_a_published_release_is_named_where_it_is_missing(tmp_path: Path) -> None:
    write(tmp_path, "train_set.csv", HEADER)
    missing = find_missing_sample(read_tables(tmp_path))
    assert missing is not None
    assert (missing.kind, missing.file) == ("missing_table", "sampled_test_execution.csv")
    write(tmp_path, "sampled_test_execution.csv", HEADER)
    assert find_missing_sample(read_tables(tmp_path)) is None
    (tmp_path / "sampled_test_execution.csv").unlink()
    (tmp_path / "train_set.csv").rename(tmp_path / "total.csv")
    assert find_missing_sample(read_tables(tmp_path)) is None


@given(st.binary(max_size=400))
def test_any_bytes_are_a_table_or_refused(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    folder = tmp_path_factory.mktemp("tables")
    (folder / "total.csv").write_bytes(f"{HEADER}\n{ROW}\n".encode() + data)
    (folder / "user_profile.csv").write_bytes(data)
    tables = read_tables(folder)
    for count in tables.counts.values():
        assert count.given == count.kept + count.merged + count.refused
