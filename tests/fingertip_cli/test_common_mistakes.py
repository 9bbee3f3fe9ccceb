"""Mistakes that people make, and the line that each is answered with."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.command_line import fingertip
from tests.shared_datasets import built_sample, simulated_people

FREE_PORT = "http://127.0.0.1:9/v1"
"""Address at which nothing listens: port 9 is for a service that no computer has on."""

MISTAKES: Sequence[tuple[str, str]] = (
    (
        "sugest sim",
        "there is no command 'sugest': did you mean suggest? (see fingertip --help)",
    ),
    (
        "suggest sim --agnet habit",
        "there is no option --agnet: did you mean --agent?",
    ),
    (
        "suggest sim --agent habitt --out x",
        "got 'habitt': did you mean habit?",
    ),
    (
        "suggest sim --agent imitate --out x",
        "the agent imitate is of track 2; track 1 has always, first-screen, frequent, habit, ",
    ),
    (
        "suggest sim --agent auto --model m --out x",
        "auto takes a format of track 2: on track 1 every model answers to --agent model",
    ),
    (
        "suggest sim --agent qwen3.5 --model m --out x",
        "the agent qwen3.5 is a format of track 2: on track 1 every model answers to --agent model",
    ),
    (
        "suggest sim --agent modell --model m --out x",
        "got 'modell': did you mean model?",
    ),
    (
        "suggest sim --distribution 5 --agent habit --out x",
        "fingertip suggest: --distribution takes no value, got 5 (see fingertip suggest --help)",
    ),
    (
        "suggest sim --agent habit --split test_sugestion --out x",
        "got 'test_sugestion': did you mean test_suggestion?",
    ),
    (
        "suggest sim --agent habit --history al --out x",
        "'al' is not one of '20', 'relevant', 'all', 'none': did you",
    ),
    ("tasks sim --instructions goal", "'no-arguments', 'goal-alone': did you mean goal-alone?"),
    (
        "suggest people --agent habit --out x",
        "this folder holds a raw release, not a built dataset: `fingertip build people/raw "
        "--tables people/tables --out DATASET` makes a dataset of it",
    ),
    (
        "suggest sim/README.md --agent habit --out x",
        "this is a file of a built dataset: give its folder, sim",
    ),
    (
        "suggest sim --agent habit --out sim",
        "this is a built dataset, not a run: give another --out",
    ),
    (
        "suggest sim --agent habit --out notes.txt",
        "a file is there, and a run is a folder: give another --out",
    ),
    (
        "suggest sim --agent model --model gpt --out x",
        "the environment variable OPENAI_API_KEY has no API key: set",
    ),
    (
        f"suggest sim --agent model --model m --base-url {FREE_PORT} --out x",
        "start the server or correct its URL",
    ),
    (
        "execute own --agent imitate --device simulated --out x",
        "the simulated phone needs a dataset of simulated people",
    ),
    (
        "score run --embedder lexical --judge lexcial",
        "there is no judge 'lexcial': did you mean lexical? A model of that name needs its base URL",
    ),
    (
        "sample y --locale enn",
        "no phone speaks 'enn'; there are zh, en: did you mean en?",
    ),
    (
        "build sim --out built",
        "this is a built dataset, not a raw release: give the raw folders that it was built from",
    ),
    (
        "check people",
        "did you mean people/raw?",
    ),
    (
        "score run --by scenarios",
        "there is no --by scenarios for these runs, which take user, app, category, scenario, ",
    ),
    (
        "score nowhere",
        "no run: `fingertip suggest` or `fingertip execute` makes one; there is no folder nowhere in ",
    ),
    (
        "score sim",
        "this is a built dataset, not a run: `fingertip suggest` or `fingertip execute` makes one of it",
    ),
    (
        "suggest SIM --agent habit --out x",
        "no built dataset: `fingertip build` makes one; there is no folder SIM in ",
    ),
    (
        "suggest someone/data --agent habit --out x",
        "For a name on the Hub, `hf download someone/data --repo-type dataset --local-dir data` brings",
    ),
    (
        "verify run.zip --dataset sim",
        "no bundle: `fingertip submit RUN --out DIR` makes one; there is no folder run.zip in ",
    ),
    (
        "score run/run.json",
        "this is a file of a run: give its folder, run",
    ),
    (
        "score-csv run",
        "this is a run, not a CSV file: `fingertip score` scores runs",
    ),
    (
        "verify run --dataset sim",
        "this is a run, not a bundle: `fingertip submit RUN --out DIR` makes a bundle of it",
    ),
    (
        "leaderboard run --dataset sim",
        "this is a run, not a folder of bundles: `fingertip submit` makes a bundle of",
    ),
    (
        "submit run --name a --contact bob",
        "--contact cannot be 'bob': give an e-mail address or an https link",
    ),
    (
        "submit run --contact a@b.org",
        "the bundle of a run needs --name",
    ),
    (
        "experiment tabel-11",
        "got 'tabel-11': did you mean table-11?",
    ),
    (
        "paper tabel-5",
        "got 'tabel-5': did you mean table 5?",
    ),
    (
        "doctor --device hdc:1",
        "no device kind drives HarmonyOS NEXT",
    ),
    (
        "stats run --out x",
        "this is a run, not a built dataset: it is of the dataset ",
    ),
)
"""Call -> what its one line of answer has."""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a release `people`, its dataset `sim`, one without simulations, a run, and a file."""
    made = simulated_people(tmp_path_factory)
    folder = tmp_path_factory.mktemp("mistakes")
    for name in ("raw", "tables"):
        shutil.copytree(made / "sample" / name, folder / "people" / name)
    (folder / "sim").symlink_to(made / "dataset")
    (folder / "notes.txt").write_text("notes", encoding="utf-8")
    done = fingertip("suggest", "sim", "--agent", "recent", "--out", "run", cwd=folder)
    assert done.returncode == 0, done.stderr
    (folder / "own").symlink_to(built_sample(tmp_path_factory))
    return folder


