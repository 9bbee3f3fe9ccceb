"""Runs in verl's environment: its own worker makes rollouts with a scripted server; prints them as JSON.

Call: `verl_rollouts.py MODEL ANSWERS OUT`, the folder of a model, and a file of the answers by task id.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import verl
from hydra import compose, initialize_config_dir
from omegaconf import OmegaConf
from verl.experimental.agent_loop.agent_loop import AgentLoopWorker
from verl.protocol import DataProto
from verl.utils.dataset.rl_dataset import RLHFDataset, collate_fn
from verl.workers.rollout.replica import TokenOutput

from fingertip_environments.task_source import list_source_tasks
from fingertip_environments.verl_rows import AGENT_NAME, make_verl_rows

LOOP = {
    "_target_": "fingertip_environments.verl_loop.PhoneAgentLoop",
    "people": 1,
    "episodes": 2,
    "max_pixels": 100_000,
    "most": 12,
}
RESPONSE = 6000


class ScriptedServer:
    """A server of a model that gives each task's answers, one after the other.

    Args:
        tokenizer: The model's.
        answers: The answers by intent.
    """

    def __init__(self, tokenizer: Any, answers: dict[str, list[str]]) -> None:  # noqa: ANN401
        self.tokenizer, self._answers = tokenizer, answers
        self.calls: list[tuple[int, int]] = []

    async def generate(
        self,
        request_id: str,
        *,
        prompt_ids: list[int],
        image_data: list[Any],
        **options: Any,  # noqa: ANN401
    ) -> TokenOutput:
        text = self.tokenizer.decode(prompt_ids)
        (intent,) = (intent for intent in self._answers if intent in text)
        self.calls.append((len(image_data), text.count("<|vision_start|>")))
        tokens = self.tokenizer.encode(self._answers[intent].pop(0), add_special_tokens=False)
        end = self.tokenizer.convert_tokens_to_ids("<|im_end|>")
        return TokenOutput(token_ids=[*tokens, end], log_probs=[-0.5] * (len(tokens) + 1))


def make_worker(model: str, folder: Path, answers: dict[str, list[str]]) -> AgentLoopWorker:
    """A worker of verl with its own configuration."""
    loops = folder / "loops.yaml"
    loops.write_text(OmegaConf.to_yaml([{"name": AGENT_NAME, **LOOP}]), encoding="utf-8")
    with initialize_config_dir(str(Path(verl.__file__).parent / "trainer" / "config"), version_base=None):
        config = compose(
            "ppo_trainer",
            [
                f"actor_rollout_ref.model.path={model}",
                "actor_rollout_ref.model.trust_remote_code=True",  # the tiny model has a processor of its own
                "actor_rollout_ref.rollout.name=vllm",
                "actor_rollout_ref.rollout.prompt_length=4000",
                f"actor_rollout_ref.rollout.response_length={RESPONSE}",
                f"actor_rollout_ref.rollout.agent.agent_loop_config_path={loops}",
                "actor_rollout_ref.rollout.calculate_log_probs=True",
            ],
        )
    worker = AgentLoopWorker(config, ScriptedServer(None, answers))
    worker.llm_client.tokenizer = worker.tokenizer
    return worker


def main() -> None:
    """Make the rollouts."""
    model, answers, out = sys.argv[1], json.loads(Path(sys.argv[2]).read_text("utf-8")), Path(sys.argv[3])
    rows = make_verl_rows(list_source_tasks(people=1, episodes=2))
    pq.write_table(pa.Table.from_pylist(rows), out.with_name("train.parquet"))
    worker = make_worker(model, out.parent, answers)
    data = RLHFDataset(
        str(out.with_name("train.parquet")), worker.tokenizer, worker.config.data, worker.processor
    )
    batch = DataProto.from_single_dict(collate_fn([data[number] for number in range(len(data))]))
    done = asyncio.run(worker.generate_sequences(batch))
    found = []
    for number in range(len(rows)):
        mask, response = done.batch["response_mask"][number], done.batch["responses"][number]
        found.append(
            {
                "reward": float(done.batch["rm_scores"][number].sum()),
                "learned": worker.tokenizer.decode(response[mask.bool()]),
                "tokens": int(mask.sum()),
                "length": int(done.batch["attention_mask"][number, -RESPONSE:].sum()),
                "pictures": len(done.non_tensor_batch["multi_modal_inputs"][number]["image_grid_thw"]),
            }
        )
    out.write_text(json.dumps({"rollouts": found, "calls": worker.llm_client.calls}), encoding="utf-8")


if __name__ == "__main__":
    main()
