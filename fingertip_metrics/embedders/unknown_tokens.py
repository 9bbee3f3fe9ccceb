"""Tokens of texts that an embedder does not know: its tokenizer gives all of them one token, such as [UNK].

Texts of unknown tokens alone have one vector, whatever they say: an English model takes "订机票" (book a
flight) and "买咖啡" (buy coffee) for equal. A tokenizer of bytes, or one that falls back to bytes, has no
unknown token.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from fingertip_dataset.errors import UsageError
from fingertip_dataset.release.problems import printable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from fingertip_metrics.embedders.embedder import Embedder

NOTED = 0.05
"""Share of unknown tokens from which a note is given. Real intents in a model's own language have 0 to 2 %
(names, symbols), so a twentieth shows that some texts are in another script."""

REFUSED = 0.3
"""Share of unknown tokens of the people's intents above which the embedder is refused: with a third of a
sentence unknown its vector is that of its punctuation, digits and Latin names. English models have some of
the frequent Chinese characters, and do not know 60 to 70 % of the tokens of Chinese intents."""

MOST_UNREAD = 0.1
"""Share of people's intents that may be unread, with half of their tokens unknown or more; above it the
embedder is refused, as the mean would rest on noise, which a share over all tokens hides in mixed data."""

UNREAD = 0.5
"""Share of unknown tokens from which a text counts as unread."""

_LITERAL = ("[UNK]", "<unk>")
"""Usual unknown tokens, for tokenizers that do not name theirs."""


@dataclass(frozen=True, slots=True)
class TokenCount:
    """Tokens of a text.

    Attributes:
        tokens: Number of tokens, without those that mark the text's ends.
        unknown: Number of them that the model does not know.
    """

    tokens: int
    unknown: int

    @property
    def is_unread(self) -> bool:
        """Whether the model does not know half of the text or more."""
        return self.unknown > 0 and self.unknown >= UNREAD * self.tokens


@runtime_checkable
class TokenCounter(Protocol):
    """An embedder that can tell which tokens of texts it does not know."""

    def count_tokens(self, texts: Sequence[str]) -> list[TokenCount] | None:
        """Count the tokens of each text; None if the embedder cannot tell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnknownTokens:
    """Unknown tokens of the texts that an embedder has compared.

    Attributes:
        intents: Share of the tokens of the people's intents that the embedder does not know, 0-1.
        answers: The same of the agent's answers.
        unread_intents: Number of people's intents of which half of the tokens or more are unknown.
        unread_answers: The same of the agent's answers.
        n: Number of pairs.
        example: The first unread intent, or else the first unread answer; "" without one.
    """

    intents: float
    answers: float
    unread_intents: int
    unread_answers: int
    n: int
    example: str

    @property
    def is_refused(self) -> bool:
        """Whether the embedder cannot read the people's intents. Garbage of an agent refuses nothing."""
        return self.intents > REFUSED or self.unread_intents > MOST_UNREAD * self.n

    def describe(self, embedder: str) -> str | None:
        """Return the note on them, a sentence without a full stop; None if there are hardly any."""
        unread = self.unread_intents + self.unread_answers
        if max(self.intents, self.answers) < NOTED and not unread:
            return None
        shares = (
            f"{embedder} does not know {_format_share(self.intents)} of the tokens of the intents and "
            f"{_format_share(self.answers)} of those of the answers"
        )
        if not unread:
            return shares
        return (
            f"{shares}; {self.unread_intents:,} of {self.n:,} intents and {self.unread_answers:,} answers "
            f"are half unknown or more ({printable(self.example, 40)!r}), and such texts look alike to it"
        )


def count_tokens(tokenizer: Any, texts: Sequence[str]) -> list[TokenCount] | None:  # noqa: ANN401
    """Count the tokens and the unknown tokens of texts.

    A tokenizer that makes one unknown token of several characters in a row (SentencePiece) hides most of
    them: there such a token counts as its characters.

    Args:
        tokenizer: Tokenizer of transformers, fast or slow, or of the library tokenizers; None for none.
        texts: Texts.

    Returns:
        A count per text; None if the tokenizer has no unknown token, or is of another kind.
    """
    backend = getattr(tokenizer, "backend_tokenizer", tokenizer)
    unknown = _find_unknown_id(tokenizer, backend)
    if unknown is None:
        return None
    if hasattr(backend, "encode_batch"):
        truncation, padding = backend.truncation, backend.padding
        backend.no_truncation()
        backend.no_padding()
        try:
            encoded = backend.encode_batch(list(texts), add_special_tokens=False)
        finally:
            _restore(backend, truncation, padding)
        fused = _fuses_unknown(backend.model)
        return [
            _count(
                one.ids,
                unknown,
                [_count_characters(text[start:end]) for start, end in one.offsets] if fused else None,
            )
            for one, text in zip(encoded, texts, strict=True)
        ]
    if not callable(tokenizer):
        return None
    return [
        _count(ids, unknown, None) for ids in tokenizer(list(texts), add_special_tokens=False)["input_ids"]
    ]


