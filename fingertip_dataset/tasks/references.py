"""Reference sequences for track 2: what the same user did before, and what a user of another type does.

Protocol choices. The release's: the same user's reference is the most similar strictly earlier intent; the
other one is the most similar intent of any user of the other type; candidates come from the table of all
episodes, other test tasks included (protocol "online"). The paper's variant A.6.7 leaves out candidates with
the very same task (`skip_same_task`). Ours: what is known of the release limits the time for the same user
only, so the other type's may be later than the task; a candidate must have a recorded action; under protocol
"strict" both references come from the training part; a query or candidate whose user has no type takes no
part in the other-type search; of similarities within `TIE` of the best the earliest wins: by time for the
same user, by user and time for the other type. Similarity is the cosine of sentence embeddings where
`encode` is given, and the normalized Indel similarity of the texts otherwise (`fuzz.ratio / 100`).
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from fingertip_dataset.episodes import Episode, Intent
from fingertip_dataset.errors import ModelError
from fingertip_dataset.tasks.history import HistoryProtocol, allowed_intents, release_order

Encode: TypeAlias = Callable[[Sequence[str]], NDArray[np.float32]]
"""n texts -> (n, d) float32."""

Scores: TypeAlias = Callable[[slice, int], NDArray[np.float32]]
"""(rows, c) -> similarity of these queries to the first c candidates, (rows, c) float32, may be
overwritten."""

BLOCK = 1024
"""Queries compared at once: a block against 16,000 candidates takes 66 MB."""

TIE = 1e-6
"""Similarities that differ by less are equal: float32 sums depend on how a library orders them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """A retrieved episode.

    Attributes:
        episode_id: The episode whose actions are the reference.
        similarity: Of its intent to the query's; at most 1, by embedding -1 at least, by text 0 at least.
    """

    episode_id: str
    similarity: float


@dataclass(frozen=True, slots=True, kw_only=True)
class References:
    """Both references of one query; None where no candidate is left.

    Attributes:
        same_user: The same user's most similar strictly earlier intent.
        other_type: The most similar intent of a user of the other type, at any time.
    """

    same_user: Reference | None
    other_type: Reference | None


def normalized_task(text: str) -> str:
    """What two intents share when they are the same task: NFKC, case folded, spaces collapsed.

    >>> normalized_task(" 打开ＱＱ音乐  Now ")
    '打开qq音乐 now'
    """
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def find_references(
    queries: Iterable[Intent],
    episodes: Iterable[Episode],
    types: Mapping[str, int | None],
    *,
    encode: Encode | None = None,
    protocol: HistoryProtocol = "online",
    train_ids: Collection[str] | None = None,
    skip_same_task: bool = False,
) -> dict[str, References]:
    """The two references of each query.

    Args:
        queries: Intents in question, each with its own episode id.
        episodes: The candidates; those without any action are left out.
        types: user_id -> 1, 2 or None, as `UserTypes.types`.
        encode: Sentence embeddings, called once with the distinct texts; None compares the texts themselves.
        protocol: "online" (any episode) or "strict" (the training part only).
        train_ids: Episode ids of the training part; needed by "strict" only.
        skip_same_task: Leaves out candidates of the very same task (A.6.7).

    Returns:
        episode_id of the query -> its references.

    Raises:
        UsageError: The protocol has another name, or "strict" comes without the training part.
        ModelError: `encode` gives another shape than (n, d), or values that are not finite.
    """
    ordered = sorted(queries, key=release_order)
    recorded = (episode.intent for episode in episodes if any(step.raw for step in episode.steps))
    offered = sorted(allowed_intents(recorded, protocol, train_ids), key=release_order)
    search = _Search(_compared([*ordered, *offered], encode), skip_same_task)
    same = search.same_user(ordered, offered)
    other = search.other_type(ordered, offered, types)
    return {
        query.episode_id: References(
            same_user=same.get(query.episode_id), other_type=other.get(query.episode_id)
        )
        for query in ordered
    }


def rank_same_user(
    queries: Iterable[Intent],
    recorded: Iterable[Intent],
    *,
    encode: Encode | None = None,
    protocol: HistoryProtocol = "online",
    train_ids: Collection[str] | None = None,
) -> dict[str, tuple[Reference, ...]]:
    """Every reference that a query may have from the same user, most similar first (A.6.7).

    The rules are those of `find_references`, so the first one of a query is its `same_user` reference. Of
    episodes with the same words the earliest alone stands in the list.

    Args:
        queries: Intents in question, each with its own episode id.
        recorded: The candidates: intents of episodes with a recorded action.
        encode: Sentence embeddings, called once with the distinct texts; None compares the texts themselves.
        protocol: "online" (any episode) or "strict" (the training part only).
        train_ids: Episode ids of the training part; needed by "strict" only.

    Returns:
        episode_id of the query -> its candidates, empty where it has none.

    Raises:
        UsageError: The protocol has another name, or "strict" comes without the training part.
        ModelError: `encode` gives another shape than (n, d), or values that are not finite.
    """
    ordered = sorted(queries, key=release_order)
    offered = sorted(allowed_intents(recorded, protocol, train_ids), key=release_order)
    return _Search(_compared([*ordered, *offered], encode), skip_same_task=False).ranked(ordered, offered)


