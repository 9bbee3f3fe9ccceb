"""What is no checkpoint, or no finished one, is one line before anything is loaded."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from huggingface_hub import constants

from fingertip_dataset.errors import FingerTipError, ModelError, UsageError
from fingertip_models.checkpoint import check_checkpoint, read_adapter


class Hub(HTTPServer):
    """A Hub on loopback that answers each request with `status` and `code`, and keeps the paths."""

    status, code = 200, ""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.paths: list[str] = []


class _Handler(BaseHTTPRequestHandler):
    server: Hub

    def do_HEAD(self) -> None:
        self.server.paths.append(self.path)
        self.send_response(self.server.status)
        self.send_header("X-Repo-Commit", "0" * 40)
        self.send_header("ETag", '"1"')
        if self.server.code:
            self.send_header("X-Error-Code", self.server.code)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Logs nothing: `paths` has all requests."""


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Hub]:
    with Hub() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        # the library reads its environment on import
        endpoint, files = f"http://127.0.0.1:{server.server_port}", constants.HUGGINGFACE_CO_URL_TEMPLATE
        monkeypatch.setattr(
            constants, "HUGGINGFACE_CO_URL_TEMPLATE", files.replace(constants.ENDPOINT, endpoint)
        )
        monkeypatch.setattr(constants, "ENDPOINT", endpoint)
        monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
        monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
        yield server
        server.shutdown()
        thread.join()


@pytest.mark.parametrize("name", ["/nope", "./nope", "~/nope", "a/b/c", "two words", "nope/", "a--b"])
def test_what_can_be_no_repo_needs_no_network(hub: Hub, name: str) -> None:
    with pytest.raises(UsageError, match="no folder, and no name on the Hub: give the folder of a model, or"):
        check_checkpoint(name, "base")
    assert hub.paths == []


def test_a_folder_without_a_model_and_a_file_need_no_network(hub: Hub, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"the base is a folder without config.json: give .*\(file .*\)"):
        check_checkpoint(str(tmp_path), "base")
    (tmp_path / "config.json").write_text("{}")
    check_checkpoint(str(tmp_path))
    with pytest.raises(UsageError, match="the model is a file, but a model is a folder"):
        check_checkpoint(str(tmp_path / "config.json"))
    assert hub.paths == []


@pytest.mark.parametrize(
    ("status", "code", "error", "message"),
    [
        (404, "RepoNotFound", UsageError, "has no such model that you may see: give .*`hf auth login`"),
        (403, "GatedRepo", ModelError, "the base org/name has terms: accept them at http://.*/org/name"),
        (503, "", ModelError, "cannot be asked for it: .*; give the folder of a model, or try again"),
    ],
)
def test_the_hub_is_asked_once_and_its_refusal_is_one_line(
    hub: Hub, status: int, code: str, error: type[FingerTipError], message: str
) -> None:
    hub.status, hub.code = status, code
    with pytest.raises(error, match=message) as raised:
        check_checkpoint("org/name", "base")
    assert "\n" not in str(raised.value)
    assert hub.paths == ["/org/name/resolve/main/config.json"]


def test_a_repo_of_the_hub_and_one_in_its_cache_are_checkpoints(hub: Hub, tmp_path: Path) -> None:
    check_checkpoint("org/name")
    assert len(hub.paths) == 1
    folder = tmp_path / "cache" / "models--org--name"
    for part, text in (("refs/main", "0" * 40), (f"snapshots/{'0' * 40}/config.json", "{}")):
        (folder / part).parent.mkdir(parents=True)
        (folder / part).write_text(text)
    check_checkpoint("org/name")
    assert len(hub.paths) == 1


@pytest.mark.parametrize("part", ["work/finetune.json", "work/samples/export.json"])
def test_an_unfinished_training_is_no_model(part: str, tmp_path: Path) -> None:
    folder = tmp_path / "tuned"
    (folder / part).parent.mkdir(parents=True)
    (folder / part).write_text("{}")
    (folder / "adapter_config.json").write_text(json.dumps({"base_model_name_or_path": "org/name"}))
    unfinished = "is not finished: repeat the `fingertip finetune` call that has it as --out"
    with pytest.raises(UsageError, match=unfinished):
        read_adapter(folder)
    with pytest.raises(UsageError, match=unfinished):
        check_checkpoint(str(folder))
    (folder / "training.json").write_text("{}")
    assert read_adapter(folder).base == "org/name"
    check_checkpoint(str(folder))


def test_an_adapter_that_is_no_folder_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such folder: an adapter is a folder that `fing"):
        read_adapter(tmp_path / "none")
