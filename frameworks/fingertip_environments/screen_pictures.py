"""Screens as pictures in GRPO: the model's format, its processor, and how many pictures a context holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from io import BytesIO
from typing import Any

from PIL import Image

from fingertip_agents.execution_agent import PastStep, ScreenInput
from fingertip_agents.formats.picture_format import PictureFormat, ResizedPictureFormat, ThousandthsFormat
from fingertip_agents.parsing.reading import Prepared
from fingertip_agents.registry import format_names, make_model_format
from fingertip_dataset.actions import Click
from fingertip_dataset.errors import UnknownNameError, UsageError
from fingertip_environments.answer_template import fit_processor
from fingertip_environments.phone_task import PhoneTask
from fingertip_models.messages import Language, Message

Parts = list[dict[str, Any]]
"""Contents of a message for TRL: texts, and PIL images."""


@dataclass(frozen=True, kw_only=True)
class ScreenPictures:
    """How a model of a GRPOTrainer sees the phone: by pictures, and answers in its own format.

    Prompts, pictures and coordinates are those of `fingertip execute --agent FORMAT`. TRL keeps all of a
    conversation in the context, so the number of screens is limited here.

    Args:
        format: Name of a format whose answers have points, such as "qwen3-vl" or "ui-tars-1.5".
        processor: The model's processor of transformers; its chat template is changed (`fit_processor`).
        most: Largest number of screens in an attempt, the first included: the attempt ends after as many
            answers. None for the largest step limit of the tasks.
        max_completion_length: That of the GRPOConfig: tokens of an attempt after its first screen.
        context: Tokens that the model takes, `max_position_embeddings` of its configuration or
            `max_model_len` of vLLM; None for what the tokenizer says.
        max_pixels: Maximum pixels of a picture; None for the format's own.
        language: Language of the prompts.
    """

    format: str
    processor: Any = field(repr=False)
    max_completion_length: int
    most: int | None = None
    context: int | None = None
    max_pixels: int | None = None
    language: Language = "zh"

    def __post_init__(self) -> None:
        for name in ("most", "context", "max_pixels", "max_completion_length"):
            value = getattr(self, name)
            whole = isinstance(value, int) and not isinstance(value, bool)
            if value is not None and not (whole and value >= 1):
                raise UsageError(f"expected a whole number of 1 or more, got {name}={value!r}")
        self.own_format  # noqa: B018 - refuses a wrong name or limit now

    @cached_property
    def own_format(self) -> PictureFormat:
        """The format.

        Raises:
            UsageError: It is unknown, or its prompts list the elements of each screen.
        """
        if self.format not in format_names():
            raise UnknownNameError("a format", self.format, format_names())
        found = make_model_format(self.format, max_pixels=self.max_pixels)
        if not isinstance(found, PictureFormat):
            raise UsageError(
                f"the format {self.format} lists the elements of each screen in its prompt, which a "
                "conversation cannot repeat: give one with points on a picture, such as qwen3-vl"
            )
        return found

    def make_generation_kwargs(self, *, vllm: bool = False) -> dict[str, Any]:
        """Make the `generation_kwargs` of the GRPOConfig: the model writes no placeholders of pictures.

        TRL 1.16 counts placeholders to find pictures; one that the model wrote stops the training with a
        TypeError.

        Args:
            vllm: Whether vLLM generates, which has another name for it.
        """
        words = self.processor.tokenizer
        known = words.get_vocab()
        tokens = sorted(known[token] for token in PLACEHOLDERS if token in known)
        return {"logit_bias": dict.fromkeys(tokens, -100.0)} if vllm else {"suppress_tokens": tokens}

    def prepare(self, task: PhoneTask, screen: ScreenInput, past: Sequence[PastStep]) -> Prepared:
        """Prepare the prompt for a screen as `fingertip execute` does.

        Args:
            task: The task.
            screen: The screen, all of it.
            past: The steps so far.
        """
        shown = task.view.show_screen(screen)
        return self.own_format.prepare(task.shown_input, shown, past, self.language)

    def list_new_parts(self, prepared: Prepared, *, first: bool) -> Parts:
        """List what a model is shown that it has not seen yet: its last message, or the new screen.

        Args:
            prepared: The prompt for the screen.
            first: Whether it is the first screen.
        """
        messages = prepared.messages
        if first:
            return list_parts(messages[-1])
        if not self.own_format.conversation:
            return [part for part in list_parts(messages[-1]) if part["type"] == "image"]
        last = max(at for at, message in enumerate(messages) if message.role != "user")
        return [part for message in messages[last + 1 :] for part in list_parts(message)]

    def count_screens(self, tasks: Sequence[PhoneTask]) -> int:
        """The largest number of screens in an attempt at one of the tasks."""
        limit = max(int(task.task.target.step_limit) for task in tasks)
        return limit if self.most is None else min(self.most, limit)

    def check(self, tasks: Sequence[PhoneTask]) -> None:
        """Set the processor up, and refuse what it cannot hold before a training begins.

        Raises:
            UsageError: The pictures do not fit into `max_completion_length` or the context, the processor
                scales them, so that points would be off, or it cannot be used with TRL.
        """
        fit_processor(self.processor)
        for size in sorted({task.simulation.size for task in tasks}):
            same = [task for task in tasks if task.simulation.size == size]
            longest = max(same, key=lambda task: len(str(task.shown_input)))
            prepared = self.prepare(longest, make_blank_screen(size), ())
            self._check_scale(prepared)
            self._check_room(prepared, self.count_screens(same))

    def _check_scale(self, prepared: Prepared) -> None:
        """Refuse a processor that scales pictures whose pixels are the points of the format."""
        form = self.own_format
        if not isinstance(form, ResizedPictureFormat) or isinstance(form, ThousandthsFormat):
            return
        (picture,) = [part["image"] for part in self.list_new_parts(prepared, first=True) if "image" in part]
        pictures = self.processor.image_processor
        grid = pictures(images=[picture], return_tensors="np").get("image_grid_thw")
        patch = getattr(pictures, "patch_size", None)
        if grid is None or patch is None:
            return
        seen = int(grid[0][2]) * patch, int(grid[0][1]) * patch
        if seen != picture.size:
            raise UsageError(
                f"the processor scales a picture of {picture.width}x{picture.height} to "
                f"{seen[0]}x{seen[1]} px, and points of {self.format} are px of the picture: give "
                f"max_pixels={seen[0] * seen[1]}, or a processor with other limits"
            )

    def _check_room(self, prepared: Prepared, screens: int) -> None:
        """Refuse more screens than fit, even with answers as short as a click."""
        answer = prepared.write([Click(x=1, y=1)])
        text = "" if answer is None else answer.text
        own = [make_trl_message(message) for message in prepared.messages[:-1]]
        screen = self.list_new_parts(prepared, first=True)
        first = {"role": "user", "content": screen}
        picture = {"role": "user", "content": [part for part in screen if part["type"] == "image"]}
        spoken = {"role": "assistant", "content": [{"type": "text", "text": text}]}
        prompt = self._count_tokens([*own, first])
        once = self._count_tokens([*own, first, spoken])
        turn = self._count_tokens([*own, first, spoken, picture, spoken]) - once
        after = once - prompt + (screens - 1) * turn
        what = f"{screens} screens and the shortest answers take {after:,} tokens after the prompt"
        hint = f"lower most= (a screen and its answer take {turn:,}) or max_pixels="
        if after > self.max_completion_length:
            raise UsageError(
                f"{what}, max_completion_length is {self.max_completion_length:,}: raise it, or {hint}"
            )
        context = self._find_context()
        if context is not None and prompt + after > context:
            raise UsageError(
                f"{what}, which has {prompt:,}, and the model takes {context:,}: {hint}, or another model"
            )

    def _find_context(self) -> int | None:
        """Tokens that the model takes; None if that is not known."""
        if self.context is not None:
            return self.context
        limit = getattr(self.processor.tokenizer, "model_max_length", None)
        return limit if isinstance(limit, int) and limit < _NO_LIMIT else None

    def _count_tokens(self, messages: Sequence[dict[str, Any]]) -> int:
        found = self.processor.apply_chat_template([list(messages)], tokenize=True, return_dict=True)
        return len(found["input_ids"][0])


PLACEHOLDERS = (
    "<|image_pad|>", "<|video_pad|>", "<|image|>", "<|vision_start|>", "<|vision_end|>", "<|vision_pad|>",
    "<image>", "<image_soft_token>",
)  # fmt: skip
"""Tokens that stand for pictures, in models of several families."""

_NO_LIMIT = 10**9
"""Limit from which on a tokenizer says that it has none."""


def make_blank_screen(size: tuple[int, int]) -> ScreenInput:
    """Make a white screen, for prompts before a phone is on.

    Args:
        size: Width and height, px.
    """
    stream = BytesIO()
    Image.new("RGB", size, "white").save(stream, "PNG", compress_level=1)
    return ScreenInput(screenshot=stream.getvalue(), tree=None, size=size, package="")


def list_parts(message: Message) -> Parts:
    """List pictures and text of a message in their order, as TRL takes them."""
    pictures: Parts = [{"type": "image", "image": open_picture(data)} for data in message.images]
    text: Parts = [{"type": "text", "text": message.text}] if message.text else []
    return text + pictures if message.images_last else pictures + text


def open_picture(data: bytes) -> Image.Image:
    """Open a picture's bytes as RGB pixels."""
    with Image.open(BytesIO(data)) as image:
        return image.convert("RGB")


def make_trl_message(message: Message) -> dict[str, Any]:
    """Make a message of a conversation for TRL."""
    return {"role": message.role, "content": list_parts(message)}
