"""`fingertip agents --model`, and `execute --agent auto`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fingertip_cli.execution.execution_model import choose_execution_agent
from tests.command_line import fingertip
from tests.shared_fixtures import OpenAIServer


def test_what_a_model_needs_is_printed() -> None:
    done = fingertip("agents", "--model", "/models/UI-TARS-1.5-7B-Q4_K_M.gguf")
    assert (done.returncode, done.stderr) == (0, "")
    name, *lines = done.stdout.splitlines()
    assert name == "/models/UI-TARS-1.5-7B-Q4_K_M.gguf"
    parts = dict(line.split(None, 1) for line in lines)
    assert parts["agent"] == "ui-tars-1.5"
    assert parts["server"].startswith("vllm serve ByteDance-Seed/UI-TARS-1.5-7B --served-model-name ")
    assert parts["picture"].startswith("1092x2408; ")
    assert parts["source"].startswith("bytedance/UI-TARS ")


def test_all_that_a_short_name_fits_is_listed() -> None:
    rows = json.loads(fingertip("agents", "--model", "ui-tars", "--json").stdout)
    assert rows["model"] == "ui-tars"
    assert {row["format"] for row in rows["models"]} == {"ui-tars-v1", "ui-tars-1.5", "ui-tars-2"}
    lines = fingertip("agents", "--model", "ui-tars").stdout.splitlines()
    assert lines[0] == "ui-tars fits 3 known models"


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("--model", "nothing-like-it"), "no known model is named nothing-like-it: name the format of its "),
        (("--model", "ui-tars", "--track", "suggestion"), "--model is for track 2: on track 1 every model "),
    ],
)
def test_a_wrong_call_is_one_line(arguments: tuple[str, ...], problem: str) -> None:
    done = fingertip("agents", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"fingertip: {problem}")
    assert done.stderr.count("\n") == 1


def test_a_run_takes_the_format_of_its_model_and_records_it(
    people: Path, tmp_path: Path, openai_server: OpenAIServer
) -> None:
    call = "<tool_call><function=mobile_use><parameter=action>terminate</parameter></function></tool_call>"
    openai_server.replies = lambda _: openai_server.says(call)
    server = ("--base-url", openai_server.base_url, "--device", "simulated", "--limit", "1")
    run = tmp_path / "run"
    done = fingertip("execute", people, "--agent", "auto", "--model", "Qwen3.5-4B", *server, "--out", run)
    assert done.returncode == 0, done.stderr
    assert "agent qwen3.5 for the model Qwen3.5-4B\n" in done.stderr
    agent = json.loads((run / "run.json").read_text("utf-8"))["agent"]
    assert (agent["name"], agent["settings"]["format"]) == ("qwen3.5", "qwen3.5")
    steps = [json.loads(line) for line in (run / "steps.jsonl").read_text("utf-8").splitlines()]
    assert [step["action"] for step in steps if step["kind"] == "step"] == ["finished()"]
    refused = fingertip(
        "execute", people, "--agent", "auto", "--model", "m", *server, "--out", tmp_path / "no"
    )
    assert refused.returncode == 2
    assert refused.stderr.startswith("fingertip: no known model is named m: ")


def test_a_recommended_limit_of_pixels_is_a_hint_alone(capsys: pytest.CaptureFixture[str]) -> None:
    for pixels, hints in ((None, ["hint: --max-pixels 5000000 is recommended for it"]), (400_000, [])):
        model = {"model": "zai-org/AutoGLM-Phone-9B", "max_pixels": pixels}
        assert choose_execution_agent("auto", model) == "autoglm-phone"
        named, *rest = capsys.readouterr().err.splitlines()
        assert named == "agent autoglm-phone for the model zai-org/AutoGLM-Phone-9B"
        assert rest == hints
