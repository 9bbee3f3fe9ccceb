"""A checkpoint in this process: real architectures with random weights."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from fingertip_dataset.errors import InputError, ModelError, UsageError
from fingertip_models.local import LocalModel
from fingertip_models.messages import Message
from fingertip_models.model import open_model
from fingertip_models.options import ModelOptions

TinyModels = Callable[[str], Path]
ASK = (Message(role="system", text="你是助手"), Message(role="user", text="看"))


def png(colour: str) -> bytes:
    file = BytesIO()
    Image.new("RGB", (90, 200), colour).save(file, "PNG")
    return file.getvalue()


@pytest.fixture(scope="module")
def model(tiny_models: TinyModels) -> LocalModel:
    options = ModelOptions(model=str(tiny_models("qwen2_5_vl")), max_tokens=12)
    return LocalModel(options, trust_remote_code=True, device="cpu")


def test_greedy_is_the_same_each_time(model: LocalModel) -> None:
    first, again = model.ask(ASK), asyncio.run(model.ask_async(ASK))
    assert first.text
    assert first.text == again.text
    assert (first.completion_tokens, first.finish_reason, first.cached) == (12, "length", False)
    # a token a byte, and the special ones
    words = sum(len(f"{message.role}\n{message.text}\n".encode()) + 2 for message in ASK)
    assert first.prompt_tokens == words + len(b"assistant\n") + 1


def test_images_affect_the_answer(model: LocalModel) -> None:
    def shown(*colours: str) -> tuple[str, int]:
        pictures = tuple(png(colour) for colour in colours)
        answer = model.ask([Message(role="user", text="看", images=pictures)])
        return answer.text, answer.prompt_tokens or 0

    seen = [shown(), shown("red"), shown("blue"), shown("red", "blue")]
    assert len({text for text, _ in seen}) == 4
    assert seen[0][1] < seen[1][1] == seen[2][1] < seen[3][1]


def test_a_seed_makes_sampling_reproducible(tiny_models: TinyModels) -> None:
    def drawn(seed: int) -> str:
        folder = str(tiny_models("qwen2_5_vl"))
        options = ModelOptions(model=folder, max_tokens=12, temperature=1.5, seed=seed)
        return open_model(options, backend="local", trust_remote_code=True).ask(ASK).text

    assert drawn(1) == drawn(1) != drawn(2)


def test_settings_distinguish_checkpoints_of_one_name(
    model: LocalModel, tiny_models: TinyModels, tmp_path: Path
) -> None:
    folder = shutil.copytree(tiny_models("qwen2_5_vl"), tmp_path / "model")
    other = LocalModel(ModelOptions(model=str(folder)), trust_remote_code=True, device="cpu")
    assert other.settings()["checkpoint"] == model.settings()["checkpoint"]
    weights = folder / "model.safetensors"
    content = bytearray(weights.read_bytes())
    content[-1] ^= 1
    weights.write_bytes(content)
    changed = LocalModel(ModelOptions(model=str(folder)), trust_remote_code=True, device="cpu")
    assert changed.settings()["checkpoint"] != model.settings()["checkpoint"]
    assert (model.settings()["backend"], model.settings()["base_url"]) == ("local", None)


def test_code_of_a_checkpoint_needs_permission(tiny_models: TinyModels) -> None:
    with pytest.raises(ModelError, match=r"expected a checkpoint in .*custom code"):
        LocalModel(ModelOptions(model=str(tiny_models("qwen2_5_vl"))))


def test_wrong_arguments_raise_errors_that_name_valid_ones(model: LocalModel, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="expected a checkpoint in"):
        LocalModel(ModelOptions(model=str(tmp_path)))
    with pytest.raises(UsageError, match="expected no base URL for a local model"):
        LocalModel(ModelOptions(model="m", base_url="http://127.0.0.1:1/v1"))
    with pytest.raises(UsageError, match="expected one message or more"):
        model.ask([])
    with pytest.raises(InputError, match="expected a picture, got 3 bytes of something else"):
        model.ask([Message(role="user", text="看", images=(b"abc",))])
    with pytest.raises(UsageError, match="no limit of requests a minute"):
        open_model(ModelOptions(model="m"), backend="local", requests_per_minute=1)
    with pytest.raises(UsageError, match="expected a backend, openai or local, got 'cloud'"):
        open_model(ModelOptions(model="m"), backend="cloud")  # type: ignore[arg-type]


def test_a_closed_model_refuses_requests(tiny_models: TinyModels) -> None:
    closed = LocalModel(ModelOptions(model=str(tiny_models("qwen2_5_vl"))), trust_remote_code=True)
    closed.close()
    closed.close()
    with pytest.raises(UsageError, match="expected a model that is open"):
        closed.ask(ASK)
    with pytest.raises(UsageError, match="expected a model that is open"):
        asyncio.run(closed.ask_async(ASK))
