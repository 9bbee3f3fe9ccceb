"""The gallery of the apps' pages, and wrong calls of its command."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from docs.site.gallery import command, write_gallery
from simulated_phone import PhoneError

MAIL = "com.android.email"


def test_every_page_is_a_picture_in_each_language_and_mode(tmp_path: Path) -> None:
    page = write_gallery(tmp_path / "made", [MAIL]).read_text(encoding="utf-8")
    captions = re.findall("<figcaption[^>]*>(.*?)</figcaption>", page)
    assert captions[-4:] == ["邮件 · zh", "邮件 · zh · dark", "Mail · en", "Mail · en · dark"]
    assert page.count("<img ") == len(captions)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--app", "com.example.none"],
            "there is no app 'com.example.none'; there are com.android.launcher3",
        ),
        (["--out", "/dev/null/x", "--app", MAIL], "the gallery cannot be written in /dev/null/x"),
    ],
)
def test_a_wrong_call_is_one_line(arguments: list[str], message: str, tmp_path: Path) -> None:
    with pytest.raises(PhoneError) as error:
        command.main(["--out", str(tmp_path), *arguments], standalone_mode=False)
    assert str(error.value).startswith(message)
    assert "\n" not in str(error.value)
