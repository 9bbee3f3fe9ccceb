"""Pull requests with new files for repos on the Hub, described in full before anything is sent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from execution_runner.execution_records import ExecutionRun
from fingertip_dataset.errors import HubError
from fingertip_dataset.release.problems import printable
from fingertip_leaderboard.bundle.schema import (
    Bundle,
    Claims,
    ExecutionClaims,
    MomentClaims,
    SuggestionClaims,
)
from fingertip_leaderboard.evidence import evidence_of
from fingertip_leaderboard.hub.eval_results import EvalResults
from fingertip_leaderboard.hub.repo_names import SUBMISSIONS, check_repo, slug
from fingertip_leaderboard.hub.verified import Verified
from fingertip_leaderboard.score_columns import TITLES, headline_scores
from fingertip_leaderboard.verified_records import ScoreKind

SHOWN = 12
"""Maximum number of files that are listed by name."""

EVAL_RESULTS = ".eval_results"
"""Folder of a model's repo from which the Hub reads scores."""

TRACKS = {"suggestion": "1 (suggestion)", "execution": "2 (execution)"}
OF_MOMENTS = "1 (when to speak)"


@dataclass(frozen=True, slots=True, kw_only=True)
class PullRequest:
    """A pull request that adds files to a repo.

    Attributes:
        repo: Name of the repo, OWNER/NAME.
        repo_type: Kind of the repo.
        title: Title in one line.
        text: Description in Markdown.
        files: Path within the repo -> content.
        remarks: Further notes on the files.
    """

    repo: str
    repo_type: Literal["dataset", "model"]
    title: str
    text: str
    files: Mapping[str, bytes]
    remarks: tuple[str, ...] = ()

    def description_lines(self) -> Iterator[str]:
        """Description of the pull request, line by line; safe to print."""
        yield f"a pull request to the {self.repo_type} repo {self.repo}: {self.title}"
        yield from list_files({name: len(content) for name, content in self.files.items()})
        for line in self.remarks:
            yield f"  {printable(line, 300)}"
        yield f"  {sum(map(len, self.files.values())):,} bytes in all; no existing file is changed"


def list_files(sizes: Mapping[str, int]) -> Iterator[str]:
    """The first files of a preview, a line each, and how many more there are.

    Args:
        sizes: Path within the repo -> bytes.
    """
    for name, size in list(sizes.items())[:SHOWN]:
        yield f"  {name}  {size:,} bytes"
    if len(sizes) > SHOWN:
        yield f"  and {len(sizes) - SHOWN:,} more files"


def make_submission_request(verified: Verified, repo: str) -> PullRequest:
    """Make the pull request that adds a bundle to a submissions repo.

    Args:
        verified: The bundle.
        repo: The submissions repo, a dataset repo.

    Raises:
        UsageError: `repo` is not a valid repo name.
    """
    check_repo(repo, "--repo")
    bundle = verified.bundle
    folder = slug(bundle.card.name, verified.sha256)
    name = " ".join(printable(bundle.card.name).split())
    return PullRequest(
        repo=repo,
        repo_type="dataset",
        title=f"{name}: track {_name_track(bundle)}, {_score_summary(verified.scores)} ({folder})",
        text=_text(verified),
        files={f"{SUBMISSIONS}/{folder}/{name}": content for name, content in verified.contents.items()},
    )


def make_results_request(verified: Verified, results: EvalResults, repo: str) -> PullRequest:
    """Make the pull request that adds a bundle's scores to the repo of its model.

    Args:
        verified: The bundle.
        results: Result of `eval_results`.
        repo: The model's repo.

    Raises:
        HubError: No score fits the Hub's format.
        UsageError: `repo` is not a valid repo name.
    """
    check_repo(repo, "--model-repo")
    if not results.text:
        raise HubError(f"there is no score for --model-repo: {'; '.join(results.left_out)}")
    bundle, head = verified.bundle, verified.sha256[:12]
    values = ", ".join(f"{task} {value:.4f}" for task, value in results.values.items())
    return PullRequest(
        repo=repo,
        repo_type="model",
        title=f"FingerTip 20K: {values} ({head})",
        text=f"Scores of {_code(bundle.card.name)} on FingerTip 20K, recomputed from the submission whose "
        f"bundle.json has the sha256 `{verified.sha256}`.\n",
        files={f"{EVAL_RESULTS}/fingertip-20k-{bundle.track}-{head}.yaml": results.text.encode()},
        remarks=(
            *(f"without {line}" for line in results.left_out),
            "with the page of the submission's pull request as the source",
        ),
    )


_TABLES: Mapping[type, ScoreKind] = MappingProxyType(
    {SuggestionClaims: "sim1", ExecutionClaims: "execution", MomentClaims: "moments"}
)
"""Claims -> the table whose first scores summarize them."""


def _name_track(bundle: Bundle) -> str:
    run = bundle.run
    if isinstance(run, ExecutionRun) and run.of_dialogue:
        who = run.answered_by or "nobody"
        return f"{TRACKS[bundle.track]}, instructions {run.instructions.replace('_', '-')}, answered by {who}"
    return OF_MOMENTS if isinstance(bundle.scores, MomentClaims) else TRACKS[bundle.track]


def _score_summary(scores: Claims) -> str:
    names = headline_scores(_TABLES[type(scores)])
    cells = [f"{TITLES[name]} {value:.4f}" for name in names if (value := getattr(scores, name)) is not None]
    return ", ".join(cells) or "no score"


def _text(verified: Verified) -> str:
    scores = verified.scores
    table = "".join(f"| {name} | {value} |\n" for name, value in _rows(verified).items())
    known = {name: value for name in TITLES if (value := getattr(scores, name, None)) is not None}
    evidence = evidence_of(verified.bundle, known)
    values = "".join(f"| {TITLES[name]} | {value!r} | {evidence[name]} |\n" for name, value in known.items())
    others = "".join(
        f"| {name} | | {evidence[name]} |\n" for name in ("device", "seconds", "tokens") if name in evidence
    )
    return (
        f"A submission to the leaderboard of FingerTip 20K.\n\n| | |\n|---|---|\n{table}\n"
        f"Scores as recomputed before the push, over {scores.n} tasks, by protocol `{scores.protocol}`. "
        "Whoever merges this recomputes them with `fingertip verify`.\n\n"
        f"| score | | evidence |\n|---|---|---|\n{values}{others}"
    )


def _rows(verified: Verified) -> dict[str, str]:
    bundle = verified.bundle
    card, run = bundle.card, bundle.run
    return {
        "name": _code(card.name),
        "track": _name_track(bundle),
        "agent": _code(run.agent.name),
        "model": _code(card.model) if card.model else "none",
        "weights": card.weights,
        "contact": _code(card.contact),
        "data": f"{_code(run.dataset.data_sha256)}, {_code(run.dataset.provenance)}, {_code(run.split)}",
        **({"device": run.device} if isinstance(run, ExecutionRun) else {}),
        "sha256 of bundle.json": _code(verified.sha256),
        **({"tries": f"{1 + len(bundle.tries)}, of which scores are means"} if bundle.tries else {}),
        "files": f"{len(verified.contents):,}",
    }


def _code(text: str) -> str:
    """The submitter's text as Markdown code, so that it cannot contain markup."""
    return f"`{printable(' '.join(text.split()), 300).replace('`', chr(39)).replace('|', '/')}`"
