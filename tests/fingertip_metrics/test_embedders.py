from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fingertip_dataset.errors import MissingExtraError, ModelError, UsageError
from fingertip_metrics import get_embedder, sim1
from fingertip_metrics.conventions import OFFICIAL_EMBEDDER
from fingertip_metrics.embedders import SentenceEmbedder

TEXTS = ["打开微信", "点外卖", "打开微信", "", "一二三"]


def test_lexical_names_its_settings_and_does_not_compare() -> None:
    embedder = get_embedder("lexical")
    assert embedder.name == (
        "lexical: HashingVectorizer(analyzer='char', ngram_range=(1, 2), n_features=2048, "
        "alternate_sign=False, norm='l2')"
    )
    assert not embedder.comparable
    assert "lexical" in str(embedder.why_not_comparable)


def test_lexical_does_not_depend_on_the_batch() -> None:
    embedder = get_embedder("lexical")
    together = embedder.encode(TEXTS)
    assert together.shape == (5, 2048)
    assert together.dtype == np.float32
    for text, row in zip(TEXTS, together, strict=True):
        assert np.array_equal(embedder.encode([text])[0], row)
    assert np.linalg.norm(together, axis=1) == pytest.approx([1, 1, 1, 0, 1], abs=1e-6)


def test_a_lone_surrogate_has_a_finite_vector(tiny_model: Path) -> None:
    for embedder in (get_embedder("lexical"), get_embedder(str(tiny_model))):
        assert np.isfinite(embedder.encode(["\ud83d"])).all()


def test_no_texts_give_an_empty_array(tiny_model: Path) -> None:
    assert get_embedder("lexical").encode([]).shape == (0, 2048)
    assert get_embedder(str(tiny_model)).encode([]).shape == (0, 32)


def test_a_sentence_transformer_from_a_folder(tiny_model: Path) -> None:
    embedder = get_embedder(str(tiny_model))
    vectors = embedder.encode(TEXTS)
    assert vectors.shape == (5, 32)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1] * 5, abs=1e-5)
    assert np.array_equal(vectors, embedder.encode(TEXTS))
    assert embedder.encode(TEXTS[1:2])[0] == pytest.approx(vectors[1], abs=1e-5)
    assert embedder.name == str(tiny_model)
    assert not embedder.comparable
    result = sim1(["打开微信", "点外卖"], ["打开微信", "打开微信"], embedder=embedder)
    assert result.per_item[0].sim1 == 1
    assert -0.5 <= result.per_item[1].sim1 < 1
    assert result.embedder == str(tiny_model)
    assert "cannot be identified as the paper's model" in str(result.why_not_comparable)


def test_each_distinct_text_goes_through_the_model_once(tiny_model: Path) -> None:
    embedder = SentenceEmbedder(str(tiny_model))
    rows: list[int] = []

    def count(module: object, given: tuple[dict[str, Any]], output: object) -> None:
        rows.append(len(given[0]["input_ids"]))

    embedder._model[0].register_forward_hook(count)
    sim1(["打开", "打开", "点"], ["打开", "发", "点"], embedder=embedder)
    assert sum(rows) == 3


def test_the_official_name_means_the_hub_and_not_a_folder(
    tiny_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / OFFICIAL_EMBEDDER
    folder.parent.mkdir(parents=True)
    folder.symlink_to(tiny_model)
    monkeypatch.chdir(tmp_path)
    assert not get_embedder("official").comparable


@pytest.mark.parametrize("name", ["./no-such-model", "/no/such/model", "no/such/model", "~/no-such-model"])
def test_a_path_that_does_not_exist_is_not_sought_on_the_hub(name: str) -> None:
    with pytest.raises(ModelError, match=f"expected a SentenceTransformer in {name}, got"):
        get_embedder(name)


@pytest.mark.parametrize("name", ["", "/" + "y" * 5000, "../\x00", "../a\nb"])
def test_unknown_names_are_refused(name: str) -> None:
    with pytest.raises((UsageError, ModelError)) as caught:
        get_embedder(name)
    assert "\n" not in str(caught.value)


def test_broken_folders_are_one_line(tiny_model: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for number, name in enumerate(["config.json", "modules.json", "tokenizer.json", "model.safetensors"]):
        folder = tmp_path / str(number)
        folder.mkdir()
        for file in tiny_model.rglob("*"):
            target = folder / file.relative_to(tiny_model)
            if file.is_dir():
                target.mkdir(exist_ok=True)
            else:
                target.parent.mkdir(exist_ok=True)
                target.write_bytes(file.read_bytes() if file.name != name else file.read_bytes()[:20])
    for folder in (tmp_path / "empty", *(tmp_path / str(number) for number in range(4))):
        with pytest.raises(ModelError, match="expected a SentenceTransformer in") as caught:
            get_embedder(str(folder))
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "package", "extra"),
    [("official", "sentence_transformers", "embeddings"), ("lexical", "sklearn", "lexical")],
)
def test_a_missing_extra_is_named(
    monkeypatch: pytest.MonkeyPatch, name: str, package: str, extra: str
) -> None:
    for module in {package, *(one for one in sys.modules if one.startswith(f"{package}."))}:
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtraError, match=rf"pip install 'fingertip-20k\[{extra}\]'"):
        get_embedder(name)


def test_encoding_is_quick_enough_to_be_used(tiny_model: Path) -> None:
    embedder = get_embedder(str(tiny_model))
    start = time.perf_counter()
    embedder.encode(["打开微信"] * 20_000)
    assert time.perf_counter() - start < 2
