"""A local model of random weights: context, sampling of the checkpoint, chat template, record."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from transformers.utils import logging

from fingertip_dataset.errors import ModelError, UsageError
from fingertip_models.chat.chat_answer import ModelAnswer
from fingertip_models.local import LocalModel
from fingertip_models.messages import Message
from fingertip_models.options import ModelOptions
from tests.tiny_models import write_text_model

pytestmark = [pytest.mark.early, pytest.mark.install]

MakeModel = Callable[..., LocalModel]
ASK = [Message(role="user", text="look")]
OF_CHECKPOINT = {
    "do_sample": True, "temperature": 0.3, "top_k": 1, "repetition_penalty": 9.0, "no_repeat_ngram_size": 1,
    "bad_words_ids": [[5]], "min_new_tokens": 8, "num_beams": 2, "suppress_tokens": [6], "typical_p": 0.2,
    "exponential_decay_length_penalty": [1, 9.0], "guidance_scale": 2.0,
}  # fmt: skip
"""Settings of a checkpoint, each of which changes an answer."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("local") / "model"
    write_text_model(made)
    return made


def change_json(file: Path, **fields: object) -> None:
    file.write_text(json.dumps({**json.loads(file.read_text()), **fields}))


@pytest.fixture
def make_model(folder: Path, tmp_path: Path) -> MakeModel:
    """Function from changed settings of the checkpoint, and options, to a model."""

    def make(
        context: int = 32768,
        generation: dict[str, Any] | None = None,
        notes: list[str] | None = None,
        **options: Any,  # noqa: ANN401 - fields of ModelOptions
    ) -> LocalModel:
        place = tmp_path / f"model-{len(list(tmp_path.iterdir()))}"
        shutil.copytree(folder, place)
        change_json(place / "config.json", max_position_embeddings=context)
        change_json(place / "generation_config.json", **(generation or {}))
        batch = options.pop("batch", 1)
        chosen = ModelOptions(**{"model": str(place), "max_tokens": 12, **options})
        return LocalModel(chosen, device="cpu", batch=batch, on_note=None if notes is None else notes.append)

    return make


def count_prompt(model: LocalModel) -> int:
    return model.ask(ASK).prompt_tokens or 0


def test_a_prompt_longer_than_the_context_is_refused_with_the_excess(make_model: MakeModel) -> None:
    model = make_model(context=64)
    message = [Message(role="user", text="a" * 100)]
    with pytest.raises(
        ModelError, match=r"a prompt of \d+ tokens, \d+ more than the context of 64: "
    ) as caught:
        model.ask(message)
    assert all(option in str(caught.value) for option in ("--history none", "--screenshots", "--max-pixels"))
    assert "\n" not in str(caught.value)


def test_loading_draws_no_bars_and_leaves_those_of_others(
    make_model: MakeModel, capfd: pytest.CaptureFixture[str]
) -> None:
    before = logging.is_progress_bar_enabled()
    make_model()
    assert "Loading weights" not in capfd.readouterr().err
    assert logging.is_progress_bar_enabled() == before


def test_an_answer_ends_with_the_context_and_says_so(make_model: MakeModel) -> None:
    used = count_prompt(make_model())
    notes: list[str] = []
    short = make_model(context=used + 5, notes=notes, max_tokens=used + 5).ask(ASK)
    assert (short.completion_tokens, short.finish_reason) == (5, "length")
    assert short.notes == (f"the answer was cut at the end of the context, {used + 5} tokens",)
    assert any("an answer is cut there, before --max-tokens" in note for note in notes)
    with pytest.raises(ModelError, match=rf"{used} tokens, which leaves no room .* the context of {used}: "):
        make_model(context=used).ask(ASK)
    whole = make_model(context=used + 5, max_tokens=5).ask(ASK)
    assert (whole.completion_tokens, whole.notes) == (5, ())


