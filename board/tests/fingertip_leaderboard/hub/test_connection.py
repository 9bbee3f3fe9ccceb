"""The Hub connection against a Hub on loopback: requests sent, and every kind of refusal."""

from __future__ import annotations

import hashlib
import socket
from collections.abc import Callable
from dataclasses import replace

import pytest

from board.tests.fingertip_leaderboard.hub_server import Answer, Hub, Opened, ReceivedRequest, refusal
from fingertip_dataset.errors import HubError
from fingertip_leaderboard.hub.connection import Hub as Client
from fingertip_leaderboard.hub.eval_results import eval_results
from fingertip_leaderboard.hub.pull_request import PullRequest, make_results_request, make_submission_request
from fingertip_leaderboard.hub.verified import Verified

REPO = "board/submissions"


@pytest.fixture
def request_of(verified: Callable[[str], Verified]) -> Callable[[str], PullRequest]:
    return lambda seed: make_submission_request(verified(seed), REPO)


def at(part: str, answer: Answer) -> Callable[[ReceivedRequest], Answer | None]:
    """A handler that gives this answer for paths that contain `part`."""
    return lambda query: answer if part in query.path else None


def push(hub: Hub, request: PullRequest) -> str:
    client = Client.connect(hub.endpoint)
    return client.open(request, client.check(request))


def failing(hub: Hub, request: PullRequest) -> str:
    with pytest.raises(HubError) as refused:
        push(hub, request)
    text = str(refused.value)
    assert len(text.splitlines()) == 1
    assert hub.token not in text
    return text


def test_the_hub_gets_the_bundle_as_a_pull_request(hub: Hub, verified: Callable[[str], Verified]) -> None:
    bundle = verified("habit")
    request = make_submission_request(bundle, REPO)
    client = Client.connect(hub.endpoint)
    page = client.open(request, client.check(request))
    repo = hub.repos["dataset", REPO]
    assert page == f"{hub.endpoint}/datasets/{REPO}/discussions/1"
    assert repo.opened == [
        Opened(
            number=1, author="xiaohong", title=request.title, text=request.text, parent=repo.commit,
            files=dict(request.files),
        )
    ]  # fmt: skip
    output = {name: record.sha256 for name, record in bundle.bundle.files.items()}
    for name, content in repo.opened[0].files.items():
        short = name.rpartition("/")[2]
        assert hashlib.sha256(content).hexdigest() == output.get(short, bundle.sha256)
    assert repo.files == {}
    assert {query.headers["authorization"] for query in hub.requests} == {f"Bearer {hub.token}"}
    assert hub.output(hub.token) == []
    assert hub.output("fingertip-20k") != []  # the same look finds what is there
    assert hub.token not in repr(client)


def test_a_models_repo_gets_its_scores(hub: Hub, verified: Callable[[str], Verified]) -> None:
    bundle = verified("habit")
    results = eval_results(bundle.bundle, bundle.scores, benchmark="board/fingertip-20k")
    request = make_results_request(bundle, results, "xiaohong/agent-7b")
    assert push(hub, request) == f"{hub.endpoint}/xiaohong/agent-7b/discussions/1"
    assert hub.repos["model", "xiaohong/agent-7b"].opened[0].files == dict(request.files)


def test_an_existing_or_open_submission_is_refused(
    hub: Hub, request_of: Callable[[str], PullRequest]
) -> None:
    request, repo = request_of("habit"), hub.repos["dataset", REPO]
    push(hub, request)
    assert "pull request 1 of board/submissions is open" in failing(hub, request)
    repo.opened.clear()
    name, content = next(iter(request.files.items()))
    repo.files[name] = content
    assert f"board/submissions already has {name}" in failing(hub, request)
    assert repo.opened == []


def test_a_repo_that_changed_since_the_check_is_not_modified(
    hub: Hub, request_of: Callable[[str], PullRequest]
) -> None:
    request, repo = request_of("habit"), hub.repos["dataset", REPO]
    client = Client.connect(hub.endpoint)
    commit = client.check(request)
    repo.commit = "b" * 40
    with pytest.raises(HubError, match=r"a repo that changed meanwhile: try again \(412"):
        client.open(request, commit)
    assert repo.opened == []


