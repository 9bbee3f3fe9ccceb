"""Run the own test suites of clients, unchanged, on the simulated phone.

    python -m phone.tests.frameworks.suites FOLDER [NAME ...]

FOLDER holds checkouts of the clients (`git clone`), named as their repositories. Each suite gets a virtual
environment under .venv-suites, a phone and an adb server of its own. The outcomes are written to
results.json beside this file, from which `python -m docs.site.frameworks_page` makes the table. The exit code
is 1 if a test fails that has no excuse in suites.toml.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from execution_runner.devices.adb_server import run_private_adb_server
from phone.tests.frameworks.suites.emulator import stand_in
from phone.tests.frameworks.suites.suite import Outcome, Suite, load_suites, read_outcomes
from phone.tests.simulated_phone.conftest import BUNDLED_ADB
from simulated_phone import Phone, SimulatedPhoneServer

HERE = Path(__file__).parent
ROOT = HERE.parents[3]
RESULTS = HERE / "results.json"
LIMIT_SECONDS = 1200
"""Most time for one suite."""
FILE_SECONDS = 300
"""Most time for one file of node's runner."""
TEST_SECONDS = 40
"""Most time for one test of pytest."""
ADB_WITH_OWN_SERVER = """#!/bin/sh
while [ "$1" = -P ] || [ "$1" = -H ]; do shift 2; done
exec {adb} -P {port} "$@"
"""
"""An adb for suites: some name the usual server, at which a person's own phones may be."""
REPORT = "REPORT"
"""Stands for the name of the report in a command."""


def main(words: Sequence[str]) -> int:
    """Run the suites of a folder; return the exit code."""
    if not words or not Path(words[0]).is_dir():
        _say("expected a folder with checkouts of clients: make frameworks SUITES=FOLDER")
        return 2
    folder, names = Path(words[0]), words[1:]
    known = [one for one in load_suites() if not names or one.name in names]
    found = [one for one in known if (folder / one.folder).is_dir()]
    if not found:
        folders = ", ".join(one.folder for one in known) or "a known client"
        _say(f"{folder}: expected a checkout of {folders}, got none")
        return 2
    results = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    unexplained = 0
    for suite in found:
        checkout = folder / suite.folder
        outcomes = run_suite(suite, checkout)
        results[suite.name] = summarize(suite, checkout, outcomes)
        unexplained += _tell(suite, outcomes)
        RESULTS.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return int(unexplained > 0)


def run_suite(suite: Suite, checkout: Path) -> list[Outcome]:
    """Run a suite on a phone of its own; return the outcomes of its tests."""
    home = ROOT / ".venv-suites" / suite.folder
    program = (_prepare_node if suite.runner == "node" else _prepare_python)(suite, checkout, home)
    list_commands = _list_node_commands if suite.runner == "node" else _list_pytest_commands
    outcomes: list[Outcome] = []
    with tempfile.TemporaryDirectory() as temporary, connect_phone(suite) as env:
        folders = (str(checkout.resolve() / path) for path in suite.imports)
        env |= {"PYTHONPATH": os.pathsep.join(folders)} if suite.imports else {}
        env |= {"SUITE_CONNECT": "1"} if suite.connected else {}
        for number, command in enumerate(list_commands(suite, checkout, home)):
            report = Path(temporary) / f"{number}.xml"
            place = home if suite.runner == "node" else Path(temporary)
            _run(program, [word.replace(REPORT, str(report)) for word in command], place, env, home)
            outcomes += read_outcomes(report, Path(command[-1]).name.partition(".")[0])
    return outcomes


def _list_node_commands(suite: Suite, _checkout: Path, home: Path) -> list[list[str]]:
    """Return a call of node's runner for each file: one that does not end keeps no other from its report."""
    files = sorted(str(file) for path in suite.paths for file in (home / path).rglob("*.spec.js"))
    options = ["--test", "--test-timeout=280000", "--test-reporter=junit"]
    return [[*options, f"--test-reporter-destination={REPORT}", file] for file in files]


def _list_pytest_commands(suite: Suite, checkout: Path, _home: Path) -> list[list[str]]:
    plugins = ["-p", "no:cacheprovider", "-p", "fingertip_suite_plugin"]
    options = [f"--junitxml={REPORT}", f"--timeout={TEST_SECONDS}", "-q", "--tb=short"]
    options.append("--continue-on-collection-errors")
    # the installed package, not the checkout's folder of that name, which lacks what a release adds
    options += ["--import-mode=importlib"] if suite.imports else []
    paths = [str(checkout.resolve() / path) for path in suite.paths]
    if suite.imports:
        return [["-m", "pytest", *plugins, *options, *paths]]
    # a run for each folder: some have files of the same name
    return [["-m", "pytest", *plugins, *options, path] for path in paths]


