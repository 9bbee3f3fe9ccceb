"""Real checkpoints of random weights: in this process, as an embedder, and behind a real server.

One xdist worker runs all files that import torch and transformers (WITH_TORCH in conftest.py).
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from PIL import Image

from execution_runner import read_attempts, read_run
from fingertip_agents.suggestion.model_suggester import ModelSuggester
from fingertip_dataset import BuiltDataset
from fingertip_dataset.errors import InputError, ModelError, UsageError
from fingertip_metrics import get_embedder, sim1
from fingertip_metrics.conventions import OFFICIAL_EMBEDDER
from fingertip_metrics.embedders import SentenceEmbedder
from fingertip_models.chat.chat_answer import ModelAnswer
from fingertip_models.chat.chat_client import ChatClient
from fingertip_models.local import LocalModel
from fingertip_models.messages import Message
from fingertip_models.model import open_model
from fingertip_models.options import ModelOptions
from suggestion_runner import Prediction, read_predictions, run_suggestions
from tests import command_line
from tests.shared_datasets import simulated_people
from tests.tiny_models import write_sentence_model

if TYPE_CHECKING:
    from tests.shared_fixtures import RealServer


pytestmark = [pytest.mark.early, pytest.mark.install]

TinyModels = Callable[[str], Path]
ASK = (Message(role="system", text="你是助手"), Message(role="user", text="看"))
INTENTS = ["打开微信", "点外卖", "打开微信", "", "一二三"]


def png(colour: str) -> bytes:
    file = BytesIO()
    Image.new("RGB", (90, 200), colour).save(file, "PNG")
    return file.getvalue()


@pytest.fixture(scope="module")
def local_model(tiny_models: TinyModels) -> LocalModel:
    options = ModelOptions(model=str(tiny_models("qwen2_5_vl")), max_tokens=12)
    return LocalModel(options, trust_remote_code=True, device="cpu")


def test_greedy_is_the_same_each_time(local_model: LocalModel) -> None:
    first, again = local_model.ask(ASK), asyncio.run(local_model.ask_async(ASK))
    assert first.text
    assert first.text == again.text
    assert (first.completion_tokens, first.finish_reason, first.cached) == (12, "length", False)
    # a token a byte, and the special ones
    words = sum(len(f"{message.role}\n{message.text}\n".encode()) + 2 for message in ASK)
    assert first.prompt_tokens == words + len(b"assistant\n") + 1


def test_images_affect_the_answer(local_model: LocalModel) -> None:
    def shown(*colours: str) -> tuple[str, int]:
        pictures = tuple(png(colour) for colour in colours)
        answer = local_model.ask([Message(role="user", text="看", images=pictures)])
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
    local_model: LocalModel, tiny_models: TinyModels, tmp_path: Path
) -> None:
    folder = shutil.copytree(tiny_models("qwen2_5_vl"), tmp_path / "model")
    other = LocalModel(ModelOptions(model=str(folder)), trust_remote_code=True, device="cpu")
    assert other.settings()["checkpoint"] == local_model.settings()["checkpoint"]
    weights = folder / "model.safetensors"
    content = bytearray(weights.read_bytes())
    content[-1] ^= 1
    weights.write_bytes(content)
    changed = LocalModel(ModelOptions(model=str(folder)), trust_remote_code=True, device="cpu")
    assert changed.settings()["checkpoint"] != local_model.settings()["checkpoint"]
    assert (local_model.settings()["backend"], local_model.settings()["base_url"]) == ("local", None)


def test_code_of_a_checkpoint_needs_permission(tiny_models: TinyModels) -> None:
    with pytest.raises(ModelError, match=r"the checkpoint .* cannot be loaded: .*custom code"):
        LocalModel(ModelOptions(model=str(tiny_models("qwen2_5_vl"))))


def test_wrong_arguments_raise_errors_that_name_valid_ones(local_model: LocalModel, tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(ModelError, match=r"the checkpoint .* cannot be loaded"):
        LocalModel(ModelOptions(model=str(tmp_path)))
    with pytest.raises(UsageError, match="a local model has no base URL"):
        LocalModel(ModelOptions(model="m", base_url="http://127.0.0.1:1/v1"))
    with pytest.raises(UsageError, match="needs one message or more"):
        local_model.ask([])
    with pytest.raises(InputError, match="expected a picture, got 3 bytes of something else"):
        local_model.ask([Message(role="user", text="看", images=(b"abc",))])
    with pytest.raises(UsageError, match="no limit of requests a minute"):
        open_model(ModelOptions(model="m"), backend="local", requests_per_minute=1)
    with pytest.raises(UsageError, match="expected a backend, openai or local, got 'cloud'"):
        open_model(ModelOptions(model="m"), backend="cloud")  # type: ignore[arg-type]


@pytest.mark.parametrize("pictures", [0, 1])
def test_answers_of_a_batch_equal_those_of_single_requests(
    local_model: LocalModel, tiny_models: TinyModels, pictures: int
) -> None:
    images = (png("red"),) * pictures
    asks = [(Message(role="user", text="看" * length, images=images),) for length in (1, 9, 4)]
    alone = [local_model.ask(ask) for ask in asks]
    options = ModelOptions(model=str(tiny_models("qwen2_5_vl")), max_tokens=12)
    batched = LocalModel(options, trust_remote_code=True, device="cpu", batch=3)

    async def together() -> list[ModelAnswer]:
        return await asyncio.gather(*(batched.ask_async(ask) for ask in asks))

    for one, other in zip(alone, asyncio.run(together()), strict=True):
        assert replace(one, seconds=0.0) == replace(other, seconds=0.0)
    assert batched.settings()["batch"] == 3
    with pytest.raises(UsageError, match="a batch of 2 requests needs temperature 0"):
        LocalModel(replace(options, temperature=1.0), batch=2)


def test_threads_that_ask_a_local_model_are_answered_together(tiny_models: TinyModels) -> None:
    options = ModelOptions(model=str(tiny_models("qwen2_5_vl")), max_tokens=4)
    batched = LocalModel(options, trust_remote_code=True, device="cpu", batch=3)
    rows: list[int] = []
    batched._model.register_forward_pre_hook(
        lambda _, args, kwargs: rows.append(kwargs["input_ids"].shape[0]), with_kwargs=True
    )
    with ThreadPoolExecutor(3) as pool:
        answers = list(pool.map(batched.ask, [ASK] * 3))
    batched.close()
    assert max(rows) > 1
    assert len({answer.text for answer in answers}) == 1


@pytest.mark.filterwarnings("ignore:.*is_gradient_checkpointing:FutureWarning")  # of peft
def test_an_adapter_changes_answers_and_belongs_to_its_base(tiny_models: TinyModels, tmp_path: Path) -> None:
    from peft import LoraConfig, get_peft_model
    from transformers import AutoModelForImageTextToText

    base, folder = tiny_models("qwen2_5_vl"), tmp_path / "adapter"
    config = LoraConfig(r=2, target_modules=["q_proj", "v_proj"], init_lora_weights=False)
    get_peft_model(AutoModelForImageTextToText.from_pretrained(base), config).save_pretrained(folder)
    (folder / "training.json").write_text('{"trained_on": ["suggestion"]}')
    options = ModelOptions(model=str(base), max_tokens=12)
    added = LocalModel(options, trust_remote_code=True, device="cpu", adapter=folder)
    plain = LocalModel(options, trust_remote_code=True, device="cpu")
    assert added.ask(ASK).text != plain.ask(ASK).text
    assert added.settings()["trained_on"] == ["suggestion"]
    assert "trained_on" not in plain.settings()
    assert len(str(added.settings()["adapter_identity"])) == 64
    other = shutil.copytree(base, tmp_path / "other")
    with pytest.raises(UsageError, match=r"the adapter belongs to the base .*, got --model"):
        LocalModel(ModelOptions(model=str(other)), trust_remote_code=True, adapter=folder)
    (folder / "training.json").write_text('{"base": {"identity": "0"}}')
    with pytest.raises(UsageError, match="the adapter was trained on other weights of"):
        LocalModel(options, trust_remote_code=True, adapter=folder)
    with pytest.raises(UsageError, match=r"no adapter_config.json.*a whole model: give it as --model"):
        LocalModel(options, trust_remote_code=True, adapter=base)
    with pytest.raises(UsageError, match="an adapter and a batch are for a local model"):
        open_model(options, adapter=folder)


def test_a_closed_model_refuses_requests(tiny_models: TinyModels) -> None:
    closed = LocalModel(ModelOptions(model=str(tiny_models("qwen2_5_vl"))), trust_remote_code=True)
    closed.close()
    closed.close()
    with pytest.raises(UsageError, match="the model is closed"):
        closed.ask(ASK)
    with pytest.raises(UsageError, match="the model is closed"):
        asyncio.run(closed.ask_async(ASK))


@pytest.fixture(scope="module")
def sentence_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of a SentenceTransformer of random weights; see `write_sentence_model`."""
    return write_sentence_model(tmp_path_factory.mktemp("tiny"))


