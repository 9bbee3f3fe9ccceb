"""Known secrets of a simulated release: every place of each value, from the state of the simulated phones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from fingertip_dataset.errors import AccessibilityTreeError
from fingertip_dataset.release.raw_folder import read_file
from fingertip_dataset.release.surveys import MAX_SURVEY_BYTES, SURVEY_FILE
from fingertip_dataset.ui_tree.accessibility import parse_tree
from fingertip_privacy.finds import FindKind, FindPlace
from fingertip_privacy.scan.scanned_texts import Box, TextField, node_paths, read_json

_SPACED = 11
"""Digits of a phone number that is shown in groups."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownSecret:
    """Private value at a place; the fields of a `Find` with the same names have the same meaning.

    Attributes:
        value: The value as it stands there.
        text_area: Area of the drawn text, px; None for one line, which fills its box.
        exact: Whether `box` is that of the value; False for the box of a node that shows the value.
        planted: Whether it was planted; False for the simulation's own.
    """

    kind: FindKind
    value: str
    user: str
    episode: str | None
    step: int | None
    place: FindPlace
    file: str
    field: str
    start: int | None = None
    end: int | None = None
    box: Box | None = None
    text_area: int | None = None
    exact: bool = True
    planted: bool = True


@dataclass(slots=True)
class PhoneSecrets:
    """Private values on a simulated phone.

    Attributes:
        values: Value as it is shown -> kind.
        neutral: Texts that are neither secret nor harmless: words for family, names with a trade, groups,
            numbers of services, places that are named only. A find of one is not counted at all.
    """

    values: dict[str, FindKind] = field(default_factory=dict)
    neutral: set[str] = field(default_factory=set)

    def add(self, kind: FindKind, value: str) -> None:
        """Add a value, and a phone number also as phones show it."""
        if value:
            self.values[value] = kind
        if kind is FindKind.PHONE and len(value) == _SPACED:
            self.values[f"{value[:3]} {value[3:7]} {value[7:]}"] = kind


@lru_cache(maxsize=256)
def list_phone_secrets(seed: int, locale: str) -> PhoneSecrets:
    """The private values on the phone of a seed, from the state of its apps."""
    from simulated_phone.goals.acquaintances import FAMILY, people
    from simulated_phone.phone import Phone

    phone = Phone(seed=seed, locale=locale)
    state, secrets = phone.state, PhoneSecrets()
    known = {person["name"]: person for person in state["com.android.contacts"]["people"]}
    numbers = {person.phone for person in people(seed)}
    family = set(FAMILY) | {name for name, person in known.items() if person["group"] in _FAMILY_GROUPS}
    for name, person in known.items():
        if name in family:
            secrets.neutral.add(name)
        else:
            secrets.add(FindKind.NAME, name)
        secrets.add(FindKind.PHONE, person["phone"])
        secrets.add(FindKind.EMAIL, person["mail"])
    for number in numbers:
        secrets.add(FindKind.PHONE, number)
    for app in state.values():
        _collect(app, secrets)
    return secrets


_FAMILY_GROUPS = frozenset({"家人", "Family"})
_NUMBERS = frozenset({"number", "phone"})
_PEOPLE = frozenset({"who", "sender"})
_HOMES = frozenset({"家", "公司", "Home", "Work", "place"})


def _collect(value: Any, secrets: PhoneSecrets) -> None:  # noqa: ANN401 - the state of an app is JSON
    """Collect numbers, and names that no contact has, from the state of an app."""
    if isinstance(value, dict):
        for key, part in value.items():
            if isinstance(part, str) and part:
                if key in _NUMBERS and part.isdecimal() and len(part) == _SPACED:
                    secrets.add(FindKind.PHONE, part)
                elif key in _NUMBERS | _PEOPLE | _HOMES and part not in secrets.values:
                    secrets.neutral.add(part)
            elif key == "blocked" and isinstance(part, list):
                for number in part:
                    secrets.add(FindKind.PHONE, str(number))
            _collect(part, secrets)
    elif isinstance(value, list):
        for part in value:
            _collect(part, secrets)


