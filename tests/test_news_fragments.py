"""News fragments of changelog.d: well named, one sentence each, and rendered by towncrier."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

from tests.test_architecture import ROOT

FOLDER = ROOT / "changelog.d"
_OTHERS = {"README.md", "template.md.jinja"}
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*\.(added|changed|fixed|removed)\.md")


def fragments() -> list[Path]:
    return sorted(file for file in FOLDER.iterdir() if file.name not in _OTHERS)


def build(folder: Path, *words: str) -> str:
    """Output of `towncrier build` in a folder with a copy of its configuration."""
    shutil.copy(ROOT / "pyproject.toml", folder)
    shutil.copytree(FOLDER, folder / "changelog.d")
    (folder / "changelog.d" / "a-test.fixed.md").write_text("One more thing is mended.\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "towncrier", "build", "--version", "9.9.9", *words],
        cwd=folder, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return done.stdout


def test_each_fragment_has_a_name_that_towncrier_reads_and_one_paragraph() -> None:
    assert [file.name for file in fragments() if not _NAME.fullmatch(file.name)] == []
    texts = {file.name: file.read_text(encoding="utf-8").strip() for file in fragments()}
    assert [name for name, text in texts.items() if not text or "\n\n" in text or text[0] in "-*#"] == []


def test_every_fragment_is_in_the_draft_under_its_kind(tmp_path: Path) -> None:
    draft = " ".join(build(tmp_path, "--draft").split())
    assert "## 9.9.9 (" in draft
    assert "### Fixed" in draft
    texts = [" ".join(file.read_text(encoding="utf-8").split()) for file in fragments()]
    assert [text for text in texts if f"- {text}" not in draft] == []


def test_a_release_puts_them_above_the_earlier_ones(tmp_path: Path) -> None:
    head = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").partition("\n## ")[0]
    (tmp_path / "CHANGELOG.md").write_text(f"{head}\n## 9.9.8\n\n- An earlier change.\n", encoding="utf-8")
    build(tmp_path, "--keep", "--date", "2026-01-02")
    text = (tmp_path / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = [line for line in text.splitlines() if re.match(r"##? ", line)]
    assert headings == ["# Changelog", "## 9.9.9 (2026-01-02)", "## 9.9.8"]
    assert "\n- One more thing is mended.\n" in text
    assert "===" not in text
