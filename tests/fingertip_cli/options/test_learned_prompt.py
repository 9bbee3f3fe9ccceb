"""The note of a run whose prompt a fine-tuned model has not learned."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fingertip_agents import get_agent
from fingertip_agents.prompts.prompt_text import PromptText, read_prompt_text
from fingertip_agents.registry import get_execution_agent
from fingertip_agents.setup import AgentSetup
from fingertip_agents.suggestion import suggestion_prompt
from fingertip_cli.options.learned_prompt import note_learned_prompt
from fingertip_models.options import ModelOptions

SETUP = AgentSetup(model=ModelOptions(model="m", base_url="http://127.0.0.1:1/v1"))
OURS = f"model {suggestion_prompt.VERSION}"


def note(
    capsys: pytest.CaptureFixture[str], folder: Path, agent: str = "model", setup: AgentSetup = SETUP
) -> str:
    """Lines that are printed before a run of this agent with the adapter in this folder."""
    model: dict[str, Any] = {"backend": "local", "model": "base", "adapter": folder}
    if agent == "model":
        note_learned_prompt(model, get_agent(agent, setup), "suggestion")
    else:
        note_learned_prompt(model, get_execution_agent(agent, setup), "execution")
    printed = capsys.readouterr()
    assert printed.out == ""
    return printed.err


def card(folder: Path, prompts: dict[str, str], language: str = "zh") -> Path:
    """A folder with a training.json of these prompts."""
    samples = {"language": language, "options": {"prompt_file": None, "system_prompt_file": None}}
    (folder / "training.json").write_text(json.dumps({"prompts": prompts, "samples": samples}))
    return folder


def test_the_learned_prompt_has_no_note(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    version = get_execution_agent("generalist", SETUP).settings["prompt"]
    card(tmp_path, {"suggestion": OURS, "execution": f"generalist {version}"})
    assert note(capsys, tmp_path) == note(capsys, tmp_path, "generalist") == ""
    card(tmp_path, {"suggestion": "model v0"})
    behind = {"backend": "openai", "model": "tuned", "adapter": None}
    note_learned_prompt(behind, get_agent("model", SETUP), "suggestion")
    (tmp_path / "training.json").write_text("{}")
    assert note(capsys, tmp_path) == ""


def test_another_version_and_language_are_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    card(tmp_path, {"suggestion": "model v0"}, "en")
    begin = f"note: {tmp_path} has not learned the prompt that it is sent: "
    assert note(capsys, tmp_path) == f"{begin}learned model v0, sent {OURS}; learned en, sent zh\n"


def test_another_agent_track_and_text_are_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    version = get_execution_agent("qwen2.5-vl", SETUP).settings["prompt"]
    learned = card(tmp_path, {"execution": f"qwen2.5-vl {version}"})
    assert f"learned qwen2.5-vl {version} (execution), sent {OURS} (suggestion)\n" in note(capsys, learned)
    sent = f"autodroid {get_execution_agent('autodroid', SETUP).settings['prompt']}"
    assert note(capsys, learned, "autodroid").endswith(f": learned qwen2.5-vl {version}, sent {sent}\n")
    file = tmp_path / "own.txt"
    file.write_text("{task} {history}")
    setup = AgentSetup(model=SETUP.model, prompt=read_prompt_text(str(file)))
    assert ": learned our text, sent file own.txt" in note(capsys, learned, "qwen2.5-vl", setup)


def test_a_learned_text_is_compared_by_its_hash(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    texts = (("a.txt", "{intents}"), ("b.txt", "{time} {intents}"))
    learned, other = (write(tmp_path / name, text) for name, text in texts)
    training = json.loads((card(tmp_path, {"suggestion": OURS}) / "training.json").read_text())
    training["prompt_texts"] = {"suggestion": f"file {learned.label}"}
    training["samples"]["options"]["prompt_file"] = "a.txt"
    (tmp_path / "training.json").write_text(json.dumps(training))
    setups = [AgentSetup(model=SETUP.model, prompt=text) for text in (learned, other)]
    assert note(capsys, tmp_path, setup=setups[0]) == ""
    sent = note(capsys, tmp_path, setup=setups[1])
    assert f"learned file {learned.label}, sent file {other.label}\n" in sent
    assert f"learned file {learned.label}, sent our text\n" in note(capsys, tmp_path)


def write(file: Path, text: str) -> PromptText:
    """Write the text of a prompt of track 1 into a file, and read it."""
    file.write_text(text)
    return read_prompt_text(str(file), "suggestion")
