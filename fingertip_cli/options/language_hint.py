"""Hint at the option of a language that a call meant: there are several languages, and a word for each."""

from __future__ import annotations

from collections.abc import Collection, Mapping

LANGUAGES: Mapping[str, str] = {
    "--locale": "the language of simulated people and their phones",
    "--language": "the language of the prompts",
    "--only-language": "the language of the people who are asked",
    "--release-language": "the language of the people who are recorded",
    "--judge-language": "the language of the judge's prompt",
}
"""Option -> its language. The people of a dataset answer, and are answered, in their own in any case."""

_OTHER_WORDS = frozenset({"--lang", "--languages", "--locales", "--page-language", "--prompt-language"})
"""Words that are no option of any command, and that people try for one of these."""

NONE = ": data keep the language of their people, and pages begin in that of the browser"
"""Hint of a command that asks nobody and simulates nobody."""


def hint_at_language(wrong: str, options: Collection[str]) -> str | None:
    """Say which of a command's options sets a language; None if the wrong option is about something else.

    Args:
        wrong: The option that the command does not have.
        options: The options that it has.

    >>> hint_at_language("--language", {"--out", "--locale"})
    ': did you mean --locale, the language of simulated people and their phones?'
    >>> hint_at_language("--languag", {"--language"}), hint_at_language("--size", {"--language"})
    (None, None)
    """
    if wrong not in LANGUAGES and wrong not in _OTHER_WORDS:
        return None
    meant = {option: language for option, language in LANGUAGES.items() if option in options}
    if "--judge-language" in meant and len(meant) == 1:
        return f"{NONE}; --judge-language is {meant['--judge-language']}"
    words = ", or ".join(f"{option}, {language}" for option, language in meant.items())
    return f": did you mean {words}?" if meant else NONE
