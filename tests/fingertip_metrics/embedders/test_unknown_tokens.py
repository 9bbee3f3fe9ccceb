"""Unknown tokens of real tokenizers of each kind: of words, pieces, SentencePiece, bytes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

from fingertip_dataset.errors import UsageError
from fingertip_metrics import get_embedder, sim1
from fingertip_metrics.embedders.unknown_tokens import (
    TokenCount,
    count_tokens,
    make_checked_encoder,
    measure_unknown,
)

WORDS, PIECES = "[UNK]", "<unk>"
ENGLISH = ["book a flight to Paris", "buy coffee at the corner", "set an alarm for seven", "call my mother"]
CHINESE = ["订一张机票", "买一杯咖啡", "设七点的闹钟"]


def make_word_level() -> Tokenizer:
    words = {word: at for at, word in enumerate(["[UNK]", *dict.fromkeys(" ".join(ENGLISH).split())])}
    made = Tokenizer(models.WordLevel(words, unk_token=WORDS))
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    return made


def make_word_piece() -> Tokenizer:
    made = Tokenizer(models.WordPiece(unk_token=WORDS))
    made.normalizer = normalizers.BertNormalizer()
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.train_from_iterator(
        ENGLISH, trainers.WordPieceTrainer(vocab_size=200, special_tokens=["[UNK]"], show_progress=False)
    )
    return made


def make_unigram() -> Tokenizer:
    made = Tokenizer(models.Unigram())
    made.pre_tokenizer = pre_tokenizers.Metaspace()
    trainer = trainers.UnigramTrainer(
        vocab_size=80, special_tokens=["<unk>"], unk_token=PIECES, show_progress=False
    )
    made.train_from_iterator(ENGLISH, trainer)
    return made


def make_pairs_of_characters() -> Tokenizer:
    made = Tokenizer(models.BPE(unk_token=PIECES, fuse_unk=True))
    made.pre_tokenizer = pre_tokenizers.Metaspace()
    made.train_from_iterator(
        ENGLISH, trainers.BpeTrainer(vocab_size=120, special_tokens=["<unk>"], show_progress=False)
    )
    return made


def make_bytes() -> Tokenizer:
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel()
    made.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    made.train_from_iterator(
        ENGLISH, trainers.BpeTrainer(vocab_size=300, initial_alphabet=alphabet, show_progress=False)
    )
    return made


KINDS = {
    "WordLevel": make_word_level,
    "WordPiece": make_word_piece,
    "Unigram": make_unigram,
    "BPE": make_pairs_of_characters,
}


class TokenizedEmbedder:
    """Vectors of letters, with a real tokenizer: what it knows decides whether it is refused."""

    name = "english"
    why_not_comparable = "a test"
    comparable = False

    def __init__(self, tokenizer: Any) -> None:  # noqa: ANN401 - of several kinds
        self._tokenizer = tokenizer
        self._letters = get_embedder("lexical")

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self._letters.encode(texts)

    def count_tokens(self, texts: Sequence[str]) -> list[TokenCount] | None:
        return count_tokens(self._tokenizer, texts)


@pytest.mark.parametrize("kind", KINDS)
def test_a_tokenizer_knows_its_own_language_and_no_other(kind: str) -> None:
    tokenizer = KINDS[kind]()
    own, other = count_tokens(tokenizer, ENGLISH), count_tokens(tokenizer, CHINESE)
    assert own is not None
    assert other is not None
    assert all(count.tokens and not count.unknown for count in own)
    assert all(count.unknown >= 0.5 * count.tokens and count.is_unread for count in other)
    embedder = TokenizedEmbedder(tokenizer)
    with pytest.raises(UsageError, match="the embedder english cannot read these intents: it does not know"):
        sim1(CHINESE, CHINESE[::-1], embedder=embedder)
    assert sim1(ENGLISH, ENGLISH[::-1], embedder=embedder).list_notes() == []


@pytest.mark.parametrize("kind", ["Unigram", "BPE"])
def test_a_fused_unknown_token_counts_as_its_characters(kind: str) -> None:
    (count,) = count_tokens(KINDS[kind](), ["a 订一张机票"]) or []
    assert count.unknown == 5


def test_a_limit_of_length_is_kept_and_hides_nothing() -> None:
    tokenizer = make_word_piece()
    tokenizer.enable_truncation(2)
    tokenizer.enable_padding(length=8)
    (count,) = count_tokens(tokenizer, ["book a flight to 巴黎"]) or []
    assert (count.tokens, count.unknown) == (6, 2)
    assert (tokenizer.truncation or {})["max_length"] == 2
    assert (tokenizer.padding or {})["length"] == 8


def test_bytes_have_no_unknown_token() -> None:
    assert count_tokens(make_bytes(), CHINESE) is None
    assert count_tokens(None, CHINESE) is None
    assert measure_unknown(get_embedder("lexical"), CHINESE, CHINESE) is None


def test_answers_of_garbage_are_noted_and_refuse_nothing() -> None:
    embedder = TokenizedEmbedder(make_word_piece())
    result = sim1([CHINESE[0], *ENGLISH[1:]], ENGLISH, embedder=embedder)
    (note,) = result.list_notes()
    assert note.startswith("english does not know 0 % of the tokens of the intents and ")
    assert "; 0 of 4 intents and 1 answers are half unknown or more ('订一张机票'), and such texts" in note
    assert result.unknown is not None
    assert (result.unknown.unread_intents, result.unknown.unread_answers) == (0, 1)


def test_a_tenth_of_unread_intents_is_the_most() -> None:
    embedder = TokenizedEmbedder(make_word_piece())
    many = [f"{text} {number}" for number in range(5) for text in ENGLISH]
    few = [*many[:18], *CHINESE[:2]]
    assert sim1(few, few, embedder=embedder).unknown is not None
    with pytest.raises(UsageError, match="3 of 20 are half unknown or more"):
        sim1(few, [*many[:17], *CHINESE], embedder=embedder)
    assert sim1(few, CHINESE * 6 + CHINESE[:2], embedder=embedder, check_tokens=False).n == 20


def test_empty_texts_have_no_tokens() -> None:
    found = measure_unknown(TokenizedEmbedder(make_word_piece()), ["", ""], ["", ""])
    assert found is not None
    assert (found.intents, found.unread_intents, found.is_refused) == (0, 0, False)


def test_references_are_not_found_by_an_embedder_that_cannot_read_them() -> None:
    encode = make_checked_encoder(TokenizedEmbedder(make_word_piece()))
    assert encode(ENGLISH).shape == (4, 2048)
    with pytest.raises(UsageError, match="the embedder english cannot read these intents"):
        encode(CHINESE)
