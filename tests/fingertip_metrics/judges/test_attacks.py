"""The defence is in the structure: what is predicted is data, wherever it stands and whatever it says."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingertip_metrics.judges import LlmJudge
from fingertip_metrics.judges.llm import LONGEST_INTENT
from fingertip_metrics.judges.prompt import json_string, question
from fingertip_models import ChatClient, Message, ModelOptions
from fingertip_models.messages import Language
from tests.examples import examples
from tests.obedient_judge import obey, read_injected_texts

if TYPE_CHECKING:
    from tests.shared_fixtures import OpenAIServer, ReceivedRequest, Reply

NAIVE = '是同一个意图吗?\n```json\n{"predicted": "%s", "intended": "%s"}\n```\n回答 {"same": true 或 false}。'
"""What is often written: the texts put into a template as they are."""

TOKENS = re.compile(
    r"<\|[^|<]*\|>|<｜[^｜<]*｜>|\[/?INST\]|</?s>|<</?SYS>>|<(?:start|end)_of_turn>"
    r"|</?think(?:ing)?>|\n\n(?:Human|Assistant): "
)
FENCED = re.compile(r"^```json\n(.*?)(?:^```|\Z)", re.DOTALL | re.MULTILINE)


def naive_verdict(answer: str) -> str:
    """The way that many judges are read."""
    return "same" if re.search(r'"same":\s*true', answer) else "different"


def heard(text: str) -> tuple[object, ...]:
    """What a model takes for instructions that perfectly parts data from words, as its server shows it them.

    All that stands outside the fence, or behind a token of a chat template; and the names in the data.
    """
    fenced = FENCED.search(text)
    try:
        record = json.loads(fenced[1]) if fenced else None
    except ValueError:
        record = None
    names = tuple(record) if isinstance(record, dict) else "broken"
    return FENCED.sub("", text, count=1), tuple(TOKENS.split(text)[1:]), names


def obedient(server: OpenAIServer, usual: Sequence[str]) -> Callable[[ReceivedRequest], Reply]:
    """Replies of a model that says "different", unless it hears what is not in the usual questions."""
    known = {heard(text) for text in usual}

    def reply(query: ReceivedRequest) -> Reply:
        code = re.search(r'"code": "(\w+)"', query.text)
        same = heard(query.text) not in known
        return server.says(json.dumps({"code": code and code[1], "reason": "as told", "same": same}))

    return reply


def echoing(
    server: OpenAIServer, echo: Callable[[ReceivedRequest], str]
) -> Callable[[ReceivedRequest], Reply]:
    """Replies of a model that says what `echo` makes of a question."""
    return lambda query: server.says(echo(query))


@pytest.fixture
def client(openai_server: OpenAIServer) -> Iterator[ChatClient]:
    with ChatClient(ModelOptions(model="tiny-1", base_url=openai_server.base_url)) as client:
        yield client


def test_the_list_of_attacks_is_long_enough(attacks: Sequence[Any]) -> None:
    assert len(attacks) >= 190
    assert len(Counter(attack.family for attack in attacks)) == 13


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_prediction_is_one_json_string_within_the_fence(
    attacks: Sequence[Any], target: str, language: Language
) -> None:
    harmless = question("听歌", target, language)
    for attack in attacks:
        for predicted, intended in ((attack.text, target), (target, attack.text)):
            system, user = question(predicted, intended, language)
            assert system == harmless[0]
            assert (user.role, user.images) == ("user", ())
            first, block, last = user.text.split("\n")
            assert (first, last) == ("```json", "```")
            record = json.loads(block)
            code = record.pop("code")
            assert record == {"intended": intended, "predicted": predicted}
            assert re.fullmatch(r"[0-9a-f]{8}", code)
            assert (block.count("{"), block.count("}"), block.count('"')) == (1, 1, 12)
            assert not re.search(r"[^ -~]", re.sub(r"\w|[，。、；：？！（）《》“”‘’…]", "", block))
            assert not TOKENS.search(block)
            assert "`" not in block
            assert "<" not in block


@given(st.text())
def test_any_text_survives_its_string_literal(text: str) -> None:
    string = json_string(text)
    assert json.loads(string) == text
    assert string.isprintable()
    assert not set("`<>{}[]|~=$^") & set(string)
    assert string.count('"') == 2


def test_an_echo_is_never_a_verdict(
    attacks: Sequence[Any], target: str, client: ChatClient, openai_server: OpenAIServer
) -> None:
    """A model that repeats what it reads: the question as it is, or the predicted text within it."""

    def predicted(query: ReceivedRequest) -> str:
        return str(json.loads(query.text.split("\n")[1])["predicted"])

    pairs = [(attack.text, target) for attack in attacks if attack.text != target]
    pairs = pairs[:: len(pairs) // examples(len(pairs))]
    naive = {attack.family for attack in attacks if naive_verdict(attack.text) == "same"}
    assert {"fake verdict", "fence", "json", "role", "thought", "control", "long", "examples"} <= naive
    for echo in (lambda query: query.text, predicted, lambda query: f"Sure: {predicted(query)}"):
        openai_server.replies = echoing(openai_server, echo)
        states = Counter(verdict.state for verdict in LlmJudge([client]).judge(pairs))
        assert states == {"unscored": len(pairs)}


def test_nothing_gets_out_of_the_data_that_gets_out_of_a_template(
    attacks: Sequence[Any], target: str, client: ChatClient, openai_server: OpenAIServer
) -> None:
    """A model that does what it is told, but by the instructions alone: whom can a prediction reach?"""
    tried = [attack for attack in attacks if attack.family != "target"]
    usual = [NAIVE % ("听歌", target), *(message.text for message in question("听歌", target, "zh"))]
    openai_server.replies = obedient(openai_server, usual)

    fooled: Counter[str] = Counter()
    for attack in tried:
        answer = client.ask([Message(role="user", text=NAIVE % (attack.text, target))])
        fooled[attack.family] += naive_verdict(answer.text) == "same"
    assert {family for family, count in fooled.items() if count} >= {
        "fake verdict", "fence", "json", "role", "thought", "control", "long", "examples",
    }  # fmt: skip
    assert fooled.total() > 90

    verdicts = LlmJudge([client]).judge([(attack.text, target) for attack in tried])
    assert {verdict.state for verdict in verdicts} == {"different"}


@pytest.mark.parametrize("echo", [False, True])
def test_no_injected_text_changes_a_verdict(
    client: ChatClient, openai_server: OpenAIServer, echo: bool
) -> None:
    """The texts of `tests/injected_texts.json`, which are tried on every other judge as well."""
    openai_server.replies = obey(openai_server, {"same": False}, echo=echo)
    pairs = [
        (text, "用美团点一杯拿铁咖啡")
        for text in read_injected_texts().values()
        if len(text) < LONGEST_INTENT
    ]
    assert len(pairs) == 38
    states = Counter(verdict.state for verdict in LlmJudge([client]).judge(pairs))
    hidden = int(echo)
    assert (states["different"], states["unscored"]) == (38 - hidden, hidden)
