"""Push of bundles to the Hub: its options, the preview of the pull requests, and the push."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fingertip_cli.options import shared_options
from fingertip_dataset.errors import UsageError

if TYPE_CHECKING:
    from fingertip_leaderboard.hub.pull_request import PullRequest
    from fingertip_leaderboard.hub.verified import Verified

SubmitCommand = Callable[..., None]


@dataclass(frozen=True, slots=True, kw_only=True)
class PushOptions:
    """Options of a push.

    Attributes:
        push: Whether the pull requests are opened, not only shown.
        repo: The submissions repo, a dataset repo; None to send nothing to the Hub.
        model_repo: The model's repo, which gets the scores; None to leave it unchanged.
        benchmark: The dataset repo whose eval.yaml defines the tasks of those scores.
        dataset: The dataset on which the bundles are verified first.
    """

    push: bool
    repo: str | None
    model_repo: str | None
    benchmark: str | None
    dataset: Path | None


_OPTIONS = (
    shared_options.push,
    shared_options.repo(),
    click.option("--model-repo", metavar="OWNER/NAME", help="The model's repo, which gets the scores."),
    click.option(
        "--benchmark",
        metavar="OWNER/NAME",
        help="With --model-repo: the dataset repo whose eval.yaml defines the tasks.",
    ),
    click.option(
        "--dataset",
        type=click.Path(path_type=Path),
        help="Dataset of the runs, on which all scores are recomputed.  [default: the run's]",
    ),
)


def push_options(command: SubmitCommand) -> SubmitCommand:
    """Add the options of a push to a command, which receives them as `pushing: PushOptions`."""

    @wraps(command)
    def with_push_options(
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
        command(*args, pushing=_check_and_verify(pushing), **others)

    for option in reversed(_OPTIONS):
        with_push_options = option(with_push_options)
    return with_push_options


def is_bundle(path: Path) -> bool:
    """Whether a path is a bundle (a .zip file or a folder with bundle.json) and not a run."""
    return path.suffix == ".zip" or (path / "bundle.json").is_file()


def push_bundles(bundles: Sequence[Path], pushing: PushOptions) -> dict[str, list[str]]:
    """Verify bundles, show their pull requests, and with `--push` open them.

    Returns:
        "requests": titles of the pull requests; "opened": their pages, for those that were opened.

    Args:
        bundles: Folders or .zip files.
        pushing: Options of the push; without a repo nothing happens.

    Raises:
        HubError: A bundle is refused, or the Hub refuses a request.
        UsageError: No bundle is given.
        DatasetError: The dataset is missing or broken.
    """
    if pushing.repo is None:
        return {"requests": [], "opened": []}
    if not bundles:
        raise UsageError("--repo needs a bundle, and this is only a preview: --out DIR writes one")
    from huggingface_hub import constants

    from fingertip_leaderboard.hub.pull_request import make_submission_request
    from fingertip_leaderboard.hub.verified import Verified
    from fingertip_leaderboard.verify.verify_bundle import verify_bundles

    verified_bundles = [Verified.of(report) for report in verify_bundles(bundles, pushing.dataset)]
    requests = [
        request
        for verified in verified_bundles
        for request in (
            make_submission_request(verified, pushing.repo),
            _make_results_request(verified, pushing, None),
        )
        if request is not None
    ]
    verb = "Goes" if pushing.push else "Would go"
    click.echo(f"{verb} to {constants.ENDPOINT}, visible to everyone who can see the repo:")
    for request in requests:
        for line in request.description_lines():
            click.echo(line)
    opened = []
    if pushing.push:
        opened = _push(verified_bundles, requests, pushing)
    else:
        click.echo("Nothing was sent: --push sends it.")
    return {"requests": [request.title for request in requests], "opened": opened}


def _check_and_verify(pushing: PushOptions) -> PushOptions:
    if pushing.repo is None:
        needs_repo = {
            "--push": pushing.push,
            "--model-repo": pushing.model_repo,
            "--benchmark": pushing.benchmark,
        }
        for option, given in needs_repo.items():
            if given:
                raise UsageError(f"{option} needs --repo OWNER/NAME")
    elif pushing.dataset is None:
        raise UsageError("--repo needs --dataset: nothing goes to the Hub unverified")
    if (pushing.model_repo is None) != (pushing.benchmark is None):
        raise UsageError("--model-repo and --benchmark go together: give both")
    return pushing


def _make_results_request(
    verified: Verified, pushing: PushOptions, source_url: str | None
) -> PullRequest | None:
    """Return the pull request to the model's repo, or None if --model-repo is not given.

    Args:
        verified: The bundle.
        pushing: Options of the push.
        source_url: Page of the bundle's submission; None before it is opened.
    """
    from fingertip_leaderboard.hub.eval_results import eval_results
    from fingertip_leaderboard.hub.pull_request import make_results_request

    if pushing.model_repo is None or pushing.benchmark is None:
        return None
    results = eval_results(
        verified.bundle, verified.scores, benchmark=pushing.benchmark, source_url=source_url
    )
    return make_results_request(verified, results, pushing.model_repo)


def _push(bundles: Sequence[Verified], requests: Sequence[PullRequest], pushing: PushOptions) -> list[str]:
    """Check that all pull requests can be opened, then open them; return their pages."""
    from fingertip_dataset.release.problems import printable
    from fingertip_leaderboard.hub.connection import Hub
    from fingertip_leaderboard.hub.pull_request import make_submission_request

    hub = Hub.connect()
    click.echo(f"logged in as {printable(hub.user, 100)}")
    commits = {(request.repo_type, request.repo): hub.check(request) for request in requests}
    opened = []
    for verified in bundles:
        submission = make_submission_request(verified, pushing.repo or "")
        page = hub.open(submission, commits["dataset", submission.repo])
        opened.append(page)
        click.echo(f"opened: {page}")
        results = _make_results_request(verified, pushing, page)
        if results is not None:
            opened.append(hub.open(results, commits["model", results.repo]))
            click.echo(f"opened: {opened[-1]}")
    return opened
