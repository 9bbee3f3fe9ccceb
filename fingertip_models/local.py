"""A Hugging Face model in this process, for text or vision, as an alternative to a server."""

from __future__ import annotations

import asyncio
import threading
import time
import warnings
from collections import deque
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fingertip_dataset.errors import InputError, MissingExtraError, ModelError, UsageError
from fingertip_dataset.pictures import FAULTS, convert_picture
from fingertip_dataset.release.problems import printable
from fingertip_models.chat.chat_answer import ModelAnswer, find_text
from fingertip_models.chat.request import merge_system
from fingertip_models.checkpoint import (
    Adapter,
    check_checkpoint,
    error_line,
    identify_checkpoint,
    read_adapter,
    read_tracks,
    read_training,
)
from fingertip_models.messages import Message
from fingertip_models.options import ModelOptions
from fingertip_models.thinking import split_thinking

if TYPE_CHECKING:
    from PIL import Image

CLOSED = "the model is closed"

_Chat = tuple[list[dict[str, object]], "list[Image.Image]"]
"""Messages as a chat template takes them, and their pictures in order."""

SECONDS_TO_GATHER = 0.02
"""Seconds that a batch that is not full waits for requests: those of the last batch's askers come within
milliseconds, and a batch of one would leave them waiting."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Waiting:
    """A request of `ask_async` that waits for its batch."""

    messages: Sequence[Message]
    answer: Future[ModelAnswer] = field(default_factory=Future)


class LocalModel:
    """A checkpoint supported by transformers, queried through its own chat template.

    Temperature 0 is greedy decoding. The model runs on a GPU if there is one, in the checkpoint's precision.
    Requests are answered one at a time; with `batch`, those that wait, of several threads or of `ask_async`,
    are answered together.

    Args:
        options: Options of the model, whose name is a checkpoint's folder or its name on the Hub; without a
            base URL. Timeout and retries are ignored.
        trust_remote_code: Whether code that the checkpoint contains may be run; unknown code can do anything.
        device: Name of a torch device; None for the first GPU, or the CPU.
        adapter: Folder of an adapter in PEFT's format, which was trained on this checkpoint.
        batch: Most requests that are answered together. Padding changes the rounding, so in half precision
            an answer may depend on its batch.
        pictures: Whether requests will have pictures: a model that takes none is then refused before its
            weights are loaded.

    Raises:
        UsageError: The options have a base URL, or request a stream; there is no such checkpoint; the adapter
            is none, or has another base; a batch of draws, which would not be reproducible; pictures for a
            text model.
        MissingExtraError: torch, transformers or peft is not installed.
        ModelError: The checkpoint or the adapter cannot be loaded, or the Hub cannot be asked for it.
    """

    def __init__(
        self,
        options: ModelOptions,
        *,
        trust_remote_code: bool = False,
        device: str | None = None,
        adapter: Path | None = None,
        batch: int = 1,
        pictures: bool = False,
    ) -> None:
        if options.base_url is not None:
            raise UsageError(f"a local model has no base URL, got {options.base_url}")
        if options.stream:
            raise UsageError("--stream is for servers: a local model in this process does not stream")
        if batch > 1 and options.temperature != 0:
            raise UsageError(f"a batch of {batch} requests needs temperature 0, got {options.temperature}")
        for package in ("torch", "transformers"):
            if find_spec(package) is None:
                raise MissingExtraError(package, "train" if adapter else "embeddings")
        check_checkpoint(options.model)
        added = None if adapter is None else read_adapter(adapter)
        self.options = options
        self._batch = batch
        self._lock = threading.Lock()
        self._waiting: deque[_Waiting] = deque()
        # one worker: requests waiting in its queue can be cancelled
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="fingertip-local")
        self._adapter = added
        self._trained_on = added.trained_on if added else _trained_on(options.model)
        self._processor: Any = _load_part("AutoProcessor", options.model, trust_remote_code=trust_remote_code)
        self._has_vision = hasattr(self._processor, "image_processor")
        if pictures and not self._has_vision:
            raise UsageError(
                f"{printable(options.model, 200)} takes no pictures, and the prompts have screenshots: give "
                "a vision model, or prompts without them (--screenshots 0, --agent autodroid)"
            )
        loaded = _load_part(
            "AutoModelForImageTextToText" if self._has_vision else "AutoModelForCausalLM",
            options.model,
            dtype="auto",
            trust_remote_code=trust_remote_code,
        )
        self._checkpoint = identify_checkpoint(options.model, loaded.config)
        if added is not None:
            added.check_base(options.model, self._checkpoint)
            loaded = _add_adapter(loaded, added)
        self._device = device or _choose_device()
        self._model: Any = loaded.to(self._device).eval()

    def settings(self) -> Mapping[str, object]:
        """Return the options, the checkpoint's identity, and the device, which affects rounding.

        A fine-tuned model adds its adapter's identity, and the tracks that it was trained on.
        """
        options = {**self.options.settings(), "base_url": None, "backend": "local"}
        added = self._adapter
        return {
            **options,
            "checkpoint": self._checkpoint,
            "device": self._device,
            **({} if added is None else {"adapter": added.folder.name, "adapter_identity": added.identity}),
            **({"trained_on": list(self._trained_on)} if self._trained_on else {}),
            **({"batch": self._batch} if self._batch > 1 else {}),
        }

    def ask(self, messages: Sequence[Message]) -> ModelAnswer:
        """Query the model.

        Raises:
            ModelError: The model fails.
            InputError: An image cannot be opened.
            UsageError: The model is closed, there is no message, or there is an image for a text model.
        """
        if self._batch > 1:
            return self._wait_for_batch(messages).result()
        (answer,) = self._answer_chats([self._make_chat(messages)])
        return answer

    async def ask_async(self, messages: Sequence[Message]) -> ModelAnswer:
        """Query the model in a thread; a running request is completed even if it is cancelled."""
        return await asyncio.wrap_future(self._wait_for_batch(messages))

    def _wait_for_batch(self, messages: Sequence[Message]) -> Future[ModelAnswer]:
        """Put a request among those that wait; its batch sets the answer."""
        request = _Waiting(messages=messages)
        self._waiting.append(request)
        try:
            self._worker.submit(self._answer_waiting)
        except RuntimeError as error:  # the worker refuses requests after `close`
            raise UsageError(CLOSED) from error
        return request.answer

    def _answer_waiting(self) -> None:
        """Answer the oldest requests that wait, at most a batch of them."""
        if self._waiting and len(self._waiting) < self._batch:
            time.sleep(SECONDS_TO_GATHER)
        requests: list[_Waiting] = []
        chats: list[_Chat] = []
        # an earlier batch may have answered the request of this call
        while len(requests) < self._batch and self._waiting:
            request = self._waiting.popleft()
            if not request.answer.set_running_or_notify_cancel():
                continue
            try:
                chats.append(self._make_chat(request.messages))
            except Exception as error:
                request.answer.set_exception(error)
            else:
                requests.append(request)
        for together in _group_alike(chats):
            try:
                answers = self._answer_chats([chats[at] for at in together])
            except Exception as error:
                for at in together:
                    requests[at].answer.set_exception(error)
            else:
                for at, answer in zip(together, answers, strict=True):
                    requests[at].answer.set_result(answer)

    def close(self) -> None:
        """Cancel waiting requests and free the memory; repeated calls do nothing."""
        self._worker.shutdown(wait=False, cancel_futures=True)
        with suppress(IndexError):
            while True:
                self._waiting.popleft().answer.cancel()
        with self._lock:
            self._model = self._processor = None

    def _make_chat(self, messages: Sequence[Message]) -> _Chat:
        if not messages:
            raise UsageError("a request to a model needs one message or more")
        pictures = [_open_picture(image) for message in messages for image in message.images]
        if pictures and not self._has_vision:
            raise UsageError(f"{self.options.model} takes no pictures, got one")
        return [
            self._make_chat_message(message) for message in merge_system(self.options, messages)
        ], pictures

    def _make_chat_message(self, message: Message) -> dict[str, object]:
        if not self._has_vision:
            return {"role": message.role, "content": message.text}
        pictures = [{"type": "image"} for _ in message.images]
        words = [{"type": "text", "text": message.text}]
        parts = [*words, *pictures] if message.images_last else [*pictures, *words]
        return {"role": message.role, "content": parts}

    def _answer_chats(self, chats: Sequence[_Chat]) -> list[ModelAnswer]:
        with self._lock:
            if self._model is None:
                raise UsageError(CLOSED)
            try:
                return self._generate(chats)
            except Exception as error:  # torch and chat templates raise undocumented errors
                raise ModelError(f"{self.options.model} did not answer: {error_line(error)}") from error

    def _generate(self, chats: Sequence[_Chat]) -> list[ModelAnswer]:
        """Answer several chats at once; all have as many pictures as the first."""
        import torch

        begun = time.perf_counter()
        prompts = [
            self._processor.apply_chat_template(chat, add_generation_prompt=True, tokenize=False)
            for chat, _ in chats
        ]
        pictures = [several for _, several in chats]
        images: dict[str, object] = {}
        if pictures[0]:
            images = {"images": pictures if len(pictures) > 1 else pictures[0]}
        padding: dict[str, object] = {"padding": True, "padding_side": "left"} if len(chats) > 1 else {}
        # the template has already added the special tokens
        inputs = self._processor(
            text=prompts, return_tensors="pt", add_special_tokens=False, **padding, **images
        )
        inputs = inputs.to(self._model.device)
        read = inputs["input_ids"].shape[1]
        if self.options.seed is not None:
            torch.manual_seed(self.options.seed)
        with torch.inference_mode():
            output = self._model.generate(
                **inputs, max_new_tokens=self.options.max_tokens, **_choose_sampling(self.options)
            )
        seconds = time.perf_counter() - begun
        lengths = inputs["attention_mask"].sum(dim=1).tolist()
        # `generate` repeats the prompt before the answer
        return [
            self._answer(row[read:].tolist(), length, seconds)
            for row, length in zip(output, lengths, strict=True)
        ]

    def _answer(self, tokens: list[int], prompt_tokens: int, seconds: float) -> ModelAnswer:
        # a number or a list of them, by checkpoint
        ends = self._model.generation_config.eos_token_id
        ends = ends if isinstance(ends, list) else [ends]
        # a row that ended before the longest of its batch is padded
        end = next((at for at, token in enumerate(tokens) if token in ends), None)
        tokens = tokens if end is None else tokens[: end + 1]
        output = split_thinking(self._processor.decode(tokens, skip_special_tokens=True))
        text, _, notes = find_text(output, "")
        return ModelAnswer(
            text=text,
            reasoning=output.thought,
            notes=notes,
            seconds=seconds,
            prompt_tokens=prompt_tokens,
            completion_tokens=len(tokens),
            model=self.options.model,
            attempts=1,
            finish_reason="length" if end is None else "stop",
        )


def _group_alike(chats: Sequence[_Chat]) -> list[list[int]]:
    """Group the positions of chats by their number of pictures: processors want as many for each chat."""
    groups: dict[int, list[int]] = {}
    for at, (_, pictures) in enumerate(chats):
        groups.setdefault(len(pictures), []).append(at)
    return list(groups.values())


def _load_part(kind: str, name: str, **loading: object) -> Any:  # noqa: ANN401 - transformers is imported late
    """A part of a checkpoint, by the name of the class of transformers that loads it."""
    import transformers

    try:
        return getattr(transformers, kind).from_pretrained(name, **loading)
    except Exception as error:  # a broken checkpoint makes its loader raise any error
        raise ModelError(
            f"the checkpoint {printable(name, 200)} cannot be loaded: {error_line(error)}"
        ) from error


def _choose_device() -> str:
    """The first GPU, or the CPU."""
    import torch

    return "cuda" if torch.cuda.is_available() else "cpu"


def _add_adapter(model: Any, adapter: Adapter) -> Any:  # noqa: ANN401 - transformers is imported late
    """Add the adapter's weights to those of the model."""
    try:
        from peft import PeftModel
    except ImportError as error:
        raise MissingExtraError(error.name or "peft", "train") from error
    try:
        # peft uses names that transformers warns of
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)
            return PeftModel.from_pretrained(model, str(adapter.folder))
    except Exception as error:  # a broken adapter makes its loader raise any error
        raise ModelError(f"the adapter cannot be loaded: {error_line(error)}", file=adapter.folder) from error


def _trained_on(model: str) -> tuple[str, ...]:
    """The tracks on which a whole fine-tuned model was trained; empty for others."""
    return read_tracks(read_training(Path(model))) if Path(model).is_dir() else ()


def _choose_sampling(options: ModelOptions) -> dict[str, object]:
    """Return the sampling arguments of `generate`; without a temperature, the checkpoint's own defaults."""
    if options.temperature is None:
        return {}
    if options.temperature == 0:
        # None resets a checkpoint's sampling settings, which would cause a warning
        return {"do_sample": False, "temperature": None, "top_p": None, "top_k": None}
    return {"do_sample": True, "temperature": options.temperature}


def _open_picture(image: bytes) -> Image.Image:
    from PIL import Image

    try:
        return convert_picture(Image.open(BytesIO(image)))
    except (*FAULTS, Image.DecompressionBombError) as error:
        raise InputError(f"expected a picture, got {len(image)} bytes of something else") from error