def find_secrets_of_episode(root: Path, folder: str) -> PhoneSecrets:
    """The private values on the phone of an episode; none for an episode that is not simulated."""
    survey = read_json(read_file(f"{root}/{folder}/{SURVEY_FILE}", MAX_SURVEY_BYTES)) or {}
    simulation = survey.get("simulation")
    if not isinstance(simulation, dict):
        return PhoneSecrets()
    return list_phone_secrets(int(simulation["seed"]), str(simulation.get("locale", "zh")))


def find_secrets_in_text(text: TextField, secrets: PhoneSecrets) -> Iterator[KnownSecret]:
    """Yield each private value of a phone in a text, the longest of those that overlap."""
    taken: list[tuple[int, int]] = []
    for value, kind in sorted(secrets.values.items(), key=lambda pair: -len(pair[0])):
        start = text.text.find(value)
        while start >= 0:
            end = start + len(value)
            if all(end <= first or last <= start for first, last in taken):
                taken.append((start, end))
                yield _known(text, kind, start, end)
            start = text.text.find(value, end)


def _known(text: TextField, kind: FindKind, start: int, end: int) -> KnownSecret:
    return KnownSecret(
        kind=kind,
        value=text.text[start:end],
        user=text.user,
        episode=text.episode,
        step=text.step,
        place=text.place,
        file=text.file,
        field=text.field,
        start=start,
        end=end,
        box=text.box,
        planted=False,
    )


def find_secrets_in_pixels(
    shown: Iterable[KnownSecret], tree_file: Path, screenshot: str, size: tuple[int, int]
) -> Iterator[KnownSecret]:
    """Yield the secrets of a tree that its screenshot shows: of nodes that are visible and not overlaid.

    Args:
        shown: Secrets in the texts of the tree.
        tree_file: The tree.
        screenshot: Path of the screenshot, relative to the release.
        size: Width and height of the screenshot, px.
    """
    try:
        tree = parse_tree(tree_file.read_bytes())
    except AccessibilityTreeError:
        return
    overlays = [e.box for e in tree.elements if e.class_name == OVERLAY and e.box is not None]
    paths = node_paths(tree)
    shown_texts = {f"{path}@text": e.text for path, e in zip(paths, tree.elements, strict=True)}
    boxes = {
        (e.box.left, e.box.top, e.box.right, e.box.bottom)
        for e in tree.elements
        if e.box is not None and e.text and e.visible and not any(e.box.overlaps(over) for over in overlays)
    }
    seen = set()
    for secret in shown:
        box = secret.box
        inside = box is not None and box[0] >= 0 and box[1] >= 0 and box[2] <= size[0] and box[3] <= size[1]
        if not inside or not secret.field.endswith("@text") or not _fits(shown_texts[secret.field], secret):
            continue
        # a description repeats the text of its node; what is cut by the screen's edge cannot be read whole
        if box in boxes and (box, secret.value) not in seen:
            seen.add((box, secret.value))
            yield KnownSecret(
                kind=secret.kind,
                value=secret.value,
                user=secret.user,
                episode=secret.episode,
                step=secret.step,
                place=FindPlace.SCREENSHOT,
                file=screenshot,
                field="",
                box=box,
                exact=False,
                planted=False,
            )


def _fits(text: str, secret: KnownSecret) -> bool:
    """Whether a node is one line that shows its text up to the end of a value: longer texts end in dots."""
    if secret.box is None or secret.end is None:
        return False
    width, height = secret.box[2] - secret.box[0], secret.box[3] - secret.box[1]
    size = height / _LINE
    length = sum(0.6 if sign.isascii() else 1.0 for sign in text[: secret.end]) * size
    return height >= _LEAST_HEIGHT and length <= width


_LINE = 1.4
"""Height of a line, as a multiple of the size of its text (`simulated_phone.screens.drawing.fonts`)."""

_LEAST_HEIGHT = 24
"""Height in px below which a line is cut by the edge of a list."""

OVERLAY = "fingertip.PlantedPanel"
"""Class of the node of a planted panel, which covers the page below."""
