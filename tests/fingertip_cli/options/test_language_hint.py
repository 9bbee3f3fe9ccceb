"""A wrong option of a language leads to the one that is meant."""

from __future__ import annotations

import click
import pytest

from fingertip_cli.command_list import COMMANDS
from fingertip_cli.main import cli
from fingertip_cli.options.language_hint import LANGUAGES, hint_at_language
from fingertip_cli.prepared_command import describe_wrong_call


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("sample", "people", "--language", "en"), "did you mean --locale, the language of simulated people"),
        (("demo", "--lang", "en"), "did you mean --locale, the language of simulated people"),
        (("suggest", "data", "--locale", "en"), "did you mean --language, the language of the prompts?"),
        (("record", "--locale", "en"), "did you mean --release-language, the language of the people"),
        (("report", "run", "--language", "en"), "pages begin in that of the browser"),
    ],
)
def test_the_option_that_is_meant_is_named_with_its_language(words: tuple[str, ...], hint: str) -> None:
    with pytest.raises(click.NoSuchOption) as caught:
        cli.main(list(words), prog_name="fingertip", standalone_mode=False)
    assert hint in describe_wrong_call(caught.value)


def test_a_word_for_a_language_is_an_option_of_one_meaning() -> None:
    """Every option of a language that a command has is in the list, so that one word has one meaning."""
    found = {
        name
        for command in COMMANDS
        for parameter in cli.get_command(click.Context(cli), command).params  # type: ignore[union-attr]
        if isinstance(parameter, click.Option)
        for name in parameter.opts
        if "lang" in name or "locale" in name
    }
    assert found == set(LANGUAGES)
    assert all(hint_at_language(name, []) for name in LANGUAGES)
