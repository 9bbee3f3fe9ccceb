"""The simulated phone behind OpenEnv's protocol: an application for uvicorn, and its client."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Any

from fingertip_dataset.errors import FingerTipError, MissingExtraError, UsageError
from fingertip_dataset.release.settings import Start
from fingertip_environments.phone_core import check_design, check_trees
from fingertip_environments.phone_task import PhoneTask, check_locale, check_start
from fingertip_environments.rewards import Reward, goal_reward
from fingertip_pages.request_guard import RequestGuard

if TYPE_CHECKING:
    from fingertip_environments.openenv_env import Screenshot


def phone_app(
    splits: Mapping[str, Sequence[PhoneTask]],
    *,
    phones: int = 8,
    session_timeout: float | None = 3600.0,
    reward: Reward = goal_reward,
    stop_at_goal: bool = False,
    screenshots: Screenshot | None = "jpeg",
    locale: str | None = None,
    start: Start = "app",
    trees: str = "clean",
    design: str | None = None,
    dark: bool | None = None,
    allowed_hosts: Sequence[str] = (),
) -> Any:  # noqa: ANN401 - FastAPI comes with the extra
    """The server of an OpenEnv environment: an ASGI application. Each of its sessions is a phone.

    Args:
        splits: The tasks by the name of their split; a reset draws from the first split by default.
        phones: Largest number of sessions at a time; one more is refused with CAPACITY_REACHED.
        session_timeout: Seconds after which a session without calls is closed and frees its phone; None for
            never. OpenEnv looks every quarter of it, and not more often than every 5 s.
        reward: Function of the outcome, called at the end of an episode.
        stop_at_goal: Whether an episode ends as soon as the goal is reached, without `finished()`.
        screenshots: Kind of the screenshots, "jpeg" or "png"; None for none.
        locale: Language of the tasks; None for any.
        start: Where all tasks begin: in their app, which is open, or on the home screen.
        trees: "clean" for tidy accessibility trees, "rough" for trees as untidy as real ones.
        design: Design language of every phone; None for that of the task's person.
        dark: Whether every phone is in dark mode; None as in the task.
        allowed_hosts: Names with a dot under which clients ask the server; others without one are allowed.

    Raises:
        MissingExtraError: openenv is not installed.
        UsageError: No splits, one without tasks, less than one phone, no time, another kind of screenshots
            or trees, no such language, start or design, or tasks with another one.
    """
    _check_splits(splits, phones, session_timeout, screenshots)
    for tasks in splits.values():
        check_locale(tasks, locale)
        check_start(tasks, start)
    check_trees(trees)
    check_design(design)
    try:
        from fastapi.responses import JSONResponse
        from openenv.core.env_server import create_app
        from openenv.core.env_server.types import ConcurrencyConfig

        from fingertip_environments.openenv_env import (
            PhoneAction,
            PhoneEnvironment,
            PhoneObservation,
            PhoneState,
        )
    except ModuleNotFoundError as error:
        raise MissingExtraError(error.name or "openenv", "openenv") from error

    make = partial(
        PhoneEnvironment, splits, reward=reward, stop_at_goal=stop_at_goal, screenshots=screenshots,
        trees=trees, design=design, dark=dark,
    )  # fmt: skip
    app = create_app(
        make,
        PhoneAction,
        PhoneObservation,
        env_name="phone",
        concurrency_config=ConcurrencyConfig(max_concurrent_envs=phones, session_timeout=session_timeout),
        state_cls=PhoneState,
    )
    app.add_middleware(RequestGuard, hosts=allowed_hosts)
    app.add_exception_handler(
        FingerTipError, lambda _, error: JSONResponse({"detail": str(error)}, status_code=400)
    )
    return app


def _check_splits(
    splits: Mapping[str, Sequence[PhoneTask]],
    phones: int,
    session_timeout: float | None,
    screenshots: Screenshot | None,
) -> None:
    if screenshots not in ("jpeg", "png", None):
        raise UsageError(f"expected screenshots 'jpeg', 'png' or None, got {screenshots!r}")
    if phones < 1:
        raise UsageError(f"expected at least one phone, got {phones}")
    if session_timeout is not None and not 0 < session_timeout < inf:
        raise UsageError(f"expected a session_timeout above 0 seconds, or None, got {session_timeout}")
    empty = [name for name, tasks in splits.items() if not tasks]
    if not splits or empty:
        where = f", got none in {empty[0]!r}" if empty else ", got no split"
        raise UsageError(f"a server of phones needs at least one task a split{where}")


def phone_client(address: str, **options: Any) -> Any:  # noqa: ANN401 - OpenEnv's
    """A client of `phone_app`, without async: a context with `reset(...)`, `step(action)` and `state()`.

    `reset` takes seed, split, index and task_id; an action is a string in the release's spelling.

    Args:
        address: Address of the server, "http://HOST:PORT".
        options: More arguments of OpenEnv's `EnvClient`.

    Raises:
        MissingExtraError: openenv is not installed.
    """
    try:
        from fingertip_environments.openenv_env import PhoneClient
    except ModuleNotFoundError as error:
        raise MissingExtraError(error.name or "openenv", "openenv") from error
    return PhoneClient(base_url=address, **options).sync()
