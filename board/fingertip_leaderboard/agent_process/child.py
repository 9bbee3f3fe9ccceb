"""The process of an isolated agent: `python -m fingertip_leaderboard.agent_process.child`; see `agent_lines`.

It enters the sandbox before it imports the agent, or any library that could start a thread.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fingertip_leaderboard.agent_process.sandbox import enter_sandbox

if TYPE_CHECKING:
    from fingertip_leaderboard.agent_process.agent_lines import AgentFailure, AgentQuery, AgentReply


def main() -> None:
    """Answer queries until stdin ends."""
    # what the agent prints must not come between the replies
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    queries = os.fdopen(os.dup(0), "rb")
    os.close(0)
    start: dict[str, Any] = json.loads(queries.readline())
    folder = start["writable"][0]
    os.chdir(folder)
    enter_sandbox(**{name: list(map(Path, start[name])) for name in ("readable", "listed", "writable")})
    # behind ours: a package of the folder cannot take the place of one that is imported already
    sys.path.append(start["folder"])
    from fingertip_leaderboard.agent_process.agent_lines import AgentHello, AgentQuery, read_line, write_line

    try:
        agent = _make_agent(start)
        hello = AgentHello(name=agent.name, settings=dict(agent.settings))
    except BaseException as error:
        agent, hello = None, AgentHello(failure=_describe_failure(error))
    replies.write(write_line(hello))
    replies.flush()
    if agent is None:
        return
    for line in queries:
        replies.write(write_line(_reply(agent, read_line(AgentQuery, line))))
        replies.flush()


def _make_agent(start: dict[str, Any]) -> Any:  # noqa: ANN401 - of either track
    from fingertip_agents.registry import get_agent, get_execution_agent

    return get_agent(start["name"]) if start["track"] == "suggestion" else get_execution_agent(start["name"])


def _reply(agent: Any, query: AgentQuery) -> AgentReply:  # noqa: ANN401 - of either track
    from fingertip_agents.query_agent import query_agent
    from fingertip_dataset.errors import ModelError
    from fingertip_leaderboard.agent_process.agent_lines import AgentReply, DecisionLine, past_of

    try:
        if query.suggestion is not None:
            return AgentReply(suggestion=agent.suggest(query.suggestion))
        if query.execution is None or query.screen is None:
            raise ModelError("expected a query of one of the tracks")
        decision = query_agent(agent, query.execution, query.screen, past_of(query.past))
        return AgentReply(decision=DecisionLine.of(decision))
    except BaseException as error:  # an exit of the agent, too
        return AgentReply(failure=_describe_failure(error))


def _describe_failure(error: BaseException) -> AgentFailure:
    from fingertip_dataset.errors import FingerTipError
    from fingertip_leaderboard.agent_process.agent_lines import AgentFailure

    kind = type(error).__name__
    message = error.message if isinstance(error, FingerTipError) else f"the agent failed: {kind}: {error}"
    return AgentFailure(kind=kind, message=message)


if __name__ == "__main__":
    main()
