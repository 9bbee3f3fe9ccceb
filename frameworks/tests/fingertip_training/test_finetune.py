"""Fine-tuning of tiny models of real architecture: training, resuming, and what is written."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import shutil
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from execution_runner.execution_log import read_attempts, read_run
from fingertip_dataset.errors import FingerTipError, InputError, ModelError, RunError, UsageError
from fingertip_models.local import LocalModel
from fingertip_models.messages import Message
from fingertip_models.options import ModelOptions
from fingertip_training import ExportOrder, export_samples
from fingertip_training.commands.finetune import command
from fingertip_training.finetune import finetuning
from fingertip_training.finetune.base_model import check_base, load_base
from fingertip_training.finetune.checkpoint_choice import SCORING
from fingertip_training.finetune.finetune_settings import ChosenSettings, read_rank, read_settings
from fingertip_training.finetune.finetuning import FinetuneOrder, FinetuneResult, finetune
from fingertip_training.finetune.sft_rows import read_rows
from fingertip_training.finetune.sft_training import quiet_libraries, train
from suggestion_runner import read_predictions
from suggestion_runner.prediction_log import read_run as read_suggestion_run
from tests.shared_datasets import simulated_people

pytestmark = pytest.mark.early

SMALL = (
    "max_steps=4", "batch_size=2", "device_batch_size=2", "learning_rate=2e-2", "choice_tasks=2",
    "choice_max_tokens=4", "gradient_checkpointing=off",
)  # fmt: skip


def settings(*lines: str, rank: object = 4) -> ChosenSettings:
    return read_settings(None, [*SMALL, *lines], {"rank": rank})


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return simulated_people(tmp_path_factory) / "dataset"


@pytest.fixture(scope="module")
def samples(dataset: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("samples") / "trl"
    export_samples(dataset, folder, ExportOrder(track="suggestion", history="none", episodes=4))
    return folder


@pytest.fixture(scope="module")
def finished(
    dataset: Path, samples: Path, text_model: Path, tmp_path_factory: pytest.TempPathFactory
) -> FinetuneResult:
    order = FinetuneOrder(base=str(text_model), settings=settings("checkpoints=2"))
    result = finetune(dataset, samples, tmp_path_factory.mktemp("tuned") / "adapter", order)
    assert result is not None
    return result


def weights(folder: Path) -> dict[str, Any]:
    from safetensors.torch import load_file

    (file,) = folder.glob("*model.safetensors")
    return dict(load_file(file))


def test_the_loss_falls_and_the_adapter_changes_answers(finished: FinetuneResult, text_model: Path) -> None:
    losses = [loss for _, loss in finished.training["losses"]]
    assert losses[-1] < losses[0]
    options = ModelOptions(model=str(text_model), max_tokens=8)
    ask = (Message(role="user", text="看"),)
    added = LocalModel(options, device="cpu", adapter=finished.folder)
    assert added.ask(ask).text != LocalModel(options, device="cpu").ask(ask).text
    assert added.settings()["trained_on"] == ["suggestion"]
    with pytest.raises(UsageError, match="the base is an adapter, and none is trained on another"):
        check_base(str(finished.folder), with_pictures=False)


def test_the_card_states_data_settings_and_the_choice_by_score(finished: FinetuneResult) -> None:
    from huggingface_hub import ModelCard

    card = ModelCard.load(finished.folder / "README.md")
    assert card.data.library_name == "peft"
    assert {"fingertip-20k", "lora", "simulated"} <= set(card.data.tags or ())
    training = finished.training
    assert training == json.loads((finished.folder / "training.json").read_text())
    for part in (training["samples"]["sha256"], training["dataset"]["data_sha256"], "| rank | 4 | --rank |"):
        assert part in card.text
    assert (finished.folder / "loss.png").stat().st_size > 5_000
    assert [set(part["scores"]) for part in training["checkpoints"]] == [{"suggestion"}] * 2
    assert training["chosen"]["by"] == "highest Sim_1 of 2 validation tasks"


def test_a_stopped_training_goes_on_to_the_same_weights(
    finished: FinetuneResult, dataset: Path, samples: Path, text_model: Path, tmp_path: Path
) -> None:
    import torch

    def stop(stage: str, done: int, total: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    order = FinetuneOrder(base=str(text_model), settings=settings("checkpoints=2"))
    out = tmp_path / "adapter"
    with pytest.raises(KeyboardInterrupt):
        finetune(dataset, samples, out, order, on_progress=stop)
    with pytest.raises(UsageError, match="is not finished: repeat the `fingertip finetune` call"):
        LocalModel(ModelOptions(model=str(text_model)), device="cpu", adapter=out)
    stages: list[tuple[str, int, int]] = []
    result = finetune(dataset, samples, out, order, on_progress=lambda *done: stages.append(done))
    assert [stage for stage in stages if stage[0] == SCORING] == [(SCORING, done, 2) for done in (0, 1, 2)]
    kept = f"checkpoint-{result.training['steps']}"
    one, other = (weights(done / "work" / "checkpoints" / kept) for done in (finished.folder, out))
    assert one.keys() == other.keys()
    for name, value in one.items():
        assert torch.allclose(value, other[name], atol=1e-6)
    again = finetune(dataset, samples, out, order)
    assert again.finished_before
    other_rank = FinetuneOrder(base=str(text_model), settings=settings("checkpoints=2", rank=8))
    with pytest.raises(RunError, match="of another call: rank is 4 there, 8 here"):
        finetune(dataset, samples, out, other_rank)


@pytest.mark.parametrize("rank", [2, pytest.param("full", marks=pytest.mark.soak)])
def test_only_the_language_part_is_trained(
    tiny_models: Callable[[str], Path], tmp_path: Path, rank: object
) -> None:
    base_folder, rows = tiny_models("qwen2_5_vl"), vision_rows(tmp_path / "rows")
    with quiet_libraries():
        base = load_base(str(base_folder), with_pictures=True, half=False, trust_remote_code=True)
        before = {name: value.clone() for name, value in base.model.state_dict().items()}
        chosen = settings("full_learning_rate=1e-2", "checkpoints=1", rank=rank).values
        outcome = train(base, read_rows(rows), tmp_path / "work", chosen)
    assert outcome.losses[-1][1] < outcome.losses[0][1]
    trained = weights(outcome.checkpoints[-1])
    if rank == "full":
        changed = {name for name, value in base.model.state_dict().items() if not value.equal(before[name])}
        assert changed
        assert not [name for name in changed if "visual" in name]
    else:
        assert trained
        assert all("language_model" in name and "visual" not in name for name in trained)


def vision_rows(folder: Path) -> Path:
    (folder / "images").mkdir(parents=True)
    with (folder / "train.jsonl").open("w", encoding="utf-8") as file:
        for number in range(4):
            name = f"images/{number}.png"
            Image.new("RGB", (56, 56), (number * 60, 0, 90)).save(folder / name)
            prompt = [{"role": "system", "content": "你"}, {"role": "user", "content": f"看{number}"}]
            answer = [{"role": "assistant", "content": f"wait({number})"}]
            images = [name] if number else []
            row = {"images": images, "prompt": prompt, "completion": answer}
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
    return folder


def test_bases_and_samples_that_do_not_fit_are_one_line(
    tiny_models: Callable[[str], Path], text_model: Path, samples: Path, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match="takes no pictures, but the samples show screenshots"):
        load_base(str(text_model), with_pictures=True, half=False)
    bare = shutil.copytree(text_model, tmp_path / "bare")
    (bare / "chat_template.jinja").unlink()
    with pytest.raises(ModelError, match="has no chat template"):
        load_base(str(bare), with_pictures=False, half=False)
    blind = shutil.copytree(tiny_models("qwen2_5_vl"), tmp_path / "blind")
    template = blind / "chat_template.jinja"
    template.write_text(template.read_text().replace("<|image_pad|>", ""))
    with pytest.raises(ModelError, match="writes no <|image_pad|> for a picture".replace("|", r"\|")):
        load_base(str(blind), with_pictures=True, half=False, trust_remote_code=True)
    with quiet_libraries():
        base = load_base(str(text_model), with_pictures=False, half=False)
        short = dataclasses.replace(load_base(str(text_model), with_pictures=False, half=False), longest=16)
        too_long = r"has \d+ tokens, the base takes 16: .*file .*train.jsonl, line 1, episode 1001__\d+_\d+"
        with pytest.raises(InputError, match=too_long):
            train(short, read_rows(samples), tmp_path / "long", settings().values)
        cut = settings("max_length=16").values
        place = r"file .*train.jsonl, line 1, episode 1001__\d+_\d+"
        with pytest.raises(InputError, match=rf"the sample has no token of its answer.*{place}"):
            train(base, read_rows(samples), tmp_path / "cut", cut)


def test_a_base_that_does_not_fit_is_refused_before_samples_are_written(
    dataset: Path, text_model: Path, tmp_path: Path
) -> None:
    out = tmp_path / "adapter"
    call = ("--track", "execution", "--out", str(out))
    missing = "none is no folder, and no name on the Hub"
    for base, message in ((text_model, "takes no pictures"), (tmp_path / "none", missing)):
        with pytest.raises(FingerTipError, match=message):
            command.main([str(dataset), *call, "--base", str(base)], "finetune", standalone_mode=False)
        assert not out.exists()


def test_a_model_of_both_tracks_is_trained_scored_and_loaded(dataset: Path, tmp_path: Path) -> None:
    """Prompts, pictures and agent of each track, in training and in the scores of its checkpoints."""
    from tests.tiny_models import texts_of, write_model

    samples, base, out = tmp_path / "trl", tmp_path / "base", tmp_path / "model"
    order = ExportOrder(track="joint", history="none", max_pixels=20_000, episodes=2)
    export_samples(dataset, samples, order)
    rows = [json.loads(line) for line in (samples / "train.jsonl").read_text().splitlines()]
    assert {row["step"] for row in rows} >= {0, 1, 2}
    write_model("qwen2_5_vl", base, texts_of(samples))
    chosen = settings("checkpoints=2", "max_steps=2", "choice_tasks=1", rank="full")
    result = finetune(
        dataset, samples, out, FinetuneOrder(base=str(base), settings=chosen, trust_remote_code=True)
    )
    scored = result.training["checkpoints"]
    assert [(part["step"], set(part["scores"])) for part in scored] == [
        (1, {"suggestion", "execution"}), (2, {"suggestion", "execution"}),
    ]  # fmt: skip
    assert "Sim_1 of 1 validation tasks, and mean share of agreement" in result.training["chosen"]["by"]
    run = out / "work" / "scoring" / "checkpoint-2" / "execution"
    assert (read_run(run).agent.name, read_run(run).agent.settings["max_pixels"]) == ("generalist", 20_000)
    assert all(attempt.steps for attempt in read_attempts(run))
    whole = LocalModel(ModelOptions(model=str(out)), device="cpu", trust_remote_code=True)
    assert whole.settings()["trained_on"] == ["suggestion", "execution"]


@pytest.mark.soak
def test_a_persons_own_adapter_is_chosen_by_their_own_validation_tasks(
    dataset: Path, text_model: Path, tmp_path: Path
) -> None:
    user = "1002"
    order = ExportOrder(track="joint", agent="autodroid", history="none", users=(user,), episodes=2)
    export_samples(dataset, tmp_path / "trl", order)
    chosen = settings("checkpoints=2", "max_steps=2", "choice_tasks=50")
    result = finetune(
        dataset, tmp_path / "trl", tmp_path / "own", FinetuneOrder(base=str(text_model), settings=chosen)
    )
    samples = result.training["samples"]
    assert (samples["options"]["users"], samples["users"]) == ([user], 1)
    assert result.training["chosen"]["by"].endswith(f"validation tasks of user {user}, teacher-forced")
    scoring = tmp_path / "own" / "work" / "scoring" / "checkpoint-2"
    tasks = {task.task_id.partition("__")[0] for task in read_predictions(scoring / "suggestion")}
    attempts = {attempt.end.task_id.partition("__")[0] for attempt in read_attempts(scoring / "execution")}
    assert (tasks, attempts) == ({user}, {user})


@pytest.mark.parametrize(
    ("track", "text"),
    [("suggestion", "Now {time} at {place}: {intents}"), ("execution", "{intent} {past_actions} {elements}")],
)
def test_a_prompt_file_is_what_is_trained_scored_and_named(
    dataset: Path, text_model: Path, tmp_path: Path, track: str, text: str
) -> None:
    file, out = tmp_path / "own.txt", tmp_path / "adapter"
    file.write_text(text)
    agent = ("--agent", "autodroid") if track == "execution" else ("--history", "20")
    lines = (*SMALL, "checkpoints=2", "max_steps=2", "choice_tasks=1")
    call = [str(dataset), "--track", track, *agent, "--base", str(text_model), "--out", str(out)]
    call += [*("--episodes", "2"), *(part for line in lines for part in ("--setting", line))]
    call += ["--prompt-file", str(file)]
    command.main(call, "finetune", standalone_mode=False)
    label = f"file own.txt sha256:{hashlib.sha256(text.encode()).hexdigest()[:12]}"
    training = json.loads((out / "training.json").read_text())
    assert training["prompt_texts"] == {track: label}
    assert f"its text for {track}: `{label}`" in (out / "README.md").read_text()
    for line in (out / "work" / "samples" / "train.jsonl").read_text().splitlines():
        sent = json.loads(line)["prompt"][-1]["content"]
        assert sent.startswith("Now 2") if track == "suggestion" else "<" in sent
    run = read_run if track == "execution" else read_suggestion_run
    scored = run(out / "work" / "scoring" / "checkpoint-2" / track)
    assert scored.agent.settings["prompt_text"] == label
    command.main(call, "finetune", standalone_mode=False)
    file.write_text(text + "!")
    with pytest.raises(RunError, match=r"samples of another prompt: it is file own.txt sha256:.* there"):
        command.main(call, "finetune", standalone_mode=False)


def test_the_start_is_that_of_the_dataset(dataset: Path, text_model: Path, tmp_path: Path) -> None:
    call = [str(dataset), "--base", str(text_model), "--out", str(tmp_path / "adapter"), "--start", "home"]
    with pytest.raises(UsageError, match="whose episodes begin in their app, got home: add --start app"):
        command.main([*call, "--track", "joint"], "finetune", standalone_mode=False)
    assert not (tmp_path / "adapter").exists()


def test_the_agent_auto_is_the_format_of_the_base(
    dataset: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call = [str(dataset), "--track", "execution", "--agent", "auto", "--out", str(tmp_path / "out")]
    with pytest.raises(UsageError, match=r"^no known model is named mine: name the format of its answers"):
        command.main([*call, "--base", "mine"], standalone_mode=False)
    missing = str(tmp_path / "Qwen3.5-4B")
    with pytest.raises(FingerTipError, match=r"Qwen3\.5-4B"):
        command.main([*call, "--base", missing], standalone_mode=False)
    assert capsys.readouterr().err.splitlines()[0] == f"agent qwen3.5 for the model {missing}"


@pytest.mark.parametrize("text", ["0", "-1", "four", "", "5000"])
def test_a_rank_is_a_number_from_1_or_full(text: str) -> None:
    with pytest.raises(UsageError, match="expected --rank 1 to 4096, or full"):
        read_rank(text)


@pytest.mark.parametrize("processes", [1, 2, 4, 8])
def test_the_settings_for_gpus_fit_any_usual_number_of_them(processes: int) -> None:
    file = Path(finetuning.__file__).with_name("gpu.toml")
    chosen = read_settings(file)
    own = {name for name, origin in chosen.origins.items() if origin == str(file)}
    assert own == set(tomllib.loads(file.read_text()))
    assert chosen.values.rank == 64
    assert chosen.values.max_length == 0
    assert chosen.values.batch_size % (chosen.values.device_batch_size * processes) == 0


def test_settings_have_an_origin_and_wrong_ones_are_one_line(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text("epochs = 2\n")
    chosen = read_settings(file, ["seed=3"])
    assert (chosen.values.epochs, chosen.origins["epochs"]) == (2.0, str(file))
    assert [chosen.origins[name] for name in ("seed", "rank", "learning_rate")] == [
        "--setting",
        "paper",
        "ours",
    ]
    for line, message in (
        ("epoch=2", "there is no setting 'epoch'"),
        ("epochs=-1", "the setting epochs cannot be -1.0"),
        ("epochs", "expected a setting as NAME=VALUE"),
    ):
        with pytest.raises(UsageError, match=message):
            read_settings(lines=[line])