@pytest.mark.parametrize(("call", "line"), MISTAKES, ids=[call for call, _ in MISTAKES])
def test_a_mistake_is_answered_with_one_helpful_line(call: str, line: str, place: Path) -> None:
    env = {name: value for name, value in os.environ.items() if name != "OPENAI_API_KEY"}
    done = fingertip(*call.split(), cwd=place, env=env)
    assert (done.returncode, done.stdout) == (2, "")
    lines = [
        one for one in done.stderr.splitlines() if not one.startswith(("stopping: ", "tasks answered 0/"))
    ]
    assert len(lines) == 1, done.stderr
    assert line in lines[0]
    # a pattern, a type or the name of a class says nothing to a person
    assert not {"Error:", "regex", "pattern", "NoneType", "Traceback"} & set(lines[0].split())


@pytest.mark.parametrize(
    ("call", "advice"),
    [
        ("score run", ": --embedder lexical needs no download (not comparable"),
        pytest.param(
            "build people/raw --tables people/tables --references official --out b",
            ": --references text or lexical needs no",
            marks=pytest.mark.soak,
        ),
    ],
)
def test_without_network_the_default_embedder_is_answered_with_one_that_needs_none(
    call: str, advice: str, place: Path, tmp_path: Path
) -> None:
    # a process of its own: the Hub's client reads its home and its address when it is imported
    offline = {"HF_HOME": str(tmp_path), "HF_ENDPOINT": FREE_PORT, "NO_PROXY": "*"}
    command = Path(sys.executable).with_name("fingertip")
    done = subprocess.run(
        [command, *call.split()],
        cwd=place,
        env=os.environ | offline,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert advice in done.stderr
    assert "paraphrase-multilingual-MiniLM-L12-v2" in done.stderr
    assert not (place / "run" / "scores.json").exists()


@pytest.mark.parametrize("prefix", ["adb:", "uiautomator2:", "u2:", ""])
def test_every_command_takes_every_spelling_of_a_phone(prefix: str, place: Path) -> None:
    execute = fingertip(
        "execute", "nowhere", "--agent", "imitate", "--device", f"{prefix} x", "--out", "z", cwd=place
    )
    doctor = fingertip("doctor", "--device", f"{prefix} x", cwd=place)
    assert "expected a device: adb:SERIAL" in execute.stderr
    assert "expected a device: adb:SERIAL" in doctor.stderr
