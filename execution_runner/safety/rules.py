"""Rules of the safety gate, read from an editable TOML file."""

from __future__ import annotations

import hashlib
import tomllib
import unicodedata
from collections.abc import Iterable
from fnmatch import fnmatchcase
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, ValidationError

from fingertip_dataset.errors import UsageError
from fingertip_dataset.frozen_model import FrozenModel

Ruling = Literal["allow", "confirm", "deny"]

_FILLERS = dict.fromkeys((0x115F, 0x1160, 0x17B4, 0x17B5))
"""Invisible characters that Unicode classifies as letters; NFKC maps the other Hangul fillers to these."""


def plain(text: str) -> str:
    """Normalizes a text to lower-case letters and digits only, so that disguised words match.

    >>> plain("⽀\u200b 付"), plain("ＰＡＹ · 支-付")
    ('支付', 'pay支付')
    """
    # case folding can undo the normal form, so it is applied twice
    folded = unicodedata.normalize("NFKC", text).casefold().translate(_FILLERS)
    return "".join(letter for letter in unicodedata.normalize("NFKC", folded) if letter.isalnum())


def _word(text: str) -> str:
    word = plain(text)
    if not word:
        raise ValueError("a word needs letters or digits")
    return word


RuleWord = Annotated[str, AfterValidator(_word)]
Pattern = Annotated[str, Field(min_length=1)]


class Packages(FrozenModel):
    """Apps whose elements may be touched, as patterns of package names."""

    denied: tuple[Pattern, ...]
    confirmed: tuple[Pattern, ...]
    launchers: tuple[Pattern, ...]
    keyboards: tuple[Pattern, ...]
    navigation: tuple[Pattern, ...]
    others: Ruling


class Labels(FrozenModel):
    """Words on touched elements, normalized by `plain`, and limits of what counts as a label."""

    denied: tuple[RuleWord, ...]
    confirmed: tuple[RuleWord, ...]
    short: int = Field(ge=1)
    parts: int = Field(ge=1)
    app_names: tuple[RuleWord, ...]


class Typing(FrozenModel):
    """Words that mark a password field, and the ruling on the key Enter."""

    password_words: tuple[RuleWord, ...]
    enter: Ruling


class Rules(FrozenModel):
    """The complete rules; rules.toml documents each part."""

    packages: Packages
    labels: Labels
    typing: Typing

    @classmethod
    def default(cls) -> Rules:
        """The rules in this package's rules.toml."""
        return cls._parse(files("execution_runner.safety").joinpath("rules.toml").read_bytes(), None)

    @classmethod
    def read(cls, path: Path) -> Rules:
        """The rules of a file.

        Raises:
            UsageError: It cannot be read, or one of its keys is missing, unknown or wrong.
        """
        try:
            content = path.read_bytes()
        except OSError as error:
            raise UsageError(f"the safety rules cannot be read: {error.strerror}", file=path) from None
        return cls._parse(content, path)

    @classmethod
    def _parse(cls, content: bytes, path: Path | None) -> Rules:
        try:
            return cls.model_validate(tomllib.loads(content.decode()))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise UsageError(f"the safety rules are not valid TOML: {error}", file=path) from None
        except ValidationError as error:
            first = error.errors()[0]
            key = ".".join(map(str, first["loc"]))
            raise UsageError(
                f"key {key} of the safety rules: {first['msg'].removeprefix('Value error, ')}",
                file=path,
            ) from None

    @property
    def sha256(self) -> str:
        """SHA-256 of the rules' values; comments and layout of the file do not change it."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()


def matches(package: str, patterns: Iterable[str]) -> bool:
    """Whether a package name matches one of the patterns."""
    return any(fnmatchcase(package, pattern) for pattern in patterns)
