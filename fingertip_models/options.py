"""Options of a model: its name, its endpoint, and the settings that all calls of a run share."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from typing import Literal, get_args
from urllib.parse import urlsplit

from fingertip_dataset.errors import UsageError
from fingertip_models.messages import Language

MAX_TOKENS = 8192
"""Default maximum tokens of an answer. Thinking models need it: QVQ-Max reads and writes 2,335 tokens
per query in the paper's table 3 on average, so many answers exceed 2,000. Several providers
refuse a higher maximum."""

OPENAI_URL = "https://api.openai.com/v1"
"""Default endpoint."""

SystemRole = Literal["keep", "merge"]
"""Handling of system messages."""

LANGUAGES: tuple[Language, ...] = ("zh", "en")


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelOptions:
    """A model behind an OpenAI-compatible endpoint, and the settings of its requests.

    Attributes:
        base_url: URL of the server, usually ending in /v1, under which `/chat/completions` lies; None for
            OPENAI_BASE_URL of the environment, and without it OpenAI's own.
        model: Name of the model on the server.
        language: Language of the prompts.
        temperature: Sampling temperature; 0 is greedy, None sends none, for models that refuse one.
        seed: Seed for servers that accept one; None sends none.
        max_tokens: Maximum tokens of an answer, reasoning included.
        timeout_s: Maximum seconds of one attempt, from the first byte sent to the last byte received.
        retries: How often a failed attempt is repeated.
        max_pixels: Maximum pixels of a screenshot; None for the default of the agent's format.
        stream: Whether the answer is requested as a stream, which some models require; the answer is the
            same, with the time of its first token.
        system_role: "merge" puts the system message before the user's, for models without a system role.
        api_key_env: Name of the environment variable with the key; the key itself is never stored.

    Raises:
        UsageError: A value is invalid; the message names it.
    """

    base_url: str | None = None
    model: str
    language: Language = "zh"
    temperature: float | None = 0.0
    seed: int | None = None
    max_tokens: int = MAX_TOKENS
    timeout_s: float = 120
    retries: int = 5
    max_pixels: int | None = None
    stream: bool = False
    system_role: SystemRole = "keep"
    api_key_env: str = "OPENAI_API_KEY"

    def __post_init__(self) -> None:
        _check_url(self.endpoint)
        if not self.model.strip() or not self.model.isprintable():
            raise UsageError(f"expected the name of a model, got {self.model[:80]!r}")
        if self.language not in LANGUAGES:
            raise UsageError(f"expected a language, one of {', '.join(LANGUAGES)}, got {self.language!r}")
        if self.temperature is not None and not 0 <= self.temperature <= 2:
            raise UsageError(f"expected a temperature of 0 to 2, got {self.temperature}")
        if not (self.timeout_s > 0 and math.isfinite(self.timeout_s)):
            raise UsageError(f"expected a timeout of more than 0 seconds, got {self.timeout_s}")
        if self.retries < 0:
            raise UsageError(f"expected 0 or more retries, got {self.retries}")
        if self.system_role not in get_args(SystemRole):
            raise UsageError(f"expected system_role keep or merge, got {self.system_role!r}")
        for name, value in (
            ("tokens of an answer", self.max_tokens),
            ("pixels of a picture", self.max_pixels),
        ):
            if value is not None and value < 1:
                raise UsageError(f"expected 1 or more {name}, got {value}")
        if not self.api_key_env or "=" in self.api_key_env or not self.api_key_env.isprintable():
            # the value is not printed, because it may be the key itself, given here by mistake
            raise UsageError("the name of the environment variable that holds the key is empty")

    @property
    def endpoint(self) -> str:
        """The base URL, or that of the environment, or the default."""
        return (self.base_url or os.environ.get("OPENAI_BASE_URL") or OPENAI_URL).rstrip("/")

    def settings(self) -> dict[str, object]:
        """Return everything that answers depend on in JSON types, without the key and the timeout.

        >>> ModelOptions(model="qwen", base_url="http://127.0.0.1:8000/v1/").settings()["base_url"]
        'http://127.0.0.1:8000/v1'
        """
        return {
            "base_url": self.endpoint,
            "model": self.model,
            "language": self.language,
            "temperature": self.temperature,
            "seed": self.seed,
            "max_tokens": self.max_tokens,
            "max_pixels": self.max_pixels,
            **({"stream": True} if self.stream else {}),
            **({"system_role": self.system_role} if self.system_role != "keep" else {}),
        }


def _check_url(url: str) -> None:
    """Refuse invalid URLs and URLs with a password, because runs store them; errors print no password."""
    wanted = "expected a base URL such as http://127.0.0.1:8000/v1"
    try:
        parts = urlsplit(url)
        whole = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        whole = False
    if not whole or not url.isprintable() or " " in url:
        raise UsageError(f"{wanted}, got {'a URL with an @' if '@' in url else repr(url[:200])}")
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise UsageError(
            f"{wanted}, got one with a user name, a question mark or a #: the key comes from the environment"
        )
