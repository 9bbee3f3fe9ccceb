"""release.toml: language, time zone, places and words of a release. Without it they are the published one's.

The file lies in the folder of the users' folders, or in that of the tables.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Mapping
from datetime import tzinfo
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BeforeValidator, Field, StringConstraints, ValidationError, field_validator

from fingertip_dataset.errors import ReleaseError
from fingertip_dataset.frozen_model import OmitDefaults
from fingertip_dataset.release.origins import LONGEST_ORIGIN, read_licence
from fingertip_dataset.release.raw_folder import RawFolder, read_file
from fingertip_dataset.release.words import OCCUPATION_WORDS, SCENARIO_CATEGORIES, SEX_WORDS
from fingertip_dataset.times import BEIJING, BEIJING_ZONE, read_zone

SETTINGS_FILE = "release.toml"
MAX_BYTES = 256 * 2**10
CHINESE = "zh"
OTHER_PLACE = "other"
"""`scenario_category` of a place that is not listed."""

PROMPT_LANGUAGES = ("zh", "en")
"""Languages in which prompts and pages are worded. Prompts for people who write another one are worded in
English and ask for an answer in that language, by its name."""

_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Z]{2}|-[A-Z][a-z]{3})?")

Start = Literal["app", "home"]
"""Where the episodes of a dataset and the attempts at them begin: in the app of the task, or on the home
screen. Either way an episode of a launcher, or one that needs several apps, begins on the home screen."""

SettingText = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]
Words = dict[SettingText, SettingText]


def _choose_wording(code: str) -> Literal["zh", "en"]:
    """Language of prompts for people who write a language, by its ISO 639 code."""
    return "zh" if code.partition("-")[0] == CHINESE else "en"


def _as_mapping(value: object) -> object:
    """A list of names is a table in which each name is its own English name."""
    return {name: name for name in value} if isinstance(value, list) else value


class ReleaseSettings(OmitDefaults):
    """Settings of a release; the defaults are those of the published one.

    Attributes:
        name: Title of the dataset's card.
        language: Language that the people write, by its ISO 639 code; prompts ask for answers in it.
        languages: Id of a person who writes another language -> that language.
        time_zone: IANA name of the zone of folder names.
        places: Place that the people could choose -> its English name; a list if they are English. Where the
            file lists none, they are the paper's twelve, in English unless the language is Chinese.
        sexes: Word of a profile -> male, female or other, in addition to the known words.
        occupations: Word within an occupation -> a group of `demographics.OCCUPATIONS`, besides known words.
        categories: Intent category -> its English name.
        apps: Package name -> English name of the app.
        licence: SPDX id of the data's licence; None where the surveys state it.
        origin: Origin of the data in words; None where the surveys state it.
        start: Where episodes begin: in their app, which was opened before (A.4), or on the home screen.
    """

    OMIT_DEFAULTS: ClassVar[frozenset[str]] = frozenset(
        {"languages", "places", "sexes", "occupations", "categories", "apps", "licence", "origin", "start"}
    )

    name: SettingText = "FingerTip 20K"
    language: str = CHINESE
    languages: Words = Field(default_factory=dict)
    time_zone: str = BEIJING_ZONE
    places: Annotated[Words, BeforeValidator(_as_mapping)] = Field(default_factory=dict)
    sexes: Words = Field(default_factory=dict)
    occupations: Words = Field(default_factory=dict)
    categories: Words = Field(default_factory=dict)
    apps: Words = Field(default_factory=dict)
    licence: str | None = None
    origin: Annotated[str, StringConstraints(max_length=LONGEST_ORIGIN)] | None = None
    start: Start = "app"

    @field_validator("language")
    @classmethod
    def _check_language(cls, value: str) -> str:
        return _check_code(value)

    @field_validator("languages")
    @classmethod
    def _check_languages(cls, value: Words) -> Words:
        for code in value.values():
            _check_code(code)
        return value

    @field_validator("time_zone")
    @classmethod
    def _check_zone(cls, value: str) -> str:
        read_zone(value)
        return value

    @field_validator("licence")
    @classmethod
    def _check_licence(cls, value: str | None) -> str | None:
        if value is not None and read_licence(value) is None:
            raise ValueError(f"expected a licence by its SPDX id, such as cc-by-4.0, got {value[:60]!r}")
        return value and read_licence(value)

    @field_validator("sexes")
    @classmethod
    def _check_sexes(cls, value: Words) -> Words:
        return _check_groups(value, ("male", "female", "other"))

    @field_validator("occupations")
    @classmethod
    def _check_occupations(cls, value: Words) -> Words:
        return _check_groups(value, (*OCCUPATION_WORDS, "employed"))

    @cached_property
    def zone(self) -> tzinfo:
        """Zone of the folder names."""
        return read_zone(self.time_zone)

    @property
    def clock(self) -> str:
        """Whose time hours are in, in words for figures."""
        return "Beijing time" if self.zone is BEIJING else f"local time of {self.time_zone}"

    @property
    def prompt_language(self) -> Literal["zh", "en"]:
        """Language in which prompts are worded unless another is chosen."""
        return _choose_wording(self.language)

    def choose_prompt_language(self, user_ids: Collection[str]) -> Literal["zh", "en"]:
        """Language in which prompts about these people are worded unless another is chosen.

        It is that of the people if they share one, otherwise that of the release.

        Args:
            user_ids: Ids of the people; none stand for all of the release.

        >>> mixed = ReleaseSettings(languages={"1003": "en", "1004": "de"})
        >>> mixed.choose_prompt_language(["1003", "1004"]), mixed.choose_prompt_language(["1001", "1003"])
        ('en', 'zh')
        """
        worded = {_choose_wording(self.language_of(user_id)) for user_id in user_ids}
        return worded.pop() if len(worded) == 1 else self.prompt_language

    @property
    def reason_language(self) -> str:
        """Language in which a judge is asked for its reasons, by its ISO 639 code; "" for that of its prompt.

        >>> ReleaseSettings(language="de").reason_language, ReleaseSettings(language="en").reason_language
        ('de', '')
        """
        return "" if self.language.partition("-")[0] in PROMPT_LANGUAGES else self.language

    @property
    def all_languages(self) -> tuple[str, ...]:
        """Languages that the people write, without regions, the release's own first.

        >>> ReleaseSettings(language="pt-BR", languages={"3": "es", "7": "en", "9": "es"}).all_languages
        ('pt', 'en', 'es')
        """
        others = sorted({code.partition("-")[0] for code in self.languages.values()})
        return tuple(dict.fromkeys((self.language.partition("-")[0], *others)))

    def language_of(self, user_id: str) -> str:
        """Language that a person writes, by its ISO 639 code.

        >>> mixed = ReleaseSettings(languages={"1003": "en"})
        >>> mixed.language_of("1001"), mixed.language_of("1003")
        ('zh', 'en')
        """
        return self.languages.get(user_id, self.language)

    @property
    def listed_places(self) -> Mapping[str, str]:
        """Place -> English name: those of the file, otherwise the paper's twelve."""
        if self.places:
            return self.places
        if self.prompt_language == CHINESE:
            return SCENARIO_CATEGORIES
        return {name: name for name in SCENARIO_CATEGORIES.values()}

    def place_category(self, scenario: str) -> str:
        """English name of a listed place; "other" for free text.

        Where the file lists no places, the paper's twelve are known in Chinese and in English, because people
        of one release may write different languages.

        >>> ReleaseSettings().place_category("住所"), ReleaseSettings(language="de").place_category("office")
        ('residence', 'office')
        """
        place = scenario.strip()
        if place in self.listed_places:
            return self.listed_places[place]
        if not self.places and place in SCENARIO_CATEGORIES:
            return SCENARIO_CATEGORIES[place]
        return place if not self.places and place in SCENARIO_CATEGORIES.values() else OTHER_PLACE

    @property
    def sex_words(self) -> Mapping[str, str]:
        """Word of a profile in lower case -> group of `demographics.SEXES`."""
        return {**SEX_WORDS, **{word.lower(): group for word, group in self.sexes.items()}}

    @property
    def occupation_words(self) -> Mapping[str, tuple[str, ...]]:
        """Group of `demographics.OCCUPATIONS` -> words that identify it, the file's before the known ones."""
        own: dict[str, tuple[str, ...]] = {}
        for word, group in self.occupations.items():
            own[group] = (*own.get(group, ()), word.lower())
        groups = dict.fromkeys((*own, *OCCUPATION_WORDS))
        return {group: (*own.get(group, ()), *OCCUPATION_WORDS.get(group, ())) for group in groups}

    @property
    def is_published(self) -> bool:
        """Whether these are the settings of the published release."""
        return self == PUBLISHED


