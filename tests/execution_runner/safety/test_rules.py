"""The file of safety rules: its content, and errors of invalid files."""

from __future__ import annotations

from pathlib import Path

import pytest

from fingertip_dataset.errors import UsageError
from fingertip_dataset.ui_tree.normal_text import plain
from fingertip_runs import app_rules as rules
from fingertip_runs.app_rules import Rules

TEXT = Path(rules.__file__).with_suffix(".toml").read_text(encoding="utf-8")


def read(tmp_path: Path, text: str) -> Rules:
    file = tmp_path / "rules.toml"
    file.write_text(text, encoding="utf-8")
    return Rules.read(file)


def test_the_default_rules_are_those_of_the_file(tmp_path: Path) -> None:
    rules = Rules.default()
    assert {"支付", "付款", "转账", "红包", "充值", "提现", "免密", "pay"} <= set(rules.labels.denied)
    assert rules == read(tmp_path, TEXT)
    assert rules.sha256 == read(tmp_path, "# said otherwise\n" + TEXT).sha256
    assert rules.sha256 != read(tmp_path, TEXT.replace('"支付", ', "")).sha256


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("[labels]", "[labels", "not valid TOML"),
        ("short = 20", "", "key labels.short of the safety rules: Field required"),
        ("short = 20", "short = 0", "key labels.short of the safety rules: Input should be greater"),
        (
            "short = 20",
            "shrot = 20",
            "key labels.(shrot of the safety rules: Extra inputs|short of the safety rules: Field required)",
        ),
        (
            'others = "confirm"',
            'others = "ask"',
            "key packages.others of the safety rules: Input should be 'allow'",
        ),
        (
            '"支付", ',
            '"支付", "—", ',
            "key labels.denied.1 of the safety rules: a word needs letters or digits",
        ),
        (
            'ids = ["slide",',
            'ids = "slide" #',
            "key swipes.ids of the safety rules: Input should be a valid tuple",
        ),
        (
            'app_names = ["',
            'app_names = ["(", "',
            "key labels.app_names.0 of the safety rules: a regular expression is needed",
        ),
    ],
)
def test_an_invalid_rules_file_is_a_one_line_error_with_file_and_key(
    tmp_path: Path, old: str, new: str, words: str
) -> None:
    assert old in TEXT
    with pytest.raises(UsageError, match=words) as caught:
        read(tmp_path, TEXT.replace(old, new, 1))
    assert "\n" not in str(caught.value)
    assert str(tmp_path / "rules.toml") in str(caught.value)


def test_a_missing_or_non_text_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No such file"):
        Rules.read(tmp_path / "none.toml")
    (tmp_path / "rules.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError, match="not valid TOML"):
        Rules.read(tmp_path / "rules.toml")


@pytest.mark.parametrize(
    "disguise",
    [
        "支 付",
        "支\u200b付",
        "支\u3164付",
        "\u2f40付",
        "支\ufe0f付",
        "支\n付",
        "支·付",
        "支\u202e付",
        "支\u0301付",
        "【支】付",
    ],
)
def test_disguised_words_are_recognized(disguise: str) -> None:
    assert plain(disguise) == "支付"