def _run(program: str, words: Sequence[str], place: Path, env: Mapping[str, str], home: Path) -> None:
    limit = FILE_SECONDS if "--test" in words else LIMIT_SECONDS
    with (home / "output.txt").open("a", encoding="utf-8") as output:
        process = subprocess.Popen(
            [program, *words],
            cwd=place,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            process.wait(limit)
        except subprocess.TimeoutExpired:
            # with the programs that its tests have started
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@contextmanager
def connect_phone(suite: Suite) -> Iterator[dict[str, str]]:
    """Serve a phone and connect an adb server to it; yield the environment of a suite."""
    with ExitStack() as running:
        port = running.enter_context(run_private_adb_server(BUNDLED_ADB))
        phone = Phone(seed=1, size=(1080, 2400), locale="en")
        server = running.enter_context(SimulatedPhoneServer(phone, real_time=True))
        adb = [str(BUNDLED_ADB), "-P", str(port)]
        subprocess.run([*adb, "connect", server.serial], check=True, capture_output=True)
        home = running.enter_context(tempfile.TemporaryDirectory())
        env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        sdk = Path(home) / "sdk" / "platform-tools"
        sdk.mkdir(parents=True)
        (sdk / "adb").write_text(ADB_WITH_OWN_SERVER.format(adb=BUNDLED_ADB, port=port), encoding="utf-8")
        (sdk / "adb").chmod(0o755)
        env |= {
            "ANDROID_ADB_SERVER_PORT": str(port),
            "ANDROID_HOME": str(sdk.parent),
            "ANDROID_SERIAL": server.serial,
            "ANDROID_USER_HOME": home,
            "ADBUTILS_ADB_PATH": str(sdk / "adb"),
            "HOME": home,
            "PATH": f"{sdk}{os.pathsep}{os.environ['PATH']}",
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        if suite.emulator:
            ports = running.enter_context(stand_in(port, server.serial))
            env |= dict(zip(("SUITE_SERVER_PORT", "SUITE_CONSOLE_PORT"), map(str, ports), strict=True))
        yield env


def _prepare_python(suite: Suite, _checkout: Path, home: Path) -> str:
    """Make a virtual environment with the suite's packages, if there is none; return its Python."""
    python, stamp = home / "bin" / "python", home / "packages.txt"
    wanted = "\n".join(suite.packages)
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != wanted:
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(home)], check=True)
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "pytest", "pytest-timeout", *suite.packages], check=True)
        stamp.write_text(wanted, encoding="utf-8")
    purelib = subprocess.run(
        [str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()
    shutil.copyfile(HERE / "suite_plugin.py", Path(purelib) / "fingertip_suite_plugin.py")
    return str(python)


def _prepare_node(suite: Suite, checkout: Path, home: Path) -> str:
    """Build a copy of the checkout, without the packages that only its linters need; return node."""
    stamp = home / "built.txt"
    commit = find_commit(checkout)
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != commit:
        shutil.rmtree(home, ignore_errors=True)
        shutil.copytree(checkout, home, ignore=shutil.ignore_patterns(".git", "node_modules"))
        package = home / "package.json"
        content = json.loads(package.read_text(encoding="utf-8"))
        for name in suite.packages:
            content["devDependencies"].pop(name, None)
        package.write_text(json.dumps(content), encoding="utf-8")
        options = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error"]
        subprocess.run(["npm", "install", *options], cwd=home, check=True)
        subprocess.run(["npx", "--no-install", "tsc", "-b"], cwd=home, check=True)
        stamp.write_text(commit, encoding="utf-8")
    return shutil.which("node") or "node"


def find_commit(checkout: Path) -> str:
    """Return the commit of a checkout and its day; "no commit" of a folder that is none."""
    command = ["git", "-C", str(checkout), "log", "-1", "--format=%h (%cs)"]
    ended = subprocess.run(command, check=False, capture_output=True, text=True)
    return ended.stdout.strip() or "no commit"


def summarize(suite: Suite, checkout: Path, outcomes: Sequence[Outcome]) -> Mapping[str, object]:
    """Return what the page shows of a suite: how many passed, and how many others by their reasons."""
    excused: dict[str, int] = {}
    unexplained = []
    for outcome in outcomes:
        if outcome.state == "passed":
            continue
        reason = suite.find_excuse(outcome)
        if reason is None:
            unexplained.append(outcome.test)
        else:
            excused[reason] = excused.get(reason, 0) + 1
    return {
        "repository": suite.repository,
        "commit": find_commit(checkout),
        "run": len(outcomes),
        "passed": sum(outcome.state == "passed" for outcome in outcomes),
        "excused": dict(sorted(excused.items(), key=lambda item: (-item[1], item[0]))),
        "unexplained": sorted(unexplained),
    }


def _tell(suite: Suite, outcomes: Sequence[Outcome]) -> int:
    """Print the outcomes of a suite; return how many tests failed without an excuse."""
    passed = sum(outcome.state == "passed" for outcome in outcomes)
    failed = [one for one in outcomes if one.state != "passed" and suite.find_excuse(one) is None]
    _say(f"{suite.name}: {passed} of {len(outcomes)} passed, {len(failed)} without an excuse")
    for outcome in failed:
        _say(f"  {outcome.state} {outcome.test}: {outcome.message}")
    return len(failed)


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
