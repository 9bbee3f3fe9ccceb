"""The list of attacks names tests that exist, and docs/developers/security.md shows the list."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter

import pytest
from pydantic import ValidationError

from board.tests.fingertip_leaderboard.attacks import ATTACKS
from docs.site.security_page import PAGE, ROOT, ListedAttack, areas, functions_in, with_tables
from tests.test_architecture import SOURCES

ALL = [attack for area in areas() for attack in area.attack]


def test_each_named_test_exists() -> None:
    named = [test.partition("::") for attack in ALL for test in attack.tests]
    assert [f"{file}::{name}" for file, _, name in named if name not in functions_in(file)] == []
    assert "test_each_named_test_exists" in functions_in("tests/test_security_page.py")
    assert functions_in("tests/test_no_such_file.py") == frozenset()


def test_no_attack_is_listed_twice() -> None:
    assert [name for name, count in Counter(attack.attack for attack in ALL).items() if count > 1] == []


def test_each_forged_bundle_is_a_case_of_one_attack() -> None:
    listed = Counter(kind for attack in ALL for kind in attack.refusals)
    assert set(listed) == {one.kind for one in ATTACKS}
    assert [kind for kind, count in listed.items() if count > 1] == []


def test_the_page_shows_the_list() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == with_tables(page), "run: python -m docs.site.security_page"
    changed = page.replace(f"| {ALL[0].attack} |", "| Another |")
    assert changed != page
    assert with_tables(changed) == page


@pytest.mark.parametrize(
    "wrong",
    [
        {"attack": "A name"},
        {"attack": "A name", "held": "A check"},
        {"attack": "A name", "held": "A check", "tests": ["a::b"], "limit": "A reason"},
        {"attack": "A name | of two cells", "limit": "A reason"},
    ],
    ids=["no status", "no test", "two statuses", "a bar"],
)
def test_an_incomplete_attack_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        ListedAttack.model_validate(wrong)


@pytest.mark.parametrize(
    ("code", "rule"),
    [
        ("import pickle\n\npickle.loads(b'')\n", "S301"),
        ("import marshal\n\nmarshal.loads(b'')\n", "S302"),
        ("eval(input())\n", "S307"),
        ("exec(input())\n", "S102"),
        ("import subprocess\n\nsubprocess.run('ls', shell=True)\n", "S602"),
    ],
)
def test_the_linter_forbids_code_from_data(code: str, rule: str) -> None:
    package = ROOT / "board" / "fingertip_leaderboard" / "from_data.py"
    command = [sys.executable, "-m", "ruff", "check", "--no-cache", "--stdin-filename", str(package), "-"]
    done = subprocess.run(command, input=code, capture_output=True, text=True, cwd=ROOT, check=False)
    assert rule in done.stdout
    assert [path for path in SOURCES if f"noqa: {rule}" in path.read_text(encoding="utf-8")] == []
