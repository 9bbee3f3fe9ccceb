"""Prompts from files: plain text, and constants of code that is read but never run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingertip_agents.prompts.placeholders import ALIASES, EXECUTION_PLACEHOLDERS
from fingertip_agents.prompts.prompt_text import PromptText, read_prompt_text
from fingertip_dataset.errors import UsageError
from tests.vectors import read_vectors

VECTORS = read_vectors(__file__)


CODE = '''
import json, os
os.system("touch ran")
SWIPE = {"name": "mobile.swipe", "parameters": {"x": {"type": "number"}}}
SYSTEM = f"""You have
- {json.dumps(SWIPE)}
"""
MOBILE: str = """Act in {language}.
type(content='') # "\\n" submits
""" + "## Task\\n{instruction}\\n"
QUERY = f"The query: {instruction}.\\nDone: {stage2_history}"
MADE = open("x").read()
BUILT = f"{MADE}\\n"
SHORT = "Do {task}"
MISSPELT = f"Do {inten}\\n"
LOOP = LOOP + "a"
NUMBER = 3
'''


def test_constants_of_code_are_read_and_nothing_is_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("prompt.py").write_text(CODE)
    mobile = read_prompt_text("prompt.py:MOBILE")
    assert mobile.text == "Act in {language}.\ntype(content='') # \"\n\" submits\n## Task\n{instruction}\n"
    assert mobile.placeholders == {"language", "task"}
    assert mobile.label.startswith("prompt.py:MOBILE sha256:")
    swipe = json.dumps({"name": "mobile.swipe", "parameters": {"x": {"type": "number"}}})
    assert read_prompt_text("prompt.py:SYSTEM").text == f"You have\n- {swipe}\n"
    assert read_prompt_text("prompt.py:QUERY").placeholders == {"task", "history"}
    assert not Path("ran").exists()


def test_a_notebook_has_constants_in_its_cells(tmp_path: Path) -> None:
    cells = [
        {"cell_type": "markdown", "source": ["text = 'no'"]},
        {"cell_type": "code", "source": ["!pip install x\n", "instruction = 'Search'\n", "a = (\n"]},
        {
            "cell_type": "code",
            "source": ["%cd x\n", "instruction = 'Search'\n", "q = f'Do {instruction}.\\n'"],
        },
    ]
    file = tmp_path / "mobile.ipynb"
    file.write_text(json.dumps({"cells": cells}))
    assert read_prompt_text(f"{file}:q").text == "Do {instruction}.\n"


@pytest.mark.parametrize(
    ("place", "problem"),
    [
        *VECTORS["anything_else_is_one_line"],
        (
            "other.txt",
            f"the unknown placeholder {{bbox}}: expected one of {', '.join(EXECUTION_PLACEHOLDERS)}; ",
        ),
    ],
)
def test_anything_else_is_one_line(
    place: str, problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("prompt.py").write_text(CODE)
    Path("bad.py").write_text("A = (")
    Path("bad.ipynb").write_text("[1]")
    Path("latin.txt").write_bytes(b"\xe9")
    Path("typo.txt").write_text("{task}\nand {tsk}")
    Path("capital.txt").write_text("{task} {Intent}")
    Path("spaces.txt").write_text("{ task }")
    Path("alias.txt").write_text("{task} {previous_action}")
    Path("other.txt").write_text("{task} {bbox}")
    Path("numbers.py").write_text("A = 1\n")
    Path("many.py").write_text("".join(f"A{number} = 'a'\n" for number in range(22)))
    with pytest.raises(UsageError) as refused:
        read_prompt_text(place)
    assert problem in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "form", ["{intent!r}", "{intent:>10}", "{intent!s:10}", "{intent.text}", "{intent[0]}"]
)
def test_a_placeholder_with_a_format_is_no_text(form: str, tmp_path: Path) -> None:
    (tmp_path / "p.txt").write_text(f"{{task}}\n{form}")
    with pytest.raises(UsageError, match=r"did you mean \{intent\}") as refused:
        read_prompt_text(str(tmp_path / "p.txt"))
    assert f"the unknown placeholder {form}" in str(refused.value)


def test_what_is_no_placeholder_stays_text(tmp_path: Path) -> None:
    text = '{task} {X} {"a": {"b": 1}} {{Intent}} {{inten}} {{ task }} {1} {} {x:1} {"task": 2} {time: "8"}'
    (tmp_path / "p.txt").write_text(text)
    prompt = read_prompt_text(str(tmp_path / "p.txt"))
    assert prompt.filled({"task": "T"}) == prompt.text.replace("{task}", "T").replace(
        "{{Intent}} {{inten}}", "{Intent} {inten}"
    )


NAMES = st.sampled_from([*EXECUTION_PLACEHOLDERS, *ALIASES])
PIECES = st.one_of(
    NAMES.map(lambda name: f"{{{name}}}"), NAMES.map(lambda name: f"{{{{{name}}}}}"), st.text('{}": 中')
)


@given(
    pieces=st.lists(PIECES),
    values=st.dictionaries(st.sampled_from([*EXECUTION_PLACEHOLDERS]), st.text("{}ta")),
)
def test_a_value_is_put_in_once_and_never_searched(pieces: list[str], values: dict[str, str]) -> None:
    everything = dict.fromkeys(EXECUTION_PLACEHOLDERS, "") | values
    prompt = PromptText(name="a", text=" ".join(pieces))
    empty = prompt.filled(dict.fromkeys(EXECUTION_PLACEHOLDERS, ""))
    added = sum(len(everything[name]) for name in _used(prompt.text))
    assert len(prompt.filled(everything)) == len(empty) + added


def _used(text: str) -> list[str]:
    """Slow reading of the placeholders: every one in single braces."""
    used, at = [], 0
    names = {**dict(zip(EXECUTION_PLACEHOLDERS, EXECUTION_PLACEHOLDERS, strict=True)), **ALIASES}
    while at < len(text):
        double = next((name for name in names if text.startswith(f"{{{{{name}}}}}", at)), None)
        single = next((name for name in names if text.startswith(f"{{{name}}}", at)), None)
        used += [names[single]] if single and not double else []
        at += len(double) + 4 if double else len(single) + 2 if single else 1
    return used


def test_a_name_behind_a_plain_file_is_explained(tmp_path: Path) -> None:
    (tmp_path / "task.txt").write_text("{task} {history}", encoding="utf-8")
    with pytest.raises(UsageError, match=r"No such file.*; :X picks a constant of a \.py or \.ipynb file"):
        read_prompt_text(f"{tmp_path}/task.txt:X")
