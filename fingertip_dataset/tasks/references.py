"""Reference trajectories for track 2: of the same user's earlier episode, and of a user of the other type.

Protocol choices. The release's: the same user's reference is the most similar strictly earlier intent; the
other one is the most similar intent of any user of the other type; candidates come from the table of all
episodes, other test tasks included (protocol "online"). The paper's variant A.6.7 leaves out candidates with
the same task (`skip_same_task`). Ours: the release is known to limit the time only for the same user's
reference, so the other type's may be later than the task; a candidate must have a recorded action; under
protocol "strict" both references come from the training part; queries and candidates whose user has no type
are excluded from the other-type search; of similarities within `TIE` of the best the earliest wins: by time
for the same user, by user and time for the other type. Similarity is the cosine of sentence embeddings if
`encode` is given, otherwise the normalized Indel similarity of the texts (`fuzz.ratio / 100`).
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from fingertip_dataset.episodes import Episode, Intent
from fingertip_dataset.errors import ModelError
from fingertip_dataset.tasks.history import HistoryProtocol, list_allowed_intents, release_order

Encode: TypeAlias = Callable[[Sequence[str]], NDArray[np.float32]]
"""Function that embeds n texts as (n, d) float32."""

Scores: TypeAlias = Callable[[slice, int], NDArray[np.float32]]
"""Function of (rows, c) that returns the similarity of these queries to the first c candidates, (rows, c)
float32; the caller may overwrite it."""

BLOCK = 1024
"""Number of queries compared at once: a block against 16,000 candidates takes 66 MB."""

FEW = 16
"""Number of queries up to which copying the vectors of most texts takes longer than comparing with them."""

TIE = 1e-6
"""Tolerance of equal similarities: float32 sums depend on the order in which a library adds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """A retrieved episode.

    Attributes:
        episode_id: The episode whose actions are the reference.
        similarity: Similarity of its intent to the query's: -1 to 1 by embedding, 0 to 1 by text.
    """

    episode_id: str
    similarity: float


@dataclass(frozen=True, slots=True, kw_only=True)
class References:
    """Both references of one query; None without a candidate.

    Attributes:
        same_user: The same user's most similar strictly earlier intent.
        other_type: The most similar intent of a user of the other type, at any time.
    """

    same_user: Reference | None
    other_type: Reference | None


