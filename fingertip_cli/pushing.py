"""Bundles on their way to the Hub: the options of it, what is told first, and the push itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fingertip_dataset.errors import UsageError

if TYPE_CHECKING:
    from fingertip_leaderboard.hub.pull_request import PullRequest
    from fingertip_leaderboard.hub.verified import Verified

SubmitCommand = Callable[..., None]


@dataclass(frozen=True, slots=True, kw_only=True)
class PushOptions:
    """Where bundles go, as the command line has it.

    Attributes:
        push: Whether anything is sent.
        repo: The submissions repo, a dataset repo; None where nothing goes to the Hub.
        model_repo: The model's repo, which gets the scores; None for no such thing.
        benchmark: The dataset repo with the eval.yaml that those scores are of.
        dataset: What the bundles are verified on first.
    """

    push: bool
    repo: str | None
    model_repo: str | None
    benchmark: str | None
    dataset: Path | None


_OPTIONS = (
    click.option("--push", is_flag=True, help="Opens the pull requests; without it they are only told."),
    click.option("--repo", metavar="OWNER/NAME", help="The submissions repo, a dataset repo on the Hub."),
    click.option("--model-repo", metavar="OWNER/NAME", help="The model's repo, which gets the scores."),
    click.option(
        "--benchmark",
        metavar="OWNER/NAME",
        help="With --model-repo: the dataset repo whose eval.yaml has the tasks.",
    ),
    click.option(
        "--dataset",
        type=click.Path(path_type=Path),
        help="With --repo: what the bundles are verified on first.",
    ),
)


def push_options(command: SubmitCommand) -> SubmitCommand:
    """Adds the options of a push to a command, which gets them as `pushing: PushOptions`."""

    @wraps(command)
    def packed(
        *args: Any,  # noqa: ANN401 - click's own, passed on
        push: bool,
        repo: str | None,
        model_repo: str | None,
        benchmark: str | None,
        dataset: Path | None,
        **others: Any,  # noqa: ANN401 - click's own, passed on
    ) -> None:
        pushing = PushOptions(
            push=push, repo=repo, model_repo=model_repo, benchmark=benchmark, dataset=dataset
        )
        command(*args, pushing=_checked(pushing), **others)

    for option in reversed(_OPTIONS):
        packed = option(packed)
    return packed


def is_bundle(path: Path) -> bool:
    """Whether a path is a bundle, made already, and not a run."""
    return path.suffix == ".zip" or (path / "bundle.json").is_file()


def push_bundles(bundles: Sequence[Path], pushing: PushOptions) -> None:
    """Verifies bundles, tells the pull requests that they make, and with `--push` opens them.

    Args:
        bundles: Folders or .zip files.
        pushing: Nothing happens where it names no repo.

    Raises:
        HubError: A bundle is refused, or the Hub does.
        UsageError: There is no bundle.
        DatasetError: The dataset is missing or broken.
    """
    if pushing.repo is None:
        return
    if not bundles:
        raise UsageError("expected a bundle for --repo, got only a look: --out DIR writes one")
    from huggingface_hub import constants

    from fingertip_leaderboard.hub.pull_request import submission_request
    from fingertip_leaderboard.hub.verified import Verified
    from fingertip_leaderboard.verify.verify_bundle import verify_bundles

    found = [Verified.of(report) for report in verify_bundles(bundles, pushing.dataset)]
    requests = [
        request
        for verified in found
        for request in (submission_request(verified, pushing.repo), _results(verified, pushing, None))
        if request is not None
    ]
    verb = "Goes" if pushing.push else "Would go"
    click.echo(f"{verb} to {constants.ENDPOINT}, where all who see the repo see it:")
    for request in requests:
        for line in request.description_lines():
            click.echo(line)
    if pushing.push:
        _push(found, requests, pushing)
    else:
        click.echo("Nothing was sent: --push sends it.")


def _checked(pushing: PushOptions) -> PushOptions:
    if pushing.repo is None:
        needless = {
            "--push": pushing.push,
            "--model-repo": pushing.model_repo,
            "--benchmark": pushing.benchmark,
            "--dataset": pushing.dataset,
        }
        for option, given in needless.items():
            if given:
                raise UsageError(f"expected --repo OWNER/NAME with {option}, got none")
    elif pushing.dataset is None:
        raise UsageError("expected --dataset with --repo, got none: nothing goes to the Hub unverified")
    if (pushing.model_repo is None) != (pushing.benchmark is None):
        raise UsageError("expected --model-repo and --benchmark together, got one of them")
    return pushing


def _results(verified: Verified, pushing: PushOptions, source_url: str | None) -> PullRequest | None:
    """The pull request to the model's repo; None where none is asked for.

    Args:
        verified: The bundle.
        pushing: Where it goes.
        source_url: Page of its submission; None before it is there.
    """
    from fingertip_leaderboard.hub.eval_results import eval_results
    from fingertip_leaderboard.hub.pull_request import results_request

    if pushing.model_repo is None or pushing.benchmark is None:
        return None
    results = eval_results(
        verified.bundle, verified.scores, benchmark=pushing.benchmark, source_url=source_url
    )
    return results_request(verified, results, pushing.model_repo)


def _push(found: Sequence[Verified], requests: Sequence[PullRequest], pushing: PushOptions) -> None:
    """Opens the pull requests once all of them can be."""
    from fingertip_dataset.release.problems import printable
    from fingertip_leaderboard.hub.connection import Hub
    from fingertip_leaderboard.hub.pull_request import submission_request

    hub = Hub.connect()
    click.echo(f"logged in as {printable(hub.user, 100)}")
    commits = {(request.repo_type, request.repo): hub.check(request) for request in requests}
    for verified in found:
        submission = submission_request(verified, pushing.repo or "")
        page = hub.open(submission, commits["dataset", submission.repo])
        click.echo(f"opened: {page}")
        results = _results(verified, pushing, page)
        if results is not None:
            click.echo(f"opened: {hub.open(results, commits['model', results.repo])}")
