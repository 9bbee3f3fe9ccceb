"""A Hugging Face model in this process, for text or vision, as an alternative to a server."""

from __future__ import annotations

import asyncio
import hashlib
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fingertip_dataset.errors import InputError, MissingExtraError, ModelError, UsageError
from fingertip_dataset.release.problems import printable
from fingertip_models.chat_answer import ModelAnswer, split_reasoning
from fingertip_models.messages import Message
from fingertip_models.options import ModelOptions
from fingertip_models.request import as_taken

if TYPE_CHECKING:
    from PIL import Image

ENDS = 1 << 20
"""Number of bytes hashed at the beginning and the end of each file to identify a checkpoint: hashing whole
weights takes minutes."""

CLOSED = "the model is closed"


class LocalModel:
    """A checkpoint supported by transformers, queried through its own chat template, one request at a time.

    Temperature 0 is greedy decoding. The model runs on a GPU if there is one, in the checkpoint's precision.

    Args:
        options: Options of the model, whose name is a checkpoint's folder or its name on the Hub; without a
            base URL. Timeout and retries are ignored.
        trust_remote_code: Whether code that the checkpoint contains may be run; unknown code can do anything.
        device: Name of a torch device; None for the first GPU, or the CPU.

    Raises:
        UsageError: The options have a base URL, or request a stream.
        MissingExtraError: torch or transformers is not installed.
        ModelError: The checkpoint cannot be loaded.
    """

    def __init__(
        self, options: ModelOptions, *, trust_remote_code: bool = False, device: str | None = None
    ) -> None:
        if options.base_url is not None:
            raise UsageError(f"a local model has no base URL, got {options.base_url}")
        if options.stream:
            raise UsageError("--stream is for servers: a local model in this process does not stream")
        try:
            import torch
            import transformers
        except ImportError as error:
            raise MissingExtraError(error.name or "transformers", "embeddings") from error
        self.options = options
        self._lock = threading.Lock()
        # one worker: requests waiting in its queue can be cancelled
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="fingertip-local")
        self._device = device or ("cuda" if torch.cuda.is_available() else "cpu")
        loading = {"trust_remote_code": trust_remote_code}
        try:
            processors: Any = transformers.AutoProcessor
            self._processor: Any = processors.from_pretrained(options.model, **loading)
            self._has_vision = hasattr(self._processor, "image_processor")
            kind = (
                transformers.AutoModelForImageTextToText
                if self._has_vision
                else transformers.AutoModelForCausalLM
            )
            loaded: Any = kind.from_pretrained(options.model, dtype="auto", **loading)
            self._model: Any = loaded.to(self._device).eval()
        except Exception as error:  # a broken checkpoint makes its loader raise any error
            raise ModelError(
                f"the checkpoint {printable(options.model, 200)} cannot be loaded: {_one_line(error)}"
            ) from error
        self._checkpoint = _identity(Path(options.model), self._model.config)

    def settings(self) -> Mapping[str, object]:
        """Return the options, the checkpoint's identity, and the device, which affects rounding."""
        options = {**self.options.settings(), "base_url": None, "backend": "local"}
        return {**options, "checkpoint": self._checkpoint, "device": self._device}

    def ask(self, messages: Sequence[Message]) -> ModelAnswer:
        """Query the model.

        Raises:
            ModelError: The model fails.
            InputError: An image cannot be opened.
            UsageError: The model is closed, there is no message, or there is an image for a text model.
        """
        chat, pictures = self._chat(messages)
        with self._lock:
            if self._model is None:
                raise UsageError(CLOSED)
            try:
                return self._answer(chat, pictures)
            except Exception as error:  # torch and chat templates raise undocumented errors
                raise ModelError(f"{self.options.model} did not answer: {_one_line(error)}") from error

    async def ask_async(self, messages: Sequence[Message]) -> ModelAnswer:
        """Query the model in a thread; a running request is completed even if it is cancelled."""
        try:
            future = asyncio.get_running_loop().run_in_executor(self._worker, self.ask, messages)
        except RuntimeError as error:  # the worker refuses requests after `close`
            raise UsageError(CLOSED) from error
        return await future

    def close(self) -> None:
        """Cancel waiting requests and free the memory; repeated calls do nothing."""
        self._worker.shutdown(wait=False, cancel_futures=True)
        with self._lock:
            self._model = self._processor = None

    def _chat(self, messages: Sequence[Message]) -> tuple[list[dict[str, object]], list[Image.Image]]:
        if not messages:
            raise UsageError("a request to a model needs one message or more")
        pictures = [_opened(image) for message in messages for image in message.images]
        if pictures and not self._has_vision:
            raise UsageError(f"{self.options.model} takes no pictures, got one")
        return [self._chat_message(message) for message in as_taken(self.options, messages)], pictures

    def _chat_message(self, message: Message) -> dict[str, object]:
        if not self._has_vision:
            return {"role": message.role, "content": message.text}
        parts = [{"type": "image"} for _ in message.images]
        return {"role": message.role, "content": [*parts, {"type": "text", "text": message.text}]}

    def _answer(self, chat: list[dict[str, object]], pictures: list[Image.Image]) -> ModelAnswer:
        import torch

        begun = time.perf_counter()
        prompt = self._processor.apply_chat_template(chat, add_generation_prompt=True, tokenize=False)
        # the template has already added the special tokens
        images = {"images": pictures} if pictures else {}
        inputs = self._processor(text=[prompt], return_tensors="pt", add_special_tokens=False, **images)
        inputs = inputs.to(self._model.device)
        read = inputs["input_ids"].shape[1]
        if self.options.seed is not None:
            torch.manual_seed(self.options.seed)
        with torch.inference_mode():
            output = self._model.generate(
                **inputs, max_new_tokens=self.options.max_tokens, **_sampling(self.options)
            )
        # `generate` repeats the prompt before the answer
        tokens = output[0][read:].tolist()
        written = self._processor.decode(tokens, skip_special_tokens=True)
        reasoning, text = split_reasoning(written)
        return ModelAnswer(
            text=text,
            reasoning=reasoning,
            seconds=time.perf_counter() - begun,
            prompt_tokens=read,
            completion_tokens=len(tokens),
            model=self.options.model,
            attempts=1,
            finish_reason="stop" if self._ended(tokens) else "length",
        )

    def _ended(self, tokens: Sequence[int]) -> bool:
        # a number or a list of them, by checkpoint
        ends = self._model.generation_config.eos_token_id
        return bool(tokens) and tokens[-1] in (ends if isinstance(ends, list) else [ends])


