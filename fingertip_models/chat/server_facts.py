"""Facts that a server tells of itself: its name and version, its weights, its context.

They are read in the preflight, in one or two small requests, and stand in run.json with the session. Nothing
depends on them: a server that tells nothing has none.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from types import MappingProxyType
from typing import Any

from fingertip_dataset.release.problems import printable
from fingertip_models.chat.body_text import decode_body
from fingertip_models.chat.chat_failures import Failure
from fingertip_models.options import ModelOptions
from fingertip_models.secret_fields import mask_secret_fields

ReadPath = Callable[[str, Mapping[str, object] | None], Awaitable[bytes]]
"""Reads a path of the server, from its root; with JSON to send it posts that."""

NOT_CHECKED = "not checked (--no-preflight)"
"""Fact of a server that nobody asked whether it has the model."""

LONGEST_FACT = 120
"""Maximum characters of a fact, which a server has written."""

CONFLICTS: Mapping[str, str] = MappingProxyType(
    {"server": "engine", "weights": "weights", "parameters": "number of parameters"}
)
"""Facts in which servers of one run may not differ -> their words in the message."""

CONTEXT = "context"
"""Name of the fact that has the tokens of the context."""


async def read_server_facts(listed: bytes, model: str, read: ReadPath) -> dict[str, str]:
    """Read what a server tells of itself and of a model.

    Servers are known by the owner that their list of models states; others are asked nothing more.

    Args:
        listed: Body of the answer to `GET /models`.
        model: Name of the model on the server.
        read: Reads other paths of the server.
    """
    entry = _find_entry(_read_json(listed), model)
    owner = str(entry.get("owned_by") or "").casefold()
    if owner not in _READERS:
        return {}
    facts = mask_secret_fields(await _READERS[owner](entry, model, read))
    return {
        name: printable(str(value), LONGEST_FACT) for name, value in facts.items() if value not in (None, "")
    }


def describe_small_context(facts: Mapping[str, str], options: ModelOptions) -> str | None:
    """Return the note that no answer can be as long as the limit of a request; None if one can."""
    text = facts.get(CONTEXT, "")
    context = int(text) if text.isascii() and text.isdigit() else 0
    if not context or not options.limit_field or options.max_tokens < context:
        return None
    return (
        f"{options.endpoint} has a context of {context:,} tokens for prompt and answer: one of --max-tokens "
        f"{options.max_tokens} is cut there, or refused"
    )


def describe_server(endpoint: str, facts: Mapping[str, str]) -> str:
    """Describe a server in one line, by its URL and its facts.

    >>> describe_server("http://a:8080/v1", {"server": "llama.cpp", "weights": "Q4_1", "context": "2048"})
    'http://a:8080/v1: llama.cpp, weights Q4_1, context 2048'
    >>> describe_server("http://a:8080/v1", {})
    'http://a:8080/v1: no facts'
    """
    words = [text if name in ("server", "name") else f"{name} {text}" for name, text in facts.items()]
    return f"{endpoint}: {', '.join(words) or 'no facts'}"


def find_conflict(servers: Mapping[str, Mapping[str, str]]) -> str | None:
    """Describe why servers cannot answer for each other: other engines or weights; None if they can.

    Args:
        servers: Which server, as "at URL" -> its facts.

    >>> find_conflict({"at http://a": {"weights": "Q4_1"}, "at http://b": {"weights": "Q8_0"}})
    'the servers differ in weights: Q4_1 at http://a, Q8_0 at http://b'
    >>> find_conflict({"at http://a": {"weights": "Q4_1"}, "at http://b": {}}) is None
    True
    """
    for name, words in CONFLICTS.items():
        found = {place: facts[name] for place, facts in servers.items() if name in facts}
        if len(set(found.values())) > 1:
            return f"the servers differ in {words}: {_list_values(found)}"
    return None


def list_varying_facts(servers: Mapping[str, Mapping[str, str]]) -> list[str]:
    """List the facts in which servers differ, or that one does not tell, each in a line.

    Args:
        servers: As in `find_conflict`.

    >>> list_varying_facts({"at http://a": {"version": "1"}, "at http://b": {"version": "2"}})
    ['the servers differ in version: 1 at http://a, 2 at http://b']
    """
    names = dict.fromkeys(name for facts in servers.values() for name in facts)
    lines = []
    for name in names:
        found = {place: facts.get(name, "unknown") for place, facts in servers.items()}
        if len(set(found.values())) > 1:
            lines.append(f"the servers differ in {name}: {_list_values(found)}")
    return lines


def _list_values(found: Mapping[str, str]) -> str:
    return ", ".join(f"{text} {place}" for place, text in found.items())


async def _read_llama_cpp(entry: Mapping[str, Any], model: str, read: ReadPath) -> dict[str, Any]:
    meta = _mapping(entry.get("meta"))
    props = await _ask(read, "/props")
    build = props.get("build_info")
    return {
        "server": "llama.cpp",
        # a package's own build has no number
        "version": None if str(build).endswith("unknown") else build,
        "model": _drop_folders(entry.get("id")),
        "weights": meta.get("ftype") or props.get("model_ftype"),
        CONTEXT: meta.get("n_ctx") or _mapping(props.get("default_generation_settings")).get("n_ctx"),
        "slots": props.get("total_slots"),
        "sampling": _describe_sampling(
            _mapping(_mapping(props.get("default_generation_settings")).get("params"))
        ),
    }


def _describe_sampling(settings: Mapping[str, Any]) -> str | None:
    """Describe what a server's own settings leave of the distribution where a temperature is above 0.

    >>> _describe_sampling({"top_k": 40, "top_p": 0.949999988079071, "temperature": 0.8})
    'top_k 40, top_p 0.95'
    """
    names = ("top_k", "top_p", "min_p", "repeat_penalty")
    numbers = {name: settings.get(name) for name in names}
    words = [
        f"{name} {round(value, 6):g}" for name, value in numbers.items() if isinstance(value, int | float)
    ]
    return ", ".join(words) or None


async def _read_vllm(entry: Mapping[str, Any], model: str, read: ReadPath) -> dict[str, Any]:
    return {
        "server": "vLLM",
        "version": (await _ask(read, "/version")).get("version"),
        "model": _drop_folders(entry.get("root")),
        CONTEXT: entry.get("max_model_len"),
    }


async def _read_sglang(entry: Mapping[str, Any], model: str, read: ReadPath) -> dict[str, Any]:
    info = await _ask(read, "/get_server_info")
    return {
        "server": "SGLang",
        "version": info.get("version"),
        "model": _drop_folders(entry.get("root")),
        "weights": info.get("quantization") or info.get("dtype"),
        CONTEXT: entry.get("max_model_len"),
    }


async def _read_ollama(entry: Mapping[str, Any], model: str, read: ReadPath) -> dict[str, Any]:
    version = (await _ask(read, "/api/version")).get("version")
    if version is None:
        return {}
    shown = await _ask(read, "/api/show", {"model": model})
    details = _mapping(shown.get("details"))
    # the context of requests is that of the server's settings, which it does not tell
    return {
        "server": "Ollama",
        "version": version,
        "model": entry.get("id"),
        "parameters": details.get("parameter_size"),
        "weights": details.get("quantization_level"),
    }


async def _read_lm_studio(entry: Mapping[str, Any], model: str, read: ReadPath) -> dict[str, Any]:
    listed = (await _ask(read, "/api/v1/models")).get("models")
    if not isinstance(listed, list):
        # before 0.4.0
        known = _find_entry(await _ask(read, "/api/v0/models"), model)
        facts = {"weights": known.get("quantization"), CONTEXT: known.get("loaded_context_length")}
        return {"server": "LM Studio", "model": known.get("id"), **facts} if known else {}
    for entry in (one for one in listed if isinstance(one, dict)):
        instances = entry.get("loaded_instances")
        loaded = [one for one in instances if isinstance(one, dict)] if isinstance(instances, list) else []
        # of a model that is loaded twice, each instance has a name of its own
        named = next((one for one in loaded if one.get("id") == model), None)
        if named is not None or entry.get("key") == model:
            config = _mapping((named or next(iter(loaded), {})).get("config"))
            return {
                "server": "LM Studio",
                "model": entry.get("key"),
                "parameters": entry.get("params_string"),
                "weights": _mapping(entry.get("quantization")).get("name"),
                CONTEXT: config.get("context_length"),
            }
    return {}


_READERS: Mapping[str, Callable[[Mapping[str, Any], str, ReadPath], Awaitable[dict[str, Any]]]] = {
    "llamacpp": _read_llama_cpp,
    "vllm": _read_vllm,
    "sglang": _read_sglang,
    "library": _read_ollama,
    "organization_owner": _read_lm_studio,
}
"""Owner in the list of models -> reader of the facts."""


async def _ask(read: ReadPath, path: str, sent: Mapping[str, object] | None = None) -> dict[str, Any]:
    """Read a JSON object of the server; {} if there is none."""
    try:
        content = await read(path, sent)
    except Failure:
        return {}
    found = _read_json(content)
    return found if isinstance(found, dict) else {}


def _read_json(content: bytes) -> Any:  # noqa: ANN401 - of a server
    try:
        return json.loads(decode_body(content))
    except (ValueError, RecursionError):
        return None


def _find_entry(listed: Any, model: str) -> dict[str, Any]:  # noqa: ANN401 - of a server
    """Find a model in a server's list: by its name, else the only one; {} for none."""
    models = listed.get("data") if isinstance(listed, dict) else None
    entries = [entry for entry in models if isinstance(entry, dict)] if isinstance(models, list) else []
    named = [entry for entry in entries if entry.get("id") == model]
    chosen: dict[str, Any] = next(iter(named or (entries if len(entries) == 1 else ())), {})
    return chosen


def _drop_folders(name: object) -> str | None:
    """Return a name without the folders of a path on the server, which may tell whose machine it is.

    >>> _drop_folders("/home/li/models/qwen.gguf"), _drop_folders("Qwen/Qwen3-VL-8B-Instruct")
    ('qwen.gguf', 'Qwen/Qwen3-VL-8B-Instruct')
    """
    if not isinstance(name, str):
        return None
    path = name.replace("\\", "/").rstrip("/")
    is_path = path.startswith(("/", ".", "~")) or path[1:3] == ":/" or path.count("/") > 1
    return path.rpartition("/")[2] if is_path else name


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
