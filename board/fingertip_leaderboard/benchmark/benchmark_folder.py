"""The folder of a benchmark: which call it is of, and benchmark.json with what came out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic import Field, JsonValue

from fingertip_dataset.errors import RunError
from fingertip_dataset.frozen_model import FrozenModel
from fingertip_dataset.path_kinds import find_path_kind
from fingertip_dataset.release.problems import printable
from fingertip_dataset.track import TRACK_NUMBER, Track
from fingertip_runs.line_log import validate_json
from fingertip_runs.run_folder import write_json

RECORD, PAGE, BUNDLES = "benchmark.json", "index.html", "bundles"
"""Names of the record, the page, and the folder of the bundles."""

VERSION = 1
"""Version of benchmark.json."""

OPTIONS = {
    "model": "--model",
    "adapter": "--adapter",
    "quick": "--quick",
    "only_language": "--only-language",
    "limit": "--limit",
    "repeats": "--repeats",
    "memory": "--memory",
    "memory_budget": "--memory-budget",
    "data_sha256": "DATASET",
}
"""Field of a call -> the option that sets it, for messages."""


class BenchmarkCall(FrozenModel):
    """A call of `fingertip benchmark`, by what another call has to share to go on with it.

    Attributes:
        agents: Track -> name of the agent that runs it.
        model: Name of the model; None for an agent without one.
        adapter: Folder of the adapter of a local model; None without one.
        quick: Whether only some people's tasks are run.
        only_language: Language of the people whose tasks are run; None for all people.
        limit: Number of tasks of each track; None for all.
        repeats: Number of independent tries of each task.
        memory: Memory that chooses what is shown of a person's past; None for the paper's.
        memory_budget: Maximum number of characters that it recalls; None for its default.
        data_sha256: Hash of the dataset; "" as long as it is not made.
    """

    agents: dict[Track, str]
    model: str | None = None
    adapter: str | None = None
    quick: bool = False
    only_language: str | None = None
    limit: int | None = None
    repeats: int = 1
    memory: str | None = None
    memory_budget: int | None = None
    data_sha256: str = ""

    def list_differences(self, earlier: BenchmarkCall) -> list[str]:
        """List in words what differs from an earlier call; a track more or less is no difference."""
        shared = self.agents.keys() & earlier.agents.keys()
        pairs: list[tuple[str, Any, Any]] = [
            ("--agent", earlier.agents[track], self.agents[track]) for track in sorted(shared)
        ]
        if not shared and self.model is None:
            # a model has an agent of its own on each track; any other agent has the same on both
            theirs, ours = (", ".join(sorted(set(one.agents.values()))) for one in (earlier, self))
            pairs.append(("--agent", theirs, ours))
        pairs += [
            (option, getattr(earlier, field), getattr(self, field)) for field, option in OPTIONS.items()
        ]
        # the data may not be made yet, and further tries are added to several
        open_yet = {OPTIONS["data_sha256"]} if not (self.data_sha256 and earlier.data_sha256) else set()
        open_yet |= {OPTIONS["repeats"]} if 1 < earlier.repeats <= self.repeats else set()
        pairs = [pair for pair in pairs if pair[0] not in open_yet]
        return [
            f"{option}: {_show(theirs)} in the folder, {_show(ours)} in this call"
            for option, theirs, ours in dict.fromkeys(pairs)
            if theirs != ours
        ]


class BenchmarkRecord(FrozenModel):
    """Content of benchmark.json.

    Attributes:
        version: Version of the format.
        call: The call.
        finished: When everything was done, ISO 8601; None while something is left.
        result: What came out, in JSON types; empty while something is left.
    """

    version: int = VERSION
    call: BenchmarkCall
    finished: str | None = None
    result: dict[str, JsonValue] = Field(default_factory=dict)


def begin_folder(out: Path, call: BenchmarkCall) -> None:
    """Make the folder, or check that it is of the same call; benchmark.json then says that it is unfinished.

    Args:
        out: Folder of the benchmark.
        call: The call.

    Raises:
        RunError: The folder holds something else or another benchmark, or cannot be written.
    """
    file = out / RECORD
    if file.exists():
        earlier = read_record(out).call
        # a call that was refused before a track began may be corrected
        begun = any((out / track).exists() for track in TRACK_NUMBER)
        if begun and (found := call.list_differences(earlier)):
            raise RunError(
                f"the benchmark in the folder differs in {'; '.join(found)}; another one needs another "
                "folder",
                file=out,
            )
        if begun:
            agents = {**earlier.agents, **call.agents}
            known = call.data_sha256 or earlier.data_sha256
            call = call.model_copy(update={"agents": agents, "data_sha256": known})
    elif out.exists() and not out.is_dir():
        raise RunError("a file is there, and a benchmark is a folder: give another --out", file=out)
    elif out.exists() and any(out.iterdir()):
        kind = find_path_kind(out)
        what = f"this is {kind}, not a benchmark" if kind else "the folder is not empty and no benchmark"
        raise RunError(f"{what}: give another --out", file=out)
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RunError(f"the folder cannot be written: {error.strerror or error}", file=out) from error
    write_json(file, BenchmarkRecord(call=call).model_dump(mode="json"))


def read_record(out: Path) -> BenchmarkRecord:
    """Content of benchmark.json.

    Raises:
        RunError: It cannot be read, or is of a newer version.
    """
    file = out / RECORD
    try:
        text = file.read_bytes()
    except OSError as error:
        raise RunError(f"the record cannot be read: {error.strerror or error}", file=file) from error
    try:
        version = json.loads(text)["version"]
    except (ValueError, LookupError, TypeError):
        version = VERSION
    if isinstance(version, int) and version > VERSION:
        raise RunError(
            f"expected a benchmark of version {VERSION}, got {version}: a newer fingertip-20k reads it",
            file=file,
        )
    return validate_json(BenchmarkRecord, text, file, expected="the record of a benchmark")


def _show(value: object) -> str:
    if isinstance(value, bool):
        return "given" if value else "not given"
    return "none" if value is None else printable(str(value)[:80])