def _sampling(options: ModelOptions) -> dict[str, object]:
    """Return the sampling arguments of `generate`; without a temperature, the checkpoint's own defaults."""
    if options.temperature is None:
        return {}
    if options.temperature == 0:
        # None resets a checkpoint's sampling settings, which would cause a warning
        return {"do_sample": False, "temperature": None, "top_p": None, "top_k": None}
    return {"do_sample": True, "temperature": options.temperature}


def _identity(folder: Path, config: Any) -> str:  # noqa: ANN401 - transformers is imported late
    """Return an identity of the checkpoint's content: the Hub's commit, or a hash of a folder's files."""
    if not folder.is_dir():
        return str(getattr(config, "_commit_hash", None) or "not known")
    digest = hashlib.sha256()
    for file in sorted(folder.iterdir()):
        if file.is_file():
            size = file.stat().st_size
            # NUL ends a name, so two lists of files cannot give the same bytes
            digest.update(f"{file.name}\0{size}\0".encode())
            with file.open("rb") as data:
                digest.update(data.read(ENDS))
                data.seek(max(ENDS, size - ENDS))
                digest.update(data.read(ENDS))
    return digest.hexdigest()


def _opened(image: bytes) -> Image.Image:
    from PIL import Image

    try:
        return Image.open(BytesIO(image)).convert("RGB")
    except (OSError, ValueError, Image.DecompressionBombError) as error:
        raise InputError(f"expected a picture, got {len(image)} bytes of something else") from error


def _one_line(error: Exception) -> str:
    return printable(" ".join(f"{type(error).__name__}: {error}".split()), 200)
