"""`diff`: what it prints leads from one text to the other, and what it refuses.

oracle/lines/text-diff.txt has what toybox's prints.
"""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from phone.tests.simulated_phone.conftest import bare_device, run_line
from tests.examples import examples

FOLDER = "/data/local/tmp"
TEXT = st.lists(st.sampled_from(["a", "b", "c", "", "a b"]), max_size=12).map(
    lambda lines: "".join(f"{line}\n" for line in lines)
)


def patch(text: str, printed: str) -> str:
    """Apply a unified diff, each line of which has to fit."""
    lines, made, at = text.splitlines(), list[str](), 0
    for row in printed.splitlines()[2:]:
        if row.startswith("@@"):
            found = re.fullmatch(r"@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@", row)
            assert found
            start = int(found[1]) - (found[2] != "0")
            made, at = made + lines[at:start], start
        elif row[:1] == "+":
            made.append(row[1:])
        else:
            assert row[1:] == lines[at]
            made += [row[1:]] if row[:1] == " " else []
            at += 1
    return "".join(f"{line}\n" for line in made + lines[at:])


@settings(max_examples=examples(60))
@given(one=TEXT, other=TEXT, context=st.integers(0, 4))
def test_what_is_printed_leads_from_one_text_to_the_other(one: str, other: str, context: int) -> None:
    device = bare_device()
    for name, text in (("one", one), ("other", other)):
        device.files.write(f"{FOLDER}/{name}", text.encode())
    code, out, err = run_line(f"cd {FOLDER}; diff -U {context} one other", device)
    assert (code, err) == (int(one != other), "")
    assert patch(one, out) == other
    assert bool(out) == (one != other)


def test_what_would_not_be_as_on_a_phone_is_refused() -> None:
    device = bare_device()
    run_line(f"cd {FOLDER}; mkdir d e; yes | head -n 4000 > many; cp many more; echo x >> more", device)
    for line in ("diff -N d e", "diff many more", "diff -B many more"):
        before = device.refusals
        code, out, err = run_line(f"cd {FOLDER}; {line}; echo on", device)
        assert (code, out, device.refusals) == (1, "", before + 1), line
        assert err.startswith("diff: ")