@pytest.mark.parametrize(
    ("part", "answer", "output"),
    [
        ("whoami", refusal(401, "Invalid credentials in Authorization header"), "not valid there, or"),
        ("whoami", refusal(429, "slow down", **{"Retry-After": "90"}), "try again in 90 s (429)"),
        ("whoami", refusal(503, "maintenance"), "a server error: try again later (503: maintenance)"),
        ("whoami", Answer(body=["what"]), "got TypeError"),
        (REPO, refusal(404, "Repository not found", code="RepoNotFound"), "no such repo, or none that"),
        (REPO, refusal(401, "Repository not found"), "or no repo that it may see (401"),
        ("paths-info", refusal(403, "no"), "a token without this permission (403"),
        ("discussions", refusal(403, "Discussions are disabled"), "(403: Discussions are disabled"),
        ("preupload", refusal(403, "You need read access"), "a token without this permission (403"),
        ("/commit/", refusal(401, "Invalid credentials in Authorization header"), "(401"),
        ("/commit/", refusal(403, "Forbidden: pull requests"), "a token without this permission (403"),
        ("/commit/", refusal(409, "conflict"), "a repo that changed meanwhile: try again (409: conflict)"),
        ("/commit/", refusal(413, "too large"), "a refusal (413: too large)"),
        ("/commit/", refusal(429, "hot"), "too many requests: try again later (429: hot)"),
        ("/commit/", Answer(body={}), "got KeyError: 'commitUrl'; it may have been opened all the same"),
        ("/commit/", Answer(gone=True), "it may have been opened all the same, so look before you try again"),
    ],
)  # fmt: skip
def test_each_server_error_is_a_one_line_error(
    hub: Hub, request_of: Callable[[str], PullRequest], part: str, answer: Answer, output: str
) -> None:
    hub.trouble = at(part, answer)
    text = failing(hub, request_of("habit"))
    assert output in text
    assert text.startswith(f"expected {hub.endpoint} to ")
    assert hub.repos["dataset", REPO].opened == []


def test_a_token_in_a_servers_message_is_removed(hub: Hub, request_of: Callable[[str], PullRequest]) -> None:
    for part in ("whoami", "/commit/"):
        hub.trouble = at(part, refusal(403, f"who is {hub.token}? \x1b[2J"))
        assert "who is <token>?" in failing(hub, request_of("habit"))


def test_a_bundle_that_contains_the_token_is_not_sent(
    hub: Hub, request_of: Callable[[str], PullRequest]
) -> None:
    request = request_of("habit")
    name = next(iter(request.files))
    leaky = replace(request, files={**request.files, name: f'{{"key": "{hub.token}"}}'.encode()})
    assert f"{name} contains your token: nothing was sent" in failing(hub, leaky)
    assert [query.path for query in hub.requests] == ["/api/whoami-v2"]


def test_an_invalid_token_is_refused(
    hub: Hub, request_of: Callable[[str], PullRequest], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_another")
    text = failing(hub, request_of("habit"))
    assert "return the logged-in user, got a token that is not valid there" in text
    assert "hf_another" not in text


def test_an_unreachable_hub_and_offline_mode_are_refused(
    request_of: Callable[[str], PullRequest], hub: Hub
) -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))  # and does not listen
        words = r"^expected http://127\.0\.0\.1:\d+ to return the logged-in user, got ConnectError: "
        with pytest.raises(HubError, match=words):
            Client.connect(f"http://127.0.0.1:{nobody.getsockname()[1]}")


def test_an_endpoint_without_https_is_refused(hub: Hub) -> None:
    with pytest.raises(
        HubError,
        match=r"HF_ENDPOINT must be https, got http://hub\.example: a token could be read on the way",
    ):
        Client.connect("http://hub.example")
    assert hub.requests == []
