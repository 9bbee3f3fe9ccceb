"""`find` by times, which the recorder's toybox gets wrong, and on the shared storage."""

from __future__ import annotations

import pytest

from phone.tests.simulated_phone.conftest import bare_device, run_line

FOLDER = "cd /data/local/tmp; touch new; touch -d '2025-03-01' old; touch -d '2025-03-10 08:00' hour; "
"""The phone's clock stands at 2025-03-10 08:30."""


@pytest.mark.parametrize(
    ("test", "found"),
    [
        ("-mtime +5", "./old"),
        ("-mtime -1", "./hour ./new"),
        ("-mtime -1h", "./hour ./new"),
        ("-mmin -10", "./new"),
        ("-mmin +10", "./hour ./old"),
        ("-mmin +10 -mmin -60", "./hour"),
        ("-newer hour", "./new"),
        ("! -newer hour", "./hour ./old"),
        ("-newermt '2025-03-05'", "./hour ./new"),
        ("-atime +5 -o -name new", "./new ./old"),
        ("-ctime -1", "./hour ./new ./old"),
    ],
)
def test_files_are_found_by_time(test: str, found: str) -> None:
    code, out, err = run_line(f"{FOLDER}find . -type f \\( {test} \\)")
    assert (code, out.split(), err) == (0, found.split(), "")


def test_find_does_not_follow_the_link_to_the_shared_storage() -> None:
    assert run_line("find /sdcard -name Music") == (0, "", "")
    assert run_line("find /sdcard/ -name Music") == (0, "/sdcard/Music\n", "")
    assert run_line("find -H /sdcard -name Music") == (0, "/sdcard/Music\n", "")


def test_a_closed_folder_is_said_and_passed_over() -> None:
    code, out, err = run_line("find /data -maxdepth 1")
    assert (code, out, err) == (1, "/data\n", "find: '/data': Permission denied\n")


def test_what_is_found_is_lost_only_where_it_is_asked_for() -> None:
    device = bare_device()
    run_line("cd /data/local/tmp; mkdir -p a/b; touch a/b/c a/d", device)
    assert run_line("cd /data/local/tmp; find a -name c -ok rm {} \\; ; echo on", device)[:2] == (1, "")
    assert device.refusals == 1
    assert (
        run_line("cd /data/local/tmp; find a -name b -delete; find a | sort", device)[1]
        == "a\na/b\na/b/c\na/d\n"
    )
    assert run_line("cd /data/local/tmp; find a -mindepth 1 -delete; ls -R a", device)[1] == (
        "a/b/c\na/b\na/d\na:\n"
    )