def most_similar(
    scores: Scores, limits: NDArray[np.intp], excluded: Sequence[Sequence[int]] | None = None
) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
    """The best candidate of each query, a block of queries at a time; never the whole matrix.

    Args:
        scores: Similarities of a block, as `embedding_scores` or `text_scores` give them.
        limits: (n,) how many of the first candidates each query may have.
        excluded: For each query the candidates that it may not have.

    Returns:
        (n,) index of the first candidate within `TIE` of the best, -1 where no candidate is left;
        (n,) its similarity, meaningless where the index is -1.

    >>> queries = np.array([[1.0, 0.0], [0.0, 1.0]], dtype=np.float32)
    >>> most_similar(embedding_scores(queries, queries), np.array([2, 1]))[0].tolist()
    [0, 0]
    """
    best = np.full(len(limits), -1, dtype=np.intp)
    similarity = np.zeros(len(limits), dtype=np.float32)
    for start in range(0, len(limits), BLOCK):
        rows = slice(start, min(start + BLOCK, len(limits)))
        width = int(limits[rows].max())
        if width == 0:
            continue
        block = scores(rows, width)
        _mask(block, limits[rows], None if excluded is None else excluded[rows])
        top = block.max(axis=1)
        first = (block >= (top - np.float32(TIE))[:, None]).argmax(axis=1)
        best[rows] = np.where(np.isneginf(top), -1, first)
        similarity[rows] = block[np.arange(len(block)), first]
    return best, similarity


def embedding_scores(queries: NDArray[np.float32], candidates: NDArray[np.float32]) -> Scores:
    """Cosines of (n, d) queries and (m, d) candidates, rows of length 1; one buffer serves all blocks."""
    buffer = np.empty(min(BLOCK, len(queries)) * len(candidates), dtype=np.float32)

    def scores(rows: slice, width: int) -> NDArray[np.float32]:
        block = queries[rows]
        out = buffer[: len(block) * width].reshape(len(block), width)
        return np.matmul(block, candidates[:width].T, out=out)

    return scores


def text_scores(queries: Sequence[str], candidates: Sequence[str]) -> Scores:
    """Normalized Indel similarities of n and m texts, 0-1, on all cores."""
    from rapidfuzz.distance import Indel
    from rapidfuzz.process import cdist

    def scores(rows: slice, width: int) -> NDArray[np.float32]:
        pairs: NDArray[np.float32] = cdist(
            queries[rows],
            candidates[:width],
            scorer=Indel.normalized_similarity,
            dtype=np.float32,
            workers=-1,
        )
        return pairs

    return scores


def _mask(
    block: NDArray[np.float32], limits: NDArray[np.intp], excluded: Sequence[Sequence[int]] | None
) -> None:
    """Puts minus infinity where a query may not have a candidate."""
    width = block.shape[1]
    for row in np.flatnonzero(limits < width).tolist():
        block[row, limits[row] :] = -np.inf
    for row, columns in enumerate(excluded or ()):
        block[row, [column for column in columns if column < width]] = -np.inf


@dataclass(frozen=True, slots=True, kw_only=True)
class _Compared:
    """The distinct texts of a search, each encoded once.

    Attributes:
        places: Text -> its row in `vectors`.
        vectors: (texts, d), rows of length 1; None where the texts themselves are compared.
    """

    places: Mapping[str, int]
    vectors: NDArray[np.float32] | None

    def scores(self, queries: Sequence[str], candidates: Sequence[str]) -> Scores:
        if self.vectors is None:
            return text_scores(queries, candidates)
        rows, columns = ([self.places[text] for text in texts] for texts in (queries, candidates))
        return embedding_scores(self.vectors[rows], self.vectors[columns])


def _compared(intents: Iterable[Intent], encode: Encode | None) -> _Compared:
    places: dict[str, int] = {}
    for intent in intents:
        places.setdefault(intent.text, len(places))
    if encode is None or not places:
        return _Compared(places=places, vectors=None)
    return _Compared(places=places, vectors=_unit_vectors(list(places), encode))


def _unit_vectors(texts: Sequence[str], encode: Encode) -> NDArray[np.float32]:
    vectors: NDArray[np.float32] = np.asarray(encode(texts), dtype=np.float32)
    if vectors.ndim != 2 or len(vectors) != len(texts):
        raise ModelError(f"expected embeddings of shape ({len(texts)}, d), got {vectors.shape}")
    broken = np.flatnonzero(~np.isfinite(vectors).all(axis=1))
    if len(broken):
        raise ModelError(f"expected a finite embedding, got NaN or infinity for {texts[broken[0]][:60]!r}")
    lengths: NDArray[np.float32] = np.sqrt(np.einsum("td,td->t", vectors, vectors))
    lengths[lengths == 0] = 1
    return vectors / lengths[:, None]


