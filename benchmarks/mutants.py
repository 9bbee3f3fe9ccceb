"""How many one-line faults the tests catch: a guard against tests that are cut too far.

    python -m benchmarks.mutants [--seed N] [--faults N] [--jobs N] [--out FILE]

A fault changes one operator, constant or condition of a line in a function. Which lines is decided by a
hash of the seed, the file's name and the line's text, so that an edit elsewhere leaves the draw as it is;
each package has at least one. Each fault is made in a copy of the checkout. The mirrored test file runs
first, then the mirrored folder, then all others; it stops at the first test that fails. Printed is each
fault with the test that caught it, and the share.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from queue import SimpleQueue

from tests.test_architecture import PLACES, ROOT, SOURCES, folder, package_of

SWAPS = {
    " == ": " != ",
    " != ": " == ",
    " < ": " <= ",
    " <= ": " < ",
    " > ": " >= ",
    " >= ": " > ",
    " and ": " or ",
    " or ": " and ",
    " is not None": " is None",
    " is None": " is not None",
    " not in ": " in ",
    " + 1": " + 2",
    " - 1": " - 2",
    " * ": " + ",
    "True": "False",
    "False": "True",
    "any(": "all(",
    "all(": "any(",
    "min(": "max(",
    "max(": "min(",
}
"""Text of a line -> what a fault puts in its place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """A fault: one line of a file, and what stands there instead.

    Attributes:
        file: Path in the checkout.
        line: Line number, from 1.
        before, after: The line without and with the fault.
    """

    file: str
    line: int
    before: str
    after: str


def draw_mutants(seed: int, count: int) -> list[Mutant]:
    """Draw faults: the first of each package in the order of hashes, then the first of all others."""
    found = [one for path in SOURCES for one in list_mutants(path)]
    ranked = sorted(found, key=lambda one: _rank(seed, one))
    first: dict[str, Mutant] = {}
    for one in ranked:
        first.setdefault(package_of(ROOT / one.file), one)
    others = [one for one in ranked if one not in first.values()]
    return [*first.values(), *others[: max(0, count - len(first))]]


def list_mutants(path: Path) -> Iterator[Mutant]:
    """Yield the faults that a file could have, at most one a line."""
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    for number in sorted(_statement_lines(ast.parse(text))):
        line = lines[number - 1]
        code = line.split("  # ")[0]
        swaps = [swap for swap in SWAPS if swap in code] if '"' not in code and "'" not in code else []
        for swap in swaps[:1]:
            after = line.replace(swap, SWAPS[swap], 1)
            yield Mutant(file=str(path.relative_to(ROOT)), line=number, before=line, after=after)


def _statement_lines(tree: ast.Module) -> set[int]:
    """First lines of statements in functions; imports, `raise` and definitions are left out."""
    inside = {
        statement.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for statement in ast.walk(node)
        if isinstance(statement, ast.Return | ast.Assign | ast.AugAssign | ast.If | ast.While | ast.For)
    }
    return inside


def _rank(seed: int, mutant: Mutant) -> str:
    # not the folder: a file that moves keeps its faults
    place = f"{seed} {Path(mutant.file).name} {mutant.before.strip()}"
    return hashlib.sha256(place.encode()).hexdigest()


def mirrored_tests(mutant: Mutant) -> list[str]:
    """Return what mirrors a fault's file: its test file, then the folder of tests, as far as they exist."""
    package = package_of(ROOT / mutant.file)
    inner = (ROOT / mutant.file).relative_to(folder(package))
    own = ROOT / PLACES.get(package, "") / "tests" / package
    file = own / inner.parent / f"test_{inner.name}"
    folders = [path for path in (own / inner.parts[0], own) if path.is_dir()]
    return [str(path.relative_to(ROOT)) for path in [file, *folders[:1]] if path.exists()]


