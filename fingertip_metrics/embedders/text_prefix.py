"""Prefixes that some sentence embedders need before each text, found by the model's name."""

from __future__ import annotations

import re

E5 = "query: "
"""Prefix of the E5 models. They are trained with one, and their model cards ask for this one on both sides
where two texts are compared for similarity."""

_E5 = re.compile(r"(?:^|[-_])e5[-_](?:small|base|large)")
_OTHERS = re.compile(r"instruct|mistral|chinese")


def find_text_prefix(name: str) -> str:
    """Return the prefix that a model needs before each text, by its name; "" for most models.

    The E5 models that take an instruction instead have none here, since theirs depends on the task.

    Args:
        name: Name of the model on the Hub or on a server, or its folder.

    >>> find_text_prefix("intfloat/multilingual-e5-small"), find_text_prefix("multilingual-e5-large-instruct")
    ('query: ', '')
    >>> find_text_prefix("models/e5-base-v2"), find_text_prefix("paraphrase-multilingual-MiniLM-L12-v2")
    ('query: ', '')
    """
    base = name.rstrip("/").rpartition("/")[2].casefold()
    return E5 if _E5.search(base) and not _OTHERS.search(base) else ""
