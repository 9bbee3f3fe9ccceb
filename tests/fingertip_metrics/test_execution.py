from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fingertip_dataset.errors import MetricInputError, UsageError
from fingertip_metrics import sim2, sr2
from tests.examples import examples

HOME, BACK, DONE = "press_home()", "press_back()", "finished()"
ACTIONS = st.sampled_from(
    [
        HOME,
        BACK,
        DONE,
        "click(coordinates=(1, 2))",
        "click(coordinates=(1,2))",
        "finish( )",
        "type(text='咖啡')",
        "我想点这里",
    ]
)


@pytest.mark.parametrize("convention", ["release", "release, canonical", "paper"])
def test_golden_sim2(golden: Callable[[str], dict[str, Any]], convention: str) -> None:
    protocol, _, spelling = convention.partition(", ")
    cases = [{convention: case[protocol], **case} for case in golden("sim2")["cases"]]
    result = sim2(
        [case["agent"] for case in cases],
        [case["person"] for case in cases],
        [case["other"] for case in cases],
        protocol=protocol,
        spelling=spelling or None,
    )
    for case, item in zip(cases, result.per_item, strict=True):
        expected = case[convention]
        assert (item.sim2 is None) == (expected["sim2"] is None), case["name"]
        got = {name: getattr(item, name) for name in expected if expected[name] is not None}
        assert got == pytest.approx({name: expected[name] for name in got}, abs=1e-12), case["name"]
        assert item.action_similarity == case["action_similarity"], case["name"]
        assert item.action_similarity_other == case["action_similarity_other"], case["name"]
    known = [case[convention]["sim2"] for case in cases if case[convention]["sim2"] is not None]
    assert result.sim2 == pytest.approx(sum(known) / len(known))
    assert result.n == len(cases)
    assert result.undefined == len(cases) - len(known)
    assert (result.empty, result.no_other_type) == (1, 1)
    assert result.replaced == 2


def slow_sim2(
    agent: list[str], person: list[str], other: list[str], ratio: Callable[[str, str], float]
) -> float:
    """The release's rule, written down once more: strings grown action by action."""
    written = ""
    for action in agent:
        written += action + "，"
    up, down = round(100 * ratio("，".join(person), written)), round(100 * ratio("，".join(other), written))
    return (up / 100) / (0.4 if down == 0 else down / 100)


@settings(deadline=None, max_examples=examples(60))
@given(
    agent=st.lists(ACTIONS, max_size=6),
    person=st.lists(ACTIONS, min_size=1, max_size=6),
    other=st.lists(ACTIONS, max_size=6),
)
def test_release_against_the_slow_rule(
    slow_indel: Callable[[str, str], float], agent: list[str], person: list[str], other: list[str]
) -> None:
    assert sim2([agent], [person], [other]).sim2 == pytest.approx(
        slow_sim2(agent, person, other, slow_indel), abs=1e-12
    )


def test_another_similarity_by_name() -> None:
    result = sim2([[HOME, DONE]], [[HOME, DONE]], [[BACK, DONE]], similarity="tokens")
    assert (result.sim2, result.s_i, result.s_ii, result.similarity) == (2.0, 1.0, 0.5, "tokens")
    assert not result.comparable
    assert "tokens" in str(result.why_not_comparable)
    result = sim2([[HOME]], [[HOME]], [[BACK]], similarity="fuzzywuzzy-difflib")
    assert (result.s_i, result.s_ii) == (0.96, 0.64)


TIDY = ([["click(coordinates=(1, 2), content='a')"]], [["finished()"]], [[BACK]])
UNTIDY = ([['click( coordinates = (1,2),content="a" )']], [["finish()"]], [["press_back( )"]])


@pytest.mark.parametrize(
    "options", [{"protocol": "paper"}, {"spelling": "canonical"}, {"similarity": "tokens"}]
)
def test_the_canonical_spelling_makes_spacing_not_count(options: dict[str, str]) -> None:
    assert sim2(*TIDY, **options).per_item == sim2(*UNTIDY, **options).per_item  # type: ignore[arg-type]


