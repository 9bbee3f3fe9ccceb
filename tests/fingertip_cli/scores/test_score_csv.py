"""`fingertip score-csv` as a user calls it."""

from __future__ import annotations

import json
from pathlib import Path

from tests.command_line import fingertip

TEXT = (
    "user_id,original_intent,predicted_intent,time,token\n"
    "1,听歌,听歌,2,900\n5,打车,听歌,4,700\n5,打车,打车,soon,700\n"
)


def test_a_table_or_one_json_object_and_bad_rows_by_line(tmp_path: Path) -> None:
    file = tmp_path / "results.csv"
    file.write_text(TEXT, encoding="gbk")
    done = fingertip("score-csv", file, "--embedder", "lexical", "--judge", "lexical", "--notes")
    assert done.returncode == 1
    assert done.stderr == f"{file}:4: expected a number of 0 or more in time, got 'soon'\n"
    assert "│ 50.0 [0.0, 100.0] │" in done.stdout
    assert "│    3.00 │          800 │ 2 │" in done.stdout
    assert "Not comparable with the paper: 1 rows left out: they cannot be read." in done.stdout
    done = fingertip("score-csv", file, "--embedder", "lexical", "--judge", "lexical", "--json")
    assert done.returncode == 1
    scores = json.loads(done.stdout)
    assert (scores["n"], scores["sr1"]["mean"]) == (2, 0.5)
    assert scores["bad_rows"] == [{"line": 4, "reason": "expected a number of 0 or more in time, got 'soon'"}]


def test_a_whole_file_of_track_2_is_done(tmp_path: Path) -> None:
    file = tmp_path / "results.csv"
    text = "success,origin_step,real_step,up_sim,down_sim,similarity\n1,4,6,0.45,0.3,1.5\n"
    file.write_text(text, encoding="utf-8")
    done = fingertip("score-csv", file, "--notes")
    assert (done.returncode, done.stderr) == (0, "")
    assert "│         100.0 │        1.500 │" in done.stdout
    assert "│   S_I │  S_II │" in done.stdout.replace("┃", "│")
    assert "│ 0.450 │ 0.300 │" in done.stdout
    assert "S_I is up_sim, S_II is down_sim, both 0-1" in done.stdout
    done = fingertip("score-csv", file, "--judge", "lexical")
    assert (done.returncode, done.stdout) == (2, "")
    assert "is for runs of track 1" in done.stderr
    done = fingertip("score-csv", file, "--embedder", "lexical")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "track 2 in results.csv takes no --embedder: " in done.stderr