def normalized_task(text: str) -> str:
    """Normalize an intent to compare tasks: NFKC, case folded, spaces collapsed.

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
    """Find the two references of each query.

    Args:
        queries: Intents of distinct episode ids.
        episodes: The candidates; those without any action are left out.
        types: user_id -> 1, 2 or None, as `UserTypes.types`.
        encode: Function that embeds sentences, called once with the distinct texts; None compares the texts.
        protocol: "online" (any episode) or "strict" (the training part only).
        train_ids: Episode ids of the training part; needed by "strict" only.
        skip_same_task: Whether candidates of the same task are left out (A.6.7).

    Returns:
        episode_id of the query -> its references.

    Raises:
        UsageError: The protocol is unknown, or "strict" is given without `train_ids`.
        ModelError: `encode` returns another shape than (n, d), or values that are not finite.
    """
    recorded = (episode.intent for episode in episodes if any(step.raw for step in episode.steps))
    allowed = list_allowed_intents(recorded, protocol, train_ids)
    ordered, candidates, texts = _prepare(queries, allowed, encode)
    search = _Search(texts, skip_same_task)
    same = search.same_user(ordered, candidates)
    other = search.find_other_type(ordered, candidates, types)
    return {
        query.episode_id: References(
            same_user=same.get(query.episode_id), other_type=other.get(query.episode_id)
        )
        for query in ordered
    }


def find_other_type_references(
    queries: Iterable[Intent],
    recorded: Iterable[Intent],
    types: Mapping[str, Mapping[str, Hashable | None]],
    *,
    encode: Encode | None = None,
    protocol: HistoryProtocol = "online",
    train_ids: Collection[str] | None = None,
    skip_same_task: bool = False,
) -> dict[str, dict[str, Reference]]:
    """Find the other type's reference of each query, under several definitions of the users' types.

    The rules are those of `find_references`, which knows one definition with two types: a candidate is an
    episode of any user whose type is known and is not that of the query's user. Texts are encoded once for
    all definitions.

    Args:
        queries: Intents of distinct episode ids.
        recorded: The candidates: intents of episodes with a recorded action.
        types: Name of a definition -> user_id -> type; None if unknown.
        encode: Function that embeds sentences, called once with the distinct texts; None compares the texts.
        protocol: "online" (any episode) or "strict" (the training part only).
        train_ids: Episode ids of the training part; needed by "strict" only.
        skip_same_task: Whether candidates of the same task are left out (A.6.7).

    Returns:
        Name of a definition -> episode_id of a query -> its reference; queries without one are left out.

    Raises:
        UsageError: The protocol is unknown, or "strict" is given without `train_ids`.
        ModelError: `encode` returns another shape than (n, d), or values that are not finite.
    """
    allowed = list_allowed_intents(recorded, protocol, train_ids)
    ordered, candidates, texts = _prepare(queries, allowed, encode)
    search = _Search(texts, skip_same_task)
    return {name: search.find_other_type(ordered, candidates, of_user) for name, of_user in types.items()}


def rank_same_user(
    queries: Iterable[Intent],
    recorded: Iterable[Intent],
    *,
    encode: Encode | None = None,
    protocol: HistoryProtocol = "online",
    train_ids: Collection[str] | None = None,
) -> dict[str, tuple[Reference, ...]]:
    """Rank all possible references of each query from the same user, most similar first (A.6.7).

    The rules are those of `find_references`, so the first one of a query is its `same_user` reference. Of
    episodes with the same text only the earliest is listed.

    Args:
        queries: Intents of distinct episode ids.
        recorded: The candidates: intents of episodes with a recorded action.
        encode: Function that embeds sentences, called once with the distinct texts; None compares the texts.
        protocol: "online" (any episode) or "strict" (the training part only).
        train_ids: Episode ids of the training part; needed by "strict" only.

    Returns:
        episode_id of the query -> its candidates.

    Raises:
        UsageError: The protocol is unknown, or "strict" is given without `train_ids`.
        ModelError: `encode` returns another shape than (n, d), or values that are not finite.
    """
    allowed = list_allowed_intents(recorded, protocol, train_ids)
    ordered, candidates, texts = _prepare(queries, allowed, encode)
    return _Search(texts, skip_same_task=False).rank_candidates(ordered, candidates)


def find_most_similar(
    scores: Scores, limits: NDArray[np.intp], excluded: Sequence[Sequence[int]] | None = None
) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
    """Find the best candidate of each query, one block of queries at a time to save memory.

    Args:
        scores: Similarity function, made by `score_embeddings` or `score_texts`.
        limits: (n,) number of first candidates that each query may have.
        excluded: Indices of the candidates that each query may not have.

    Returns:
        (n,) index of the first candidate within `TIE` of the best, -1 without a candidate;
        (n,) its similarity, undefined for an index of -1.

    >>> queries = np.array([[1.0, 0.0], [0.0, 1.0]], dtype=np.float32)
    >>> find_most_similar(score_embeddings(queries, queries), np.array([2, 1]))[0].tolist()
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
        # argmax of a bool array is its first True: the earliest candidate among equals
        first = (block >= (top - np.float32(TIE))[:, None]).argmax(axis=1)
        best[rows] = np.where(np.isneginf(top), -1, first)
        similarity[rows] = block[np.arange(len(block)), first]
    return best, similarity


def score_embeddings(queries: NDArray[np.float32], candidates: NDArray[np.float32]) -> Scores:
    """Return the cosine of (n, d) queries and (m, d) candidates of length 1; blocks share one buffer."""
    buffer = np.empty(min(BLOCK, len(queries)) * len(candidates), dtype=np.float32)

    def scores(rows: slice, width: int) -> NDArray[np.float32]:
        block = queries[rows]
        out = buffer[: len(block) * width].reshape(len(block), width)
        return np.matmul(block, candidates[:width].T, out=out)

    return scores


