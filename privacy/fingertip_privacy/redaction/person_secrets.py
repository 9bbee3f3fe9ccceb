"""Parts to redact of each person: values of the finds that stay after review, and the boxes of pixels."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from fingertip_privacy.finds import Find, FindKind, FindPlace
from fingertip_privacy.redaction.pseudonyms import Pseudonyms, TextReplacer
from fingertip_privacy.redaction.value_spellings import SecretValue

LEAST_ALIKE = 60
"""Minimum rapidfuzz ratio (0-100) for a text read from pixels to be the tree's text at the same place."""

EVERYBODY = ""
"""User of values that were found in files of all users: they are replaced in everybody's texts."""

PICTURES = (FindKind.QR_CODE, FindKind.FACE)
"""Kinds of finds that are painted over without a text."""

KEPT_REPLACERS = 8
"""Replacers of single episodes that a person keeps at a time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PixelFind:
    """A box of a screenshot that is painted over.

    Attributes:
        file: Path of the screenshot, or of the shard whose row is the episode.
        step: Index of the step; None for a screen of no step.
        box: Left, top, right, bottom in px of the screenshot.
        kind: What it is.
        text: What is written there; "" for a picture such as a face.
    """

    file: str
    step: int | None
    box: tuple[int, int, int, int]
    kind: FindKind
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonSecrets:
    """Values of one person.

    Attributes:
        user: Id of the person.
        values: Values that are replaced in all texts of the person.
        local: (episode id, short numbers that are replaced in the texts of that episode only), sorted.
        anybodys: Whole numbers and mailboxes of all people, which are replaced in everybody's texts.
    """

    user: str
    values: frozenset[SecretValue]
    local: tuple[tuple[str, frozenset[SecretValue]], ...]
    anybodys: frozenset[SecretValue] = frozenset()

    @property
    def everything(self) -> frozenset[SecretValue]:
        """All values, also those of single episodes."""
        return self.values.union(*(values for _, values in self.local))


class PersonRedactor:
    """Replaces the values of one person, and what is surely private of all others.

    Args:
        key: Secret key of the pseudonyms.
        secrets: The person's values.
    """

    def __init__(self, key: bytes, secrets: PersonSecrets) -> None:
        anybodys = _of_anybody(key, secrets.anybodys)
        self.pseudonyms = Pseudonyms(key, secrets.user, secrets.everything, anybodys.pseudonyms.drawn)
        self._local = dict(secrets.local)
        self._shared = self._replacer(secrets.values, anybodys)
        self._episodes: dict[str, TextReplacer] = {}

    def texts(self, episode: str | None) -> TextReplacer:
        """The replacer for the texts of an episode; None for texts of no episode, such as the profile."""
        local = self._local.get(episode or "")
        if not local:
            return self._shared
        found = self._episodes.get(episode or "")
        if found is None:
            if len(self._episodes) >= KEPT_REPLACERS:
                self._episodes.clear()
            found = self._episodes[episode or ""] = self._replacer(local, self._shared)
        return found

    def _replacer(self, values: Iterable[SecretValue], wider: TextReplacer) -> TextReplacer:
        cores = {value.core for value in values}
        return TextReplacer(
            self.pseudonyms, tuple(one for one in self.pseudonyms.values if one.core in cores), wider
        )


@lru_cache(maxsize=1)
def _of_anybody(key: bytes, values: frozenset[SecretValue]) -> TextReplacer:
    """Replacer of other people's values, made once for all people."""
    pseudonyms = Pseudonyms(key, EVERYBODY, values)
    return TextReplacer(pseudonyms, pseudonyms.values)