def _restore(backend: Any, truncation: Any, padding: Any) -> None:  # noqa: ANN401 - as the library has them
    """Give a tokenizer its limits back."""
    if truncation is not None:
        backend.enable_truncation(**truncation)
    if padding is not None:
        backend.enable_padding(**padding)


def _find_unknown_id(tokenizer: Any, backend: Any) -> int | None:  # noqa: ANN401 - as for `count_tokens`
    """Find the id of the token that stands for what the tokenizer does not know; None without one."""
    found = getattr(tokenizer, "unk_token_id", None)
    if isinstance(found, int):
        return found
    if not hasattr(backend, "token_to_id"):
        return None
    named = getattr(getattr(backend, "model", None), "unk_token", None)
    ids = [backend.token_to_id(token) for token in (named, *_LITERAL) if isinstance(token, str)]
    return next((number for number in ids if number is not None), None)


def _fuses_unknown(model: Any) -> bool:  # noqa: ANN401 - a model of the library tokenizers
    return type(model).__name__ == "Unigram" or bool(getattr(model, "fuse_unk", False))


def _count_characters(text: str) -> int:
    return max(1, sum(not character.isspace() for character in text))


def _count(ids: Sequence[int], unknown: int, weights: Sequence[int] | None) -> TokenCount:
    weights = weights or [1] * len(ids)
    of_unknown = sum(weight for number, weight in zip(ids, weights, strict=True) if number == unknown)
    return TokenCount(tokens=sum(number != unknown for number in ids) + of_unknown, unknown=of_unknown)


def measure_unknown(
    embedder: object, predictions: Sequence[str], references: Sequence[str]
) -> UnknownTokens | None:
    """Measure how much of the compared texts an embedder does not know; None if it cannot tell.

    Args:
        embedder: Embedder; one that is a `TokenCounter` can tell.
        predictions: The agent's intents.
        references: The people's intents, as many.
    """
    if not isinstance(embedder, TokenCounter):
        return None
    distinct = list(dict.fromkeys([*references, *predictions]))
    counts = embedder.count_tokens(distinct)
    if counts is None:
        return None
    of_text = dict(zip(distinct, counts, strict=True))
    intents, answers = ([of_text[text] for text in texts] for texts in (references, predictions))
    unread = [text for text in distinct if of_text[text].is_unread]
    return UnknownTokens(
        intents=_share(intents),
        answers=_share(answers),
        unread_intents=sum(count.is_unread for count in intents),
        unread_answers=sum(count.is_unread for count in answers),
        n=len(intents),
        example=unread[0] if unread else "",
    )


def check_unknown(found: UnknownTokens | None, embedder: str) -> None:
    """Refuse an embedder that cannot read the people's intents.

    Raises:
        UsageError: More than `REFUSED` of the tokens are unknown, or more than `MOST_UNREAD` of the intents
            are unread.
    """
    if found is None or not found.is_refused:
        return
    example = f" ({printable(found.example, 40)!r})" if found.example else ""
    raise UsageError(
        f"the embedder {embedder} cannot read these intents: it does not know "
        f"{_format_share(found.intents)} of their tokens, and {found.unread_intents:,} of {found.n:,} are "
        f"half unknown or more{example}; take one for their language: --embedder official, or lexical (not "
        "comparable with the paper)"
    )


def make_checked_encoder(embedder: Embedder) -> Callable[[Sequence[str]], NDArray[np.float32]]:
    """Return an embedder's `encode` that refuses people's intents which the embedder cannot read.

    Args:
        embedder: The embedder. The function raises the errors of `check_unknown`.
    """

    def encode(texts: Sequence[str]) -> NDArray[np.float32]:
        check_unknown(measure_unknown(embedder, (), texts), embedder.name)
        return embedder.encode(texts)

    return encode


def _share(counts: Sequence[TokenCount]) -> float:
    tokens = sum(count.tokens for count in counts)
    return sum(count.unknown for count in counts) / tokens if tokens else 0.0


def _format_share(share: float) -> str:
    return f"{100 * share:.0f} %" if share >= 0.005 or share == 0 else "under 1 %"
