"""mobilerun (formerly DroidRun): its whole agent, by its own command line, with a scripted model.

The agent asks an OpenAI-compatible server on loopback, which answers with the next step of the task. It reads
the phone through its portal, over the content provider and over HTTP.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

import pytest

from phone.tests.frameworks.conftest import CarryOut
from phone.tests.frameworks.scripted import Controller, ScriptedTask
from phone.tests.frameworks.tools import TOOLS
from phone.tests.simulated_phone.conftest import Rig, apk
from simulated_phone.goals.steps import Hold, Open, SetWheel, Step, Swipe, Tap, TypeText

if TYPE_CHECKING:
    from tests.shared_fixtures import OpenAIServer, ReceivedRequest, Reply

TOOL = TOOLS["mobilerun"]
VENV = Path(__file__).parents[3] / ".venv-frameworks" / "mobilerun"
"""Where `make frameworks` installs mobilerun."""

PORTAL, CLOCK = "com.mobilerun.portal", "com.android.deskclock"
_ELEMENT = re.compile(r'^(\d+)\. (\w+): (?:"[^"]*", )?"(.*)" - \(', re.MULTILINE)
_USAGE = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}


class ScriptedModel:
    """Answers the agent's requests with the steps of a task, in mobilerun's format of tool calls."""

    def __init__(self, server: OpenAIServer, steps: tuple[Step, ...], reached: Callable[[], bool]) -> None:
        self._server = server
        self._steps = list(steps)
        self._reached = reached
        self._package = ""

    def reply(self, request: ReceivedRequest) -> Reply:
        """The reply to a request: of the agent, or of its sub-agent that finds the package of an app."""
        prompt = prompt_of(request)
        if "Installed Apps:" in prompt:
            return self._say(json.dumps({"package": self._package}))
        if not self._steps or self._reached():
            return self._call("complete", success="true", message="done")
        step = self._steps.pop(0)
        if isinstance(step, Open):
            self._package = step.package
            return self._call("open_app", text=step.package)
        if isinstance(step, Tap):
            return self._call("click", index=index_of(prompt, step.label))
        if isinstance(step, Hold):
            return self._call("long_press", index=index_of(prompt, step.label))
        if isinstance(step, SetWheel):
            # the middle of a wheel picker is its text field
            return self._call("type", text=step.value, index=index_of(prompt, step.wheel))
        if isinstance(step, Swipe):
            assert step.direction == "left"
            return self._call("swipe", coordinate="[432, 600]", coordinate2="[108, 600]", duration="0.3")
        assert isinstance(step, TypeText), step
        return self._call("type", text=step.text, index=index_of(prompt, step.into))

    def _say(self, text: str) -> Reply:
        return self._server.says(text, usage=_USAGE)

    def _call(self, name: str, **parameters: str) -> Reply:
        lines = [f'<parameter name="{key}">{escape(value)}</parameter>' for key, value in parameters.items()]
        inner = "\n".join([f'<invoke name="{name}">', *lines, "</invoke>"])
        return self._say(f"The next step.\n<function_calls>\n{inner}\n</function_calls>")


def prompt_of(request: ReceivedRequest) -> str:
    """Return the text of the last message, which may have pictures next to it."""
    content = request.body["messages"][-1]["content"]
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


def index_of(prompt: str, label: str) -> str:
    """The index of the element with a label in the agent's list of elements; -1 if there is none."""
    shown = _ELEMENT.findall(prompt)
    found = [(index, kind) for index, kind, text in shown if text == label]
    # after a search the word stands in the field, too
    found.sort(key=lambda one: one[1] == "EditText")
    return found[0][0] if found else "-1"


def environment(home: Path, rig: Rig) -> dict[str, str]:
    """Environment of mobilerun, in which no other machine is reached."""
    return {
        "PATH": f"{VENV / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(home),
        "ANDROID_ADB_SERVER_PORT": str(rig.adb.port),
        "MOBILERUN_TELEMETRY_ENABLED": "false",
        # the client wants one; the server asks for none
        "OPENAI_API_KEY": "none",
        # a port on which nothing listens
        "HTTP_PROXY": "http://127.0.0.1:9",
        "HTTPS_PROXY": "http://127.0.0.1:9",
        "NO_PROXY": "127.0.0.1,localhost",
    }


class MobilerunController(Controller):
    """Runs mobilerun's own agent; it decides for itself when it looks at the phone.

    Args:
        rig: The phone.
        server: The model's server.
        home: The agent's home folder.
        words: The task in words.
        options: Options of `mobilerun run`.
    """

    def __init__(self, rig: Rig, server: OpenAIServer, home: Path, words: str, *options: str) -> None:
        self._rig = rig
        self._server = server
        self._home = home
        self._words = words
        self._options = options

    def play(self, steps: tuple[Step, ...], reached: Callable[[], bool]) -> None:
        model = ScriptedModel(self._server, steps, reached)
        self._server.replies = model.reply
        command = [str(VENV / "bin" / "mobilerun"), "run", self._words, "--device", self._rig.serial]
        command += ["--provider", "OpenAILike", "--model", "scripted", "--api_base", self._server.base_url]
        command += ["--no-stream", "--steps", str(len(steps) + 5), *self._options]
        env = environment(self._home, self._rig)
        done = subprocess.run(command, env=env, capture_output=True, timeout=500, check=False)
        assert done.returncode == 0, done.stdout.decode() + done.stderr.decode()

    def open(self, package: str) -> None:
        raise NotImplementedError("the agent opens apps")

    def tree(self) -> str:
        raise NotImplementedError("the agent reads the tree")

    def tap(self, x: int, y: int) -> None:
        raise NotImplementedError("the agent taps")

    def write(self, text: str) -> None:
        raise NotImplementedError("the agent types")


@pytest.fixture
def portal(rig: Rig, tmp_path: Path) -> None:
    """The portal's APK, as `mobilerun setup` would install it."""
    path = tmp_path / "portal.apk"
    path.write_bytes(apk(PORTAL))
    assert b"Success" in rig.run("install", "-r", "-g", str(path)).stdout


def installed_version() -> str:
    """Version of mobilerun in its venv."""
    found = list(VENV.glob("lib/python*/site-packages/mobilerun-*.dist-info"))
    assert len(found) == 1, f"expected mobilerun in {VENV}: make frameworks"
    return found[0].name.removeprefix("mobilerun-").removesuffix(".dist-info")


@pytest.mark.usefixtures("portal")
@pytest.mark.parametrize("task", TOOL.cases())
def test_mobilerun_carries_a_task_out(
    carry_out: CarryOut, rig: Rig, openai_server: OpenAIServer, tmp_path: Path, task: ScriptedTask
) -> None:
    agent = MobilerunController(rig, openai_server, tmp_path, task.words)
    carry_out(TOOL.name, installed_version(), task, agent)
