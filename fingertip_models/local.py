"""A Hugging Face model in this process, for text or vision, as an alternative to a server."""

from __future__ import annotations

import asyncio
import threading
import time
import warnings
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field
from importlib.metadata import version
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fingertip_dataset.errors import FingerTipError, InputError, MissingExtraError, ModelError, UsageError
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
from fingertip_models.context import describe_excess, find_context
from fingertip_models.loading_bars import hide_loading_bars
from fingertip_models.local_sampling import check_extra_body, choose_sampling
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

    Temperature 0 is greedy decoding, and a temperature draws from the whole distribution: what the checkpoint
    itself says of sampling is used without a temperature only; see `choose_sampling`. A prompt that is longer
    than the model's context is refused, and an answer ends where the context does. The model runs on a GPU if
    there is one, in the checkpoint's precision.
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
        on_note: Callback with each sentence that a user should know, such as on sampling that is not used.

    Raises:
        UsageError: The options have a base URL, or request a stream; there is no such checkpoint, or it has
            no chat template; the adapter is none, or has another base; a batch of draws, which would not be
            reproducible; pictures for a text model; an extra field that a local model does not take.
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
        on_note: Callable[[str], None] | None = None,
    ) -> None:
        if options.base_url is not None:
            raise UsageError(f"a local model has no base URL, got {options.base_url}")
        if options.stream:
            raise UsageError("--stream is for servers: a local model in this process does not stream")
        if batch > 1 and options.temperature != 0:
            raise UsageError(f"a batch of {batch} requests needs temperature 0, got {options.temperature}")
        check_extra_body(options)
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
        _check_template(self._processor, options.model)
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
        self._weights, self._context = _describe_weights(loaded), find_context(loaded.config)
        self._sampling = choose_sampling(options, loaded.generation_config)
        loaded.generation_config = self._sampling.config
        if added is not None:
            added.check_base(options.model, self._checkpoint)
            loaded = _add_adapter(loaded, added)
        self._device = device or _choose_device()
        self._model: Any = loaded.to(self._device).eval()
        if on_note:
            for note in filter(None, (self._sampling.describe_left_out(), self._describe_room())):
                on_note(f"{printable(options.model, 200)}: {note}")

    def settings(self) -> Mapping[str, object]:
        """Return the options, the checkpoint's identity, and what else affects answers.

        That is the sampling in force, the type of the weights, the context, and the device, which affects
        rounding. A fine-tuned model adds its adapter's identity, and the tracks that it was trained on.
        """
        options = {**self.options.settings(), "base_url": None, "backend": "local"}
        added = self._adapter
        return {
            **options,
            "checkpoint": self._checkpoint,
            "device": self._device,
            "weights": self._weights,
            "sampling": dict(self._sampling.in_force),
            **({} if self._context is None else {"context": self._context}),
            **({} if added is None else {"adapter": added.folder.name, "adapter_identity": added.identity}),
            **({"trained_on": list(self._trained_on)} if self._trained_on else {}),
            **({"batch": self._batch} if self._batch > 1 else {}),
        }

    @property
    def software(self) -> Mapping[str, str]:
        """Versions of the packages that compute the answers."""
        names = ("torch", "transformers", *(("peft",) if self._adapter else ()))
        return {name: version(name) for name in names}

    def ask(self, messages: Sequence[Message]) -> ModelAnswer:
        """Query the model.

        Raises:
            ModelError: The model fails, or the prompt is longer than its context.
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
            self._answer_together([requests[at] for at in together], [chats[at] for at in together])

    def _answer_together(self, requests: Sequence[_Waiting], chats: Sequence[_Chat]) -> None:
        """Answer a batch; if it fails, each of its requests alone, because one may be too long."""
        try:
            answers = self._answer_chats(chats)
        except Exception as error:
            if len(requests) == 1:
                requests[0].answer.set_exception(error)
                return
        else:
            for request, answer in zip(requests, answers, strict=True):
                request.answer.set_result(answer)
            return
        for request, chat in zip(requests, chats, strict=True):
            self._answer_together([request], [chat])

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
            except FingerTipError:
                raise
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
        read, lengths = inputs["input_ids"].shape[1], inputs["attention_mask"].sum(dim=1).tolist()
        most = self._count_room(max(lengths))
        if len(chats) > 1 and most < min(self.options.max_tokens, self._count_room(min(lengths))):
            # the longest prompt of a batch would end the answers to the others
            return [answer for chat in chats for answer in self._generate([chat])]
        if self.options.seed is not None:
            torch.manual_seed(self.options.seed)
        with torch.inference_mode():
            output = self._model.generate(**inputs, max_new_tokens=most, **self._list_arguments())
        seconds = time.perf_counter() - begun
        # `generate` repeats the prompt before the answer
        return [
            self._answer(row[read:].tolist(), length, seconds, most)
            for row, length in zip(output, lengths, strict=True)
        ]

    def _list_arguments(self) -> Mapping[str, object]:
        """Return the sampling arguments of `generate`, with the tokenizer if a text ends answers."""
        if not self._sampling.config.stop_strings:
            return self._sampling.arguments
        tokenizer = getattr(self._processor, "tokenizer", self._processor)
        return {**self._sampling.arguments, "tokenizer": tokenizer}

    def _count_room(self, prompt: int) -> int:
        """Count the tokens that an answer may have after a prompt.

        Raises:
            ModelError: There is room for none.
        """
        if self._context is None:
            return self.options.max_tokens
        if prompt >= self._context:
            raise ModelError(f"{self.options.model} did not answer: {describe_excess(prompt, self._context)}")
        return min(self.options.max_tokens, self._context - prompt)

    def _describe_room(self) -> str:
        """Return that no answer can be as long as asked for, as a sentence; "" if one can."""
        if self._context is None or self.options.max_tokens < self._context:
            return ""
        return (
            f"prompt and answer together have at most {self._context:,} tokens, its context: an answer is "
            f"cut there, before --max-tokens {self.options.max_tokens}"
        )

    def _answer(self, tokens: list[int], prompt_tokens: int, seconds: float, most: int) -> ModelAnswer:
        # a number or a list of them, by checkpoint
        ends = self._model.generation_config.eos_token_id
        ends = ends if isinstance(ends, list) else [ends]
        # a row that ended before the longest of its batch is padded
        end = next((at for at, token in enumerate(tokens) if token in ends), None)
        tokens = tokens if end is None else tokens[: end + 1]
        output = split_thinking(self._processor.decode(tokens, skip_special_tokens=True))
        text, _, notes = find_text(output, "")
        # a text of the checkpoint may end an answer, too
        cut = end is None and len(tokens) >= most
        if cut and most < self.options.max_tokens:
            notes = (*notes, f"the answer was cut at the end of the context, {self._context} tokens")
        return ModelAnswer(
            text=text,
            reasoning=output.thought,
            notes=notes,
            seconds=seconds,
            prompt_tokens=prompt_tokens,
            completion_tokens=len(tokens),
            model=self.options.model,
            attempts=1,
            finish_reason="length" if cut else "stop",
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
        with hide_loading_bars() if Path(name).is_dir() else nullcontext():
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


def _check_template(processor: Any, name: str) -> None:  # noqa: ANN401 - transformers is imported late
    """Refuse a checkpoint that nobody can ask: a model that only continues texts has no chat template.

    Raises:
        UsageError: It has none.
    """
    # tokenizers that format chats in code of their own have no such attribute
    template = getattr(processor, "chat_template", ...)
    if not template or (isinstance(template, dict) and "default" not in template):
        raise UsageError(
            f"{printable(name, 200)} has no chat template, so it cannot be asked as a chat: give a model "
            "tuned for chats, often named -Instruct or -it, or put its chat_template.jinja into the folder"
        )


def _describe_weights(model: Any) -> str:  # noqa: ANN401 - transformers is imported late
    """Return the type of the weights, and how they are quantized, such as "bfloat16, fp8"."""
    quantized = getattr(model.config, "quantization_config", None)
    method = quantized.get("quant_method") if isinstance(quantized, dict) else (
        getattr(quantized, "quant_method", None)
    )  # fmt: skip
    name = str(getattr(method, "value", method or "quantized")) if quantized else ""
    return ", ".join(filter(None, (str(model.dtype).removeprefix("torch."), name)))


def _open_picture(image: bytes) -> Image.Image:
    from PIL import Image

    try:
        return convert_picture(Image.open(BytesIO(image)))
    except (*FAULTS, Image.DecompressionBombError) as error:
        raise InputError(f"expected a picture, got {len(image)} bytes of something else") from error