@dataclass
class SecretsGatherer:
    """Gathers finds into the values of each person and the boxes of each episode.

    Attributes:
        boxes: Episode id -> boxes of its screenshots.
        kinds: Kind -> number of finds.
        without_place: Number of finds in pixels with neither a box nor a text, which stay as they are.
    """

    boxes: dict[str, list[PixelFind]] = field(default_factory=lambda: defaultdict(list))
    kinds: Counter[FindKind] = field(default_factory=Counter)
    without_place: int = 0
    _values: dict[str, set[SecretValue]] = field(default_factory=lambda: defaultdict(set))
    _local: dict[str, dict[str, set[SecretValue]]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(set))
    )
    _trees: dict[tuple[str, int | None], list[Find]] = field(default_factory=lambda: defaultdict(list))
    _pixels: list[Find] = field(default_factory=list)
    _digest: set[str] = field(default_factory=set)

    def add(self, find: Find, user: str = "", episode: str | None = None) -> None:
        """Add a find.

        Args:
            find: The find.
            user: Whose it is, for a find in a file of all users.
            episode: Whose episode it is, for such a find.
        """
        user, episode = find.user or user, find.episode or episode
        if find.place is FindPlace.SCREENSHOT and find.box is None and not find.text.strip():
            self.without_place += 1
            return
        self.kinds[find.kind] += 1
        self._digest.add(find.id)
        if find.place is FindPlace.SCREENSHOT:
            self._pixels.append(find)
            return
        if find.place is FindPlace.TREE and find.box is not None:
            self._trees[find.episode or "", find.step].append(find)
        self._add_value(find.kind, find.text, user, episode)

    def fingerprint(self) -> str:
        """Sha256 over the ids of all finds."""
        return hashlib.sha256("".join(sorted(self._digest)).encode()).hexdigest()

    def secrets(self) -> dict[str, PersonSecrets]:
        """The values of each person, by user id; `EVERYBODY` for files of all users."""
        for find in self._pixels:
            self._add_pixels(find)
        self._pixels.clear()
        users = {*self._values, *self._local, EVERYBODY}
        shared, local = self._values[EVERYBODY], self._local[EVERYBODY]
        # one object for all people: it is sent to a worker once
        anybodys = frozenset(
            value for values in self._values.values() for value in values if value.one_persons
        )
        return {
            user: PersonSecrets(
                user=user,
                values=frozenset(self._values[user] | shared),
                local=tuple(
                    (episode, frozenset(self._local[user].get(episode, set()) | local.get(episode, set())))
                    for episode in sorted({*self._local[user], *local})
                ),
                anybodys=anybodys,
            )
            for user in sorted(users)
        }

    def _add_pixels(self, find: Find) -> None:
        # what a code says is not written beside it
        words = find.kind not in PICTURES and find.text.strip()
        text = self._as_tree(find) if words else ""
        if text:
            self._add_value(find.kind, text, find.user, find.episode)
        if find.box is None:
            return
        self.boxes[find.episode or ""].append(
            PixelFind(file=find.file, step=find.step, box=find.box, kind=find.kind, text=text)
        )

    def _add_value(self, kind: FindKind, text: str, user: str, episode: str | None) -> None:
        if kind in PICTURES:
            return
        value = SecretValue.of(kind, text)
        if not value.core.strip("*"):
            return
        if value.local and episode:
            self._local[user][episode].add(value)
        elif not value.local:
            self._values[user].add(value)

    def _as_tree(self, find: Find) -> str:
        """The tree's spelling of a text that was read from pixels: reading mistakes a character at times."""
        from rapidfuzz.fuzz import ratio

        read = find.text
        best, alike = read, float(LEAST_ALIKE)
        for other in self._trees.get((find.episode or "", find.step), ()):
            if other.kind is find.kind and _overlap(find.box, other.box):
                found = ratio(read, other.text)
                if found >= alike:
                    best, alike = other.text, found
        return best


def _overlap(one: tuple[int, int, int, int] | None, other: tuple[int, int, int, int] | None) -> bool:
    if one is None or other is None:
        return False
    return max(one[0], other[0]) < min(one[2], other[2]) and max(one[1], other[1]) < min(one[3], other[3])


def count_values(secrets: Mapping[str, PersonSecrets]) -> dict[str, int]:
    """Kind -> number of distinct values of a person, summed over the people."""
    counts: Counter[FindKind] = Counter()
    shared = secrets[EVERYBODY].values if EVERYBODY in secrets else frozenset()
    for user, person in secrets.items():
        own = person.everything if user == EVERYBODY else person.everything - shared
        counts.update({value.core: value.kind for value in sorted(own, reverse=True)}.values())
    return {kind.value: counts[kind] for kind in FindKind if counts[kind]}
