"""Messages between an isolated agent's process and ours keep everything of a decision."""

from __future__ import annotations

from fingertip_agents.execution_agent import Decision
from fingertip_agents.suggestion.suggestion_agent import Suggestion
from fingertip_dataset.actions import Click, Type
from fingertip_leaderboard.agent_process.agent_lines import AgentReply, DecisionLine, read_line, write_line


def test_a_decision_crosses_as_it_is() -> None:
    decision = Decision(
        output="click and type", actions=(Click(x=1, y=2), Type(text="听歌")), thought="first",
        raw=("click(coordinates=(1,2))", "type(text='听歌')"), seconds=0.5, prompt_tokens=9,
        completion_tokens=None, queries=1, notes=("left_out: press", "server: read there"),
    )  # fmt: skip
    reply = read_line(AgentReply, write_line(AgentReply(decision=DecisionLine.of(decision))))
    assert reply.decision is not None
    assert reply.decision.decision == decision


def test_a_suggestion_crosses_as_it_is() -> None:
    suggestion = Suggestion(text="听歌", seconds=0.5, output="听歌.", notes=("left_out: a mark",))
    assert read_line(AgentReply, write_line(AgentReply(suggestion=suggestion))).suggestion == suggestion