def test_a_sentence_transformer_encodes_any_number_of_any_texts(sentence_model: Path) -> None:
    embedder = get_embedder(str(sentence_model))
    assert np.isfinite(embedder.encode(["\ud83d"])).all()
    assert embedder.encode([]).shape == (0, 32)


def test_a_sentence_transformer_from_a_folder(sentence_model: Path) -> None:
    embedder = get_embedder(str(sentence_model))
    vectors = embedder.encode(INTENTS)
    assert vectors.shape == (5, 32)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1] * 5, abs=1e-5)
    assert np.array_equal(vectors, embedder.encode(INTENTS))
    assert embedder.encode(INTENTS[1:2])[0] == pytest.approx(vectors[1], abs=1e-5)
    assert embedder.name == str(sentence_model)
    assert not embedder.comparable
    result = sim1(["打开微信", "点外卖"], ["打开微信", "打开微信"], embedder=embedder)
    assert result.per_item[0].sim1 == 1
    assert -0.5 <= result.per_item[1].sim1 < 1
    assert result.embedder == str(sentence_model)
    assert "cannot be identified as the paper's model" in str(result.why_not_comparable)


def test_each_distinct_text_goes_through_the_model_once(sentence_model: Path) -> None:
    embedder = SentenceEmbedder(str(sentence_model))
    rows: list[int] = []

    def count(module: object, given: tuple[dict[str, Any]], output: object) -> None:
        rows.append(len(given[0]["input_ids"]))

    embedder._model[0].register_forward_hook(count)
    sim1(["打开", "打开", "点"], ["打开", "发", "点"], embedder=embedder)
    assert sum(rows) == 3


