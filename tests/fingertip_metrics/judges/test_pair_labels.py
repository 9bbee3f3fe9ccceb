"""Persons' labels: the file, and what they come to."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fingertip_dataset.errors import InputError
from fingertip_metrics.judges import HumanJudge, PairLabel, read_pair_labels
from tests.vectors import read_vectors

VECTORS = read_vectors(__file__)


PAIR = ("听歌", "放音乐")


def label(rater: str, same: str, pair: tuple[str, str] = PAIR, **more: object) -> dict[str, object]:
    return {"predicted": pair[0], "intended": pair[1], "rater": rater, "same": same, **more}


def write(file: Path, *labels: dict[str, object], end: str = "\n") -> Path:
    lines = [json.dumps({"version": 1, **one}, ensure_ascii=False) for one in labels]
    file.write_text("\n".join(lines) + end, encoding="utf-8")
    return file


def test_each_raters_last_label_for_a_pair_counts(tmp_path: Path) -> None:
    file = write(tmp_path / "l.jsonl", label("A", "no"), label("B", "no"), label("A", "yes", why="一样"))
    found = {one.rater: one for one in read_pair_labels(file)}
    assert (found["A"].same, found["A"].why, found["B"].same) == ("yes", "一样", "no")


def test_a_last_line_that_was_cut_off_is_left_out(tmp_path: Path) -> None:
    file = write(tmp_path / "l.jsonl", label("A", "yes"), label("B", "no"), end="")
    assert len(read_pair_labels(file)) == 2, "a file of somebody's own need not end in a new line"
    file.write_bytes(file.read_bytes()[:-7])
    assert [one.rater for one in read_pair_labels(file)] == ["A"]


@pytest.mark.parametrize(
    ("content", "output"),
    [
        (b"", "the file has no label"),
        (b'{"same": "yes"}\n', "the label is not valid at predicted: Field required"),
        (b"x\n", "the label is not valid: Invalid JSON"),
        (json.dumps(label("A", "maybe")).encode() + b"\n", "at same: Input should be 'yes', 'no' or"),
        (json.dumps(label("", "yes")).encode() + b"\n", "at rater: String should have at least 1"),
        (json.dumps(label("A", "yes", version=2)).encode() + b"\n", "at version: Input should be 1"),
    ],
)
def test_a_broken_file_is_refused(tmp_path: Path, content: bytes, output: str) -> None:
    file = tmp_path / "labels.jsonl"
    file.write_bytes(content)
    with pytest.raises(InputError) as raised:
        read_pair_labels(file)
    assert output in str(raised.value)
    assert str(file) in str(raised.value)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the labels cannot be read: No such file or directory"):
        read_pair_labels(tmp_path / "labels.jsonl")


@pytest.mark.parametrize(("reply", "state", "problem"), VECTORS["more_than_half_of_the_persons_decide"])
def test_more_than_half_of_the_persons_decide(reply: str, state: str, problem: str) -> None:
    answers = reply.split()
    labels = [PairLabel.model_validate(label(f"R{n}", same, why=same)) for n, same in enumerate(answers)]
    other = PairLabel.model_validate(label("A", "yes", ("a", "b")))
    (verdict,) = HumanJudge([*labels, other]).judge([PAIR])
    assert (verdict.state, verdict.problem, len(verdict.votes)) == (state, problem, len(answers))


def test_the_human_judge_is_named_by_raters_and_label_hash() -> None:
    one, other = (PairLabel.model_validate(label(rater, "yes")) for rater in "BA")
    judge = HumanJudge([one, other])
    assert judge.name == "human (2 persons)"
    assert judge.settings["raters"] == ["A", "B"]
    assert judge.settings == HumanJudge([other, one]).settings
    assert judge.settings != HumanJudge([one, other.model_copy(update={"same": "no"})]).settings
    assert judge.why_not_comparable == "judge human (2 persons): the paper's judge is DeepSeek-V3"