def test_one_prompt_that_is_too_long_leaves_the_rest_of_its_batch(make_model: MakeModel) -> None:
    asks = [[Message(role="user", text="a" * length)] for length in (3, 90, 20)]
    model, alone = make_model(context=64, batch=3), make_model(context=64)

    async def together() -> list[ModelAnswer | BaseException]:
        return await asyncio.gather(*(model.ask_async(ask) for ask in asks), return_exceptions=True)

    first, refused, last = asyncio.run(together())
    assert isinstance(refused, ModelError)
    assert "more than the context of 64" in str(refused)
    for answer, ask in ((first, asks[0]), (last, asks[2])):
        assert isinstance(answer, ModelAnswer)
        assert answer.text == alone.ask(ask).text


def test_a_long_prompt_does_not_end_the_answers_to_shorter_ones(make_model: MakeModel) -> None:
    asks = [[Message(role="user", text="a" * length)] for length in (2, 30)]
    used = [make_model().ask(ask).prompt_tokens or 0 for ask in asks]
    model = make_model(context=used[1] + 2, batch=2)

    async def together() -> list[ModelAnswer]:
        return await asyncio.gather(*(model.ask_async(ask) for ask in asks))

    assert [answer.completion_tokens for answer in asyncio.run(together())] == [12, 2]


def test_temperature_0_is_greedy_whatever_the_checkpoint_says(make_model: MakeModel) -> None:
    notes: list[str] = []
    plain, set_up = make_model(), make_model(generation=OF_CHECKPOINT, notes=notes)
    assert set_up.ask(ASK).text == plain.ask(ASK).text
    assert set_up.settings()["sampling"] == {"do_sample": False}
    (note,) = notes
    assert "the checkpoint's own sampling is not used" in note
    assert "repetition_penalty 9.0" in note
    # the settings do change the answer where they are in force
    own = make_model(generation={"repetition_penalty": 9.0, "do_sample": False}, temperature=None)
    assert own.ask(ASK).text != plain.ask(ASK).text
    assert own.settings()["sampling"] == {"do_sample": False, "repetition_penalty": 9.0}


def test_a_temperature_draws_from_all_tokens(make_model: MakeModel) -> None:
    model = make_model(generation=OF_CHECKPOINT, temperature=2.0, max_tokens=200, seed=1)
    assert model.settings()["sampling"] == {"do_sample": True, "temperature": 2.0, "top_k": 0, "top_p": 1.0}
    best = make_model(max_tokens=200, temperature=2.0, seed=1, extra_body={"top_k": 1})
    assert best.settings()["sampling"] == {"do_sample": True, "temperature": 2.0, "top_k": 1, "top_p": 1.0}
    assert best.ask(ASK).text == make_model(max_tokens=200).ask(ASK).text
    # of a model of random weights 200 draws bring many more tokens than its 50 best
    assert len(set(model.ask(ASK).text)) > len(set(best.ask(ASK).text))


def test_without_a_temperature_the_checkpoint_decides(make_model: MakeModel) -> None:
    model = make_model(generation={"do_sample": True, "top_p": 0.9}, temperature=None, seed=2)
    in_force = {"do_sample": True, "temperature": 1.0, "top_k": 50, "top_p": 0.9}
    assert model.settings()["sampling"] == in_force


def test_the_record_names_weights_context_and_packages(make_model: MakeModel) -> None:
    import torch
    import transformers

    model = make_model(context=4096)
    assert {name: model.settings()[name] for name in ("weights", "context")} == {
        "weights": "float32",
        "context": 4096,
    }
    assert model.software == {"torch": torch.__version__, "transformers": transformers.__version__}


def test_a_checkpoint_without_a_chat_template_is_refused_before_its_weights_are_read(
    folder: Path, tmp_path: Path
) -> None:
    place = shutil.copytree(folder, tmp_path / "base")
    (place / "chat_template.jinja").unlink()
    (place / "model.safetensors").unlink()
    with pytest.raises(UsageError, match=r"base has no chat template, so it cannot be asked as a chat: give"):
        LocalModel(ModelOptions(model=str(place)))
