"""The folder for OpenEnv hubs: what it names, and OpenEnv's own checks of it and of its server."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import time
import tomllib
import urllib.request
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.test_architecture import ROOT

HUB = ROOT / "frameworks" / "fingertip_phone_env"
DECLARED = yaml.safe_load((HUB / "openenv.yaml").read_text(encoding="utf-8"))
PROJECT = tomllib.loads((HUB / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_the_folder_names_the_versions_that_the_tests_run_with() -> None:
    ours, theirs = version("fingertip-20k"), version("openenv")
    assert PROJECT["dependencies"] == [f"fingertip-20k[openenv]=={ours}", f"openenv=={theirs}"]
    assert DECLARED["validation"]["task_distribution"]["dataset_version"] == f"fingertip-20k {ours}"
    assert DECLARED["version"] == PROJECT["version"] == ours
    assert PROJECT["name"] == f"openenv-{DECLARED['name']}" == f"openenv-{HUB.name}"


def test_the_folder_holds_no_code_but_names_and_splits() -> None:
    lines = [line for path in HUB.rglob("*.py") for line in path.read_text(encoding="utf-8").splitlines()]
    assert len(lines) < 60
    assert {line for line in lines if line.startswith(("class ", "def "))} == {"def main() -> None:"}


def test_the_image_runs_what_the_folder_has() -> None:
    lines = (HUB / "Dockerfile").read_text(encoding="utf-8").splitlines()
    last = [line for line in lines if line.startswith("CMD ")]  # `openenv push` adds a line before it
    assert last == [
        f'CMD ["uvicorn", "{DECLARED["app"]}", "--host", "0.0.0.0", "--port", "{DECLARED["port"]}"]'
    ]
    assert f"EXPOSE {DECLARED['port']}" in lines


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the folder that also declares how it is run."""
    copy = tmp_path_factory.mktemp("hub") / HUB.name
    shutil.copytree(HUB, copy, ignore=shutil.ignore_patterns("__pycache__", "wheels"))
    text = (copy / "openenv.yaml").read_text(encoding="utf-8")
    switched_on = re.sub(r"^  # (?=  | *execution:)", "  ", text, flags=re.MULTILINE)
    assert "execution" in yaml.safe_load(switched_on)["validation"]
    (copy / "openenv.yaml").write_text(switched_on, encoding="utf-8")
    return copy


class LocalProvider:
    """What runs a package for OpenEnv's checks: here a process of this computer, in place of a container."""

    name = "process"
    capabilities: frozenset[Any] = frozenset()
    supported_network_modes = frozenset({"no-network"})
    base_url = ""

    def __init__(self, folder: Path) -> None:
        from openenv.validation.types import ProviderCapability

        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        self.capabilities = frozenset({ProviderCapability.IMAGE_BUILD})

    def build(self, root: Path, execution: Any) -> str:  # noqa: ANN401 - OpenEnv's
        assert (root / execution.dockerfile).is_file()
        return "sha256:" + "0" * 64

    def start(self, spec: Any) -> LocalProvider:  # noqa: ANN401 - OpenEnv's
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        self.base_url = f"http://127.0.0.1:{port}"
        command = [sys.executable, "-m", "uvicorn", DECLARED["app"], "--port", str(port)]
        self._process = subprocess.Popen(
            [*command, "--log-level", "error"],
            cwd=self._folder,
            env={**os.environ, "PYTHONPATH": str(self._folder), "HOME": "/nonexistent"},
        )
        until = time.monotonic() + 300
        while time.monotonic() < until and self._process.poll() is None:
            try:
                with urllib.request.urlopen(f"{self.base_url}/health", timeout=5):  # noqa: S310
                    return self
            except OSError:
                time.sleep(0.2)
        raise AssertionError(f"the server did not come up: {self._process.poll()}")

    def inspect(self) -> dict[str, Any]:
        return {}

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait()


@pytest.mark.install
def test_openenv_accepts_the_folder() -> None:
    from openenv.cli._cli_utils import validate_env_structure
    from openenv.cli._validation import validate_multi_mode_deployment

    done = subprocess.run(
        [Path(sys.executable).with_name("openenv"), "validate", HUB],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout
    assert "PASS  static.manifest" in done.stdout
    assert " FAIL" not in done.stdout
    assert validate_env_structure(HUB) == ["Recommended directory missing: outputs/"]
    # a lock file can be made once an index has the packages
    assert validate_multi_mode_deployment(HUB)[1] == ["Missing uv.lock - run 'uv lock' to generate it"]


@pytest.mark.install
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of their client of web sockets
def test_the_folders_server_keeps_openenvs_contracts(package: Path) -> None:
    from openenv.validation import run_validation

    report = run_validation(package, provider=LocalProvider(package))
    status = {result.check_id: result.status.value for result in report.results}
    checks = ("reward_well_formed", "observation_schema", "state_contract")
    found = [status[f"runtime.{name}"] for name in ("startup", *checks)]
    assert found == ["pass"] * 4, [result.evidence for result in report.results[:2]]
    assert "fail" not in status.values()
    assert "error" not in status.values()


@pytest.mark.install
def test_the_folders_client_is_found_by_its_name(package: Path, tmp_path: Path) -> None:
    """Installed from the folder, `AutoEnv` finds it; the server has the splits that the folder declares."""
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*install, "--target", tmp_path / "site", package], check=True, timeout=300)
    provider = LocalProvider(package).start(None)
    try:
        program = f"""
import json
from urllib.request import Request, urlopen
from openenv.auto import AutoEnv

with AutoEnv.from_env({HUB.name!r}, base_url={provider.base_url!r}).sync() as phone:
    seen = phone.reset(split="test_en", index=0).observation
    print(type(phone).__name__, type(seen).__name__, seen.intent.isascii(), len(seen.image()) > 1000)
for name in {list(DECLARED["validation"]["capabilities"]["declared_task_count"])!r}:
    body = json.dumps({{"split": name}}).encode()
    headers = {{"Content-Type": "application/json"}}
    with urlopen(Request({provider.base_url!r} + "/phone/num_tasks", body, headers)) as found:
        print(name, json.load(found)["num_tasks"])
"""
        done = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, timeout=300, cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": f"{tmp_path / 'site'}:{ROOT}", "XDG_CACHE_HOME": str(tmp_path)},
        )  # fmt: skip
    finally:
        provider.stop()
    assert done.returncode == 0, done.stderr
    first, *rows = done.stdout.splitlines()
    assert first == "SyncEnvClient PhoneObservation True True"
    counts = DECLARED["validation"]["capabilities"]["declared_task_count"]
    assert rows == [f"{name} {count}" for name, count in counts.items()]
