"""Run by test_modules.py in a process of its own: importing `evaluate` takes seconds, so everything at once.

Works in the current folder. The environment's HF_ENDPOINT is a port of this machine, on which nobody listens
at first. Prints one JSON object.
"""

from __future__ import annotations

import doctest
import importlib
import json
import os
import runpy
import shutil
import sys
import threading
import time
from collections.abc import Callable
from contextlib import redirect_stdout
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import evaluate

import fingertip_metrics
from fingertip_metrics.conventions import OFFICIAL_EMBEDDER
from fingertip_metrics.install import MODULES, find_modules_cache
from tests.tiny_models import write_sentence_model

HOME, BACK, DONE = "press_home()", "press_back()", "finished()"
SIM2 = {
    "predictions": [[HOME, DONE], ["a"], []],
    "references": [[HOME, DONE], ["a"], [HOME]],
    "others": [[BACK, DONE], ["b"], []],
}
SUCCESS = [True, False, False]
SIM1 = {"predictions": ["打开微信", ""], "references": ["打开微博", "点外卖"]}


def refusal(call: Callable[[], object]) -> str:
    """Type and text of the error that the call must end in."""
    try:
        call()
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "no error"


class Nothing(BaseHTTPRequestHandler):
    """A Hub that has nothing."""

    def do_GET(self) -> None:
        self.send_error(404)

    do_HEAD = do_GET

    def log_message(self, *_: object) -> None:
        """Stay silent."""


def official(sim1: Any, model: Path) -> dict[str, Any]:  # noqa: ANN401
    """The official embedder without network, on a Hub that does not have it, and in the cache."""
    results: dict[str, Any] = {"no answer": refusal(lambda: sim1.compute(**SIM1))}
    with ThreadingHTTPServer(("127.0.0.1", urlsplit(os.environ["HF_ENDPOINT"]).port or 0), Nothing) as hub:
        threading.Thread(target=hub.serve_forever, daemon=True).start()
        results["not there"] = refusal(lambda: sim1.compute(**SIM1))
        hub.shutdown()
    folder = Path(os.environ["HF_HOME"], "hub", f"models--{OFFICIAL_EMBEDDER.replace('/', '--')}")
    (folder / "refs").mkdir(parents=True, exist_ok=True)
    (folder / "refs" / "main").write_text("0" * 40)
    shutil.copytree(model, folder / "snapshots" / ("0" * 40))
    results["cached"] = sim1.compute(**SIM1)
    return results


def run_card(name: str) -> list[str]:
    """The example of a metric card, run; the names that it leaves behind."""
    card = Path(fingertip_metrics.path(name), "README.md").read_text(encoding="utf-8")
    script = Path(f"card_of_{name}.py")
    script.write_text(card.split("```python\n", 1)[1].split("```", 1)[0], encoding="utf-8")
    return sorted(name for name in runpy.run_path(str(script)) if not name.startswith("_"))


def plant_stale() -> Path:
    """A module of an earlier version in the cache, newer than the one that was installed."""
    folder = (
        find_modules_cache() / "evaluate_modules" / "metrics" / "evaluate-metric--fingertip_sim2" / ("0" * 64)
    )
    folder.mkdir()
    (folder / "__init__.py").touch()
    script = Path(fingertip_metrics.path("fingertip_sim2"), "fingertip_sim2.py").read_text(encoding="utf-8")
    (folder / "fingertip_sim2.py").write_text(script + "# as it was\n", encoding="utf-8")
    later = time.time() + 60
    os.utime(folder / "fingertip_sim2.py", (later, later))
    return folder


def run_examples(name: str) -> tuple[int, int]:
    """Numbers of examples that were run and that failed, where the tests of `evaluate` look for them."""
    found = evaluate.loading.evaluation_module_factory(fingertip_metrics.path(name))
    # what fails is printed, and stdout is for the results
    with redirect_stdout(sys.stderr):
        done = doctest.testmod(importlib.import_module(found.module_path))
    return done.attempted, done.failed


def main() -> dict[str, Any]:
    """Everything that test_modules.py looks at."""
    model = str(write_sentence_model(Path.cwd() / "tiny"))
    before = refusal(lambda: evaluate.load("fingertip_sim2"))
    modules = {name: evaluate.load(fingertip_metrics.path(name), keep_in_memory=True) for name in MODULES}
    results = {
        "before": before,
        "sim1": modules["fingertip_sim1"].compute(**SIM1, embedder="lexical"),
        "sim1_model": modules["fingertip_sim1"].compute(**SIM1, embedder=model, protocol="paper"),
        "official": official(modules["fingertip_sim1"], Path(model)),
        "examples": {name: run_examples(name) for name in MODULES},
        "described": [metric.name for metric in modules.values()],
    }
    fingertip_metrics.install_modules()
    stale = plant_stale()
    results["stale"] = refusal(lambda: evaluate.load("fingertip_sim2"))
    fingertip_metrics.install_modules()
    results["stale is gone"] = not stale.exists()
    both = evaluate.combine(["fingertip_sim2", "fingertip_sr2"])
    results["combined"] = both.compute(**SIM2, success=SUCCESS, protocol="paper")
    results["cards"] = [run_card(name) for name in MODULES]
    results["saved"] = json.loads(
        evaluate.save(Path("result.json"), **results["sim1"]).read_text(encoding="utf-8")
    )
    return results


if __name__ == "__main__":
    sys.stdout.write(json.dumps(main()))