PUBLISHED = ReleaseSettings()
"""Settings of the published release, which has no file: Chinese, Beijing time, the paper's twelve places."""


def read_settings(raw: Path, tables: Path | None = None) -> ReleaseSettings:
    """Read the settings of a release; those of the published one if it has no file.

    Args:
        raw: Folder of the users' folders.
        tables: Folder of the index tables.

    Raises:
        ReleaseError: The file cannot be read or is invalid, or both folders have different ones.
    """
    found = {folder: read_settings_file(folder) for folder in dict.fromkeys((raw, tables or raw))}
    stated = {folder: settings for folder, settings in found.items() if settings is not None}
    if not stated:
        return PUBLISHED
    first, *others = stated.items()
    for folder, settings in others:
        if settings != first[1]:
            raise ReleaseError(
                f"{first[0] / SETTINGS_FILE} states other settings: keep one of the two files",
                file=folder / SETTINGS_FILE,
            )
    return first[1]


def read_settings_file(folder: Path) -> ReleaseSettings | None:
    """Read the settings in a folder; None if it has no file of them.

    Raises:
        ReleaseError: The file cannot be read or is invalid.
    """
    if SETTINGS_FILE not in RawFolder.open(folder).list().names():
        return None
    file = folder / SETTINGS_FILE
    try:
        return parse_settings(read_file(str(file), MAX_BYTES).decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise ReleaseError(f"expected UTF-8, got another encoding at byte {error.start}", file=file) from None
    except ReleaseError as error:
        raise ReleaseError(error.message, file=file) from None


def parse_settings(text: str) -> ReleaseSettings:
    r"""Parse the content of a settings file.

    Raises:
        ReleaseError: It is not TOML, or a setting is unknown or invalid.

    >>> parse_settings('language = "en"\ntime_zone = "Europe/Dublin"').zone.key
    'Europe/Dublin'
    """
    try:
        return ReleaseSettings.model_validate(tomllib.loads(text))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ReleaseError(f"the settings are not valid TOML: {error}") from None
    except ValidationError as error:
        raise ReleaseError(_describe_fault(error)) from None


def format_settings(settings: ReleaseSettings) -> str:
    """Content of a settings file, which `parse_settings` reads back.

    >>> parse_settings(format_settings(ReleaseSettings(language="de", places=["zu Hause"]))).places
    {'zu Hause': 'zu Hause'}
    """
    stated = settings.model_dump(mode="json")
    plain = {name: value for name, value in stated.items() if not isinstance(value, dict)}
    tables = {name: value for name, value in stated.items() if isinstance(value, dict) and value}
    lines = [f"{name} = {_quote(value)}" for name, value in plain.items()]
    for name, words in tables.items():
        lines += ["", f"[{name}]", *(f"{_quote(word)} = {_quote(value)}" for word, value in words.items())]
    return "\n".join(lines) + "\n"


def _quote(text: str) -> str:
    """A TOML basic string."""
    import json

    # the escapes of JSON are those of TOML, but for DEL, which TOML wants escaped
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def is_language_code(code: str) -> bool:
    """Whether a text has the form of an ISO 639 code, with or without a region or script.

    >>> is_language_code("pt-BR"), is_language_code("Portuguese")
    (True, False)
    """
    return bool(_LANGUAGE.fullmatch(code))


def _check_code(code: str) -> str:
    if not is_language_code(code):
        raise ValueError(
            f"expected an ISO 639 code such as zh, en, de or pt-BR, got {code[:40]!r} "
            f"(prompts are worded in {' and '.join(PROMPT_LANGUAGES)}; for others in English)"
        )
    return code


def _check_groups(words: Words, groups: tuple[str, ...]) -> Words:
    for word, group in words.items():
        if group not in groups:
            raise ValueError(f"expected one of {', '.join(groups)} for {word!r}, got {group!r}")
    return words


def _describe_fault(error: ValidationError) -> str:
    """Describe the first fault, with the names that there are where one is unknown."""
    first: Any = error.errors(include_url=False)[0]
    place = ".".join(map(str, first["loc"]))
    if first["type"] == "extra_forbidden":
        return f"there is no setting {place!r}: expected one of {', '.join(ReleaseSettings.model_fields)}"
    message = first["msg"].removeprefix("Value error, ")
    return f"the setting {place} is not valid: {message}"