def try_mutant(mutant: Mutant, copy: Path, folders: list[str], timeout: float) -> str | None:
    """Make a fault in a copy, run the tests of folders, and undo it.

    Returns:
        The test that failed, "time limit", or None if the tests passed.
    """
    file = copy / mutant.file
    text = file.read_text(encoding="utf-8")
    lines = text.splitlines(keepends=True)
    lines[mutant.line - 1] = mutant.after + "\n"
    file.write_text("".join(lines), encoding="utf-8")
    try:
        return _run_tests(folders, copy, timeout)
    finally:
        file.write_text(text, encoding="utf-8")


def _run_tests(folders: list[str], copy: Path, timeout: float) -> str | None:
    paths = [str(copy / wing) for wing in sorted({*PLACES.values()})]
    env = dict(os.environ, PYTHONPATH=os.pathsep.join([str(copy), *paths]), PYTHONDONTWRITEBYTECODE="1")
    call = [sys.executable, "-m", "pytest", "-x", "-q", "--tb=no", "-p", "no:cacheprovider", "-p", "no:xdist"]
    # those of `make test` and of `make test-install`
    call += ["-m", "not soak and not frameworks"]
    places = [] if folders == ["."] else folders
    try:
        done = subprocess.run(
            [*call, *places], cwd=copy, env=env, capture_output=True, text=True, check=False, timeout=timeout
        )
    except subprocess.TimeoutExpired:
        return "time limit"
    failed = re.search(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE)
    if done.returncode in (0, 5):
        return None
    return failed[1] if failed else f"exit status {done.returncode}"


def main() -> None:
    """Draw the faults, try each in a copy of the checkout, and print which were caught."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=27)
    parser.add_argument("--faults", type=int, default=30)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timeout", type=float, default=3600)
    parser.add_argument("--out", type=Path, help="JSON file of the results; those in it are not tried again")
    parser.add_argument("--mirrored", action="store_true", help="Run the mirrored tests only.")
    given = parser.parse_args()
    before = json.loads(given.out.read_text()) if given.out and given.out.exists() else []
    known = {(one["file"], one["before"]): one["caught"] for one in before}
    mutants = draw_mutants(given.seed, given.faults)
    results = {one: known[one.file, one.before] for one in mutants if (one.file, one.before) in known}
    with tempfile.TemporaryDirectory() as top:
        copies: SimpleQueue[Path] = SimpleQueue()
        for number in range(given.jobs):
            copies.put(_copy_checkout(Path(top) / str(number)))

        def try_one(mutant: Mutant, places: list[str]) -> None:
            copy, results[mutant] = copies.get(), None
            for place in places:
                results[mutant] = results[mutant] or try_mutant(mutant, copy, [place], given.timeout)
            copies.put(copy)
            verdict = "caught by" if results[mutant] else "missed by"
            test = results[mutant] or ", ".join(places) or "no test"
            print(f"{verdict} {test}: {mutant.file}:{mutant.line} {mutant.after.strip()}", flush=True)
            if given.out:
                lines = [asdict(one) | {"caught": caught} for one, caught in results.items()]
                given.out.write_text(json.dumps(lines, indent=1))

        with ThreadPoolExecutor(given.jobs) as pool:
            fresh = [one for one in mutants if one not in results]
            list(pool.map(lambda one: try_one(one, mirrored_tests(one)), fresh))
            missed = [] if given.mirrored else [one for one in mutants if results[one] is None]
            list(pool.map(lambda one: try_one(one, ["."]), missed))
    share = sum(caught is not None for caught in results.values())
    print(f"{share} of {len(results)} faults are caught")


def _copy_checkout(target: Path) -> Path:
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    for name in tracked.decode().split("\0"):
        if name and (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target / name)
    # tests that list the tracked files ask git
    subprocess.run(["git", "init", "-q"], cwd=target, check=True)
    subprocess.run(["git", "add", "-A"], cwd=target, check=True)
    return target


if __name__ == "__main__":
    main()
