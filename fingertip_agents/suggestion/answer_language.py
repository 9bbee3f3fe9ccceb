"""Wordings by which a prompt of any language asks for an answer in the language that the person writes."""

from __future__ import annotations

from collections.abc import Mapping

from fingertip_dataset.release.language_names import name_language
from fingertip_models.messages import Language

_FORMS: Mapping[Language, Mapping[str, str]] = {
    "zh": {
        "zh": "例如这样的句式：打开某应用，做某事",
        "en": "例如这样的句式：Open an app, do something",
    },
    "en": {
        "zh": "in the manner of: 打开某应用，做某事 (open an app, do something)",
        "en": "in the manner of: Open an app, do something",
    },
}
"""Form of an intent, by the language of the prompt and that of the answer."""

_OTHER_FORM: Mapping[Language, str] = {
    "zh": "句式相当于：打开某应用，做某事",
    "en": "in a manner that says: open an app, do something",
}
"""Form of an intent in a language for which no example is written here."""


def describe_form(code: str, language: Language) -> str:
    """Describe the form of an intent, with an example where there is one in the language of the answer.

    Args:
        code: Language of the answer, by its ISO 639 code.
        language: Language of the prompt.

    >>> describe_form("en-GB", "en")
    'in the manner of: Open an app, do something'
    """
    return _FORMS[language].get(code.partition("-")[0], _OTHER_FORM[language])


def fill_language(text: str, code: str, language: Language) -> str:
    """Replace `{language}` in a text of a prompt by the name of the language of the answer.

    >>> fill_language("one sentence in {language}", "de", "en")
    'one sentence in German'
    """
    return text.replace("{language}", name_language(code, language))
