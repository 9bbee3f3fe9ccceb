from __future__ import annotations

import sys

import numpy as np
import pytest

from fingertip_dataset.errors import MissingExtraError
from fingertip_metrics import get_embedder

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


def test_a_lone_surrogate_has_a_finite_vector() -> None:
    assert np.isfinite(get_embedder("lexical").encode(["\ud83d"])).all()


def test_no_texts_give_an_empty_array() -> None:
    assert get_embedder("lexical").encode([]).shape == (0, 2048)


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
