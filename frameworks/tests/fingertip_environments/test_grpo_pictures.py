# ruff: noqa: ANN401 - what TRL and torch hand over
"""One step of GRPO of tiny models that see: LoRA, several phones, pictures of every screen in the loss."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from fingertip_environments import PhoneTask, phone_tools, prompt_rows, sim2_reward
from fingertip_environments.screen_pictures import ScreenPictures
from fingertip_environments.trl_attempt import OVER
from tests.test_architecture import ROOT

pytestmark = [
    pytest.mark.install,
    pytest.mark.filterwarnings("ignore::FutureWarning"),  # TRL calls what transformers will remove
    pytest.mark.filterwarnings("ignore:You are using 'environment_factory'"),
]
TASKS, GROUP, SCREENS = 2, 2, 2
FORMATS = {"qwen3_vl": ("qwen3-vl", 64 * 32**2), "qwen2_5_vl": ("qwen2.5-vl", 43_120)}
"""Architecture -> format, and pixels that the tiny processor leaves as they are."""

SHORT = {"exponential_decay_length_penalty": (8, 1.5)}
"""Makes a model of random weights end its answers, so that there is room for the next screen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A step of a training, and the inputs of its loss."""

    trainer: Any
    inputs: dict[str, Any]
    before: dict[str, Any]


@pytest.fixture(scope="module", params=sorted(FORMATS))
def step(
    request: pytest.FixtureRequest, tasks: tuple[PhoneTask, ...], tmp_path_factory: pytest.TempPathFactory
) -> Step:
    folder = tmp_path_factory.mktemp(request.param)
    trainer = make_trainer(request.param, tasks[:TASKS], folder)
    before = {name: one.detach().clone() for name, one in trainer.model.named_parameters()}
    seen: list[dict[str, Any]] = []
    compute: Callable[..., Any] = trainer.compute_loss

    def watched(model: Any, inputs: dict[str, Any], *words: Any, **options: Any) -> Any:
        seen.append(inputs)
        return compute(model, inputs, *words, **options)

    trainer.compute_loss = watched
    trainer.train()
    return Step(trainer=trainer, inputs=seen[0], before=before)


def make_trainer(architecture: str, tasks: tuple[PhoneTask, ...], folder: Path) -> Any:
    from datasets import Dataset
    from peft import LoraConfig
    from transformers import AutoProcessor
    from trl import GRPOConfig, GRPOTrainer

    from tests.tiny_models import write_model

    name, pixels = FORMATS[architecture]
    blind = ScreenPictures(format=name, processor=None, max_completion_length=1)
    texts = [
        str(message["content"]) for row in prompt_rows(tasks, screens=blind) for message in row["prompt"]
    ]
    write_model(architecture, folder / "base", texts)
    screens = ScreenPictures(
        format=name,
        processor=AutoProcessor.from_pretrained(folder / "base", trust_remote_code=True),
        most=SCREENS,
        max_completion_length=300,
        max_pixels=pixels,
    )
    settings = GRPOConfig(
        output_dir=str(folder / "training"), max_steps=1, per_device_train_batch_size=TASKS * GROUP,
        num_generations=GROUP, max_completion_length=300,
        generation_kwargs={**screens.make_generation_kwargs(), **SHORT},
        learning_rate=1e-2, beta=0.02, use_cpu=True, bf16=False, report_to="none", save_strategy="no",
        logging_steps=1, disable_tqdm=True, seed=0,
    )  # fmt: skip
    return GRPOTrainer(
        model=str(folder / "base"),
        args=settings,
        train_dataset=Dataset.from_list(prompt_rows(tasks, screens=screens)),
        processing_class=screens.processor,
        environment_factory=phone_tools(tasks, reward=sim2_reward, screens=screens),
        peft_config=LoraConfig(r=4, target_modules=r".*language_model.*\.(q_proj|v_proj)"),
    )


def test_the_adapter_of_the_language_part_learns(step: Step) -> None:
    changed = {
        name for name, one in step.trainer.model.named_parameters() if not one.equal(step.before[name])
    }
    assert changed
    assert all("lora_" in name and "language_model" in name for name in changed)
    (line,) = [line for line in step.trainer.state.log_history if "reward" in line]
    assert line["reward_std"] > 0
    assert line["tools/failure_frequency"] == 0


def test_each_phone_had_its_own_attempt_and_reward(step: Step) -> None:
    phones = step.trainer.environments
    assert len(phones) == len({id(phone._core.phone) for phone in phones}) == TASKS * GROUP
    rewards = [phone.get_reward() for phone in phones]
    assert len(set(rewards)) > 1
    (line,) = [line for line in step.trainer.state.log_history if "reward" in line]
    assert line["reward"] == pytest.approx(sum(rewards) / len(rewards))
    assert any(phone._core.actions for phone in phones)


def test_every_screen_is_in_the_loss_and_nothing_behind_the_end(step: Step) -> None:
    inputs, words = step.inputs, step.trainer.processing_class.tokenizer
    pad = words.convert_tokens_to_ids("<|image_pad|>")
    ids = [*inputs["prompt_ids"].flatten().tolist(), *inputs["completion_ids"].flatten().tolist()]
    merged = step.trainer.processing_class.image_processor.merge_size**2
    shown = int(inputs["image_grid_thw"].prod(dim=1).sum())
    assert ids.count(pad) == shown // merged
    assert sum(inputs["num_images"]) == len(inputs["image_grid_thw"]) > TASKS * GROUP
    own = inputs["completion_mask"].bool() & inputs["tool_mask"].bool()
    assert pad not in inputs["completion_ids"][own].tolist()
    assert OVER not in words.decode(ids)


def test_the_block_of_the_page_makes_a_trainer(tmp_path: Path, tiny_models: Callable[[str], Path]) -> None:
    page = (ROOT / "docs" / "environments.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```python pictures\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    folder = tiny_models("qwen3_vl")
    for given, small in (
        (
            'from_pretrained("Qwen/Qwen3-VL-4B-Instruct")',
            f'from_pretrained("{folder}", trust_remote_code=True)',
        ),
        ('"Qwen/Qwen3-VL-4B-Instruct"', f'"{folder}"'),
        ("people=40, episodes=8", "people=1, episodes=2"),
        ("GRPOConfig(\n", f'GRPOConfig("{tmp_path}", use_cpu=True, bf16=False, report_to="none",\n'),
    ):
        assert given in block
        block = block.replace(given, small)
    names: dict[str, Any] = {}
    exec(compile(block, "docs/environments.md", "exec"), names)  # noqa: S102 - our own page
    assert [tool.__name__ for tool in names["trainer"].tools] == ["act"]