def _score_few(vectors: NDArray[np.float32], rows: Sequence[int], columns: Sequence[int]) -> Scores:
    """Return the cosine of a few queries with most of (n, d) texts, without a copy of the texts' vectors."""
    chosen = np.array(columns, dtype=np.intp)

    def scores(block: slice, width: int) -> NDArray[np.float32]:
        cosines: NDArray[np.float32] = (vectors[rows[block]] @ vectors.T)[:, chosen[:width]]
        return cosines

    return scores


def score_texts(queries: Sequence[str], candidates: Sequence[str]) -> Scores:
    """Return the normalized Indel similarity of n and m texts, 0-1, computed on all cores."""
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
    """Set the similarity of forbidden candidates to minus infinity."""
    width = block.shape[1]
    for row in np.flatnonzero(limits < width).tolist():
        block[row, limits[row] :] = -np.inf
    for row, columns in enumerate(excluded or ()):
        block[row, [column for column in columns if column < width]] = -np.inf


@dataclass(frozen=True, slots=True, kw_only=True)
class _TextIndex:
    """Distinct texts of a search, each encoded once.

    Attributes:
        places: Text -> row in `vectors`.
        vectors: (texts, d), rows of length 1; None if the texts themselves are compared.
    """

    places: Mapping[str, int]
    vectors: NDArray[np.float32] | None

    def scores(self, queries: Sequence[str], candidates: Sequence[str]) -> Scores:
        if self.vectors is None:
            return score_texts(queries, candidates)
        rows, columns = ([self.places[text] for text in texts] for texts in (queries, candidates))
        if len(rows) <= FEW and 2 * len(columns) > len(self.vectors):
            return _score_few(self.vectors, rows, columns)
        return score_embeddings(self.vectors[rows], self.vectors[columns])


def _prepare(
    queries: Iterable[Intent], candidates: Iterable[Intent], encode: Encode | None
) -> tuple[list[Intent], list[Intent], _TextIndex]:
    """Return queries and candidates in the order of a release, and their distinct texts."""
    ordered, allowed = sorted(queries, key=release_order), sorted(candidates, key=release_order)
    texts = list(dict.fromkeys(intent.text for intent in (*ordered, *allowed)))
    places = {text: place for place, text in enumerate(texts)}
    vectors = None if encode is None or not texts else _normalize_vectors(texts, encode)
    return ordered, allowed, _TextIndex(places=places, vectors=vectors)


def _normalize_vectors(texts: Sequence[str], encode: Encode) -> NDArray[np.float32]:
    vectors: NDArray[np.float32] = np.asarray(encode(texts), dtype=np.float32)
    if vectors.ndim != 2 or len(vectors) != len(texts):
        raise ModelError(f"expected embeddings of shape ({len(texts)}, d), got {vectors.shape}")
    broken = np.flatnonzero(~np.isfinite(vectors).all(axis=1))
    if len(broken):
        raise ModelError(f"expected a finite embedding, got NaN or infinity for {texts[broken[0]][:60]!r}")
    lengths: NDArray[np.float32] = np.sqrt(np.einsum("td,td->t", vectors, vectors))
    # a zero vector stays zero: its cosine with any text is 0
    lengths[lengths == 0] = 1
    return vectors / lengths[:, None]