@dataclass(frozen=True, slots=True)
class _Search:
    """Retrieval over intents in the order of a release."""

    compared: _Compared
    skip_same_task: bool

    def same_user(self, queries: Sequence[Intent], candidates: Sequence[Intent]) -> dict[str, Reference]:
        """episode_id -> reference, for the queries that have one."""
        found: dict[str, Reference] = {}
        offered = _by(candidates, lambda intent: intent.user_id)
        for user, own in _by(queries, lambda intent: intent.user_id).items():
            earlier = _first_of_each_text(offered.get(user, ()))
            limits = [bisect_left(earlier, query.time, key=attrgetter("time")) for query in own]
            best = self._nearest(own, earlier, limits)
            found |= {query.episode_id: best[place] for place, query in enumerate(own) if place in best}
        return found

    def ranked(
        self, queries: Sequence[Intent], candidates: Sequence[Intent]
    ) -> dict[str, tuple[Reference, ...]]:
        """episode_id -> all earlier candidates of the same user, most similar first."""
        found: dict[str, tuple[Reference, ...]] = {}
        offered = _by(candidates, lambda intent: intent.user_id)
        for user, own in _by(queries, lambda intent: intent.user_id).items():
            earlier = _first_of_each_text(offered.get(user, ()))
            scores = self.compared.scores([query.text for query in own], [one.text for one in earlier])
            for place, query in enumerate(own):
                width = bisect_left(earlier, query.time, key=attrgetter("time"))
                row = scores(slice(place, place + 1), width)[0] if width else np.zeros(0, dtype=np.float32)
                found[query.episode_id] = tuple(
                    Reference(episode_id=earlier[column].episode_id, similarity=float(row[column]))
                    for column in _by_similarity(row)
                )
        return found

    def other_type(
        self, queries: Sequence[Intent], candidates: Sequence[Intent], types: Mapping[str, int | None]
    ) -> dict[str, Reference]:
        """episode_id -> reference, for the queries that have one."""
        found: dict[str, Reference] = {}
        offered = _by(candidates, lambda intent: types.get(intent.user_id))
        by_type = _by(queries, lambda intent: types.get(intent.user_id))
        for own_type, other in ((1, 2), (2, 1)):
            rows = _first_of_each_text(by_type.get(own_type, ()))
            columns = _first_of_each_text(offered.get(other, ()))
            best = self._nearest(rows, columns, [len(columns)] * len(rows))
            by_text = {rows[place].text: reference for place, reference in best.items()}
            found |= {
                query.episode_id: by_text[query.text]
                for query in by_type.get(own_type, ())
                if query.text in by_text
            }
        return found

    def _nearest(
        self, queries: Sequence[Intent], candidates: Sequence[Intent], limits: Sequence[int]
    ) -> dict[int, Reference]:
        """Place of the query -> the best of its first `limits` candidates, for the queries that have one."""
        scores = self.compared.scores([q.text for q in queries], [c.text for c in candidates])
        excluded = _same_task(queries, candidates) if self.skip_same_task else None
        best, similarity = most_similar(scores, np.array(limits, dtype=np.intp), excluded)
        return {
            place: Reference(episode_id=candidates[column].episode_id, similarity=float(value))
            for place, (column, value) in enumerate(zip(best.tolist(), similarity.tolist(), strict=True))
            if column >= 0
        }


def _by_similarity(row: NDArray[np.float32]) -> list[int]:
    """Places from the best value to the worst; values within `TIE` of the best left are equal to it."""
    left = row.copy()
    order = []
    for _ in range(len(row)):
        place = int((left >= left.max() - np.float32(TIE)).argmax())
        order.append(place)
        left[place] = -np.inf
    return order


def _by(intents: Iterable[Intent], key: Callable[[Intent], Any]) -> dict[Any, list[Intent]]:
    groups: dict[Any, list[Intent]] = {}
    for intent in intents:
        groups.setdefault(key(intent), []).append(intent)
    return groups


def _first_of_each_text(intents: Iterable[Intent]) -> list[Intent]:
    """The first intent of each text: of equal similarities the earliest wins, so the others never do."""
    first: dict[str, Intent] = {}
    for intent in intents:
        first.setdefault(intent.text, intent)
    return list(first.values())


def _same_task(queries: Iterable[Intent], candidates: Iterable[Intent]) -> list[Sequence[int]]:
    """For each query the candidates of the very same task."""
    places: dict[str, list[int]] = {}
    for place, candidate in enumerate(candidates):
        places.setdefault(normalized_task(candidate.text), []).append(place)
    return [places.get(normalized_task(query.text), []) for query in queries]
