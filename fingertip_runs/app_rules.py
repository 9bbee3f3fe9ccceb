"""Rules of the safety gate, read from an editable TOML file."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterable
from fnmatch import fnmatchcase
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, ValidationError

from fingertip_dataset.errors import UsageError
from fingertip_dataset.frozen_model import FrozenModel
from fingertip_dataset.ui_tree.phrases import expression, word
from fingertip_runs.label_reading import hash_weights

Ruling = Literal["allow", "confirm", "deny"]

Words = tuple[Annotated[str, AfterValidator(word)], ...]
Expressions = tuple[Annotated[str, AfterValidator(expression)], ...]
Packages = tuple[Annotated[str, Field(min_length=1)], ...]


class PackageRules(FrozenModel):
    """Apps whose elements may be touched, as patterns of package names."""

    denied: Packages
    confirmed: Packages
    launchers: Packages
    keyboards: Packages
    navigation: Packages
    money: Packages
    others: Ruling


class ContextRule(FrozenModel):
    """Whole labels that act where one of some words stands next to or around them."""

    labels: Words
    around: Words
    reason: Annotated[str, Field(min_length=1)]


class LabelRules(FrozenModel):
    """Words on touched elements, and limits of what counts as a label."""

    denied: Words
    money: Words
    confirmed: Words
    ids: Words
    id_affixes: Words
    before: Words
    after: Words
    questions: Words
    harmless: Expressions
    acts: Expressions = ()
    telling: Expressions = ()
    prices: Expressions = ()
    generic: Words
    picking: Words
    leaving: Words
    declining: Words
    finishing: Words
    guards: Words
    keypad: Words
    tabs: Words
    urging: Words
    known: Words
    mild: Words
    known_ids: Words
    record_ids: Words
    fillers: Words
    openers: Words
    short: int = Field(ge=1)
    parts: int = Field(ge=1)
    app_names: Expressions
    unnamed: float | None = None
    contexts: tuple[ContextRule, ...]


class ScreenRules(FrozenModel):
    """Words by which a screen of money, of records, of settings or of a secret is recognized."""

    money: Words
    forms: Words
    charges: Words
    records: Words
    secrets: Words
    prompts: Words
    publishing: Words
    choosing: Words
    exercises: Words
    settings: Words
    price: Expressions


class SwipeRules(FrozenModel):
    """Words by which a swipe acts or only shows more."""

    acting: Words
    sideways: Words
    upright: Words
    showing: Words
    ids: Words


class TypingRules(FrozenModel):
    """Words that tell what a text field takes, and the ruling on the key Enter."""

    passwords: Words
    secrets: Words
    search: Words
    notes: Words
    remarks: Words
    addresses: Words
    amounts: Words
    keys: Words
    enter_keys: Words
    done_keys: Words
    enter: Ruling


class Rules(FrozenModel):
    """The complete rules; rules.toml documents each part."""

    packages: PackageRules
    labels: LabelRules
    screens: ScreenRules
    swipes: SwipeRules
    typing: TypingRules

    @classmethod
    def default(cls) -> Rules:
        """The rules in this package's rules.toml."""
        return cls._parse(files("fingertip_runs").joinpath("app_rules.toml").read_bytes(), None)

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
        """SHA-256 of the rules' values; comments and layout of the file do not change it.

        It covers the weights by which labels are read, if the rules have a limit for that.
        """
        values = self.model_dump_json(exclude_none=True)
        weights = "" if self.labels.unnamed is None else hash_weights()
        return hashlib.sha256((values + weights).encode()).hexdigest()


def matches(package: str, patterns: Iterable[str]) -> bool:
    """Whether a package name matches one of the patterns."""
    return any(fnmatchcase(package, pattern) for pattern in patterns)
