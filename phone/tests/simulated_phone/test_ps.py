"""`ps`: columns as toybox pads them."""

from __future__ import annotations

import pytest

from phone.tests.simulated_phone.conftest import run_line

NAME = "NAME" + 23 * " "


@pytest.mark.parametrize(
    ("words", "printed"),
    [
        ("-o PID,NAME -p 1", f"  PID {NAME}\n    1 init\n"),
        ("-o pid= -p 1", "     \n    1\n"),
        ("-p 310 -o name=X,pid", "X   PID\nueventd 310\n"),
        ("-o USER:3,CMD:4,PID -p 1500", "USER CMD    PID\nu0_a50 ndroid.systemui 1500\n"),
        (
            "-n -o USER,UID,CMD:20 -p 1500",
            "USER           UID CMD                 \n10050        10050 ndroid.systemui\n",
        ),
        (
            "-A -p 1",
            f"USER           PID  PPID     VSZ    RSS WCHAN            ADDR S {NAME}\n"
            "root             1     0 5000000  90000 0                   0 S init\n",
        ),
        (
            "-f -p 1",
            "UID            PID  PPID C STIME TTY          TIME CMD\n"
            "root             1     0 0 08:30:00 ?     00:00:01 init\n",
        ),
    ],
)
def test_columns_have_the_widths_of_toybox(words: str, printed: str) -> None:
    assert run_line(f"ps {words}") == (0, printed, "")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("aux", "ps: bad aux"),
        ("-p x", "ps: bad -p 'x'"),
        ("-u nobody2", "ps: bad -u 'nobody2'"),
        ("-o PID,NOPE", "ps: bad -o 'NOPE'"),
        ("-o PID:x", "ps: bad -o 'PID:x'"),
    ],
)
def test_a_wrong_choice_lists_nothing(words: str, message: str) -> None:
    assert run_line(f"ps {words}") == (1, "", f"{message}\n")
