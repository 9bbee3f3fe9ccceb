"""docs/reference/rl-frameworks.md: its blocks run, and what it names is there."""

from __future__ import annotations

import ast
import asyncio
import json
import re
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pyarrow.parquet as pq
import pytest
import yaml

from fingertip_environments import PhoneTask, live_tasks, phone_tools
from fingertip_environments.trl_attempt import OVER
from tests.test_architecture import ROOT

TEXT = (ROOT / "docs" / "reference" / "rl-frameworks.md").read_text(encoding="utf-8")
PAGE = TEXT.replace("people=3, episodes=8", "people=1, episodes=2")  # fewer of them for a test
BLOCKS = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
ENVIRONMENTS = ROOT / "frameworks" / "fingertip_environments"


def list_arguments(module: str, name: str, function: str = "__init__") -> set[str]:
    """Names of the arguments of a method, read from a module that imports what is not installed here."""
    tree = ast.parse((ENVIRONMENTS / f"{module}.py").read_text(encoding="utf-8"))
    (kind,) = (one for one in tree.body if isinstance(one, ast.ClassDef) and one.name == name)
    if function in (one.name for one in kind.body if isinstance(one, ast.FunctionDef)):
        (method,) = (one for one in kind.body if isinstance(one, ast.FunctionDef) and one.name == function)
        return {one.arg for one in method.args.kwonlyargs}
    return {one.target.id for one in kind.body if isinstance(one, ast.AnnAssign)}  # type: ignore[union-attr]


def test_the_rows_of_verl_and_of_nemo_gym_name_their_tasks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for block in BLOCKS:
        exec(compile(block, "docs/reference/rl-frameworks.md", "exec"), {})  # noqa: S102 - our own page
    names = [task.task_id for task in live_tasks(people=1, episodes=2)]
    rows = pq.read_table("train.parquet").to_pylist()
    assert [row["extra_info"]["task_id"] for row in rows] == names
    lines = [json.loads(line) for line in Path("tasks.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [line["task_id"] for line in lines] == names
    assert {tool["name"] for tool in lines[0]["responses_create_params"]["tools"]} > {"click", "finished"}


def test_the_settings_of_the_loop_and_of_the_taskset_exist() -> None:
    (text,) = re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    (loop,) = yaml.safe_load(text)
    module, _, name = loop.pop("_target_").rpartition(".")
    assert set(loop) - {"name"} <= list_arguments(module.split(".")[1], name)
    options = list_arguments("verifiers_env", "PhoneTaskConfig", "no method")
    named = re.findall(
        r"`([\w-]+)`", PAGE.partition("Options stand under")[2].partition("A limit of turns")[0]
    )
    assert {option.replace("-", "_") for option in named} - {"goal", "personal", "progress"} == options


class GymnasiumServer:
    """What the recipe uses of NeMo-Gym's class of this name (0.5.1)."""

    def __init__(self) -> None:
        self.session_state: dict[str, Any] = {}


@pytest.fixture
def recipe(monkeypatch: pytest.MonkeyPatch) -> Any:  # noqa: ANN401 - made by the page
    """The page's server; NeMo-Gym wants another Python than the tests have."""
    (block,) = re.findall(r"^```python nemo-gym\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    module = ModuleType("resources_servers.gymnasium")
    module.GymnasiumServer = GymnasiumServer  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "resources_servers", ModuleType("resources_servers"))
    monkeypatch.setitem(sys.modules, "resources_servers.gymnasium", module)
    names: dict[str, Any] = {"__name__": "app"}
    exec(compile(block, "docs/reference/rl-frameworks.md", "exec"), names)  # noqa: S102 - our own page
    return names["FingertipPhone"]()


def make_answer(name: str, **arguments: str) -> Any:  # noqa: ANN401 - a response of a model
    call = {"type": "function_call", "call_id": "1", "name": name, "arguments": json.dumps(arguments)}
    return SimpleNamespace(output=[SimpleNamespace(type="message"), SimpleNamespace(**call)])


def test_the_recipe_of_nemo_gym_carries_out_calls(recipe: Any) -> None:  # noqa: ANN401
    task: PhoneTask = live_tasks(people=1, episodes=2)[0]
    phone = phone_tools([task])()

    async def play() -> list[Any]:
        seen = [await recipe.reset({"task_id": task.task_id}, "a")]
        for answer in (make_answer("press_home"), make_answer("jump"), make_answer("finished")):
            seen.append(await recipe.step(answer, {}, "a"))
        return seen

    begin, home, wrong, end = asyncio.run(play())
    assert begin == (phone.reset(task_id=task.task_id), {})
    assert home == (None, 0.0, False, False, {"tool_outputs": [_output(phone.press_home())]})
    assert "there is no tool 'jump'" in wrong[-1]["tool_outputs"][0]["output"]
    assert end == (None, 0.0, True, False, {"tool_outputs": [_output(OVER)]})


def _output(text: object) -> dict[str, Any]:
    return {"call_id": "1", "output": text}
