"""A Hub on loopback: the routes by which huggingface_hub writes and opens pull requests, over real HTTP.

A token may write to the repos of its user; to those of others it opens pull requests.
It checks what it is sent as the real one does (who asks, where a pull request starts, that its files are new,
that the bytes of a large file are those that were announced) and keeps every request for tests to look at.
"""

from __future__ import annotations

import base64
import hashlib
import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

USER = "xiaohong"
LARGE = (".png", ".jpg", ".parquet")
"""Suffixes of files that the Hub stores as large files."""

KINDS = {"datasets": "dataset", "models": "model", "spaces": "space"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceivedRequest:
    """A received request: its path with the query, headers in lower case, and the bytes of its body."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes

    @property
    def path(self) -> str:
        return urlsplit(self.target).path


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """An opened pull request."""

    number: int
    author: str
    title: str
    text: str
    parent: str
    files: dict[str, bytes]


@dataclass(slots=True, kw_only=True)
class Repo:
    """A repo: its files, its current commit and its pull requests."""

    files: dict[str, bytes] = field(default_factory=dict)
    dates: dict[str, str] = field(default_factory=dict)
    """Path -> time of the last commit of a file."""
    commit: str = "a" * 40
    private: bool = False
    titles: list[str] = field(default_factory=list)
    """Titles of the commits on main."""
    opened: list[Opened] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A response, its body as JSON or `raw`; `gone` closes the connection instead."""

    status: int = 200
    body: Any = None
    raw: bytes | None = None
    headers: dict[str, str] = field(default_factory=dict)
    gone: bool = False


class Hub(ThreadingHTTPServer):
    """The server; `repos` exist from the start, and `trouble` may answer a request instead of the routes."""

    daemon_threads = False

    def __init__(self, token: str) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.token = token
        self.public = False
        """Whether repos can be read without a token."""
        self.repos: dict[tuple[str, str], Repo] = {}
        self.large: dict[str, bytes] = {}
        self.requests: list[ReceivedRequest] = []
        self.trouble: Callable[[ReceivedRequest], Answer | None] = lambda requests_made: None
        self.lock = threading.Lock()
        self.connections: set[socket.socket] = set()

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def new_repo(self, kind: str, name: str) -> Repo:
        self.repos[kind, name] = Repo()
        return self.repos[kind, name]

    def output(self, token: str) -> list[str]:
        """All places in requests where the token occurs, except in its own header."""
        places = []
        for number, requests_made in enumerate(self.requests):
            others = {name: value for name, value in requests_made.headers.items() if name != "authorization"}
            texts = {"address": unquote(requests_made.target), "headers": json.dumps(others)}
            bodies = [requests_made.body, *self.decoded(requests_made)]
            places += [f"{number} {name}" for name, text in texts.items() if token in text]
            places += [f"{number} body" for body in bodies if token.encode() in body]
        return places

    @staticmethod
    def decoded(requests_made: ReceivedRequest) -> list[bytes]:
        """The files in the body of a commit."""
        if "/commit/" not in requests_made.path:
            return []
        lines = [json.loads(line) for line in requests_made.body.splitlines()]
        return [base64.b64decode(line["value"]["content"]) for line in lines if line["key"] == "file"]

    def get_request(self) -> tuple[socket.socket, Any]:
        connection, address = super().get_request()
        with self.lock:
            self.connections.add(connection)
        return connection, address

    def shutdown_request(self, request: Any) -> None:  # noqa: ANN401 - as the base class has it
        with self.lock:
            self.connections.discard(request)
        super().shutdown_request(request)

    def end(self) -> None:
        """Close the server and all connections, including those that a client keeps alive."""
        self.shutdown()
        with self.lock:
            for connection in self.connections:
                connection.shutdown(socket.SHUT_RDWR)
        self.server_close()

    def answer(self, requests_made: ReceivedRequest) -> Answer:
        special = self.trouble(requests_made)
        if special is not None:
            return special
        if requests_made.path.startswith("/large/"):  # a storage elsewhere: its address is the right to write
            return self._stored(requests_made)
        if (requests_made.method, requests_made.path) == ("GET", "/api/agent-harnesses"):
            return Answer(body={})  # huggingface_hub asks for it by itself, without a token
        given = requests_made.headers.get("authorization")
        if given != f"Bearer {self.token}" and not (self.public and given is None):
            return refusal(401, "Invalid credentials in Authorization header")
        if (requests_made.method, requests_made.path) == ("GET", "/api/whoami-v2"):
            return Answer(body={"type": "user", "name": USER, "orgs": [], "auth": {"type": "access_token"}})
        if (requests_made.method, requests_made.path) == ("POST", "/api/validate-yaml"):
            return Answer(body={"errors": [], "warnings": []})
        if (requests_made.method, requests_made.path) == ("POST", "/api/repos/create"):
            return self._create(requests_made)
        if "/resolve/" in requests_made.path:
            return self._content(requests_made)
        if requests_made.path.endswith(".git/info/lfs/objects/batch"):
            return self._large(requests_made)
        api, *parts = requests_made.path.strip("/").split("/")
        if api != "api" or len(parts) < 3 or parts[0] not in KINDS:
            return refusal(404, f"no route {requests_made.path}")
        name = "/".join(parts[1:3])
        repo = self.repos.get((KINDS[parts[0]], name))
        if repo is None:
            return refusal(404, "Repository not found", code="RepoNotFound")
        return self._of_repo(requests_made, (KINDS[parts[0]], name), repo, parts[3:])

    def _of_repo(
        self, requests_made: ReceivedRequest, at: tuple[str, str], repo: Repo, rest: list[str]
    ) -> Answer:
        query = parse_qs(urlsplit(requests_made.target).query)
        match requests_made.method, rest:
            case "GET", []:
                names = [{"rfilename": name} for name in repo.files]
                return Answer(
                    body={"id": at[1], "sha": repo.commit, "private": repo.private, "siblings": names}
                )
            case "POST", ["paths-info", revision]:
                return self._paths(requests_made, repo, revision)
            case "GET", ["discussions"]:
                return self._discussions(at, repo, query)
            case "POST", ["preupload", "main"]:
                return self._modes(requests_made, at, repo, query)
            case "POST", ["commit", "main"]:
                return self._commit(requests_made, at, repo, query)
        return refusal(404, f"no route {requests_made.path}")

    @staticmethod
    def _paths(requests_made: ReceivedRequest, repo: Repo, revision: str) -> Answer:
        if revision != repo.commit:
            return refusal(404, "Invalid rev id", code="RevisionNotFound")
        query = parse_qs(requests_made.body.decode())
        found = [
            {"type": "file", "path": name, "size": len(content), "oid": git_oid(content)}
            | (_last_commit(repo.dates[name]) if query.get("expand") == ["true"] else {})
            for name, content in repo.files.items()
            if name in query["paths"]
        ]
        return Answer(body=found)

    @staticmethod
    def _discussions(at: tuple[str, str], repo: Repo, query: dict[str, list[str]]) -> Answer:
        if query.get("type") != ["pull_request"] or query.get("status") != ["open"]:
            return refusal(400, "the tests ask for open pull requests alone")
        found = [
            {
                "title": one.title,
                "num": one.number,
                "author": {"name": one.author},
                "createdAt": "2026-11-20T12:00:00.000Z",
                "status": "open",
                "repo": {"name": at[1], "type": at[0]},
                "isPullRequest": True,
            }
            for one in repo.opened
            if query.get("author") in (None, [one.author])
        ]
        return Answer(body={"discussions": found, "count": len(found), "start": 0})

    def _create(self, requests_made: ReceivedRequest) -> Answer:
        wanted = json.loads(requests_made.body)
        name = f"{wanted.get('organization') or USER}/{wanted['name']}"
        kind = wanted.get("type", "model")
        if not name.startswith(f"{USER}/"):
            return refusal(403, "You don't have the rights to create a repo under this namespace")
        if (kind, name) in self.repos:
            return refusal(409, "You already created this repo")
        repo = self.new_repo(kind, name)
        repo.files[".gitattributes"] = b"*.parquet filter=lfs\n"
        repo.private = wanted.get("private", False) or wanted.get("visibility") == "private"
        return Answer(body={"url": f"{self.endpoint}/{kind}s/{name}", "name": name})

    def _content(self, requests_made: ReceivedRequest) -> Answer:
        """A file's content: /datasets/OWNER/NAME/resolve/COMMIT/PATH."""
        where, _, rest = requests_made.path.strip("/").partition("/resolve/")
        kind, name = where.split("/", 1)
        revision, _, path = rest.partition("/")
        repo = self.repos.get((KINDS[kind], name))
        if repo is None or revision != repo.commit or path not in repo.files:
            return refusal(404, "Entry not found", code="EntryNotFound")
        content = repo.files[path]
        headers = {"X-Repo-Commit": repo.commit, "ETag": f'"{git_oid(content)}"'}
        return Answer(raw=content, headers=headers)

    @staticmethod
    def _modes(
        requests_made: ReceivedRequest, at: tuple[str, str], repo: Repo, query: dict[str, list[str]]
    ) -> Answer:
        if query.get("create_pr") != ["1"] and not at[1].startswith(f"{USER}/"):
            return refusal(403, "This token may open pull requests, not write")
        files = [
            {
                "path": one["path"],
                "uploadMode": "lfs" if one["path"].endswith(LARGE) else "regular",
                "shouldIgnore": False,
                "oid": git_oid(repo.files[one["path"]]) if one["path"] in repo.files else None,
            }
            for one in json.loads(requests_made.body)["files"]
        ]
        return Answer(body={"files": files})

    def _large(self, requests_made: ReceivedRequest) -> Answer:
        body = json.loads(requests_made.body)
        if body["operation"] != "upload" or "basic" not in body["transfers"]:
            return refusal(400, "expected an upload")
        href = f"{self.endpoint}/large/"
        objects = [
            {**one, "authenticated": True, "actions": {"upload": {"href": href + one["oid"]}}}
            for one in body["objects"]
        ]
        return Answer(body={"transfer": "basic", "objects": objects})

    def _stored(self, requests_made: ReceivedRequest) -> Answer:
        oid = requests_made.path.rpartition("/")[2]
        if requests_made.method != "PUT" or hashlib.sha256(requests_made.body).hexdigest() != oid:
            return refusal(400, "other bytes than were announced")
        if "authorization" in requests_made.headers:
            return refusal(400, "a token that was not asked for")
        self.large[oid] = requests_made.body
        return Answer()

    def _commit(
        self, requests_made: ReceivedRequest, at: tuple[str, str], repo: Repo, query: dict[str, list[str]]
    ) -> Answer:
        if query != {"create_pr": ["1"]} and (query or not at[1].startswith(f"{USER}/")):
            return refusal(403, "This token may open pull requests, not write")
        head, *lines = [json.loads(line) for line in requests_made.body.splitlines()]
        summary = head["value"]
        if head["key"] != "header" or not summary["summary"] or len(summary["summary"].splitlines()) != 1:
            return refusal(400, "a commit needs a summary of one line")
        if summary.get("parentCommit") != repo.commit:
            return refusal(412, "A commit has happened since. Please refresh and try again.")
        files: dict[str, bytes] = {}
        removed: set[str] = set()
        for line in lines:
            output = line["value"]
            if line["key"] == "deletedFile" and output["path"] in repo.files and not query:
                removed.add(output["path"])
                continue
            if line["key"] == "lfsFile" and output["oid"] in self.large:
                files[output["path"]] = self.large[output["oid"]]
            elif line["key"] == "file" and output["encoding"] == "base64":
                files[output["path"]] = base64.b64decode(output["content"], validate=True)
            else:
                return refusal(400, f"neither a file nor one that was uploaded: {line['key']}")
        if not query:
            return self._written(at, repo, summary["summary"], files, removed)
        if not files or set(files) & set(repo.files):
            return refusal(409, "expected new files")
        number = len(repo.opened) + 1
        repo.opened.append(
            Opened(
                number=number, author=USER, title=summary["summary"], text=summary["description"],
                parent=summary["parentCommit"], files=files,
            )
        )  # fmt: skip
        prefix = "datasets/" if at[0] == "dataset" else ""
        page, oid = f"{self.endpoint}/{prefix}{at[1]}", f"{number:040x}"
        return Answer(
            body={
                "success": True,
                "commitOid": oid,
                "commitUrl": f"{page}/commit/{oid}",
                "pullRequestUrl": f"{page}/discussions/{number}",
            }
        )

    def _written(
        self, at: tuple[str, str], repo: Repo, title: str, files: dict[str, bytes], removed: set[str]
    ) -> Answer:
        """A commit to main."""
        repo.files = {name: content for name, content in repo.files.items() if name not in removed} | files
        repo.titles.append(title)
        repo.commit = f"{len(repo.titles):040x}"
        page = f"{self.endpoint}/{at[0]}s/{at[1]}"
        return Answer(
            body={"success": True, "commitOid": repo.commit, "commitUrl": f"{page}/commit/{repo.commit}"}
        )


def _last_commit(date: str) -> dict[str, Any]:
    commit = {"id": git_oid(date.encode()), "title": "Merge a submission", "date": date}
    security = {"blobId": "", "safe": True, "status": "safe", "avScan": None, "pickleImportScan": None}
    return {"lastCommit": commit, "securityFileStatus": security}


@contextmanager
def served_hub(token: str) -> Iterator[Hub]:
    """A Hub that serves until the block ends."""
    server = Hub(token)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        server.end()
        thread.join()


def git_oid(content: bytes) -> str:
    """The git blob id of a file's content."""
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()  # noqa: S324 - git's


def refusal(status: int, words: str, *, code: str = "", **headers: str) -> Answer:
    output = {"X-Error-Message": words, **({"X-Error-Code": code} if code else {}), **headers}
    return Answer(status=status, body={"error": words}, headers=output)


class _Handler(BaseHTTPRequestHandler):
    server: Hub
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def _any(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        headers = {name.lower(): value for name, value in self.headers.items()}
        requests_made = ReceivedRequest(method=self.command, target=self.path, headers=headers, body=body)
        with self.server.lock:
            self.server.requests.append(requests_made)
            answer = self.server.answer(requests_made)
        if answer.gone:
            self.close_connection = True
            return
        content = json.dumps(answer.body).encode() if answer.raw is None else answer.raw
        self.send_response(answer.status)
        sent = {"content-type": "application/json", "content-length": str(len(content)), **answer.headers}
        for name, value in sent.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    do_GET = do_HEAD = do_POST = do_PUT = _any

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing, because all requests are recorded."""
