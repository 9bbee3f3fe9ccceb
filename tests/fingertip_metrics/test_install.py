from __future__ import annotations

import re
from pathlib import Path

import pytest

import fingertip_metrics
from fingertip_dataset.errors import UsageError
from fingertip_metrics.install import MODULES, find_modules_cache, install_modules, path

ROOT = Path(__file__).parents[2]


def test_every_module_is_a_folder_with_what_a_metric_needs() -> None:
    for name in MODULES:
        folder = Path(path(name))
        files = {file.name for file in folder.iterdir() if file.is_file()}
        assert files == {f"{name}.py", "README.md", "README.zh.md", "requirements.txt", "app.py"}
    with pytest.raises(UsageError, match=r"expected a module of .*fingertip_sim1, .*_suggestion, got 'sim2'"):
        fingertip_metrics.path("sim2")


def test_the_page_describes_exactly_the_modules_of_the_package() -> None:
    assert len(MODULES) >= 5
    rows = re.findall(
        r"^\| `(fingertip_\w+)` \|", (ROOT / "docs" / "score.md").read_text("utf-8"), flags=re.MULTILINE
    )
    assert sorted(rows) == list(MODULES)
    architecture = (ROOT / "docs" / "developers" / "architecture.md").read_text("utf-8")
    assert [name for name in MODULES if f"{name}/" not in architecture] == []


def test_installing_twice_is_installing_once(tmp_path: Path) -> None:
    first = install_modules(tmp_path)
    files = sorted(file for file in tmp_path.rglob("*") if file.is_file())
    assert install_modules(tmp_path) == first
    assert sorted(file for file in tmp_path.rglob("*") if file.is_file()) == files
    for name, script in zip(MODULES, first, strict=True):
        assert script.parts[-4:-2] == ("metrics", f"evaluate-metric--{name}")
        assert len(script.parent.name) == 64
        assert script.read_bytes() == Path(path(name), f"{name}.py").read_bytes()
        assert script.stat().st_mode & 0o777 == 0o644


def test_modules_of_other_versions_are_replaced(tmp_path: Path) -> None:
    script = install_modules(tmp_path)[0]
    older = script.parent.with_name("0" * 64) / script.name
    older.parent.mkdir()
    older.write_text("an earlier version")
    other = script.parent.with_name("notes") / "mine.txt"
    other.parent.mkdir()
    other.write_text("not of evaluate")
    assert install_modules(tmp_path)[0] == script
    assert not older.parent.exists()
    assert other.exists()


def test_a_cache_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="the modules cache cannot be written: Not a directory"):
        install_modules(tmp_path / "file")


def test_the_cache_follows_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HF_MODULES_CACHE", "HF_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    assert find_modules_cache() == Path.home() / ".cache" / "huggingface" / "modules"
    monkeypatch.setenv("XDG_CACHE_HOME", "/x")
    assert find_modules_cache() == Path("/x/huggingface/modules")
    monkeypatch.setenv("HF_HOME", "~/h")
    assert find_modules_cache() == Path.home() / "h" / "modules"
    monkeypatch.setenv("HF_MODULES_CACHE", "/m")
    assert find_modules_cache() == Path("/m")
