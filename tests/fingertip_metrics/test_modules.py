from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from fingertip_metrics import get_embedder, result_dict, sim1, sim2, sr2
from fingertip_metrics.conventions import OFFICIAL_EMBEDDER
from fingertip_metrics.install import MODULES

SESSION = Path(__file__).with_name("evaluate_session.py")
HOME, BACK, DONE = "press_home()", "press_back()", "finished()"
PREDICTIONS, REFERENCES = [[HOME, DONE], ["a"], []], [[HOME, DONE], ["a"], [HOME]]
OTHERS: list[list[str]] = [[BACK, DONE], ["b"], []]
OUT_OF_REACH = (
    f"the embedder {OFFICIAL_EMBEDDER} is neither in the local cache nor on the Hub ({{}}): --embedder "
    "lexical needs no download (not comparable with the paper); or download it where there is network and "
    "give its folder as --embedder PATH"
)
CARD_NAMES = [["ways"] if name == "fingertip_identification" else [] for name in MODULES]
"""Further names that the example of each metric card defines."""

TEXTS = (["打开微信", ""], ["打开微博", "点外卖"])


def run_session(folder: Path) -> dict[str, Any]:
    """What the session printed, run in another folder, with an empty home and without network."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("HF_", "XDG_"))}
    with socket.create_server(("127.0.0.1", 0)) as free:
        hub = f"http://127.0.0.1:{free.getsockname()[1]}"
    offline = {
        "HF_HOME": str(folder / "home"),
        "HF_EVALUATE_OFFLINE": "1",
        "HF_ENDPOINT": hub,
        "NO_PROXY": "*",
    }
    done = subprocess.run(
        [sys.executable, str(SESSION)],
        capture_output=True,
        text=True,
        cwd=folder,
        env={**clean, **offline, "PYTHONPATH": str(SESSION.parents[2])},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.install
def test_the_modules_from_another_folder_offline_in_an_empty_home(tmp_path: Path) -> None:
    found = run_session(tmp_path)

    assert found["sim1"] == result_dict(sim1(*TEXTS, embedder=get_embedder("lexical")), per_item=False)
    assert found["sim1_model"]["embedder"] == str(tmp_path / "tiny" / "model")
    assert not found["sim1_model"]["comparable"]
    assert found["before"].startswith("FileNotFoundError"), "the cache was to be empty"
    assert "the module fingertip_sim2 in the cache is not of the installed fingertip-20k" in found["stale"]
    assert found["stale"].startswith("UsageError")
    assert found["stale is gone"] is True
    paper = sim2(PREDICTIONS, REFERENCES, OTHERS, protocol="paper")
    assert found["combined"]["sim2"] == paper.sim2
    assert found["combined"]["sr2"] == sr2(PREDICTIONS, REFERENCES, [True, False, False]).sr2
    assert found["combined"]["fingertip_sim2_n"] == found["combined"]["fingertip_sr2_n"] == 3
    assert {name: found["saved"][name] for name in found["sim1"]} == found["sim1"]
    assert found["described"] == list(MODULES)
    assert {name: failed for name, (run, failed) in found["examples"].items() if run > 1} == dict.fromkeys(
        MODULES, 0
    )
    assert found["cards"] == [["evaluate", "fingertip_metrics", "metric", *more] for more in CARD_NAMES]

    official = found["official"]
    assert official["no answer"] == f"ModelError: {OUT_OF_REACH.format('no answer from the Hub')}"
    assert official["not there"].startswith(f"ModelError: {OUT_OF_REACH.partition('{}')[0]}OSError: ")
    assert official["cached"]["embedder"] == OFFICIAL_EMBEDDER
    assert official["cached"]["comparable"]