def test_the_official_name_means_the_hub_and_not_a_folder(
    sentence_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / OFFICIAL_EMBEDDER
    folder.parent.mkdir(parents=True)
    folder.symlink_to(sentence_model)
    monkeypatch.chdir(tmp_path)
    assert not get_embedder("official").comparable


@pytest.mark.parametrize("name", ["./no-such-model", "/no/such/model", "no/such/model", "~/no-such-model"])
def test_a_path_that_does_not_exist_is_not_sought_on_the_hub(name: str) -> None:
    with pytest.raises(ModelError, match=f"{name} cannot be loaded as a SentenceTransformer"):
        get_embedder(name)


@pytest.mark.parametrize("name", ["", "/" + "y" * 5000, "../\x00", "../a\nb"])
def test_unknown_names_are_refused(name: str) -> None:
    with pytest.raises((UsageError, ModelError)) as caught:
        get_embedder(name)
    assert "\n" not in str(caught.value)


def test_broken_folders_are_one_line(sentence_model: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for number, name in enumerate(["config.json", "modules.json", "tokenizer.json", "model.safetensors"]):
        folder = tmp_path / str(number)
        folder.mkdir()
        for file in sentence_model.rglob("*"):
            target = folder / file.relative_to(sentence_model)
            if file.is_dir():
                target.mkdir(exist_ok=True)
            else:
                target.parent.mkdir(exist_ok=True)
                target.write_bytes(file.read_bytes() if file.name != name else file.read_bytes()[:20])
    for folder in (tmp_path / "empty", *(tmp_path / str(number) for number in range(4))):
        with pytest.raises(ModelError, match="cannot be loaded as a SentenceTransformer") as caught:
            get_embedder(str(folder))
        assert "\n" not in str(caught.value)


@pytest.fixture
def client(transformers_server: RealServer) -> Iterator[ChatClient]:
    options = ModelOptions(
        base_url=transformers_server.base_url, model=transformers_server.model, max_tokens=24
    )
    with ChatClient(options) as made:
        yield made


@pytest.mark.install
def test_a_streamed_answer_equals_the_whole_one(client: ChatClient) -> None:
    query = [Message(role="system", text="你"), Message(role="user", text="看")]
    whole = client.ask(query)
    with ChatClient(replace(client.options, stream=True)) as streaming:
        streamed = streaming.ask(query)
    assert streamed.text.strip() == whole.text.strip()  # the server trims one of the answers itself
    assert (streamed.finish_reason, streamed.cut) == ("length", True)
    assert streamed.first_token_s is not None
    assert 0 < streamed.first_token_s < streamed.seconds
    assert streamed.completion_tokens == whole.completion_tokens


@pytest.mark.install
def test_an_unknown_model_raises_a_one_line_error(client: ChatClient) -> None:
    endpoint = client.options.endpoint
    with (
        ChatClient(ModelOptions(base_url=endpoint, model="no/such-model", retries=0)) as other,
        pytest.raises(ModelError, match=r"no/such-model at http://127.0.0.1:.* did not answer: status"),
    ):
        other.ask([Message(role="user", text="看")])


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset of simulated people on small phones."""
    return simulated_people(tmp_path_factory) / "dataset"


def fingertip(*words: str | Path) -> str:
    environment = os.environ | {"HF_HUB_OFFLINE": "1"}
    environment.pop("OPENAI_API_KEY", None)
    done = command_line.fingertip(*words, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.soak
def test_a_model_acts_on_a_phone_over_adb(
    transformers_server: RealServer, dataset: Path, tmp_path: Path
) -> None:
    """Unparsable output of a model of random weights is performed as wait(), counted, and scored."""
    run = tmp_path / "run"
    rows = BuiltDataset.open(dataset).rows("test_execution", columns=["episode_id", "actions"])
    shortest = min(rows, key=lambda row: len(row["actions"]))
    reply = fingertip(
        "execute", dataset, "--agent", "generalist", "--device", "simulated", "--out", run,
        "--task", shortest["episode_id"], "--base-url", transformers_server.base_url,
        "--model", transformers_server.model, "--max-tokens", "24",
        "--price-prompt", "2", "--price-completion", "8", "--keep-going",
    )  # fmt: skip
    assert "1 of 1 tasks carried out" in reply
    (attempt,) = read_attempts(run)
    limit = 2.5 * len(shortest["actions"])
    assert attempt.end.outcome == "truncated"
    assert limit < attempt.end.steps <= limit + 1
    assert (attempt.end.success, attempt.end.success_by) == (False, "rule")
    for step in attempt.steps:
        assert (step.action, step.performed, step.queries) == ("wait()", True, 1)
        assert step.written == step.output
        assert step.problem is not None
        assert (step.prompt_tokens or 0) > (step.completion_tokens or 0) > 0
        assert step.screenshot is not None
        assert (run / step.screenshot).is_file()
    settings = read_run(run).agent.settings
    assert settings["model"] == transformers_server.model
    assert "key" not in " ".join(settings).lower()
    scored = fingertip("score", run, "--notes")
    assert "unparsable" in scored
    assert "USD" in scored
    page = tmp_path / "page.html"
    fingertip("report", run, "--out", page)
    assert page.stat().st_size > 10_000


@pytest.mark.install
def test_an_intent_is_suggested_from_the_first_screen(
    transformers_server: RealServer, dataset: Path, tmp_path: Path
) -> None:
    """The model on the server and the same checkpoint in this process give the same output."""
    model, several = transformers_server.model, ("--screenshots", "1", "--max-tokens", "24")
    reply = fingertip(
        "suggest", dataset, "--agent", "model", "--out", tmp_path / "served", *several, "--model", model,
        "--base-url", transformers_server.base_url, "--price-prompt", "2", "--price-completion", "8",
    )  # fmt: skip
    assert "tasks queried" in reply
    assert "USD" in reply
    options = ModelOptions(model=model, max_tokens=24)
    local = LocalModel(options, trust_remote_code=True, device="cpu")
    run_suggestions(dataset, ModelSuggester(local), tmp_path / "local", screenshots=1)
    local.close()
    served, here = by_task(tmp_path / "served"), by_task(tmp_path / "local")
    assert {task: shown_text(line) for task, line in served.items()} == {
        task: shown_text(line) for task, line in here.items()
    }
    assert len({line.prompt_tokens for line in served.values()}) > 1
    for line in served.values():
        assert line.shown_screenshots == 1
        assert line.output
        assert line.predicted_intent.isprintable()
        assert len(line.predicted_intent) <= 500
        assert (line.completion_tokens, line.calls, line.cached) == (24, 1, False)
    assert "Sim_1" in fingertip("score", tmp_path / "served", "--embedder", "lexical")


def by_task(run: Path) -> dict[str, Prediction]:
    return {line.task_id: line for line in read_predictions(run)}


def shown_text(line: Prediction) -> tuple[str, int | None]:
    """The text without special tokens, which only this server shows, and trailing blanks, which it trims."""
    return re.sub(r"<\|\w+\|>", "", line.output).strip(), line.prompt_tokens
