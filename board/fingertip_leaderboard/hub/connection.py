"""Connection to the Hub through huggingface_hub, with its own endpoint (HF_ENDPOINT) and token.

huggingface_hub reads the token whenever it builds a header; it is stored nowhere else. A server's message is
printed only after the token was removed from it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from fingertip_dataset.errors import HubError
from fingertip_dataset.release.problems import printable
from fingertip_leaderboard.hub.pull_request import PullRequest

if TYPE_CHECKING:
    from huggingface_hub import HfApi
    from huggingface_hub.errors import HfHubHTTPError

PACKAGE = "fingertip-20k"
"""Library name in the user agent of requests to the Hub."""

LOOPBACK = ("127.0.0.1", "::1", "localhost")
"""Hosts for which http is allowed, because nothing leaves the machine."""

MESSAGE_LENGTH = 200
"""Maximum printed characters of a server's message."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hub:
    """Connection to a Hub with a logged-in user.

    Attributes:
        api: Client of huggingface_hub; it does not hold the token, only the setting that one is required.
        endpoint: URL of the Hub.
        user: Name of the logged-in user.
    """

    api: HfApi
    endpoint: str
    user: str

    @classmethod
    def connect(cls, endpoint: str | None = None) -> Hub:
        """Connect to a Hub and query the logged-in user.

        Args:
            endpoint: URL of the Hub; None for that of HF_ENDPOINT.

        Raises:
            HubError: No user is logged in, the Hub cannot be reached, or the URL is not encrypted.
        """
        # token=True: refuse at once if nobody is logged in, before anything is sent
        api, endpoint = _make_api(endpoint, token=True)
        with convert_hub_errors(endpoint, "return the logged-in user"):
            user = api.whoami()["name"]
        return cls(api=api, endpoint=endpoint, user=str(user))

    def check(self, request: PullRequest) -> str:
        """Check that a pull request can be opened and changes no existing file.

        Returns:
            The commit of the repo that was checked.

        Raises:
            HubError: The repo does not exist, it has one of the files, or the same pull request is open.
        """
        check_no_token(request.files)
        repo, kind = request.repo, request.repo_type
        with convert_hub_errors(self.endpoint, f"show the {kind} repo {repo}"):
            commit = self.api.repo_info(repo, repo_type=kind).sha
            taken = self.api.get_paths_info(repo, sorted(request.files), revision=commit, repo_type=kind)
            open_ones = self.api.get_repo_discussions(
                repo,
                author=self.user,
                discussion_type="pull_request",
                discussion_status="open",
                repo_type=kind,
            )
            same = next((one.num for one in open_ones if one.title == request.title), None)
        if taken:
            raise HubError(f"{repo} already has {taken[0].path}")
        if same is not None:
            raise HubError(f"pull request {same} of {repo} is open for this submission")
        if not commit:
            raise HubError(f"{request.repo} has no commit yet")
        return str(commit)

    def open(self, request: PullRequest, commit: str) -> str:
        """Open a pull request.

        Args:
            request: The pull request.
            commit: Result of `check`; the pull request is based on it, so it cannot change later files.

        Returns:
            The URL of its page.

        Raises:
            HubError: The Hub refuses the request or cannot be reached.
        """
        from huggingface_hub import CommitOperationAdd

        additions = [
            CommitOperationAdd(path_in_repo=name, path_or_fileobj=content)
            for name, content in request.files.items()
        ]
        doing = f"open a pull request to the {request.repo_type} repo {request.repo}"
        with convert_hub_errors(self.endpoint, doing, sends=True):
            done = self.api.create_commit(
                request.repo,
                additions,
                commit_message=request.title,
                commit_description=request.text,
                repo_type=request.repo_type,
                create_pr=True,
                # the Hub refuses the commit if the repo has changed since `check`
                parent_commit=commit,
            )
            url = done.pr_url
        if not url:
            raise HubError(f"expected {self.endpoint} to {doing}, got no page of one")
        return printable(str(url), 500)


