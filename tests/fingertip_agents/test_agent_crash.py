"""Errors of an agent's own code, and the line that they name."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from fingertip_agents.agent_crash import describe_crash


class Broken:
    name = "broken"

    def act(self, words: object) -> object:
        return words.nothing  # type: ignore[attr-defined]

    def suggest(self, text: str) -> int:
        return int(text)


def _crash(agent: object, name: str, *arguments: object) -> Exception:
    with pytest.raises((AttributeError, ValueError)) as caught:
        getattr(agent, name)(*arguments)
    return caught.value


def test_it_names_the_line_of_the_agents_file() -> None:
    text = describe_crash(_crash(Broken(), "act", SimpleNamespace()), Broken())
    line = Broken.act.__code__.co_firstlineno + 1
    assert text.startswith("AttributeError: ")
    assert text.endswith(f" (test_agent_crash.py, line {line})")


def test_an_error_below_a_library_names_the_agents_own_line() -> None:
    import json

    class Reader:
        def act(self, text: str) -> object:
            return json.loads(text)

    text = describe_crash(_crash(Reader(), "act", "{"), Reader())
    assert text.endswith(f"(test_agent_crash.py, line {Reader.act.__code__.co_firstlineno + 1})")


def test_a_wrong_call_has_no_line_of_the_agent() -> None:
    class Short:
        def act(self) -> None: ...

    assert "line" not in describe_crash(TypeError("act() takes 1 argument"), Short())


def test_messages_of_many_lines_become_one() -> None:
    assert describe_crash(ValueError("a\n  b\x1b"), Broken()) == "ValueError: a b\\x1b"


@pytest.mark.parametrize("message", ["", " "])
def test_an_error_without_words_has_its_kind(message: str) -> None:
    assert describe_crash(KeyboardInterrupt(message), Broken()) == "KeyboardInterrupt"
