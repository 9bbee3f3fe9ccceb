"""Words of a simulated person's place, in the language that the person writes."""

from __future__ import annotations

from fingertip_dataset.release.words import SCENARIO_CATEGORIES
from simulated_phone.language.language import CHINESE


def write_place(place: str, locale: str) -> str:
    """Write a place as a person of a language does: in Chinese, otherwise by the paper's English name.

    Args:
        place: A scenario of the release, as simulated people's routines have it.
        locale: Language of the person.

    >>> write_place("住所", "zh"), write_place("住所", "en")
    ('住所', 'residence')
    """
    return place if locale == CHINESE else SCENARIO_CATEGORIES.get(place, place)
