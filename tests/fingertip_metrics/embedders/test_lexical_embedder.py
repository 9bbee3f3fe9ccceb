from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fingertip_dataset.errors import MissingExtraError
from fingertip_metrics import get_embedder
from fingertip_metrics.embedders.embedder import make_encodable
from fingertip_metrics.embedders.lexical_embedder import LEXICAL_SETTINGS, hash_murmur3

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


@given(st.lists(st.text(max_size=12), min_size=1, max_size=6))
@example(["", " ", "\t\n a  b", "İßΣ", "打开  微信\u3000x", "😀😀", "\ud83d"])
def test_lexical_equals_the_vectorizer_that_it_is_named_after(texts: list[str]) -> None:
    from sklearn.feature_extraction.text import HashingVectorizer

    settings = {**LEXICAL_SETTINGS, "dtype": np.float32}
    expected = HashingVectorizer(**settings).transform(map(make_encodable, texts)).toarray()
    found = get_embedder("lexical").encode(texts)
    assert found.dtype == expected.dtype
    assert np.array_equal(found, expected)


@given(st.binary(max_size=20))
def test_hashes_equal_those_of_another_implementation(content: bytes) -> None:
    from sklearn.utils.murmurhash import murmurhash3_bytes_s32

    assert hash_murmur3(content) == murmurhash3_bytes_s32(content, 0)


def test_lexical_imports_no_scikit_learn() -> None:
    code = "import sys, fingertip_metrics as m; m.get_embedder('lexical').encode(['a'])"
    code += "; print('sklearn' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_no_texts_give_an_empty_array() -> None:
    assert get_embedder("lexical").encode([]).shape == (0, 2048)


@pytest.mark.parametrize(
    ("name", "package", "extra"),
    [("official", "sentence_transformers", "embeddings")],
)
def test_a_missing_extra_is_named(
    monkeypatch: pytest.MonkeyPatch, name: str, package: str, extra: str
) -> None:
    for module in {package, *(one for one in sys.modules if one.startswith(f"{package}."))}:
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtraError, match=rf"pip install 'fingertip-20k\[{extra}\]'"):
        get_embedder(name)
