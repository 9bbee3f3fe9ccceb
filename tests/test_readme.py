"""The README: one screen, links that exist, and the Chinese one with the same commands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fingertip_cli.command_list import COMMANDS
from tests.page_blocks import ROOT, blocks

README, CHINESE = ROOT / "README.md", ROOT / "README.zh.md"
TEXT = README.read_text(encoding="utf-8")


def code_of(page: Path) -> list[str]:
    """Commands and code of a page, without comments, which are in its language."""
    text = "\n".join(block.text for block in blocks(page) if block.language in ("", "bash", "python"))
    return [line for line in (re.sub(r"\s+#.*", "", line) for line in text.splitlines()) if line.strip()]


def test_the_readme_is_one_screen_with_command_and_python_blocks() -> None:
    assert all(len(page.read_text("utf-8").splitlines()) <= 80 for page in (README, CHINESE))
    assert {"bash", "python"} <= {block.language for block in blocks(README)}


def test_every_command_in_the_readme_exists() -> None:
    named = set(re.findall(r"`?fingertip ([a-z][a-z-]*)", TEXT))
    assert named <= set(COMMANDS)


@pytest.mark.parametrize("page", [README, CHINESE], ids=lambda page: page.name)
def test_every_local_link_in_the_readme_exists(page: Path) -> None:
    links = re.findall(r"\]\((?!http|#)([^)#]+)", page.read_text(encoding="utf-8"))
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_the_chinese_readme_has_the_commands_and_links_of_the_english_one() -> None:
    assert code_of(CHINESE) == code_of(README)
    english, chinese = (
        # pictures, and the pages of the newcomer's way, have Chinese ones of their names
        {
            link.replace("docs/zh/", "docs/").replace(".zh.png", ".png")
            for link in re.findall(r"\]\((docs/[^)]+)\)", page.read_text("utf-8"))
        }
        for page in (README, CHINESE)
    )
    assert english == chinese
