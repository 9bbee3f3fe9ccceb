"""Results in the authors' columns: parsing, and scores compared with hand-computed sums."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rapidfuzz import fuzz

from fingertip_analysis.csv_scores import csv_dict, score_csv
from fingertip_analysis.result_csv import read_result_csv
from fingertip_dataset.errors import FingerTipError, InputError, UsageError
from fingertip_metrics import get_embedder
from fingertip_metrics.judges import LexicalJudge
from tests.examples import examples

TRACK_1 = ("original_intent", "predicted_intent", "time", "token")
TRACK_2 = (
    "user_id",
    "success",
    "origin_step",
    "real_step",
    "step_ratio",
    "up_sim",
    "down_sim",
    "similarity",
    "time",
    "token",
)
INTENTS = [
    ("打开微信，给妈妈发消息", "打开微信发消息给妈妈", "1.5", "900"),
    ("听歌", "打车回家", "2.5", "700"),
    ("点外卖", "", "", "800"),
]


def written(path: Path, rows: Sequence[Sequence[object]], encoding: str = "utf-8-sig") -> Path:
    with path.open("w", encoding=encoding, newline="") as file:
        csv.writer(file).writerows(rows)
    return path


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-8", "gbk", "gb18030"])
def test_track_1_in_any_encoding_matches_the_releases_formula(tmp_path: Path, encoding: str) -> None:
    file = read_result_csv(written(tmp_path / "out.csv", [TRACK_1, *INTENTS], encoding))
    lexical = get_embedder("lexical")
    scores = csv_dict(score_csv(file, embedder=lexical, judge=LexicalJudge(threshold=0.5)))
    expected = []
    for original, predicted, *_ in INTENTS:
        a, b = lexical.encode([predicted, original]).astype(float)
        lengths = (a @ a * (b @ b)) ** 0.5
        ratio = round(fuzz.ratio(original, predicted)) / 100
        expected.append(round((ratio + (float(a @ b / lengths) if lengths else 0.0)) / 2, 2))
    assert scores["sim1"]["mean"] == pytest.approx(sum(expected) / 3)
    assert scores["sr1"]["mean"] == pytest.approx(1 / 3)
    assert scores["sim1"]["low"] is None
    assert scores["sim1"]["why_no_interval"] == "no column user_id: the users of the rows are unknown"
    assert scores["seconds_per_query"] == {"mean": 2.0, "n": 2}
    assert scores["tokens_per_query"] == {"mean": 800.0, "n": 3}
    assert (scores["track"], scores["n"], scores["bad_rows"]) == ("suggestion", 3, [])
    assert "1 rows without an answer" in scores["notes"]


def test_user_ids_give_intervals_that_do_not_collapse(tmp_path: Path) -> None:
    rows = [("User_ID", *TRACK_1), *((user, *row) for user, row in zip("112", INTENTS, strict=True))]
    file = read_result_csv(written(tmp_path / "out.csv", rows))
    scores = csv_dict(score_csv(file, embedder=get_embedder("lexical"), judge=LexicalJudge(threshold=1)))
    assert scores["sr1"] | {"high": None} == scores["sr1"] | {"mean": 0.0, "low": 0.0, "high": None}
    assert scores["sr1"]["high"] == pytest.approx(0.657620, abs=1e-6)
    assert scores["sim1"]["clusters"] == 2
    assert scores["sim1"]["low"] < scores["sim1"]["mean"] < scores["sim1"]["high"]


def test_track_2_matches_hand_computed_sums(tmp_path: Path) -> None:
    rows = [
        ("1", 1, 4, 6, 1.5, 0.8, 0.5, 1.6, 8, 3000),
        ("1", 0, 4, 4, 1.0, 0.6, 0.6, 1.0, 4, 1000),
        # more than 2.5 x the person's steps: failed, whatever the success column says
        ("5", 1, 4, 11, 2.75, 0.3, 0.6, 0.5, 6, 2000),
        # S_II is 0: the release replaces it by 0.4, and the blank similarity becomes the quotient
        ("5", "1.0", "4.0", 2, 0.5, 0.2, 0, "", 6, 2000),
    ]
    scores = csv_dict(score_csv(read_result_csv(written(tmp_path / "out.csv", [TRACK_2, *rows]))))
    assert scores["sr2"]["mean"] == 0.5
    assert scores["sim2"]["mean"] == pytest.approx((1.6 + 1.0 + 0.5 + 0.5) / 4)
    assert scores["s_i"]["mean"] == pytest.approx((0.8 + 0.6 + 0.3 + 0.2) / 4)
    assert scores["step_ratio"]["mean"] == pytest.approx((1.5 + 0.5) / 2)
    assert scores["seconds_per_query"]["mean"] == 6
    assert scores["tokens_per_query"]["mean"] == 2000
    # both users have one of two: the bootstrap interval would collapse to [0.5, 0.5]
    assert (scores["sr2"]["low"], scores["sr2"]["high"]) == pytest.approx((0.094531, 0.905469), abs=1e-6)
    assert scores["notes"] == ["1 rows with success beyond 2.5 x the person's steps: failed"]


def test_caveats_of_a_track_2_file_are_reported(tmp_path: Path) -> None:
    row = ("1", 0, 4, 4, 1, 0.8, 0.4, 1.0, 8, 3000)
    scores = csv_dict(score_csv(read_result_csv(written(tmp_path / "out.csv", [TRACK_2, row]))))
    assert scores["notes"] == [
        "success is 0 in every row: the authors' script writes 0, and people fill it in by hand",
        "1 rows whose similarity is not up_sim / down_sim: it is taken as it stands",
    ]
    assert scores["comparable"] is False
    assert "1 rows: the paper's test has 200 tasks" in scores["why_not_comparable"]


def test_bad_rows_are_named_by_line_and_left_out(tmp_path: Path) -> None:
    rows = [
        TRACK_1,
        INTENTS[0],
        ("听歌", "听\n歌", "1", "2"),
        ("听歌", "打车", "soon", ""),
        ("", "打车", "1", "1"),
        ("听歌", "打车"),
        ("听歌", "打车", "-1", ""),
        ("听歌", "打车", "", "nan"),
    ]
    file = read_result_csv(written(tmp_path / "out.csv", rows))
    assert [row.line for row in file.suggestions] == [2, 3]
    assert [(row.line, row.reason) for row in file.bad] == [
        (5, "expected a number of 0 or more in time, got 'soon'"),
        (6, "original_intent, the person's intent, is empty"),
        (7, "expected 4 cells, got 2"),
        (8, "expected a number of 0 or more in time, got '-1'"),
        (9, "expected a number of 0 or more in token, got 'nan'"),
    ]
    scores = score_csv(file, embedder=get_embedder("lexical"))
    assert "5 rows left out: they cannot be read" in scores.caveats


def test_bad_rows_of_track_2_are_left_out(tmp_path: Path) -> None:
    good = ("1", 1, 4, 6, 1.5, 0.8, 0.5, 1.6, 8, 3000)
    changes = {0: "a/b", 1: "done", 2: "0", 3: "1.5"}
    rows = [
        tuple(new if at == place else cell for place, cell in enumerate(good)) for at, new in changes.items()
    ]
    file = read_result_csv(written(tmp_path / "out.csv", [TRACK_2, good, *rows]))
    assert [row.reason for row in file.bad] == [
        "expected a user id in user_id, got 'a/b'",
        "expected 0 or 1 in success, got 'done'",
        "expected a whole number from 1 on in origin_step, got '0'",
        "expected a whole number from 0 on in real_step, got '1.5'",
    ]


@pytest.mark.parametrize(
    ("place", "cell", "reason"),
    [
        (2, "1e308", "expected a number from 0 to 10,000 in origin_step, got '1e308'"),
        (3, "10001", "expected a number from 0 to 10,000 in real_step, got '10001'"),
        (5, "1e308", "expected a number from 0 to 1 in up_sim, got '1e308'"),
        (6, "1.5", "expected a number from 0 to 1 in down_sim, got '1.5'"),
        (6, "1e-320", "expected up_sim / down_sim of at most 1,000,000, got 0.8 / 9.99989e-321"),
        (7, "1e308", "expected a number from 0 to 1,000,000 in similarity, got '1e308'"),
        (8, "1e308", "expected a number from 0 to 1,000,000 in time, got '1e308'"),
        (9, "1e308", "expected a number from 0 to 1,000,000,000 in token, got '1e308'"),
    ],
)
def test_an_implausible_number_is_a_bad_row_and_the_others_count(
    tmp_path: Path, place: int, cell: str, reason: str
) -> None:
    good = ("1", 1, 4, 6, 1.5, 0.8, 0.5, "", 8, 3000)
    odd = tuple(cell if at == place else value for at, value in enumerate(good))
    file = read_result_csv(written(tmp_path / "out.csv", [TRACK_2, odd, odd, good]))
    assert [(row.line, row.reason) for row in file.bad] == [(2, reason), (3, reason)]
    scores = csv_dict(score_csv(file))
    json.dumps(scores, allow_nan=False)
    assert (scores["n"], scores["sim2"]["mean"]) == (1, pytest.approx(1.6))


def test_columns_of_both_tracks_are_refused_until_one_is_named(tmp_path: Path) -> None:
    path = written(tmp_path / "out.csv", [(*TRACK_1[:2], *TRACK_2[1:4]), ("听歌", "打车", 1, 4, 6)])
    with pytest.raises(InputError) as caught:
        read_result_csv(path)
    assert str(caught.value) == (
        "expected the columns of one track, got original_intent, predicted_intent (suggestion) and success, "
        f"origin_step, real_step (execution): give --track suggestion or execution (file {path})"
    )
    first, second = (read_result_csv(path, track=track) for track in ("suggestion", "execution"))
    assert (first.track, len(first.suggestions), len(first.executions)) == ("suggestion", 1, 0)
    assert (second.track, len(second.suggestions), len(second.executions)) == ("execution", 0, 1)
    one = written(tmp_path / "one.csv", [("predicted_intent", *TRACK_2[1:4]), ("打车", 1, 4, 6)])
    assert (read_result_csv(one).track, len(read_result_csv(one).executions)) == ("execution", 1)
    with pytest.raises(InputError, match="expected the columns original_intent, predicted_intent, got "):
        read_result_csv(one, track="suggestion")


def test_episode_times_are_not_read_as_seconds_per_query(tmp_path: Path) -> None:
    rows = [("time", "original_intent", "predicted_intent"), ("20250309_080000", "听歌", "听歌")]
    (row,) = read_result_csv(written(tmp_path / "a.csv", rows)).suggestions
    assert row.seconds is None
    rows = [
        ("time", "original_intent", "predicted_intent", "time.1"),
        ("20250309_080000", "听歌", "听歌", "3.5"),
    ]
    (row,) = read_result_csv(written(tmp_path / "b.csv", rows)).suggestions
    assert row.seconds == 3.5


@pytest.mark.parametrize(
    ("content", "output"),
    [
        (b"", "expected a header, got an empty file"),
        (b"a,b\n1,2\n", "expected the columns original_intent, predicted_intent or success, origin_step"),
        (b"original_intent,predicted_intent\n", "no row can be scored, 0 cannot be read"),
        (
            b"original_intent,predicted_intent\n,x\n",
            "1 cannot be read, first line 2: original_intent, the person's intent,",
        ),
        (
            b"original_intent,predicted_intent\n\xff\xff,x\n",
            "expected UTF-8 or GB18030, got another encoding",
        ),
    ],
)
def test_a_file_of_another_kind_is_a_one_line_error(tmp_path: Path, content: bytes, output: str) -> None:
    (tmp_path / "out.csv").write_bytes(content)
    with pytest.raises(InputError) as caught:
        read_result_csv(tmp_path / "out.csv")
    assert output in str(caught.value)
    assert str(caught.value).endswith("(file " + str(tmp_path / "out.csv") + ")")


def test_track_1_needs_an_embedder(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="results of track 1 need an embedder"):
        score_csv(read_result_csv(written(tmp_path / "out.csv", [TRACK_1, *INTENTS])))


@settings(
    deadline=None, max_examples=examples(80), suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    rows=st.lists(
        st.tuples(
            *[
                st.sampled_from(
                    ["", "1", "0", "2.5", "听歌", "nan", "-3", "1e400", "1e308", "1e-320", "true", "\x00"]
                )
            ]
            * 10
        ),
        max_size=4,
    ),
    head=st.sampled_from([TRACK_2, (*TRACK_1, *map(str, range(6)))]),
)
def test_every_row_is_read_or_reported_for_any_cells(
    tmp_path: Path, rows: list[tuple[str, ...]], head: Sequence[str]
) -> None:
    text = io.StringIO()
    csv.writer(text).writerows([head, *rows])
    (tmp_path / "any.csv").write_text(text.getvalue(), encoding="utf-8", newline="")
    try:
        file = read_result_csv(tmp_path / "any.csv")
    except FingerTipError:
        return
    assert len(file.suggestions) + len(file.executions) + len(file.bad) == len(rows)
    scores = score_csv(file, embedder=get_embedder("lexical"))
    assert scores.n == len(file.suggestions) + len(file.executions)
    json.dumps(csv_dict(scores), allow_nan=False)
