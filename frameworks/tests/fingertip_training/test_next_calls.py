"""The calls that `finetune` prints at its end: each runs the model, as it was trained."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from fingertip_training import ExportOrder
from fingertip_training.commands.finetune import list_next_calls
from fingertip_training.finetune.finetuning import FinetuneResult
from tests.fingertip_cli.all_commands import all_commands


def read_call(line: str) -> dict[str, object]:
    _, name, *words = shlex.split(line)
    command = dict(all_commands())[name]
    with click.Context(command, info_name=name) as context:
        values, rest, _ = command.make_parser(context).parse_args(words)
    assert not rest
    return {"command": name, **values}


def test_each_track_of_a_joint_training_has_a_call_with_the_adapter(people: Path) -> None:
    adapter = Path("my adapters/a")
    result = FinetuneResult(folder=adapter, training={"method": "lora", "base": {"name": "Qwen/Qwen3-0.6B"}})
    order = ExportOrder(track="joint", agent="ui-tars-1.5", screenshots=1)
    prompt = {"--screenshots": "1", "--reference": "none", "--rank": "8"}
    first, second = map(read_call, list_next_calls(result, people, order, prompt))
    common = {"dataset": str(people), "backend": "local", "model": "Qwen/Qwen3-0.6B", "adapter": str(adapter)}
    own = {"command": "suggest", "agent": "model", "screenshots": "1", "out": "my adapters/a-runs/suggestion"}
    assert first == common | own
    assert second.pop("devices") == ["simulated"]
    own = {"command": "execute", "agent_name": "ui-tars-1.5", "reference": "none"}
    assert second == common | own | {"out": "my adapters/a-runs/execution"}


def test_a_whole_model_is_run_by_its_folder(sample: Path) -> None:
    result = FinetuneResult(folder=Path("-full"), training={"method": "full", "base": {"name": "base"}})
    (line,) = list_next_calls(result, sample, ExportOrder(track="execution"), {})
    call = read_call(line)
    assert call["model"] == "./-full"
    assert call["devices"] == ["replay"]
    assert "adapter" not in call
