"""`fingertip review` of a run of track 1, and its labels as a judge."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from fingertip_agents import HabitBaseline
from fingertip_cli.main import cli
from fingertip_dataset.errors import UsageError
from suggestion_runner import run_suggestions
from tests.shared_datasets import built_sample

COMMAND = Path(sys.executable).with_name("fingertip")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sample")
    dataset = built_sample(tmp_path_factory)
    run_suggestions(dataset, HabitBaseline(), folder / "run")
    return folder / "run"


def post(address: str, body: object) -> None:
    request = urllib.request.Request(  # noqa: S310 - http on loopback
        address, data=json.dumps(body).encode(), headers={"Content-Type": "application/json"}
    )
    urllib.request.urlopen(request, timeout=120).close()  # noqa: S310 - http on loopback


def test_labels_of_the_page_are_the_judge_human(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call = [str(COMMAND), "review", str(run), "--rater", "A", "--no-browser"]
    with subprocess.Popen(call, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.search(r"^12 pairs of intents to label: (http://127\.0\.0\.1:\S+)$", line)
        assert found, line
        with urllib.request.urlopen(found[1] + "sitting", timeout=120) as answer:  # noqa: S310 - http on loopback
            pairs = json.load(answer)["pairs"]
        for pair in pairs:
            same = "yes" if pair["predicted"] == pair["intended"] else "no"
            post(f"{found[1]}label/{pair['key']}?rater=A", {"same": same})
        post(f"{found[1]}finish?rater=A", {})
        assert process.stdout.read().splitlines()[-1] == "A: 12 of 12 labelled"
        assert process.wait(120) == 0
    cli.main(
        ["score", str(run), "--embedder", "lexical", "--judge", "human", "--notes"], standalone_mode=False
    )
    assert "SR_1 by judge human (1 person)." in capsys.readouterr().out
    equal = sum(pair["predicted"] == pair["intended"] for pair in pairs)
    scores = json.loads((run / "scores.json").read_text(encoding="utf-8"))
    assert scores["sr1"]["mean"] == pytest.approx(equal / 12)


def test_a_judge_model_is_refused_for_track_1(run: Path) -> None:
    with pytest.raises(UsageError, match="--judge here is for runs of track 2"):
        cli.main(["review", str(run), "--judge", "m"], standalone_mode=False)
