"""simulations.jsonl of a built dataset: the set-up of the phones of simulated episodes.

It is a separate file and not a column because the set-up reveals the user's intent, and no agent may read it
as data.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from fingertip_dataset.errors import DatasetError, ReleaseError
from fingertip_dataset.release.raw_folder import RawFolder, read_file
from fingertip_dataset.release.read_release import Release
from fingertip_dataset.release.settings import Start
from fingertip_dataset.release.surveys import MAX_SURVEY_BYTES, SURVEY_FILE

SIMULATIONS = "simulations.jsonl"
FIELD = "simulation"
"""Field of survey_result.json with the set-up of the simulated phone."""
ANSWER_FORM = "answer_form"
"""Field of a simulation with the form of the answer, the only one that an agent is given."""

START = "start"
"""Field of a simulation with where its episode begins; episodes without it begin on the home screen."""

VERSIONS = "versions"
"""Field of a simulation with the versions that its person was simulated with."""


def gather_simulations(release: Release) -> str:
    """Return the content of the file, one line per simulated episode; "" if none is simulated."""
    raw = RawFolder.open(release.root)
    lines = []
    for episode in release.episodes:
        try:
            survey = json.loads(read_file(raw.path(f"{episode.folder}/{SURVEY_FILE}"), MAX_SURVEY_BYTES))
        except (ReleaseError, ValueError, RecursionError):  # `read_release` has reported the problem
            continue
        if isinstance(survey, dict) and isinstance(survey.get(FIELD), dict):
            line = {"episode_id": episode.intent.episode_id, FIELD: survey[FIELD]}
            lines.append(json.dumps(line, ensure_ascii=False) + "\n")
    return "".join(lines)


def find_start(simulations: Mapping[str, Mapping[str, Any]], file: Path) -> Start:
    """Return where the episodes of simulated people begin.

    Args:
        simulations: Set-up of the phones, at least one.
        file: Path of the file, for messages.

    Raises:
        DatasetError: Some people begin in their apps, and others at home.
    """
    # an episode that needs several apps begins at home among those that begin in theirs
    found = {one.get(START, "home") for one in list_heads(simulations)}
    if "home" in found and len(found) > 1:
        raise DatasetError(
            "the dataset holds people who begin in their apps and people who begin at home: build one "
            "dataset of each",
            file=file,
        )
    return "home" if "home" in found else "app"


class Simulations(Mapping[str, Mapping[str, Any]]):
    """Episode id -> set-up of its phone, as a mapping that keeps the lines and parses one when it is read.

    The parsed set-ups of 6,000 episodes take 30 MB, the lines 4 MB, and a run needs a few of them.

    Args:
        lines: Episode id -> its line of simulations.jsonl, a part of the file's content.
        heads: Episode id -> its fields of `HEAD`; equal ones are one object.

    Attributes:
        heads: As given.
    """

    def __init__(
        self, lines: Mapping[str, bytes | memoryview], heads: Mapping[str, Mapping[str, Any]]
    ) -> None:
        self._lines, self.heads = lines, heads

    def __reduce__(self) -> tuple[object, ...]:
        # a part of a file's content cannot be sent to another process
        return Simulations, ({name: bytes(line) for name, line in self._lines.items()}, dict(self.heads))

    def __getitem__(self, episode_id: str) -> Mapping[str, Any]:
        found: Mapping[str, Any] = json.loads(bytes(self._lines[episode_id]))[FIELD]
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._lines)

    def __len__(self) -> int:
        return len(self._lines)

    def __contains__(self, episode_id: object) -> bool:
        return episode_id in self._lines


HEAD = (ANSWER_FORM, START, VERSIONS)
"""Fields of a simulation that are read of all episodes; few of them differ."""


def list_heads(simulations: Mapping[str, Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the different set-ups of a dataset's phones, each with its fields of `HEAD` at least."""
    if isinstance(simulations, Simulations):
        return list({id(head): head for head in simulations.heads.values()}.values())
    return list(simulations.values())


def list_answer_forms(simulations: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """Return the form of the answer of each episode that asks a question, by episode id."""
    heads = simulations.heads if isinstance(simulations, Simulations) else simulations
    return {name: str(one[ANSWER_FORM]) for name, one in heads.items() if one.get(ANSWER_FORM)}


# a scorer and a verifier ask for them several times
@lru_cache(maxsize=1)
def read_simulations(text: bytes, file: Path) -> Mapping[str, Mapping[str, Any]]:
    """Read the content of simulations.jsonl.

    Args:
        text: Content of the file.
        file: Path of the file, for messages.

    Raises:
        DatasetError: A line is invalid.
    """
    lines: dict[str, memoryview] = {}
    heads: dict[str, Mapping[str, Any]] = {}
    different: dict[str, Mapping[str, Any]] = {}
    # the cache holds the text: lines that are parts of it take no memory
    view, end = memoryview(text), 0
    for number, line in enumerate(text.splitlines(keepends=True), 1):
        start, end = end, end + len(line)
        try:
            record = json.loads(line)
            setup, episode_id = dict(record[FIELD]), str(record["episode_id"])
            head = {name: setup[name] for name in HEAD if name in setup}
            lines[episode_id] = view[start:end]
            heads[episode_id] = different.setdefault(repr(head), head)
        except (ValueError, LookupError, TypeError, RecursionError) as error:
            raise DatasetError(
                f"expected an episode id and its simulation, got {error!r}", file=file, line=number
            ) from None
    return Simulations(lines, heads)
