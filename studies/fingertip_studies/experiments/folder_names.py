"""Names of run folders."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping


def slug(name: str) -> str:
    """A name as a part of a folder name; a digest distinguishes names that would become equal.

    >>> slug("unseen users"), slug("Qwen/Qwen2.5-VL-7B")
    ('unseen-users', 'qwen-qwen2.5-vl-7b-07a2b6')
    """
    plain = re.sub(r"[^A-Za-z0-9.]+", "-", name).strip("-.").lower()[:40]
    if plain == name.lower().replace(" ", "-"):
        return plain
    return f"{plain}-{hashlib.sha256(name.encode()).hexdigest()[:6]}".lstrip("-")


def model_label(settings: Mapping[str, object]) -> str:
    """The model of an agent's settings, with the adapter if it has one; "" for an agent without a model.

    >>> model_label({"model": "Qwen/Qwen3-VL-4B", "adapter": "joint"}), model_label({})
    ('Qwen/Qwen3-VL-4B + joint', '')
    """
    return " + ".join(str(settings[name]) for name in ("model", "adapter") if settings.get(name))
