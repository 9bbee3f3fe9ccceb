"""Running the clients' own suites: reports, reasons, and the stand-in for an emulator."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from phone.tests.frameworks.suites.__main__ import find_commit, main, summarize
from phone.tests.frameworks.suites.emulator import stand_in
from phone.tests.frameworks.suites.suite import Outcome, Suite, load_suites, read_outcomes

PYTEST = """<?xml version="1.0" encoding="utf-8"?><testsuites><testsuite>
<testcase classname="tests.test_a" name="test_one"/>
<testcase classname="tests.test_a" name="test_two"><failure message="assert 1 == 2&#10;more"/></testcase>
<testcase classname="tests.test_a" name="test_two"/>
<testcase classname="tests.test_b" name="test_three"><skipped message="no APK"/></testcase>
"""
NODE = '<testsuites><testcase name="should work" classname="test"/><testsuite name="x">'


def test_a_report_that_was_cut_off_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    report = tmp_path / "report.xml"
    report.write_text(PYTEST, encoding="utf-8")
    assert read_outcomes(report, "unused") == [
        Outcome(test="tests.test_a::test_one", state="passed", message=""),
        Outcome(test="tests.test_a::test_two", state="failed", message="assert 1 == 2"),
        Outcome(test="tests.test_b::test_three", state="skipped", message="no APK"),
    ]
    report.write_text(NODE, encoding="utf-8")
    assert read_outcomes(report, "apk-e2e") == [
        Outcome(test="apk-e2e::should work", state="passed", message="")
    ]
    assert read_outcomes(tmp_path / "none.xml", "") == []


def find_suite(name: str) -> Suite:
    return next(suite for suite in load_suites() if suite.name == name)


def test_what_did_not_pass_is_excused_or_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("phone.tests.frameworks.suites.__main__.find_commit", lambda _: "abc (2026-01-01)")
    suite = find_suite("adbutils")
    excused, reason = next(iter(suite.excuses.items()))
    outcomes = [
        Outcome(test="e2etests.test_a::test_fine", state="passed", message=""),
        Outcome(test=excused, state="failed", message=""),
        Outcome(test="e2etests.test_a::test_else", state="failed", message="assert 0"),
        Outcome(test="e2etests.test_a::test_old", state="skipped", message="deprecated"),
    ]
    row = summarize(suite, tmp_path, outcomes)
    assert (row["run"], row["passed"], row["unexplained"]) == (4, 1, ["e2etests.test_a::test_else"])
    assert row["excused"] == {reason: 1, "the suite skips it": 1}


def test_a_folder_without_checkouts_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "none")]) == 2
    assert "expected a folder with checkouts of clients" in capsys.readouterr().out
    assert main([str(tmp_path)]) == 2
    assert "expected a checkout of adbutils, " in capsys.readouterr().out


def test_a_folder_that_is_no_checkout_has_no_commit(tmp_path: Path) -> None:
    assert find_commit(tmp_path) == "no commit"


def test_every_suite_has_reasons_that_say_something() -> None:
    assert {suite.name for suite in load_suites()} >= {"adbutils", "uiautomator2", "Airtest", "appium-adb"}
    for suite in load_suites():
        assert all(len(reason) > 10 for reason in suite.excuses.values())


def test_the_stand_in_renames_the_phone_both_ways() -> None:
    seen = []
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(10)
        with stand_in(listener.getsockname()[1], "127.0.0.1:99") as (server, console):
            client = socket.create_connection(("127.0.0.1", server))
            client.sendall(b"%04xhost:devices" % 12)
            link, _ = listener.accept()
            seen.append(link.recv(100))
            link.sendall(b"OKAY0014127.0.0.1:99\tdevice\n")
            link.close()
            assert b"".join(iter(lambda: client.recv(100), b"")) == b"OKAY0015emulator-5554\tdevice\n"
            client.close()
            client = socket.create_connection(("127.0.0.1", server))
            client.sendall(b"%04xhost:transport:emulator-5554" % 28)
            link, _ = listener.accept()
            seen.append(link.recv(100))
            link.close()
            client.close()
            with socket.create_connection(("127.0.0.1", console)) as talk, talk.makefile("rb") as lines:
                assert [lines.readline(), lines.readline()] == [b"Android Console\r\n", b"OK\r\n"]
                talk.sendall(b"ping\n")
                assert lines.readline() == b"I am alive!\r\n"
    assert seen == [b"000chost:devices", b"001bhost:transport:127.0.0.1:99"]
