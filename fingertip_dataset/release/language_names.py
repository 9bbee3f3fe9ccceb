"""Names of languages, by which prompts ask for an answer in the language that a person writes."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Literal

FILE = Path(__file__).with_name("language_names.toml")


def name_language(code: str, language: Literal["zh", "en"] = "en") -> str:
    """Name a language for a sentence of a prompt.

    Args:
        code: ISO 639 code, with or without a region or script, as release.toml has it.
        language: Language of the name.

    Returns:
        The name, followed by the code if that has a region or script; for a code without a name a phrase
        with the code, which models know as well.

    >>> name_language("de"), name_language("pt-BR"), name_language("tlh")
    ('German', 'Portuguese (pt-BR)', 'the language with the ISO 639 code tlh')
    >>> name_language("en", "zh"), name_language("tlh", "zh")
    ('英语', 'ISO 639 代码为 tlh 的语言')
    """
    known = _read_names().get(code.partition("-")[0])
    if known is None:
        return (
            f"ISO 639 代码为 {code} 的语言"
            if language == "zh"
            else f"the language with the ISO 639 code {code}"
        )
    english, chinese = known
    name = chinese if language == "zh" else english
    if "-" not in code:
        return name
    return f"{name}（{code}）" if language == "zh" else f"{name} ({code})"


def has_name(code: str) -> bool:
    """Whether prompts can ask for a language by name, and not by its code alone."""
    return code.partition("-")[0] in _read_names()


@cache
def _read_names() -> dict[str, list[str]]:
    return tomllib.loads(FILE.read_text(encoding="utf-8"))
