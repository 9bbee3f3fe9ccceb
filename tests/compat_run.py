"""`make compat`: installs the lowest and the newest allowed versions, and runs tests and the demo with them.

Needs the standard library alone. Each job has a virtual environment of its own and leaves a record in
`build/compat`; `python -m docs.site.install_page` writes the records into docs/developers/tested-versions.md.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
RECORDS = ROOT / "build" / "compat"
PHONE = "./phone"
BASE = ("datasets", "hub", "lexical", "models", "pages", "phone", "plots")
LEARNING = ("embeddings", "train")
TOOLS = ("pytest", "pytest-timeout", "hypothesis", "fuzzywuzzy==0.18.0")
PIP = ("-m", "pip", "install", "--quiet", "--no-compile", "--disable-pip-version-check")

TESTS = (
    "tests/fingertip_dataset/parquet/test_features.py",
    "tests/fingertip_metrics/test_sim1_score.py",
    "tests/fingertip_metrics/test_execution.py",
    "tests/fingertip_models/chat/test_chat_client.py",
)
"""What every job runs, beside `fingertip demo`."""

LEARNING_TESTS = (
    "tests/fingertip_metrics/test_modules.py",
    "tests/fingertip_dataset/parquet/test_loading.py",
    "frameworks/tests/fingertip_training/test_finetune.py",
)
"""What a job with torch runs, too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """An environment in which a part of the tests is run.

    Attributes:
        name: Its name; the environment is `.venv-compat-NAME`.
        python: The interpreter, `python3.11`.
        lowest: Whether to install the lowest versions that pyproject.toml allows, else the newest.
        learning: Whether to install torch and what trains and embeds with it.
    """

    name: str
    python: str
    lowest: bool = False
    learning: bool = False

    @property
    def extras(self) -> tuple[str, ...]:
        """The extras that it installs."""
        return BASE + LEARNING if self.learning else BASE


JOBS = (
    Job(name="lowest", python="python3.11", lowest=True),
    Job(name="lowest-torch", python="python3.11", lowest=True, learning=True),
    Job(name="newest-torch", python="python3.11", learning=True),
    Job(name="newest-3.12", python="python3.12"),
    Job(name="newest-3.13", python="python3.13"),
)


def main() -> int:
    """Run the named jobs, or all of them; those whose Python is not installed are named and left out."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("jobs", nargs="*", metavar="JOB", help=", ".join(job.name for job in JOBS))
    names = parser.parse_args().jobs
    failed = []
    for job in JOBS:
        if names and job.name not in names:
            continue
        if not _runs(job.python):
            _print(f"{job.name}: left out, there is no {job.python}")
        elif not _run(job):
            failed.append(job.name)
    _print(f"failed: {', '.join(failed)}" if failed else "every job that could be run has passed")
    return 1 if failed else 0


def _run(job: Job) -> bool:
    """Install and test; the record is written only if everything passes."""
    record = RECORDS / f"{job.name}.json"
    record.unlink(missing_ok=True)
    python = _installed(job)
    tests = TESTS + LEARNING_TESTS if job.learning else TESTS
    _print(f"{job.name}: tests")
    done = subprocess.run(
        [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests],
        cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False,
    )  # fmt: skip
    _print(done.stdout[-6000:])
    _print(f"{job.name}: demo")
    with tempfile.TemporaryDirectory() as folder:
        words = ("demo", "--users", "2", "--episodes", "5", "--ways", "2")
        demo = subprocess.run(
            [python.with_name("fingertip"), *words], cwd=folder, stdout=subprocess.DEVNULL, check=False
        )
    counted = re.search(r"(\d+) passed", done.stdout)
    if done.returncode or demo.returncode or counted is None:
        return False
    shown = subprocess.run([python, "-c", _VERSIONS], capture_output=True, text=True, check=True)
    RECORDS.mkdir(parents=True, exist_ok=True)
    found = asdict(job) | {"extras": job.extras, "passed": int(counted[1])} | json.loads(shown.stdout)
    record.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return True


def _installed(job: Job) -> Path:
    """The interpreter of the job's environment, freshly installed."""
    folder = ROOT / f".venv-compat-{job.name}"
    shutil.rmtree(folder, ignore_errors=True)
    _print(f"{job.name}: install into {folder.name}")
    subprocess.run([job.python, "-m", "venv", folder], check=True)
    python = folder / "bin" / "python"
    if job.learning:
        # first, so that nothing else picks its build; older ones are not tested
        _pip(python, "torch==2.13.0")
    ours = ("-e", PHONE, "-e", f".[{','.join(job.extras)}]")
    bounds = _lowest(python, ours) if job.lowest else ()
    _pip(python, *ours, *TOOLS, *bounds)
    return python


def _lowest(python: Path, ours: tuple[str, ...]) -> tuple[str, str]:
    """Options of pip that keep what we ask for at the lowest versions."""
    _pip(python, "uv")
    folder = python.parents[1]
    wanted, bounds = folder / "wanted.txt", folder / "lowest.txt"
    wanted.write_text(
        "".join(f"{one} {name}\n" for one, name in zip(ours[::2], ours[1::2], strict=True)), "utf-8"
    )
    subprocess.run(
        [python.with_name("uv"), "pip", "compile", "--quiet", "--resolution", "lowest-direct",
         "--no-annotate", "--no-header", "--python", python, "--output-file", bounds, wanted],
        cwd=ROOT, check=True,
    )  # fmt: skip
    pins = [line for line in bounds.read_text(encoding="utf-8").splitlines() if "==" in line]
    # torch is there; pip takes no constraint on a local folder
    bounds.write_text("".join(f"{pin}\n" for pin in pins if not pin.startswith("torch==")), encoding="utf-8")
    return "-c", str(bounds)


def _pip(python: Path, *words: str) -> None:
    subprocess.run([python, *PIP, *words], cwd=ROOT, check=True)


def _runs(python: str) -> bool:
    try:
        return subprocess.run([python, "-V"], capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False


def _print(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


_VERSIONS = """
import json, platform
from importlib.metadata import distributions
found = {one.name.lower().replace("_", "-"): one.version for one in distributions()}
print(json.dumps({"python_version": platform.python_version(), "versions": dict(sorted(found.items()))}))
"""

if __name__ == "__main__":
    sys.exit(main())
