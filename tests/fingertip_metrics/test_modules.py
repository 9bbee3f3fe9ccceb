from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

from fingertip_metrics import get_embedder, result_dict, sim1, sim2, sr2
from fingertip_metrics.conventions import OFFICIAL_EMBEDDER
from fingertip_metrics.install import MODULES
from fingertip_metrics.judges import LexicalJudge
from fingertip_metrics.sr1_score import sr1

SESSION = Path(__file__).with_name("evaluate_session.py")
HOME, BACK, DONE = "press_home()", "press_back()", "finished()"
PREDICTIONS, REFERENCES = [[HOME, DONE], ["a"], []], [[HOME, DONE], ["a"], [HOME]]
OTHERS: list[list[str]] = [[BACK, DONE], ["b"], []]
OUT_OF_REACH = (
    f"the embedder {OFFICIAL_EMBEDDER} is neither in the local cache nor on the Hub ({{}}): --embedder "
    "lexical needs no download (not comparable with the paper); or download it where there is network and "
    "give its folder as --embedder PATH"
)
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


def test_the_modules_from_another_folder_offline_in_an_empty_home(tmp_path: Path) -> None:
    found = run_session(tmp_path)

    lexical = result_dict(sim1(*TEXTS, embedder=get_embedder("lexical")), per_item=True)
    assert found["sim1"] == lexical
    assert found["again"] == {name: value for name, value in lexical.items() if name != "per_item"}
    assert found["sim1_model"]["embedder"] == str(tmp_path / "tiny" / "model")
    assert not found["sim1_model"]["comparable"]
    release = result_dict(sim2(PREDICTIONS, REFERENCES, OTHERS), per_item=True)
    paper = result_dict(sim2(PREDICTIONS, REFERENCES, OTHERS, protocol="paper"), per_item=False)
    success = result_dict(sr2(PREDICTIONS, REFERENCES, [True, False, False]), per_item=True)
    assert found["sim2"] == release
    assert found["sim2_paper"] == paper
    assert found["sr2"] == success
    judged = json.loads(json.dumps(result_dict(sr1(*TEXTS, judge=LexicalJudge()), per_item=True)))
    assert found["sr1"] == judged
    assert (found["sr1_object"]["sr1"], found["sr1_object"]["empty"]) == (0.5, 1)
    effort = {"seconds": 1.5, "prompt_tokens": 5.5, "completion_tokens": None}
    both = {**lexical, **judged, **effort}
    assert found["suggestion"] == {name: both[name] for name in found["suggestion"]} | {
        "why_not_comparable": f"{judged['why_not_comparable']}; {lexical['why_not_comparable']}"
    }

    assert found["before"].startswith("FileNotFoundError"), "the cache was to be empty"
    assert "the module fingertip_sim2 in the cache is not of the installed fingertip-20k" in found["stale"]
    assert found["stale"].startswith("UsageError")
    assert found["stale is gone"] is True
    assert found["row by row"] == {name: value for name, value in release.items() if name != "per_item"}
    assert found["combined"]["sim2"] == paper["sim2"]
    assert found["combined"]["sr2"] == success["sr2"]
    assert found["combined"]["fingertip_sim2_n"] == found["combined"]["fingertip_sr2_n"] == 3
    assert {name: found["saved"][name] for name in paper} == paper
    assert found["described"] == list(MODULES)
    assert found["cards"] == [["evaluate", "fingertip_metrics", "metric"]] * 5
    for theirs, ours in found["caches"]:
        assert theirs == ours

    official = found["official"]
    assert official["no answer"] == f"ModelError: {OUT_OF_REACH.format('no answer from the Hub')}"
    assert official["not there"].startswith(f"ModelError: {OUT_OF_REACH.partition('{}')[0]}OSError: ")
    assert official["cached"]["embedder"] == OFFICIAL_EMBEDDER
    assert official["cached"]["comparable"]

    refusals = found["refusals"]
    expected = {
        "empty": "at least one row in predictions",
        "lengths": "Mismatch in the number of predictions (1) and references (2)",
        "late number": "expected predictions[2] to be a string, got int",
        "late none": "expected references[1] to be a string, got NoneType",
        "bare string": "expected predictions to be a list of strings, got str",
        "missing": "expected references to be a list of strings, got NoneType",
        "late number in a row": "expected references[0] to be a string, got int",
        "bare row": "expected others[2] to be a list of strings, got str",
        "no person": "expected at least one action in references[2], got none",
        "one row": "expected references[0] to be a list of strings, got str",
        "one": "expected success[2] to be True, False or None, got 1",
        "text": "expected success[2] to be True, False or None, got 'False'",
        "protocol": "expected protocol release or paper, got 'strict'",
        "option": "protocl",
        "no judge": "UsageError: expected a judge: lexical, human, simulated, simulated-goal or",
        "no labels": "InputError: the labels cannot be read: No such file or directory",
        "no seconds": "expected seconds[1] to be a number of 0 or more, got nan",
        "surrogate": "expected predictions[0] to be Unicode text",
    }
    assert {name: expected[name] in refusals[name] for name in expected} == dict.fromkeys(expected, True), (
        refusals
    )
