"""People's decisions on finds: decisions.jsonl beside finds.jsonl, and the finds that remain after them.

A line is a `FindDecision` on a find, or a whole `Find` that a rater added (`why` is "added by RATER"). The
latest decision of a rater on a find counts. Who adds a find confirms it, until they reject it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from pydantic import Field

from fingertip_dataset.errors import InputError, UsageError
from fingertip_dataset.frozen_model import FrozenModel
from fingertip_dataset.path_arguments import accept_path_texts
from fingertip_metrics.agreement import PairAgreement, agreements
from fingertip_privacy.finds import Find, make_private, read_finds
from fingertip_runs.annotation import LabelFile
from fingertip_runs.line_log import LineLog, read_lines, validate_json

DECISIONS = "decisions.jsonl"
"""In the folder of the report."""

Verb = Literal["confirm", "reject"]

DecisionRule = Literal["any", "majority"]
"""When a find is dropped: "any" if somebody rejects it and nobody confirms it; "majority" if more people
reject it than confirm it. By both rules a find that nobody has decided on stays."""

ADDED = "added by "
"""Start of `why` of a find that a rater added; the rater's name follows."""


class FindDecision(FrozenModel):
    """Decision of a rater on a find.

    Attributes:
        find: Id of the find.
        decision: "confirm" for a private part, "reject" for something harmless.
        rater: Name of the person.
        time: When, in ISO 8601 with its zone.
    """

    find: str = Field(min_length=1)
    decision: Verb
    rater: str = Field(min_length=1)
    time: str


DecisionLine = FindDecision | Find


@dataclass(frozen=True, slots=True, kw_only=True)
class FindDecisions:
    """The decisions that count.

    Attributes:
        votes: Id of a find -> rater -> whether that rater confirms it.
        added: Finds that raters added, by id.
    """

    votes: Mapping[str, Mapping[str, bool]]
    added: Mapping[str, Find]

    @property
    def raters(self) -> tuple[str, ...]:
        """Names of all raters, sorted."""
        return tuple(sorted({rater for of_find in self.votes.values() for rater in of_find}))

    def keeps(self, find: str, rule: DecisionRule = "any") -> bool:
        """Whether the find of an id stays a find.

        Raises:
            UsageError: There is no such rule.
        """
        if rule not in get_args(DecisionRule):
            raise UsageError(f"expected a rule, {' or '.join(get_args(DecisionRule))}, got {rule!r}")
        confirming = [*self.votes.get(find, {}).values()]
        if rule == "any":
            return not confirming or any(confirming)
        return 2 * sum(confirming) >= len(confirming)

    def agreements(self) -> tuple[PairAgreement, ...]:
        """Agreement of each pair of raters on the finds of the scan; what raters added does not count."""
        answers: dict[str, dict[str, bool | None]] = {}
        for find, of_find in self.votes.items():
            if find in self.added:
                continue
            for rater, confirms in of_find.items():
                answers.setdefault(rater, {})[find] = confirms
        return agreements(answers)


@accept_path_texts
def decide_finds(
    report: Path, decisions: Path | None = None, *, rule: DecisionRule = "any"
) -> Iterator[Find]:
    """The finds of a report that stay after review, one at a time, then those that raters added.

    Args:
        report: The report's folder, with finds.jsonl.
        decisions: File of the decisions; None for decisions.jsonl in the report's folder, if it is there.
        rule: When a find is dropped.

    Raises:
        InputError: The finds are missing or broken, or a file of decisions that was given is missing.
        RunError: A line of the decisions is broken.
        UsageError: There is no such rule.
    """
    if decisions is not None and not decisions.is_file():
        raise InputError("the decisions are missing: `fingertip privacy review` writes them", file=decisions)
    found = read_decisions(decisions if decisions is not None else report / DECISIONS)
    added = dict(found.added)
    for find in read_finds(report):
        added.pop(find.id, None)  # a later scan may have found what a rater had added
        if found.keeps(find.id, rule):
            yield find
    yield from (find for find in added.values() if found.keeps(find.id, rule))


def read_decisions(file: Path) -> FindDecisions:
    """The decisions of a file; none without a file.

    Raises:
        RunError: The file cannot be read, or a line is broken.
    """
    return decisions_of(read_lines(file, read_decision_line) if file.exists() else ())


def decisions_of(lines: Iterable[DecisionLine]) -> FindDecisions:
    """The decisions of lines in file order."""
    votes: dict[str, dict[str, bool]] = {}
    added: dict[str, Find] = {}
    for line in lines:
        if isinstance(line, Find):
            added[line.id] = line
            votes.setdefault(line.id, {})[adder(line)] = True
        else:
            votes.setdefault(line.find, {})[line.rater] = line.decision == "confirm"
    return FindDecisions(votes=votes, added=added)


def adder(find: Find) -> str:
    """Name of the rater who added a find."""
    return find.why.removeprefix(ADDED)


def open_decisions(report: Path) -> LineLog[DecisionLine]:
    """The decisions of a report, open to append, each line synced to the disk; readable by the owner only.

    Raises:
        RunError: The file cannot be written, another process holds it, or a line is broken.
        InputError: The folder is missing or cannot be written.
    """
    # it quotes what people added, like the finds
    make_private(report / DECISIONS)
    return _FILE.open(report)


def read_decision_line(text: bytes, file: Path, line: int) -> DecisionLine:
    """Parse one line.

    Raises:
        RunError: The line is neither a decision nor a find that a rater added.
    """
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError):
        fields = None
    if isinstance(fields, dict) and "decision" not in fields and "why" in fields:
        find = validate_json(Find, text, file, line, expected="a find that a rater added")
        if find.why.startswith(ADDED) and adder(find):
            return find
    return validate_json(FindDecision, text, file, line)


_FILE: LabelFile[DecisionLine] = LabelFile(DECISIONS, read_decision_line)