def test_the_release_compares_what_is_written() -> None:
    tidy, untidy = sim2(*TIDY), sim2(*UNTIDY)
    assert (tidy.spelling, tidy.comparable) == ("written", True)
    assert tidy.s_ii != untidy.s_ii
    assert tidy.action_similarity == untidy.action_similarity
    other = sim2(*TIDY, spelling="canonical")
    assert (other.spelling, other.comparable) == ("canonical", False)
    assert "spelling canonical" in str(other.why_not_comparable)
    assert sim2(*TIDY, protocol="paper", spelling="written").spelling == "written"


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (([], [], []), "at least one row in predictions"),
        (([[DONE]], [[DONE]], []), r"as many others as predictions \(1\), got 0"),
        (([[DONE]], [[]], [[DONE]]), r"at least one action in references\[0\]"),
        (([DONE], [[DONE]], [[DONE]]), r"predictions\[0\] to be a list of strings, got str"),
        (([[DONE]], [[DONE, 5]], [[DONE]]), r"references\[0\]\[1\] to be a string, got int"),
    ],
)
def test_bad_input_of_sim2(columns: Any, message: str) -> None:  # noqa: ANN401
    with pytest.raises(MetricInputError, match=message):
        sim2(*columns)


def test_an_unknown_protocol_or_similarity_is_refused() -> None:
    with pytest.raises(UsageError, match="expected protocol"):
        sim2([[DONE]], [[DONE]], [[DONE]], protocol="")
    with pytest.raises(UsageError, match="expected a spelling, written or canonical, got 'raw'"):
        sim2([[DONE]], [[DONE]], [[DONE]], spelling="raw")
    with pytest.raises(UsageError, match="expected a similarity"):
        sim2([[DONE]], [[DONE]], [[DONE]], similarity="ratio")


@pytest.mark.parametrize("protocol", ["release", "paper"])
def test_no_output_of_an_agent_takes_an_episode_out_of_the_mean(protocol: str) -> None:
    """Nothing at all, and text that is no action, count as 0 or by their letters, never as missing."""
    honest = sim2([[HOME, DONE]], [[HOME, DONE]], [[BACK, DONE]], protocol=protocol)
    for attack in ([], ["啊"], [DONE] * 2):
        result = sim2([[HOME, DONE], attack], [[HOME, DONE]] * 2, [[BACK, DONE]] * 2, protocol=protocol)
        assert (result.n, result.undefined) == (2, 0)
        assert honest.sim2 is not None
        if not attack or (protocol == "paper" and attack == ["啊"]):
            assert (result.sim2, result.replaced) == (pytest.approx(honest.sim2 / 2), 1)
    lacking = sim2([[], ["啊"], [DONE], [HOME]], [[HOME]] * 4, [[], [], [BACK], [BACK]], protocol="paper")
    assert lacking.undefined == 2, "only what the dataset lacks is undefined"


def test_golden_sr2(golden: Callable[[str], dict[str, Any]]) -> None:
    case = golden("sr2")
    sequences = {name: [[DONE] * steps for steps in case[name]] for name in ("predictions", "references")}
    result = sr2(**sequences, success=case["success"])
    expected = case["expected"]
    for name in ("sr2", "worst", "best", "step_ratio", "step_ratio_all"):
        assert getattr(result, name) == pytest.approx(expected[name], abs=1e-12)
    assert (result.over_limit, result.undecided, result.n, result.step_limit) == (2, 1, 7, 2.5)
    items = [
        {"success": item.success, "step_ratio": item.step_ratio, "over_limit": item.over_limit}
        for item in result.per_item
    ]
    assert items == expected["per_item"]


@settings(deadline=None, max_examples=examples(100))
@given(
    rows=st.lists(
        st.tuples(st.integers(0, 30), st.integers(1, 12), st.sampled_from([True, False, None])),
        min_size=1,
        max_size=8,
    )
)
def test_sr2_against_a_loop(rows: list[tuple[int, int, bool | None]]) -> None:
    result = sr2(
        [[DONE] * agent for agent, _, _ in rows],
        [[DONE] * person for _, person, _ in rows],
        [success for _, _, success in rows],
    )
    done = [(agent, person) for agent, person, success in rows if success and 2 * agent <= 5 * person]
    assert result.sr2 == pytest.approx(len(done) / len(rows))
    within = [success for agent, person, success in rows if 2 * agent <= 5 * person]
    assert (result.sr2, result.undecided) == (result.worst, within.count(None))
    assert result.best == pytest.approx((within.count(True) + within.count(None)) / len(rows))
    assert result.over_limit == sum(2 * agent > 5 * person for agent, person, _ in rows)
    if done:
        assert result.step_ratio == pytest.approx(sum(agent / person for agent, person in done) / len(done))
    else:
        assert result.step_ratio is None


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (([], [], []), "at least one row"),
        (([[DONE]], [[DONE]], [1]), r"success\[0\] to be True, False or None, got 1"),
        (([[DONE]], [[DONE]], [True, True]), "as many success"),
        (([[DONE]], [[]], [True]), r"at least one action in references\[0\]"),
    ],
)
def test_bad_input_of_sr2(columns: Any, message: str) -> None:  # noqa: ANN401
    with pytest.raises(MetricInputError, match=message):
        sr2(*columns)
