"""Options of a model: its name, its endpoint, and the settings that all calls of a run share."""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal, get_args
from urllib.parse import urlsplit

from fingertip_dataset.errors import UsageError
from fingertip_models.messages import Language
from fingertip_models.secret_fields import list_secret_fields

MAX_TOKENS = 8192
"""Default maximum tokens of an answer. Thinking models need it: QVQ-Max reads and writes 2,335 tokens
per query in the paper's table 3 on average, so many answers exceed 2,000. Several providers
refuse a higher maximum."""

OPENAI_URL = "https://api.openai.com/v1"
"""Default endpoint."""

MOST_SERVERS = 12
"""Most servers of one model. The record of a session has a line for each, beside some that they share."""

AZURE = ".openai.azure.com", ".services.ai.azure.com", ".cognitiveservices.azure.com"
"""Ends of the host names of Azure OpenAI resources."""

OWN_FIELDS: Mapping[str, str] = MappingProxyType(
    {
        "model": "--model",
        "messages": "the prompt",
        "stream": "--stream",
        "temperature": "--temperature",
        "seed": "--seed",
        "n": "one answer a request",
    }
)
"""Fields of a request that `extra_body` cannot set -> what sets them."""

LIMITS = ("max_tokens", "max_completion_tokens")
"""Names of the limit of tokens, of which a server takes one or both."""

_API_VERSION = re.compile(r"api-version=([\w.-]+)")

SystemRole = Literal["keep", "merge"]
"""Handling of system messages."""