@dataclass(frozen=True, slots=True)
class _Search:
    """Search over intents in the order of a release."""

    texts: _TextIndex
    skip_same_task: bool

    def same_user(self, queries: Sequence[Intent], candidates: Sequence[Intent]) -> dict[str, Reference]:
        """Return the reference of each query that has one, by episode id."""
        references: dict[str, Reference] = {}
        for own, earlier, limits in _pair_by_user(queries, candidates):
            best = self._find_nearest(own, earlier, limits)
            references |= {query.episode_id: best[place] for place, query in enumerate(own) if place in best}
        return references

    def rank_candidates(
        self, queries: Sequence[Intent], candidates: Sequence[Intent]
    ) -> dict[str, tuple[Reference, ...]]:
        """Return all earlier candidates of the same user by episode id, most similar first."""
        found: dict[str, tuple[Reference, ...]] = {}
        for own, earlier, limits in _pair_by_user(queries, candidates):
            scores = self.texts.scores([query.text for query in own], [one.text for one in earlier])
            for place, (query, width) in enumerate(zip(own, limits, strict=True)):
                row = scores(slice(place, place + 1), width)[0] if width else np.zeros(0, dtype=np.float32)
                found[query.episode_id] = tuple(
                    Reference(episode_id=earlier[column].episode_id, similarity=float(row[column]))
                    for column in _sort_by_similarity(row)
                )
        return found

    def find_other_type(
        self,
        queries: Sequence[Intent],
        candidates: Sequence[Intent],
        types: Mapping[str, Hashable | None],
    ) -> dict[str, Reference]:
        """Return the reference of each query that has one, by episode id."""
        references: dict[str, Reference] = {}
        for own_type, own in _group_by(queries, lambda intent: types.get(intent.user_id)).items():
            if own_type is None:
                continue
            rows = _keep_first_of_each_text(own)
            columns = _keep_first_of_each_text(
                one for one in candidates if types.get(one.user_id) not in (None, own_type)
            )
            # at any time: only the same user's reference must be earlier
            best = self._find_nearest(rows, columns, [len(columns)] * len(rows))
            by_text = {rows[place].text: reference for place, reference in best.items()}
            references |= {one.episode_id: by_text[one.text] for one in own if one.text in by_text}
        return references

    def _find_nearest(
        self, queries: Sequence[Intent], candidates: Sequence[Intent], limits: Sequence[int]
    ) -> dict[int, Reference]:
        """Return each query's best of its first `limits` candidates, if any, by index of the query."""
        scores = self.texts.scores([q.text for q in queries], [c.text for c in candidates])
        excluded = _find_same_task(queries, candidates) if self.skip_same_task else None
        best, similarity = find_most_similar(scores, np.array(limits, dtype=np.intp), excluded)
        return {
            place: Reference(episode_id=candidates[column].episode_id, similarity=float(value))
            for place, (column, value) in enumerate(zip(best.tolist(), similarity.tolist(), strict=True))
            if column >= 0
        }


def _sort_by_similarity(row: NDArray[np.float32]) -> list[int]:
    """Return indices from best to worst; values within `TIE` of the best remaining one count as equal."""
    remaining = row.copy()
    order = []
    for _ in range(len(row)):
        place = int((remaining >= remaining.max() - np.float32(TIE)).argmax())
        order.append(place)
        remaining[place] = -np.inf
    return order


def _group_by(intents: Iterable[Intent], key: Callable[[Intent], Any]) -> dict[Any, list[Intent]]:
    groups: dict[Any, list[Intent]] = {}
    for intent in intents:
        groups.setdefault(key(intent), []).append(intent)
    return groups


def _pair_by_user(
    queries: Iterable[Intent], candidates: Iterable[Intent]
) -> Iterator[tuple[list[Intent], list[Intent], list[int]]]:
    """Yield each user's queries, candidates, and how many first candidates are earlier than each query."""
    by_user = _group_by(candidates, lambda intent: intent.user_id)
    for user, own in _group_by(queries, lambda intent: intent.user_id).items():
        earlier = _keep_first_of_each_text(by_user.get(user, ()))
        # bisect_left: an episode of the query's own time is not earlier
        limits = [bisect_left(earlier, query.moment, key=attrgetter("moment")) for query in own]
        yield own, earlier, limits


def _keep_first_of_each_text(intents: Iterable[Intent]) -> list[Intent]:
    """Return the first intent of each text: of equal similarities the earliest wins, so others never do."""
    first: dict[str, Intent] = {}
    for intent in intents:
        first.setdefault(intent.text, intent)
    return list(first.values())


def _find_same_task(queries: Iterable[Intent], candidates: Iterable[Intent]) -> list[Sequence[int]]:
    """Return the indices of the candidates with the same task, for each query."""
    places: dict[str, list[int]] = {}
    for place, candidate in enumerate(candidates):
        places.setdefault(normalized_task(candidate.text), []).append(place)
    return [places.get(normalized_task(query.text), []) for query in queries]
