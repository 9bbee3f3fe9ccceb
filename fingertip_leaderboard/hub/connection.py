"""The Hub as huggingface_hub reaches it: the endpoint of HF_ENDPOINT, the token of its own place.

The token is read by huggingface_hub whenever it builds a header, and stands nowhere else. What a server says
is printed only after the token was struck out of it.
"""

from __future__ import annotations

from collections.abc import Iterator
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
"""Who the Hub is told that asks."""

LOOPBACK = ("127.0.0.1", "::1", "localhost")
"""Hosts to which http is as good as https."""

WORDS = 200
"""Characters of what a server says that are printed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hub:
    """A Hub where somebody is logged in.

    Attributes:
        api: Of huggingface_hub; it holds no token, only that one is needed.
        endpoint: Its address.
        user: Who is logged in.
    """

    api: HfApi
    endpoint: str
    user: str

    @classmethod
    def connect(cls, endpoint: str | None = None) -> Hub:
        """A Hub, once it has said who is logged in.

        Args:
            endpoint: Its address; None for that of HF_ENDPOINT.

        Raises:
            HubError: Nobody is, it cannot be reached, or what is sent could be read on the way.
        """
        from huggingface_hub import HfApi, constants

        endpoint = endpoint or constants.ENDPOINT
        address = urlsplit(endpoint)
        if address.scheme != "https" and address.hostname not in LOOPBACK:
            got = printable(endpoint, WORDS)
            raise HubError(f"expected HF_ENDPOINT with https, got {got}: a token could be read on the way")
        api = HfApi(endpoint=endpoint, token=True, library_name=PACKAGE, library_version=version(PACKAGE))
        with _one_line(endpoint, "say who is logged in"):
            user = api.whoami()["name"]
        return cls(api=api, endpoint=endpoint, user=str(user))

    def check(self, request: PullRequest) -> str:
        """Sees that a pull request can be opened and changes nothing that is there.

        Returns:
            The commit that this is known of.

        Raises:
            HubError: There is no such repo, it has one of the files, or such a pull request is open.
        """
        _check_no_token(request)
        repo, kind = request.repo, request.repo_type
        with _one_line(self.endpoint, f"show the {kind} repo {repo}"):
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
            raise HubError(f"expected a new submission, got {taken[0].path}, which {repo} has already")
        if same is not None:
            raise HubError(f"expected a new submission, got pull request {same} of {repo}, which is open")
        if not commit:
            raise HubError(f"expected a repo with a commit, got {request.repo}, which has none")
        return str(commit)

    def open(self, request: PullRequest, commit: str) -> str:
        """Opens a pull request.

        Args:
            request: It.
            commit: From `check`; it starts there, so that it cannot change what came since.

        Returns:
            The address of its page.

        Raises:
            HubError: The Hub refuses, or is gone.
        """
        from huggingface_hub import CommitOperationAdd

        additions = [
            CommitOperationAdd(path_in_repo=name, path_or_fileobj=content)
            for name, content in request.files.items()
        ]
        doing = f"open a pull request to the {request.repo_type} repo {request.repo}"
        with _one_line(self.endpoint, doing, sends=True):
            done = self.api.create_commit(
                request.repo,
                additions,
                commit_message=request.title,
                commit_description=request.text,
                repo_type=request.repo_type,
                create_pr=True,
                parent_commit=commit,
            )
            url = done.pr_url
        if not url:
            raise HubError(f"expected {self.endpoint} to {doing}, got no page of one")
        return printable(str(url), 500)


def _check_no_token(request: PullRequest) -> None:
    from huggingface_hub import get_token

    token = get_token()
    holder = next(
        (name for name, content in request.files.items() if token and token.encode() in content), None
    )
    if holder is not None:
        raise HubError(f"expected files without your token, got it in {holder}: nothing was sent; revoke it")


@contextmanager
def _one_line(endpoint: str, doing: str, *, sends: bool = False) -> Iterator[None]:
    """Every failure of huggingface_hub and what lies below it as one line of ours."""
    try:
        yield
    except HubError:
        raise
    except Exception as error:  # httpx, json, xet and the upload threads raise what they like
        raise HubError(_struck_out(_failure_text(error, endpoint, doing, sends))) from None


def _failure_text(error: Exception, endpoint: str, doing: str, sends: bool) -> str:
    from huggingface_hub.errors import HfHubHTTPError, LocalTokenNotFoundError, OfflineModeIsEnabled

    cause = error
    while isinstance(cause, RuntimeError) and isinstance(cause.__cause__, Exception):
        cause = cause.__cause__  # an upload thread wraps what happened
    if isinstance(cause, LocalTokenNotFoundError):
        return f"expected somebody logged in at {endpoint}, got nobody: `hf auth login`, or set HF_TOKEN"
    if isinstance(cause, OfflineModeIsEnabled):
        return f"expected {endpoint} to {doing}, got HF_HUB_OFFLINE, which forbids to ask"
    if isinstance(cause, HfHubHTTPError):
        return f"expected {endpoint} to {doing}, got {_refused(cause)}"
    maybe = "; it may have been opened all the same, so look before you try again" if sends else ""
    message = printable(" ".join(str(cause).split()), WORDS)
    return f"expected {endpoint} to {doing}, got {type(cause).__name__}: {message}{maybe}"


def _refused(error: HfHubHTTPError) -> str:
    """A status in words, and the server's own."""
    status = error.response.status_code
    words = {
        401: "a token that is not valid there, or no repo that it may see",
        403: "a token that may not",
        404: "no such repo, or none that this token may see",
        409: "a repo that changed meanwhile: try again",
        412: "a repo that changed meanwhile: try again",
        429: "too many requests: try again later",
    }.get(status, "trouble of its own: try again later" if status >= 500 else "a refusal")
    wait = error.response.headers.get("Retry-After", "")
    if status == 429 and wait.isdigit():
        words = f"too many requests: try again in {wait} s"
    message = printable(" ".join((error.server_message or "").split()), WORDS)
    return f"{words} ({status}{': ' + message if message else ''})"


def _struck_out(text: str) -> str:
    from huggingface_hub import get_token

    try:
        token = get_token()
    except Exception:  # there was none to say
        return text
    return text.replace(token, "<token>") if token else text
