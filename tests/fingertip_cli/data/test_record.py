"""`fingertip record` as a person calls it, on a simulated phone behind the real adb."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import pytest

from execution_runner.devices.adb_client import AdbClient
from execution_runner.devices.adb_server import run_private_adb_server
from fingertip_dataset.release.words import SCENARIO_CATEGORIES
from simulated_phone import Phone, SimulatedPhoneServer
from tests.command_line import fingertip
from tests.phone_bench import drop_connections

ROOT = Path(__file__).parents[3]
MAIN = "from fingertip_cli.main import main; main()"


@pytest.fixture(scope="module")
def env() -> Iterator[dict[str, str]]:
    with run_private_adb_server() as port:
        yield dict(os.environ, PYTHONPATH=str(ROOT), ANDROID_ADB_SERVER_PORT=str(port), PYTHONUTF8="1")


@pytest.fixture
def server(env: dict[str, str]) -> Iterator[SimulatedPhoneServer]:
    with SimulatedPhoneServer(Phone(size=(540, 1200), density=210)) as server:
        yield server
        AdbClient(server.serial, server_port=int(env["ANDROID_ADB_SERVER_PORT"])).disconnect()


class Session:
    """A running `fingertip record`."""

    def __init__(self, env: dict[str, str], *options: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-u", "-c", MAIN, "record", *options],
            env=env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert self.process.stdout
        self.out: IO[str] = self.process.stdout
        self.reply = ""

    def until(self, words: str) -> str:
        reply = ""
        while words not in reply:
            letter = self.out.read(1)
            assert letter, self.reply + reply
            reply += letter
        self.reply += reply
        return reply

    def say(self, line: str) -> None:
        assert self.process.stdin
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def end(self) -> int:
        self.reply += self.process.communicate(timeout=120)[0]
        assert "Traceback" not in self.reply
        return self.process.returncode


def record(
    env: dict[str, str],
    server: SimulatedPhoneServer,
    out: Path,
    *options: str,
    intent: str = "看看最近用过什么",
    default_place: str = "住所",
) -> Session:
    call = ("--device", server.serial, "--out", str(out), "--user", "7", "--start", "home")
    session = Session(env, *call, *(options or ("--privacy", "off")))
    session.until("One sentence: ")
    session.say(intent)
    session.until(f"[{default_place}]: ")
    session.say("地铁上")
    session.until("ready (0 touches so far)")
    for number, x in enumerate((270, 450), 1):
        server.do(lambda phone, x=x: phone.finger.tap(x, 1190))  # type: ignore[misc]
        session.until(f"ready ({number} touches so far)")
    return session


def test_an_episode_is_recorded_reviewed_cut_and_kept(
    env: dict[str, str], server: SimulatedPhoneServer, tmp_path: Path
) -> None:
    """The intent has a private part, which is shown and kept."""
    phone = "13912345678"
    warn = ("--privacy", "warn")
    session = record(env, server, tmp_path / "raw", *warn, intent=f"给{phone}发消息")
    session.say("")
    shown = session.until("typed: ")
    hint = "     ! unchanged_screen: the screen after an action is the one before it\n"
    assert f"  1  press_home()\n{hint}  2  press_recent()\n" in shown
    pictures = Path(shown.partition("(deleted when you have decided): ")[2].splitlines()[0])
    assert sorted(path.name for path in pictures.iterdir()) == ["01.png", "02.png"]
    session.say("9")
    session.until("expected k, d, N=TEXT, or numbers from 1 to 2, got '9'")
    session.say("1")
    session.until("typed: ")
    assert not (tmp_path / "raw").exists()
    session.say("k")
    session.until("private parts that were found")
    session.until(phone)
    session.until("d drops it")
    assert not (tmp_path / "raw").exists()
    session.say("k")
    assert session.end() == 0
    assert not pictures.exists()
    (folder,) = (tmp_path / "raw" / "7").iterdir()
    lines = (folder / "action.jsonl").read_text("utf-8").splitlines()
    assert [next(iter(json.loads(line).values())) for line in lines] == ["press_recent()", "finished()"]
    survey = json.loads((folder / "survey_result.json").read_text("utf-8"))
    assert survey["intentDescription"] == f"给{phone}发消息"
    assert "redacted" not in survey
    assert survey["scenario"] == "地铁上"
    assert survey["provenance"] == "simulated"
    assert survey["origin"] == "recorded by its owner with fingertip record"
    assert "licence" not in survey
    assert len(list((folder / "Screenshots").iterdir())) == 4
    assert 'start = "home"' in (tmp_path / "raw" / "release.toml").read_text("utf-8")
    call = ("--device", server.serial, "--out", tmp_path / "raw", "--user", "8")
    done = fingertip("record", *call, env=env)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert (
        "the episodes of this release have the start home: add --start home, or give another" in done.stderr
    )


def test_ctrl_c_ends_the_recording_and_it_can_be_deleted(
    env: dict[str, str], server: SimulatedPhoneServer, tmp_path: Path
) -> None:
    session = record(env, server, tmp_path / "raw")
    session.process.send_signal(signal.SIGINT)
    session.until("typed: ")
    session.say("d")
    assert session.end() == 0
    assert session.reply.endswith("nothing is kept\n")
    assert not (tmp_path / "raw").exists()


def test_the_recording_begins_in_the_app_that_is_opened(
    env: dict[str, str], server: SimulatedPhoneServer, tmp_path: Path
) -> None:
    raw, app = tmp_path / "raw", "com.netease.cloudmusic"
    call = (
        "--device",
        server.serial,
        "--out",
        str(raw),
        "--intent",
        "听歌",
        "--place",
        "住所",
        "--privacy",
        "off",
    )
    session = Session(env, *call)
    session.until("open the app of your intent: the recording begins in it")
    server.do(lambda phone: phone.start(app))
    session.until("ready (0 touches so far)")
    server.do(lambda phone: phone.finger.tap(270, 1190))
    session.until("ready (1 touches so far)")
    session.say("")
    session.until("typed: ")
    session.say("k")
    assert session.end() == 0
    (survey,) = raw.rglob("survey_result.json")
    assert json.loads(survey.read_text("utf-8"))["app"] == app
    assert f'package="{app}"' in min(survey.parent.rglob("*.xml")).read_text("utf-8")
    # the release is one of episodes that begin in their app, and keeps that start
    assert not (raw / "release.toml").exists()
    done = fingertip("record", *call, "--start", "home", env=env)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "its episodes begin in their app: give another --out" in done.stderr


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--most-a-day", "0"), "expected 1 or more, got 0: leave the option for no limit"),
        (("--quiet", "22:00-08:00"), "--quiet is about reminders: add --remind, such as --remind wake"),
        (("--remind", "often"), "expected wake, or hours such as 4h, got 'often'"),
        (("--remind", "wake", "--quiet", "08:00-20:00", "--quiet", "20:00-08:00"), "cover the whole day"),
        (("--remind", "wake", "--intent", "听歌"), "--intent is of one episode"),
        (("--user", "me"), "expected a number as --user, got 'me'"),
        ((), "expected a connected phone, got none"),
        (("--device", "127.0.0.1:9"), "expected a connected phone at 127.0.0.1:9"),
        (("--device", "127.0.0.1:9"), "nothing answers there: Developer options > Wireless debugging"),
        (("--device", "nope"), "no phone nope is connected (`adb devices` lists the connected ones)"),
    ],
)
def test_a_wrong_call_prints_one_line(
    env: dict[str, str], tmp_path: Path, options: tuple[str, ...], words: str
) -> None:
    done = fingertip("record", "--out", tmp_path, *options, env=env)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert words in done.stderr


@pytest.mark.parametrize(
    ("inner", "options", "words"),
    [
        ("3", (), "the episodes here are of user 3: say whose the new one is, --user 3, or --user 1 for"),
        ("20250310_083000", ("--user", "3"), "this is the folder of one person"),
    ],
)
def test_the_folder_of_another_person_is_refused_before_a_phone_is_looked_for(
    env: dict[str, str], tmp_path: Path, inner: str, options: tuple[str, ...], words: str
) -> None:
    (tmp_path / inner).mkdir()
    done = fingertip("record", "--out", tmp_path, *options, env=env)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert words in done.stderr


def test_episodes_are_recorded_one_after_the_other_up_to_the_limit_of_a_day(
    env: dict[str, str], server: SimulatedPhoneServer, tmp_path: Path
) -> None:
    """The connection drops in the first one; the limit counts by the phone's date, also in a later call."""
    call = ("--device", server.serial, "--out", str(tmp_path / "raw"), "--user", "7", "--start", "home")
    limit = (*call, "--privacy", "off", "--most-a-day", "1")
    session = Session(env, *limit, "--remind", "4h", "--quiet", "22:00-08:00")
    session.until("waiting: Enter records an episode, Ctrl-C ends\n")
    session.say("")
    session.until("One sentence: ")
    session.say("看看最近用过什么")
    session.until("[住所]: ")
    session.say("4")
    session.until("ready (0 touches so far)")
    drop_connections(server)
    session.until("is back")
    session.until("ready (0 touches so far)")
    server.do(lambda phone: phone.finger.tap(450, 1190))
    session.until("ready (1 touches so far)")
    session.say("")
    session.until("the connection was lost once, for ")
    session.until("     ! before this the connection was lost for ")
    session.until("typed: ")
    session.say("k")
    session.until("1 steps and finished(), 1 of 1 today")
    reached = "user 7 has the most episodes of a day, 1 on 2025-03-10 by the phone: the next from 00:00, in "
    session.until(reached)
    assert session.end() == 0
    (survey,) = (tmp_path / "raw").rglob("survey_result.json")
    assert survey.parent.name.startswith("20250310_08")
    assert json.loads(survey.read_text("utf-8"))["scenario"] == list(SCENARIO_CATEGORIES)[3]
    done = fingertip("record", *limit, env=env)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert reached in done.stderr
