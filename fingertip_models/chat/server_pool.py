"""A model behind several servers: each request goes to the least busy one that lives."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from fingertip_dataset.errors import EndpointError, PreflightError
from fingertip_models.chat.chat_answer import ModelAnswer
from fingertip_models.chat.chat_client import BACKOFF_S, ChatClient
from fingertip_models.chat.server_facts import describe_server, find_conflict, list_varying_facts
from fingertip_models.limits import RateLimit
from fingertip_models.messages import Message
from fingertip_models.options import ModelOptions


@dataclass(slots=True, kw_only=True)
class _Server:
    """A server of a pool.

    Attributes:
        client: Its client.
        busy: Number of requests that it has now.
        sent: Number of requests that it has had.
        dead: Whether it is left out.
    """

    client: ChatClient
    busy: int = 0
    sent: int = 0
    dead: bool = False


class ServerPool:
    """Clients of several servers that have the same model, for any number of threads and event loops.

    A request goes to the server that has the fewest at that time. A server that answers nothing, not even a
    small request, is left out from then on, and its requests go to the others. If none is left, the error is
    that of the last one, and all of them are tried again at the next request, as a single server would be.

    The servers have to be of one engine with the same weights, as far as they tell: the answers are scored as
    those of one model.

    Args:
        options: Options of the model, with the URLs of all servers.
        backoff_s: As in `ChatClient`.
        requests_per_minute: Maximum request rate of all servers, retries included; None for no limit.
        on_retry: As in `ChatClient`.
        on_note: As in `ChatClient`; also called with a line on each server that is left out.
        usual_notes: As in `ChatClient`.
        preflight: Whether the first request, and the first one with a picture, waits for a preflight of every
            server.

    Raises:
        UsageError: A URL or the key cannot be used.
        MissingExtraError: The extra `models` is not installed.
    """

    def __init__(
        self,
        options: ModelOptions,
        *,
        backoff_s: float = BACKOFF_S,
        requests_per_minute: int | None = None,
        on_retry: Callable[[str], None] | None = None,
        on_note: Callable[[str], None] | None = None,
        usual_notes: Collection[str] = (),
        preflight: bool = False,
    ) -> None:
        self.options = options
        self._on_note = on_note or on_retry
        self._preflight = preflight
        self._checked: set[bool] = set()
        self._checking = threading.Lock()
        self._lock = threading.Lock()
        limit = None if requests_per_minute is None else RateLimit(requests_per_minute)
        self._servers = [
            _Server(
                client=ChatClient(
                    replace(options, base_url=url, further_urls=()),
                    backoff_s=backoff_s,
                    requests_per_minute=limit,
                    on_retry=on_retry,
                    on_note=on_note,
                    usual_notes=usual_notes,
                    preflight=preflight,
                    has_substitute=partial(self._has_substitute, number),
                )
            )
            for number, url in enumerate(options.urls)
        ]

    def settings(self) -> dict[str, object]:
        """Return everything that answers depend on; the URL is that of the first server."""
        return self.options.settings()

    @property
    def software(self) -> Mapping[str, str]:
        """Facts that all servers tell alike, and a line for each server; see `read_server_facts`."""
        facts = [server.client.software for server in self._servers]
        known = [one for one in facts if one]
        if not known:
            return {}
        first, *others = known
        shared = {name: text for name, text in first.items() if all(one.get(name) == text for one in others)}
        lines = {
            f"server {number}": describe_server(server.client.options.endpoint, one)
            for number, (server, one) in enumerate(zip(self._servers, facts, strict=True), 1)
        }
        return {**shared, **lines}

    def ask(self, messages: Sequence[Message]) -> ModelAnswer:
        """Query the least busy server, and another one if it is dead.

        Raises:
            EndpointError: No server answers anything.
            ModelError: A server refused the request, or every attempt failed.
            InputError: An image is neither PNG, JPEG, GIF nor WebP.
            UsageError: The pool is closed.
        """
        self._check(messages)
        tried: set[int] = set()
        while True:
            number = self._take(tried)
            try:
                return self._servers[number].client.ask(messages)
            except EndpointError as error:
                self._leave_out(number, error, tried)
            finally:
                self._give_back(number)

    async def ask_async(self, messages: Sequence[Message]) -> ModelAnswer:
        """Query as `ask` does, from any event loop. Cancelling it ends the request."""
        if self._preflight and _has_images(messages) not in self._checked:
            await asyncio.to_thread(self._check, messages)
        tried: set[int] = set()
        while True:
            number = self._take(tried)
            try:
                return await self._servers[number].client.ask_async(messages)
            except EndpointError as error:
                self._leave_out(number, error, tried)
            finally:
                self._give_back(number)

    def check(self, *, picture: bool = False, system: bool = False) -> None:
        """Make the preflight of every server, once.

        Args:
            picture: Whether it has a picture.
            system: Whether it has a system message.

        Raises:
            PreflightError: Every server failed, or two of them have other weights or are of other engines.
        """
        with self._checking:
            if picture in self._checked:
                return
            failed: list[PreflightError] = []
            waiting = [
                (server, server.client.start_check(picture=picture, system=system))
                for server in self._servers
                if not server.dead
            ]
            for server, future in waiting:
                try:
                    future.result()
                except PreflightError as error:
                    failed.append(error)
                    if len(failed) < len(waiting):
                        server.dead = True
                        self._note_left_out(server, error)
            if len(failed) == len(waiting):
                for server, _ in waiting:
                    server.dead = False
                raise failed[-1]
            self._compare_servers()
            self._checked.add(picture)

    def close(self) -> None:
        """Cancel running requests and end all connections; repeated calls do nothing."""
        for server in self._servers:
            server.client.close()

    def _check(self, messages: Sequence[Message]) -> None:
        if self._preflight and (picture := _has_images(messages)) not in self._checked:
            self.check(picture=picture, system=any(message.role == "system" for message in messages))

    def _compare_servers(self) -> None:
        """Refuse servers of which one cannot stand in for another, and note smaller differences."""
        facts = {
            f"at {server.client.options.endpoint}": server.client.software
            for server in self._servers
            if not server.dead
        }
        if (conflict := find_conflict(facts)) is not None:
            raise PreflightError(f"{self.options.model}: {conflict}; give --base-url of equal servers")
        if self._on_note:
            for line in list_varying_facts(facts):
                self._on_note(f"note: {self.options.model}: {line}")

    def _take(self, tried: Collection[int]) -> int:
        """Choose the least busy server that lives and was not tried, and count the request."""
        with self._lock:
            number = min(
                (one for one in range(len(self._servers)) if one not in tried),
                key=lambda one: (
                    self._servers[one].dead,
                    self._servers[one].busy,
                    self._servers[one].sent,
                ),
            )
            self._servers[number].busy += 1
            self._servers[number].sent += 1
            return number

    def _give_back(self, number: int) -> None:
        with self._lock:
            self._servers[number].busy -= 1

    def _leave_out(self, number: int, error: EndpointError, tried: set[int]) -> None:
        """Leave a server out whose error this is, unless none would be left.

        Raises:
            EndpointError: No server is left.
        """
        tried.add(number)
        server = self._servers[number]
        with self._lock:
            alive = [one for one, other in enumerate(self._servers) if not other.dead and one not in tried]
            if not alive:
                # as a single server, which may come back until the run stops
                for other in self._servers:
                    other.dead = False
                raise error
            news, server.dead = not server.dead, True
        if news:
            self._note_left_out(server, error)

    def _note_left_out(self, server: _Server, error: EndpointError) -> None:
        if self._on_note:
            self._on_note(
                f"warning: {server.client.options.endpoint} is left out, the other servers answer: "
                f"{error.message}"
            )

    def _has_substitute(self, number: int) -> bool:
        """Whether another server lives that could stand in for this one."""
        # a client may fail while the others are still being made
        return any(not other.dead for one, other in enumerate(self._servers) if one != number)


def open_servers(
    options: ModelOptions,
    *,
    requests_per_minute: int | None = None,
    on_retry: Callable[[str], None] | None = None,
    on_note: Callable[[str], None] | None = None,
    usual_notes: Collection[str] = (),
    preflight: bool = False,
) -> ChatClient | ServerPool:
    """Open the client of a model's server, or a pool of several servers; the arguments are those of both."""
    opening = ServerPool if options.further_urls else ChatClient
    return opening(
        options,
        requests_per_minute=requests_per_minute,
        on_retry=on_retry,
        on_note=on_note,
        usual_notes=usual_notes,
        preflight=preflight,
    )


def _has_images(messages: Sequence[Message]) -> bool:
    return any(message.images for message in messages)
