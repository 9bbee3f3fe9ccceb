"""Recall and precision of a scan against known secrets, by kind and place."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from fingertip_privacy.finds import Find, FindKind, FindPlace
from fingertip_privacy.planted.known_secrets import KnownSecret
from fingertip_privacy.scan.scanned_texts import Box
from fingertip_privacy.scan.screen_text import simplified

LEAST_COVERED = 0.7
"""Share of a value, in characters or in px of its box, that finds must cover."""

LEAST_PART = 0.1
"""Share of the area of a portrait or QR code with its margin that a find must cover."""

_OWN_OF_SIMULATION = frozenset({FindKind.AMOUNT, FindKind.BANK_CARD, FindKind.ADDRESS})

Key = tuple[FindKind, FindPlace]


@dataclass(slots=True)
class CellCount:
    """Counts of one kind at one place.

    Attributes:
        secrets: Number of known secrets.
        found: Of them, found as their kind.
        found_as_any: Of them, found as any kind; redaction needs no more.
        finds: Number of finds that are right or wrong.
        right: Of them, those at a known secret.
        uncounted: Number of finds that are neither.
        missed: Some of the values that were not found.
        wrong: Some of the texts that were found and are no secrets.
    """

    secrets: int = 0
    found: int = 0
    found_as_any: int = 0
    finds: int = 0
    right: int = 0
    uncounted: int = 0
    missed: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    @property
    def recall(self) -> float | None:
        """Share of the secrets that were found; None without secrets."""
        return self.found / self.secrets if self.secrets else None

    @property
    def precision(self) -> float | None:
        """Share of the finds that are right; None without finds."""
        return self.right / self.finds if self.finds else None


def score_scan(
    finds: Iterable[Find], secrets: Sequence[KnownSecret], neutral: Mapping[str, frozenset[str]]
) -> dict[Key, CellCount]:
    """Compare finds with known secrets, by kind and place.

    Args:
        finds: Finds of a scan.
        secrets: Every known secret at every place.
        neutral: Episode -> texts that count neither as right nor as wrong.

    Nor do amounts, cards and addresses where nothing is planted: those are a simulated bank's balances and a
    map's places, and only planted values of these kinds are known one by one.
    """
    by_place: dict[object, list[Find]] = defaultdict(list)
    known: dict[object, list[KnownSecret]] = defaultdict(list)
    for find in finds:
        by_place[_place(find)].append(find)
    for secret in secrets:
        known[_place(secret)].append(secret)
    panels, shown = _panels(secrets), _find_shown_values(secrets)
    cells: dict[Key, CellCount] = defaultdict(CellCount)
    for place, some in known.items():
        for secret in some:
            _count_secret(secret, by_place.get(place, ()), cells)
    for place, found in by_place.items():
        for find in found:
            if find.place is not FindPlace.INDEX:
                _count_find(
                    find,
                    known.get(place, ()),
                    neutral.get(find.episode or "", frozenset()),
                    panels,
                    shown,
                    cells,
                )
    return dict(cells)


def _panels(secrets: Iterable[KnownSecret]) -> dict[object, Box]:
    """Episode and step -> the part of the screen where values were planted."""
    panels: dict[object, Box] = {}
    for one in secrets:
        if one.planted and one.place is FindPlace.TREE and one.box is not None:
            left, top, right, bottom = panels.get((one.episode, one.step), one.box)
            box = one.box
            panels[one.episode, one.step] = (
                min(left, box[0]), min(top, box[1]), max(right, box[2]), max(bottom, box[3])
            )  # fmt: skip
    return panels


def _on_panel(find: Find, panel: Box | None) -> bool:
    return panel is not None and find.box is not None and _measure_shared(find.box, panel) > 0


def _find_shown_values(secrets: Iterable[KnownSecret]) -> dict[object, frozenset[str]]:
    """User -> values in the trees."""
    values: dict[object, set[str]] = defaultdict(set)
    for one in secrets:
        if one.place is FindPlace.TREE:
            values[one.user].add(_plain(one.value))
    return {user: frozenset(some) for user, some in values.items()}


def _place(one: Find | KnownSecret) -> object:
    return one.place, one.file, one.field, one.step


def _count_secret(secret: KnownSecret, found: Sequence[Find], cells: dict[Key, CellCount]) -> None:
    cell = cells[secret.kind, secret.place]
    cell.secrets += 1
    right = covers(secret, [find for find in found if find.kind is secret.kind])
    cell.found += right
    cell.found_as_any += right or covers(secret, found)
    if not right:
        cell.missed.append(secret.value)


def _count_find(
    find: Find,
    known: Sequence[KnownSecret],
    neutral: frozenset[str],
    panels: Mapping[object, Box],
    shown: Mapping[object, frozenset[str]],
    cells: dict[Key, CellCount],
) -> None:
    screen, text = (find.episode, find.step), _plain(find.text)
    right = any(_touches(find, secret) for secret in known)
    if not right and find.place is FindPlace.SCREENSHOT:
        # a value of the phone in a node that is cut, or that a tree of another moment lacks
        right = bool(text) and any(_alike(text, value) for value in shown.get(find.user, ()))
    cell = cells[find.kind, find.place]
    own = find.kind in _OWN_OF_SIMULATION and not _on_panel(find, panels.get(screen))
    if not right and (own or any(word in find.text or find.text in word for word in neutral)):
        cell.uncounted += 1
        return
    cell.finds += 1
    cell.right += right
    if not right:
        cell.wrong.append(find.text)


def covers(secret: KnownSecret, found: Sequence[Find]) -> bool:
    """Whether finds at the same place cover a secret."""
    if secret.place is FindPlace.SCREENSHOT:
        return secret.box is not None and _covers_box(secret, secret.box, found)
    if secret.start is None or secret.end is None:
        return False
    covered = {
        at
        for find in found
        if find.start is not None and find.end is not None
        for at in range(max(find.start, secret.start), min(find.end, secret.end))
    }
    return len(covered) >= LEAST_COVERED * (secret.end - secret.start)


def _covers_box(secret: KnownSecret, box: Box, found: Sequence[Find]) -> bool:
    boxes = [find.box for find in found if find.box is not None]
    if secret.kind in (FindKind.FACE, FindKind.QR_CODE):
        return any(_measure_shared(one, box) >= LEAST_PART * _area(box) for one in boxes)
    if not secret.exact:
        # the node shows the value somewhere in its box
        value = _plain(secret.value)
        return any(
            find.box is not None and _measure_shared(find.box, box) > 0 and _alike(_plain(find.text), value)
            for find in found
        )
    # parts of a value in several lines are beside or below each other, and seldom overlap
    return sum(_measure_shared(one, box) for one in set(boxes)) >= LEAST_COVERED * _text_area(secret, box)


def _text_area(secret: KnownSecret, box: Box) -> int:
    """Area of a value; the box of one that goes on in the next line is larger than its text."""
    return secret.text_area or _area(box)


def _alike(one: str, value: str) -> bool:
    from rapidfuzz import fuzz

    return bool(value in one or fuzz.ratio(one, value) >= 100 * LEAST_COVERED)


def _plain(text: str) -> str:
    return "".join(simplified(text).split()).lower()


def _touches(find: Find, secret: KnownSecret) -> bool:
    """Whether at least a third of a find lies on a secret, or it has the secret's text."""
    if find.place is not FindPlace.SCREENSHOT:
        if None in (find.start, find.end, secret.start, secret.end):
            return False
        shared = min(find.end or 0, secret.end or 0) - max(find.start or 0, secret.start or 0)
        return 3 * shared >= (find.end or 0) - (find.start or 0) > 0
    if find.box is None or secret.box is None:
        return False
    if not secret.exact and not _alike(_plain(find.text), _plain(secret.value)):
        return False
    return 3 * _measure_shared(find.box, secret.box) >= _area(find.box)


def _measure_shared(one: Box, other: Box) -> int:
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    return wide * high if wide > 0 and high > 0 else 0


def _area(box: Box) -> int:
    return max(0, box[2] - box[0]) * max(0, box[3] - box[1])
