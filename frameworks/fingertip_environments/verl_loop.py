"""The simulated phone in verl: an agent loop whose screens are pictures of a conversation (verl 0.9).

verl trains one sequence of tokens a rollout, so the prompt of the first screen is that of `fingertip execute`
and each later screen is added behind the model's answer, as with TRL (`picture_tools`).
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

from verl.experimental.agent_loop.agent_loop import AgentLoopBase, AgentLoopMetrics, AgentLoopOutput

from fingertip_dataset.errors import UsageError
from fingertip_dataset.split_names import TRAIN
from fingertip_environments.phone_core import PhoneCore
from fingertip_environments.phone_task import PhoneTask, find_task
from fingertip_environments.picture_tools import PictureTools, make_picture_rows
from fingertip_environments.screen_pictures import Parts, ScreenPictures
from fingertip_environments.task_source import list_source_tasks, make_reward
from fingertip_models.messages import Language


@dataclass(slots=True)
class _Sequence:
    """The tokens of a rollout, with what its prompt and its answers are.

    Attributes:
        messages: The conversation.
        images: Its pictures.
        tokens: All tokens.
        mask: 1 for each token that the model wrote, 0 for others, behind the first prompt.
        log_probs: Their log probabilities; empty if the server gives none.
        turns: Number of answers.
    """

    messages: list[dict[str, Any]]
    images: list[Any]
    tokens: list[int] = field(default_factory=list)
    mask: list[int] = field(default_factory=list)
    log_probs: list[float] = field(default_factory=list)
    turns: int = 0


class PhoneAgentLoop(AgentLoopBase):
    """Agent loop that carries out a task: `_target_` of an entry of verl's `agent_loop_config_path`.

    Args:
        args: Those of verl's AgentLoopBase.
        format: Name of a format with points on a picture, such as "qwen3-vl".
        most: Largest number of screens in a rollout; None for the task's step limit.
        max_pixels: Maximum pixels of a picture; None for the format's own limit.
        language: Language of the prompts.
        reward: Name of the reward, "goal", "personal" or "progress".
        dataset: Folder of a built dataset of simulated people; None for people who live now.
        split: Name of the dataset's split.
        limit: Maximum number of the split's tasks.
        people: Number of people who live now.
        episodes: Number of tasks of each of them.
        first: Number of the first of them, from 0.
        locale: Language of people who live now.
        kwargs: Further ones of verl's AgentLoopBase.

    Raises:
        UsageError: A wrong name, limit or number.
        DatasetError: The dataset cannot be read.
    """

    def __init__(
        self,
        *args: Any,  # noqa: ANN401 - verl's
        format: str = "qwen3-vl",
        most: int | None = None,
        max_pixels: int | None = None,
        language: Language = "zh",
        reward: str = "goal",
        dataset: str | None = None,
        split: str = TRAIN,
        limit: int | None = None,
        people: int = 3,
        episodes: int = 8,
        first: int = 0,
        locale: str = "zh",
        **kwargs: Any,  # noqa: ANN401 - verl's
    ) -> None:
        super().__init__(*args, **kwargs)
        self._screens = ScreenPictures(
            format=format,
            processor=self.processor,
            max_completion_length=1,  # verl ends a rollout by its own length
            most=most,
            max_pixels=max_pixels,
            language=language,
        )
        self._reward = make_reward(reward)
        self._tasks = list_source_tasks(
            dataset=None if dataset is None else Path(dataset),
            split=split, limit=limit, people=people, episodes=episodes, first=first, locale=locale,
        )  # fmt: skip

    async def run(self, sampling_params: dict[str, Any], **kwargs: Any) -> AgentLoopOutput:  # noqa: ANN401
        """Carry out the task of a row.

        A rollout whose phone failed says nothing of the model: no token of it is learned.

        Raises:
            UsageError: The row names no task, or one that there is not.
        """
        task_id = (kwargs.get("extra_info") or {}).get("task_id")
        if task_id is None:
            raise UsageError("expected a task_id in extra_info of the row: make_verl_rows makes such rows")
        task = find_task(self._tasks, task_id)
        tools = PictureTools([task], PhoneCore(reward=self._reward), self._screens)
        done, request = await self._begin(tools, task), uuid4().hex
        prompt, length = len(done.tokens), self.rollout_config.response_length
        while True:
            answer = await self._answer(done, request, sampling_params)
            if len(done.mask) > length:
                break  # nothing is done that the model does not learn from
            shown = await asyncio.to_thread(tools.act, answer)
            if isinstance(shown, str) or not await self._show(done, shown):
                break
        reward = await asyncio.to_thread(tools.get_reward)
        return AgentLoopOutput(
            prompt_ids=done.tokens[:prompt],
            response_ids=done.tokens[prompt:][:length],
            response_mask=[0 if reward is None else one for one in done.mask[:length]],
            response_logprobs=done.log_probs[:length] or None,
            multi_modal_data={"images": done.images},
            reward_score=0.0 if reward is None else float(reward),
            num_turns=2 * done.turns,
            metrics=AgentLoopMetrics(),
            extra_fields={"turn_scores": [], "tool_rewards": []},
        )

    async def _begin(self, tools: PictureTools, task: PhoneTask) -> _Sequence:
        """The prompt with the picture of the first screen."""
        (row,) = make_picture_rows([task], self._screens)
        parts = await asyncio.to_thread(tools.reset, task.task_id)
        *others, last = row["prompt"]
        done = _Sequence(messages=[*others, {**last, "content": parts}], images=_list_images(parts))
        self._assert_mm_supported(bool(done.images))
        done.tokens = await self.ct_build_initial_tokens(done.messages, images=done.images)
        return done

    async def _answer(self, done: _Sequence, request: str, sampling: dict[str, Any]) -> str:
        """The model's next answer, which is added to the tokens."""
        made = await self.server_manager.generate(
            request_id=request, prompt_ids=done.tokens, sampling_params=sampling, image_data=done.images
        )
        before = done.log_probs if done.log_probs or made.log_probs else None
        merged, done.mask, log_probs = await self.ct_merge_assistant_token(
            done.tokens, made.token_ids, done.mask, before, assistant_logprobs=made.log_probs or None
        )
        done.tokens, done.log_probs = merged.token_ids, log_probs or []
        done.turns += 1
        text: str = self.tokenizer.decode(made.token_ids, skip_special_tokens=True)
        done.messages.append({"role": "assistant", "content": text})
        return text

    async def _show(self, done: _Sequence, parts: Parts) -> bool:
        """Add a screen or a reply, unless it does not fit into the response; returns whether it does."""
        later = [*done.messages, {"role": "user", "content": parts}]
        merged, mask, log_probs = await self.ct_merge_context_msg(
            done.messages, later, done.tokens, done.mask, done.log_probs or None
        )
        if len(mask) >= self.rollout_config.response_length:
            return False
        done.messages, done.tokens, done.mask = later, merged.token_ids, mask
        done.log_probs = log_probs or []
        done.images += _list_images(parts)
        return True


def _list_images(parts: Parts) -> list[Any]:
    return [part["image"] for part in parts if part["type"] == "image"]