def make_public_api(endpoint: str | None = None) -> tuple[HfApi, str]:
    """A client for reading, and its endpoint; a login is used if there is one, for repos that need it.

    Args:
        endpoint: URL of the Hub; None for that of HF_ENDPOINT.

    Raises:
        HubError: The URL is not encrypted.
    """
    return _make_api(endpoint, token=None)


def _make_api(endpoint: str | None, *, token: bool | None) -> tuple[HfApi, str]:
    from huggingface_hub import HfApi, constants

    endpoint = endpoint or constants.ENDPOINT
    address = urlsplit(endpoint)
    if address.scheme != "https" and address.hostname not in LOOPBACK:
        got = printable(endpoint, MESSAGE_LENGTH)
        raise HubError(f"HF_ENDPOINT must be https, got {got}: a token could be read on the way")
    client = HfApi(endpoint=endpoint, token=token, library_name=PACKAGE, library_version=version(PACKAGE))
    return client, endpoint


def check_no_token(files: Mapping[str, bytes]) -> None:
    """Refuse files that contain the user's own token.

    Raises:
        HubError: One does.
    """
    from huggingface_hub import get_token

    token = get_token()
    holder = next((name for name, content in files.items() if token and token.encode() in content), None)
    if holder is not None:
        raise HubError(f"{holder} contains your token: nothing was sent; revoke it")


@contextmanager
def convert_hub_errors(endpoint: str, doing: str, *, sends: bool = False) -> Iterator[None]:
    """Convert every failure of huggingface_hub and its dependencies into a one-line HubError."""
    try:
        yield
    except HubError:
        raise
    except Exception as error:  # httpx, json, xet and the upload threads have no common base
        raise HubError(_mask_token(_describe_failure(error, endpoint, doing, sends))) from None


def _describe_failure(error: Exception, endpoint: str, doing: str, sends: bool) -> str:
    from huggingface_hub.errors import HfHubHTTPError, LocalTokenNotFoundError, OfflineModeIsEnabled

    cause = error
    while isinstance(cause, RuntimeError) and isinstance(cause.__cause__, Exception):
        cause = cause.__cause__  # an upload thread wraps the error
    if isinstance(cause, LocalTokenNotFoundError):
        return f"nobody is logged in at {endpoint}: `hf auth login`, or set HF_TOKEN"
    if isinstance(cause, OfflineModeIsEnabled):
        return f"expected {endpoint} to {doing}, got HF_HUB_OFFLINE, which forbids network access"
    if isinstance(cause, HfHubHTTPError):
        return f"expected {endpoint} to {doing}, got {_describe_refusal(cause)}"
    maybe = "; it may have been opened all the same, so look before you try again" if sends else ""
    message = printable(" ".join(str(cause).split()), MESSAGE_LENGTH)
    return f"expected {endpoint} to {doing}, got {type(cause).__name__}: {message}{maybe}"


def _describe_refusal(error: HfHubHTTPError) -> str:
    """Description of an HTTP error status, with the server's message."""
    status = error.response.status_code
    words = {
        # the Hub also hides private repos behind 401 and 404
        401: "a token that is not valid there, or no repo that it may see",
        403: "a token without this permission",
        404: "no such repo, or none that this token may see",
        # 409 and 412: the parent commit is no longer the latest
        409: "a repo that changed meanwhile: try again",
        412: "a repo that changed meanwhile: try again",
        429: "too many requests: try again later",
    }.get(status, "a server error: try again later" if status >= 500 else "a refusal")
    wait = error.response.headers.get("Retry-After", "")
    if status == 429 and wait.isdigit():
        words = f"too many requests: try again in {wait} s"
    message = printable(" ".join((error.server_message or "").split()), MESSAGE_LENGTH)
    return f"{words} ({status}{': ' + message if message else ''})"


def _mask_token(text: str) -> str:
    from huggingface_hub import get_token

    try:
        token = get_token()
    except Exception:  # without a readable token the text cannot hold it
        return text
    return text.replace(token, "<token>") if token else text
