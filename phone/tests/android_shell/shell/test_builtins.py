"""Options of the shell's own commands: each is carried out, as the oracle shows, or refused."""

from __future__ import annotations

import re
import string

import pytest

from android_shell.shell.builtins import BUILTINS, LACKING
from android_shell.shell.syntax import UNSUPPORTED
from phone.tests.android_shell.oracle.test_oracle import read_differences, read_recorded
from phone.tests.simulated_phone.conftest import bare_device, run_line

SIGNS = string.ascii_letters + string.digits
READERS = sorted(name for name, builtin in BUILTINS.items() if builtin.letters is not None)


def list_letters(name: str) -> str:
    return re.sub("[:;]", "", BUILTINS[name].letters or "")


@pytest.mark.parametrize("name", READERS)
def test_an_option_that_no_code_reads_is_refused(name: str) -> None:
    device = bare_device()
    for letter in set(SIGNS) - set(list_letters(name)):
        before = device.refusals
        code, out, err = run_line(f"{name} -{letter} x; echo on", device)
        refused = device.refusals > before
        # mksh's own error of an option that it has not ends the shell at special builtins alone
        assert err, (name, letter)
        assert refused or "unknown option" in err, (name, letter, err)
        assert not refused or (code != 0 and out == ""), (name, letter)


@pytest.mark.parametrize("letter", sorted(set(SIGNS) - set("aefhuxCo")))
def test_an_option_of_set_that_no_code_reads_is_refused(letter: str) -> None:
    device = bare_device()
    code, out, err = run_line(f"set -{letter} x; echo on", device)
    assert code != 0
    assert out == ""
    assert device.refusals == 1 or "unknown option" in err


@pytest.mark.parametrize("name", [name for name in READERS if list_letters(name)])
def test_an_option_that_is_read_has_a_line_in_the_oracle(name: str) -> None:
    lines = [line for line in read_recorded() if line not in read_differences()]
    for letter in list_letters(name):
        used = re.compile(rf"(^|[;&|(\s]){re.escape(name)} (-\w+ )*-\w*{letter}")
        assert any(used.search(line) for line in lines), (name, letter)


@pytest.mark.parametrize("name", sorted(LACKING))
def test_a_builtin_that_no_client_sends_is_refused(name: str) -> None:
    device = bare_device()
    assert run_line(f"{name} x; echo on", device) == (2, "", f"/system/bin/sh: {name}: not supported\n")
    assert device.refusals == 1


@pytest.mark.parametrize("line", [line for lines in UNSUPPORTED.values() for line in lines])
def test_a_part_of_the_language_that_no_client_sends_is_refused(line: str) -> None:
    device = bare_device()
    code, out, err = run_line(f"{line}\necho on", device)
    assert (code, out, device.refusals) == (2, "", 1)
    assert err.endswith("not supported\n")
