"""Names of calls in the spellings of models."""

from __future__ import annotations


def spell_name(name: str) -> tuple[str, ...]:
    """Spellings of a call's name with underscores, the name itself first.

    >>> spell_name("long_press")
    ('long_press', 'Long_Press', 'LongPress', 'longPress', 'longpress', 'LONG_PRESS', 'LONGPRESS')
    """
    parts = [part.capitalize() for part in name.split("_")]
    joined = "".join(parts)
    return tuple(
        dict.fromkeys(
            (
                name,
                "_".join(parts),
                joined,
                joined[0].lower() + joined[1:],
                joined.lower(),
                name.upper(),
                joined.upper(),
            )
        )
    )