LANGUAGES: tuple[Language, ...] = ("zh", "en")


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelOptions:
    """A model behind an OpenAI-compatible endpoint, and the settings of its requests.

    Attributes:
        base_url: URL of the server, usually ending in /v1, under which `/chat/completions` lies; None for
            OPENAI_BASE_URL of the environment, and without it OpenAI's own. With `?api-version=...` the dated
            API of Azure OpenAI, for which the model's name is that of a deployment.
        further_urls: URLs of further servers with the same model, besides `base_url`; see `ServerPool`. Where
            they are, and how many, is no part of the settings.
        model: Name of the model on the server.
        language: Language of the prompts.
        temperature: Sampling temperature; 0 is greedy, None sends none, for models that refuse one.
        seed: Seed for servers that accept one; None sends none.
        max_tokens: Maximum tokens of an answer, reasoning included.
        timeout_s: Maximum seconds of one attempt, from the first byte sent to the last byte received; of a
            stream until its next token.
        retries: How often a failed attempt is repeated.
        max_pixels: Maximum pixels of a screenshot; None for the default of the agent's format.
        stream: Whether the answer is requested as a stream, which some models require; the answer is the
            same, with the time of its first token. Answers that took longer than the timeout are requested so
            from then on.
        system_role: "merge" puts the system message before the user's, for models without a system role.
        extra_body: Fields of each request's JSON beside ours, such as `{"reasoning_effort": "low"}`; a None
            leaves out a field that we send, such as `stream_options`. Not those of `OWN_FIELDS`, of which a
            None leaves out `seed` alone.
        api_key_env: Name of the environment variable with the key; the key itself is never stored.

    Raises:
        UsageError: A value is invalid; the message names it.
    """

    base_url: str | None = None
    further_urls: tuple[str, ...] = ()
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
    extra_body: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))
    api_key_env: str = "OPENAI_API_KEY"

    def __post_init__(self) -> None:
        for url in self.urls:
            _check_url(url)
        _check_several(self.urls)
        _check_extra_body(self.extra_body)
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
    def _url(self) -> str:
        return self.base_url or os.environ.get("OPENAI_BASE_URL") or OPENAI_URL

    @property
    def urls(self) -> tuple[str, ...]:
        """URLs of all servers, the first one's first."""
        return self._url, *self.further_urls

    @property
    def endpoint(self) -> str:
        """The base URL, or that of the environment, or the default; without `?api-version=...`."""
        return self._url.partition("?")[0].rstrip("/")

    @property
    def api_version(self) -> str | None:
        """Version of Azure's dated API; None elsewhere.

        >>> azure = "https://me.openai.azure.com/openai?api-version=2024-10-21"
        >>> options = ModelOptions(model="my-deployment", base_url=azure)
        >>> options.api_version, options.endpoint
        ('2024-10-21', 'https://me.openai.azure.com/openai')
        """
        found = _API_VERSION.fullmatch(urlsplit(self._url).query)
        return found[1] if found else None

    @property
    def on_azure(self) -> bool:
        """Whether the server is Azure OpenAI, whose models are named by deployments."""
        return self.api_version is not None or (urlsplit(self._url).hostname or "").endswith(AZURE)

    @property
    def limit_field(self) -> str | None:
        """Name of the field with the limit of tokens; None if `extra_body` has a limit of its own.

        OpenAI's newer models, also those on Azure, refuse the old name; most other servers accept no other.
        """
        if any(self.extra_body.get(name) is not None for name in LIMITS):
            return None
        return "max_completion_tokens" if self.endpoint == OPENAI_URL or self.on_azure else "max_tokens"

    def settings(self) -> dict[str, object]:
        """Return everything that answers depend on in JSON types, without the key and the timeout.

        >>> ModelOptions(model="qwen", base_url="http://127.0.0.1:8000/v1/").settings()["base_url"]
        'http://127.0.0.1:8000/v1'
        """
        return {
            "base_url": self.endpoint,
            **({"api_version": self.api_version} if self.api_version else {}),
            "model": self.model,
            "language": self.language,
            "temperature": self.temperature,
            "seed": self.seed,
            "max_tokens": self.max_tokens,
            "max_pixels": self.max_pixels,
            **({"stream": True} if self.stream else {}),
            **({"system_role": self.system_role} if self.system_role != "keep" else {}),
            **({"extra_body": dict(self.extra_body)} if self.extra_body else {}),
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
    if "@" in parts.netloc or parts.fragment or (parts.query and not _API_VERSION.fullmatch(parts.query)):
        raise UsageError(
            f"{wanted}, got one with a user name, a question mark or a #: the key comes from the environment "
            "(only ?api-version=... may follow)"
        )


def _check_several(urls: tuple[str, ...]) -> None:
    """Refuse a server that is given twice, and more servers than a record has lines for."""
    if len(urls) > MOST_SERVERS:
        raise UsageError(f"expected at most {MOST_SERVERS} base URLs, got {len(urls)}")
    seen: set[str] = set()
    for url in urls:
        plain = url.rstrip("/")
        if plain in seen:
            raise UsageError(f"the base URL {plain} is given twice")
        seen.add(plain)


def _check_extra_body(fields: Mapping[str, object]) -> None:
    """Refuse fields that options set, limits that are no numbers, what is not JSON, and secrets."""
    secret = next(list_secret_fields(fields), None)
    if secret is not None:
        # runs and bundles hold the fields, and only the key of --key-env is sent and never written
        raise UsageError(
            f"the field {secret[:80]} of a request is named as a secret, and runs and bundles would hold it: "
            "put the key into the environment variable of --key-env"
        )
    for name, value in fields.items():
        # tries have a seed each, which some servers refuse
        if name in OWN_FIELDS and (name, value) != ("seed", None):
            raise UsageError(
                f"the field {name} of a request is set by {OWN_FIELDS[name]}, not as an extra one"
            )
        is_count = isinstance(value, int) and not isinstance(value, bool) and value > 0
        if name in LIMITS and value is not None and not is_count:
            raise UsageError(f"expected a number of tokens for {name}, got {str(value)[:40]!r}")
        try:
            json.dumps(value, allow_nan=False)
        except (TypeError, ValueError) as error:
            raise UsageError(f"the extra field {name[:40]} is not JSON: {error}") from error
