"""Prompts of the judges by screens and of reasons, as a server receives them, by the release's language.

A release in Chinese is judged in Chinese, every other one in English; the reason of a third language is
requested by the name of that language. Nothing but the data has Chinese characters in an English prompt.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from fingertip_agents import HabitBaseline
from fingertip_dataset.parquet.manifest import MANIFEST, Manifest
from suggestion_runner import run_suggestions
from tests.command_line import fingertip
from tests.execution_runner.conftest import DrawRun
from tests.obedient_judge import read_question, repeat_code
from tests.shared_datasets import built_sample
from tests.shared_fixtures import OpenAIServer, ReceivedRequest
from tests.test_prompts_in_english import CHINESE

REASONS = {
    "zh": '"reason": "一两句话"',
    "en": '"reason": "one or two sentences"',
    "de": '"reason": "one or two sentences in German"',
}
LETTER = re.compile("[A-Za-z]+")
LATIN = {"JSON", "x", "y", "null", "true", "false", "uXXXX", "app", "task", "actions", "pictures"}
LATIN |= {"code", "predicted", "intended", "time", "place", "earlier", "step"}
"""Words of Latin letters in a Chinese prompt besides names of reasons: names of fields, and JSON."""


def check(query: ReceivedRequest, language: str) -> dict[str, Any]:
    """Check a prompt's language; returns the data of the question."""
    system = query.body["messages"][0]["content"]
    assert REASONS[language] in system
    if language == "zh":
        lines = [line for line in system.splitlines() if not line.startswith(("- ", "{"))]
        assert all(CHINESE.search(line) for line in lines if line)
        assert set(LETTER.findall(" ".join(lines))) <= LATIN
    else:
        assert CHINESE.search(system) is None
        assert "Chinese" not in system
    return read_question(query.text)


def write_manifest(folder: Path, source: Path, language: str) -> Path:
    """Write the manifest of a dataset for a release in another language."""
    folder.mkdir(exist_ok=True)
    manifest = Manifest.read(source / MANIFEST)
    settings = manifest.settings.model_copy(update={"language": language})
    manifest.model_copy(update={"release": settings}).write(folder / MANIFEST)
    return folder


@pytest.mark.parametrize("language", ["zh", "en", "de"])
def test_judges_by_screens(sample: Path, openai_server: OpenAIServer, tmp_path: Path, language: str) -> None:
    dataset = write_manifest(tmp_path / "data", sample, language)
    step = {"action": "click(coordinates=(3, 4))", "screenshot": "0.png", "performed": False}
    tasks = [{"actions": [step, "finished()"], "final_screenshot": "0.png", "intent": "Play the song"}]
    run = DrawRun(tmp_path)(tasks, device="adb", dataset={"path": str(dataset)})
    Image.new("L", (120, 240), 80).save(run / "0.png")
    judge = ("--judge", "m", "--judge-base-url", openai_server.base_url, "--judge-no-preflight")
    verdicts = {"reason": "x", "done": False}, {"reason": "x", "step": 1, "kind": "off_way"}
    openai_server.replies = repeat_code(openai_server, *verdicts)
    for more in ((), ("--why",)):
        done = fingertip("review", run, *judge, *more)
        assert done.returncode == 0, done.stderr
    name = {"zh": "zh-3", "en": "en-3", "de": "en-3-de"}[language]
    labels = [json.loads((run / file).read_text()) for file in ("labels.jsonl", "why.jsonl")]
    assert [label["rater"] for label in labels] == [f"judge:m@{name}", f"why-judge:m@{name}"]
    assert len(openai_server.requests) == 2
    for query in openai_server.requests:
        data = check(query, language)
        assert (CHINESE.search(data["pictures"][0]) is None) == (language != "zh")
        assert (CHINESE.search(data["actions"][0]["note"]) is None) == (language != "zh")


@pytest.mark.parametrize("language", ["zh", "en", "de"])
def test_reasons_of_suggestions(
    tmp_path_factory: pytest.TempPathFactory, openai_server: OpenAIServer, tmp_path: Path, language: str
) -> None:
    source = built_sample(tmp_path_factory)
    dataset = write_manifest(tmp_path / "data", source, language)
    for shard in (file for file in source.iterdir() if file.name != MANIFEST):
        (dataset / shard.name).symlink_to(shard)
    run = tmp_path / "habit"
    run_suggestions(dataset, HabitBaseline(), run, limit=1)

    def reply(query: ReceivedRequest) -> Any:  # noqa: ANN401 - the server's
        data = check(query, language)
        verdict = {"kind": "generic"} if "earlier" in data else {"same": False}
        return openai_server.says(json.dumps({"code": data["code"], "reason": "x", **verdict}))

    openai_server.replies = reply
    server = ("--judge-base-url", openai_server.base_url, "--judge-no-preflight")
    judge = ("--judge", "m", *server, "--judge-check", 0)
    done = fingertip("score", run, "--embedder", "lexical", *judge, "--why", "--json")
    assert done.returncode == 0, done.stderr
    why = json.loads(done.stdout)["runs"][0]["why"]
    name = {"zh": "zh-1", "en": "en-1", "de": "en-1-de"}[language]
    assert [one["by"] for one in why["attempts"]] == [f"why-judge:m@{name}"]
    assert why["judge"]["prompt"].get("reasons") == ("de" if language == "de" else None)
    assert len(openai_server.requests) == 2
