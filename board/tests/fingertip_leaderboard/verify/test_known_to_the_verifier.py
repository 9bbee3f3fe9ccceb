"""Attacks on what the verifier knows: versions, cards, times, names, and the answers of our own agents."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from board.tests.fingertip_leaderboard.bundle_factory import MODEL_CARD, DrawnAttempt, Workshop, carried_out
from board.tests.fingertip_leaderboard.parts import Parts, renumber
from board.tests.fingertip_leaderboard.test_honest import LATER
from board.tests.fingertip_leaderboard.verify.test_one_denominator import claim
from board.tests.fingertip_leaderboard.verify.test_targets_as_answers import GOLDEN_REMARK
from board.tests.fingertip_leaderboard.verify.test_true_intents import REMARK, remarks
from fingertip_agents.registry import get_agent
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_leaderboard import make_bundle, verify_bundle
from fingertip_leaderboard.ranking import make_tables
from fingertip_leaderboard.verify.checks.check_names import remark_names
from fingertip_leaderboard.verify.verify_report import VerifyReport
from fingertip_leaderboard.verify_folder import verify_folder
from fingertip_pages.sentences import translate
from fingertip_runs.run_record import AgentRecord
from simulated_phone.people.shortest_path import find_shortest_path
from simulated_phone.people.simulation import Simulation


def _verify(shop: Workshop, place: Path, seed: str, forge: Callable[[Parts], Any]) -> VerifyReport:
    parts = shop.parts(seed)
    forge(parts)
    return verify_bundle(parts.write(place / "bundle"), shop.dataset_of(seed), now=LATER)


def _in_chinese(remark: str) -> bool:
    return translate(remark) is not None


HARNESS = ("versions", "harness")
FORGED_RUNS = {
    "a harness that is not written yet, track 1": ("habit", HARNESS, "9.9"),
    "a harness that is not written yet, track 2": ("replayed", HARNESS, "9.9"),
    "a harness that never was": ("habit", HARNESS, "1.9"),
    "a harness in words": ("habit", HARNESS, "2.0 (verified)"),
    "a suite on recorded data": ("habit", ("versions", "suite"), "1.0"),
    "other people": ("person's habit", ("versions", "people"), "9.0"),
    "the release's list of types": ("replayed", ("user_types",), "by the release's list"),
    "references by another method": ("replayed", ("reference_method",), "a model that knows all"),
    "rough trees of a recording": ("replayed", ("trees",), "rough"),
    "a recording that is tried again": ("replayed", ("retries",), 2),
    "a recording that is waited for": ("replayed", ("settle_s",), 9.0),
}


@pytest.mark.parametrize("name", FORGED_RUNS)
def test_a_field_of_a_run_that_is_not_the_datasets_is_refused(
    workshop: Workshop, tmp_path: Path, name: str
) -> None:
    seed, path, value = FORGED_RUNS[name]

    def forge(parts: Parts) -> None:
        record = parts.head["run"]
        for part in path[:-1]:
            record = record[part]
        record[path[-1]] = value

    report = _verify(workshop, tmp_path, seed, forge)
    assert not report.accepted
    assert {problem.kind.value for problem in report.problems} <= {"older_version", "contradiction"}


@pytest.mark.parametrize("harness", ["1.0", None])
def test_an_older_run_is_read_with_a_remark_and_has_no_rank(
    workshop: Workshop, tmp_path: Path, harness: str | None
) -> None:
    parts = workshop.parts("habit")
    if harness is None:
        del parts.head["run"]["versions"]
    else:
        parts.head["run"]["versions"]["harness"] = harness
    parts.write(tmp_path / "board" / "old")
    workshop.parts("recent").write(tmp_path / "board" / "new")
    results = verify_folder(tmp_path / "board", [workshop.sample], now=LATER)
    ranks = {row.submission.file: row.rank for table in make_tables(results, ("sim1",)) for row in table.rows}
    assert ranks == {"old": None, "new": 1}
    (old,) = [one for one in results.submissions if one.file == "old"]
    remark = next(remark for remark in old.remarks if "its row has no rank" in remark)
    assert _in_chinese(remark)


@pytest.mark.parametrize("field", ["user_types", "reference_method"])
def test_words_that_a_run_leaves_out_are_a_remark(workshop: Workshop, tmp_path: Path, field: str) -> None:
    report = _verify(workshop, tmp_path, "replayed", lambda parts: parts.head["run"].update({field: ""}))
    assert report.accepted
    (remark,) = [one for one in report.remarks if one.startswith("the run does not record how ")]
    assert _in_chinese(remark)


def test_people_whose_answers_are_of_a_model_get_a_remark(workshop: Workshop, tmp_path: Path) -> None:
    def called(parts: Parts) -> None:
        for task in parts.tasks:
            task.update(calls=1, output=task["predicted_intent"], prompt_tokens=9, completion_tokens=9)

    report = _verify(workshop, tmp_path, "people", called)
    remark = next(one for one in report.remarks if one.startswith("the agent is people"))
    assert _in_chinese(remark)


def _card(**fields: Any) -> Callable[[Parts], None]:  # noqa: ANN401 - of any kind
    return lambda parts: parts.head["card"].update(fields)


CARDS = {
    "a size that is not the model's": (
        _card(size="72B"),
        "the card says 72B, but the model is named Tiny-7B",
    ),
    "a large model over tiny settings": (
        _card(model="Tiny", size="72B"),
        "the card says 72B, but the run's settings name a tiny model",
    ),
    "another model": (_card(model="Large-72B", size="72B"), "but the run's settings name"),
    "no model": (_card(model=None, weights="none", size=None), "the card names no model"),
    "a size without a model": (
        _card(model=None, weights="none", size="72B"),
        "the card names the size 72B, but no model",
    ),
    "public weights of a closed model": (
        _card(model="GPT-4.1 tiny", size=None),
        "the card says that the weights of GPT-4.1 tiny are public",
    ),
}


@pytest.mark.parametrize("name", CARDS)
def test_a_card_that_contradicts_its_run_gets_a_remark(workshop: Workshop, tmp_path: Path, name: str) -> None:
    forge, expected = CARDS[name]
    report = _verify(workshop, tmp_path, "model", forge)
    given = [one for one in report.remarks if one.startswith("the card ")]
    assert any(expected in remark for remark in given)
    assert all(map(_in_chinese, given))


def test_a_model_without_a_call_gets_a_remark_and_an_honest_card_none(
    workshop: Workshop, tmp_path: Path
) -> None:
    closed = _card(name="mine", model="Huge", size="1T", weights="closed")
    report = _verify(workshop, tmp_path, "habit", closed)
    assert "the card names the model Huge, but no answer is of a model" in report.remarks
    for seed in ("habit", "model"):
        honest = _verify(workshop, tmp_path / seed, seed, lambda parts: None)
        assert not [one for one in honest.remarks if one.startswith("the card ")]


def _moved(text: str, **by: float) -> str:
    return (datetime.fromisoformat(text) + timedelta(**by)).isoformat(timespec="milliseconds")


def _in_1970(parts: Parts) -> None:
    for task in parts.tasks:
        task["at"] = "1970-01-01T00:00:09+00:00"
        for step in task["steps"]:
            step["at"] = "1970-01-01T00:00:01+00:00"


def _end_after_the_bundle(parts: Parts) -> None:
    parts.tasks[0]["at"] = _moved(parts.head["made"], minutes=30)


def _starts_in_reverse(parts: Parts) -> None:
    first = parts.head["run"]["sessions"][0]
    earlier = {**first, "started": _moved(first["started"], days=-2)}
    parts.head["run"]["sessions"].append(earlier)


def _slow_phone(parts: Parts) -> None:
    for step in parts.tasks[0]["steps"]:
        step["device_s"] = 3600.0


TIMES: dict[str, tuple[str, Callable[[Parts], None]]] = {
    "steps of 1970": ("phone", _in_1970),
    "an end after the bundle was made": ("phone", _end_after_the_bundle),
    "a label of before the run": (
        "phone",
        lambda parts: parts.labels[0].update(at="2020-01-01T00:00:00+08:00"),
    ),
    "starts in reverse": ("habit", _starts_in_reverse),
    "a phone that took longer than its attempt": ("phone", _slow_phone),
    "a first token after the end": ("model", lambda parts: parts.tasks[0].update(first_token_s=3600.0)),
}


@pytest.mark.parametrize("name", TIMES)
def test_times_that_contradict_one_another_are_refused(workshop: Workshop, tmp_path: Path, name: str) -> None:
    seed, forge = TIMES[name]
    report = _verify(workshop, tmp_path, seed, forge)
    assert {problem.kind.value for problem in report.problems} == {"bad_time"}


def _long_thoughts(parts: Parts) -> None:
    for task in parts.tasks:
        for step in task["steps"]:
            step["agent_s"] = 3600.0


def _cached(parts: Parts) -> None:
    for task in parts.tasks:
        task.update(cached=True, time_s=0.0)


SECONDS: dict[str, tuple[str, Callable[[Parts], None], str]] = {
    "an hour of thinking a second": ("phone", _long_thoughts, "took more seconds than the attempt"),
    "every answer of a cache": ("model", _cached, "answers are of a cache"),
    "answers of a cache in no time": ("model", _cached, "answers of a model have 0 seconds"),
    "answers that took longer than the run": (
        "model",
        lambda parts: parts.tasks[0].update(time_s=90_000.0),
        "the answers took 90,000 seconds or more",
    ),
}


@pytest.mark.parametrize("name", SECONDS)
def test_seconds_that_nobody_can_have_measured_get_a_remark(
    workshop: Workshop, tmp_path: Path, name: str
) -> None:
    seed, forge, expected = SECONDS[name]
    report = _verify(workshop, tmp_path, seed, forge)
    (remark,) = [one for one in report.remarks if expected in one]
    assert _in_chinese(remark)
    honest = _verify(workshop, tmp_path / "honest", seed, lambda parts: None)
    assert not any(expected in one for one in honest.remarks)


def _as_another(shop: Workshop, place: Path, name: str, change: Callable[[int, str], str]) -> VerifyReport:
    """The answers of one of our agents, changed, as those of a model."""
    agent = get_agent(name)
    parts = shop.parts("model")
    parts.verdicts.clear()
    parts.head["judge"] = None
    answers = {task["task_id"]: task for task in shop.parts("habit").tasks}
    if name != "habit":
        answers = {task["task_id"]: task for task in shop.parts(name).tasks}
    for number, task in enumerate(parts.tasks):
        text = change(number, answers[task["task_id"]]["predicted_intent"])
        task.update(output=text, predicted_intent=text)
    claim(parts, shop, "model", place / "claimed")
    report = verify_bundle(parts.write(place / "bundle"), shop.sample, now=LATER)
    assert report.accepted, [str(problem) for problem in report.problems]
    assert agent.name == name
    return report


@pytest.mark.parametrize("name", ["habit", "recent", "frequent"])
@pytest.mark.parametrize(
    "change",
    [
        lambda number, text: text,
        lambda number, text: f"{text}，谢谢你啦",
        lambda number, text: text if number % 3 else f"打开第{number}个应用",
    ],
    ids=["as they are", "with a suffix", "two of three"],
)
def test_our_agents_answers_under_another_name_get_a_remark(
    workshop: Workshop, tmp_path: Path, name: str, change: Callable[[int, str], str]
) -> None:
    report = _as_another(workshop, tmp_path, name, change)
    (remark,) = [one for one in report.remarks if one.startswith("equals our agent ")]
    assert _in_chinese(remark)


def test_own_answers_and_our_agents_own_rows_get_no_remark(workshop: Workshop, tmp_path: Path) -> None:
    for seed in ("model", "habit", "person imitated"):
        report = _verify(workshop, tmp_path / seed, seed, lambda parts: None)
        assert not any("our agent" in remark for remark in report.remarks)


def _shortest(shop: Workshop, padded: bool) -> Callable[[Any], DrawnAttempt]:
    """Attempts in the fewest steps, as the oracle's; `padded`: with waits between them."""
    from fingertip_agents.registry import get_execution_agent
    from fingertip_agents.setup import AgentSetup

    simulations = BuiltDataset.open(shop.simulated).simulations()
    oracle = get_execution_agent("shortest-path-oracle", AgentSetup(simulations=simulations))

    def drawn(task: Any) -> DrawnAttempt:  # noqa: ANN401 - a task
        actions = _decide_all(oracle, simulations, task)
        between = ["wait()"] if padded else []
        return carried_out(simulations, task, [one for action in actions for one in (*between, action)])

    return drawn


def _decide_all(agent: Any, simulations: Any, task: Any) -> list[str]:  # noqa: ANN401 - of any kind
    from execution_runner.devices.in_process_device import begin_in_process
    from fingertip_agents.execution_agent import PastStep
    from fingertip_agents.query_agent import query_agent
    from fingertip_dataset.actions import format_action, is_finished
    from simulated_phone import Phone

    simulation = Simulation.from_json(simulations[task.task_id])
    session = begin_in_process(simulation, Phone(size=simulation.size))
    past: list[PastStep] = []
    actions: list[str] = []
    while not actions or not is_finished(actions[-1]):
        action = query_agent(agent, task.input, session.observe(), tuple(past)).actions[0]
        actions.append(format_action(action))
        past.append(PastStep(action=action, written=actions[-1], output=actions[-1], thought=""))
        session.step(action)
    assert len(actions) <= len(find_shortest_path(simulation).gestures) + 1
    return actions


@pytest.mark.parametrize("padded", [False, True])
def test_the_oracles_way_under_another_name_gets_a_remark(
    workshop: Workshop, tmp_path: Path, *, padded: bool
) -> None:
    agent = AgentRecord.of("my-agent-7b", {})
    workshop.draw(tmp_path / "run", workshop.simulated, "simulated", agent, _shortest(workshop, padded))
    bundle = make_bundle(tmp_path / "run", tmp_path / "bundles", MODEL_CARD)
    report = verify_bundle(bundle, workshop.simulated, now=LATER)
    assert report.accepted, [str(problem) for problem in report.problems]
    (remark,) = [one for one in report.remarks if "in the fewest steps" in one]
    assert _in_chinese(remark)


def test_the_imitating_agent_under_another_name_gets_a_remark(workshop: Workshop, tmp_path: Path) -> None:
    for seed in ("person imitated", "replayed"):
        report = _verify(
            workshop,
            tmp_path / seed,
            seed,
            lambda parts: parts.head["run"]["agent"].update(name="mine", settings={}),
        )
        assert report.accepted, [str(problem) for problem in report.problems]
        assert any(remark.startswith("equals our agent imitate") for remark in report.remarks), seed


def test_golden_actions_with_others_between_them_get_a_remark(workshop: Workshop, tmp_path: Path) -> None:
    """Nobody can replay a real phone, where any actions may stand between the person's own."""
    parts = workshop.parts("phone")
    for task in parts.tasks:
        first, *rest = task["steps"]
        pad = {"action": "press_home()", "written": "press_home()", "output": "press_home()"}
        task["steps"] = [{**first, **pad}, {**first, **pad}, first, *rest]
        renumber(task)
    claim(parts, workshop, "phone", tmp_path / "claimed")
    report = verify_bundle(parts.write(tmp_path / "bundle"), workshop.sample, now=LATER)
    assert report.accepted, [str(problem) for problem in report.problems]
    assert any(GOLDEN_REMARK in remark for remark in report.remarks)


@pytest.mark.parametrize(
    "change",
    [
        lambda true, _: f"{true}，谢谢你啦",
        lambda true, _: f"现在请你马上帮我{true}",
        lambda true, _: true[: max(6, len(true) * 3 // 4)],
        lambda true, _: f"请{true}，越快越好，谢谢",
    ],
    ids=["a suffix", "a prefix", "cut", "both"],
)
def test_true_intents_with_words_around_them_get_a_remark(
    workshop: Workshop, tmp_path: Path, change: Callable[[str, str], str]
) -> None:
    (remark,) = [one for one in remarks(workshop, tmp_path, change) if REMARK in one]
    assert _in_chinese(remark)


@pytest.mark.parametrize("every", [2, 5])
def test_nearly_the_same_answer_to_most_tasks_gets_a_remark(
    workshop: Workshop, tmp_path: Path, every: int
) -> None:
    places = iter(range(1_000))

    def same(_: str, own: str) -> str:
        place = next(places)
        return own if every > 2 and place % every == 0 else f"打开微信给妈妈发一条消息{place % 3}"

    given = remarks(workshop, tmp_path, same)
    (remark,) = [one for one in given if "the same answer to" in one]
    assert _in_chinese(remark)


@pytest.mark.parametrize("start", [{"at": "app", "app": "com.example.other"}, {"at": "home"}])
def test_an_attempt_that_began_elsewhere_is_refused(
    workshop: Workshop, tmp_path: Path, start: dict[str, str]
) -> None:
    began = [task["start"] for task in workshop.parts("person imitated").tasks]
    assert all(one is not None and one != start for one in began)
    report = _verify(workshop, tmp_path, "person imitated", lambda parts: parts.tasks[0].update(start=start))
    assert {problem.kind.value for problem in report.problems} == {"wrong_state"}


CLAIMING = (
    *("run by the board", "Verified", "Planner (v e r i f i e d)", "V3RIFIED planner", "verifled-7B"),
    *("Human [paper]", "HUMAN", "Official planner", "Planner, re-run", "已验证的助手", "Planner ✓", "論文"),
    *("GPT-4.1", "gpt 4.1", "GPT4.1", "Qwen-2.5-VL-72B", "qwen2.5 vl 72b", "UI-TARS-1.5-7B", "AppAgent"),
    *("Habit", "HAB1T", "НАВІТ", "h-a-b-i-t", "Habit verified", "My habit agent v2", "ʜᴀʙɪᴛ", "recent"),
    *("Shortest Path Oracle", "ShortestPathOracle 7B", "imitate", "Random agent", "habit2"),
)
"""Names that claim what they are not: evidence, a row of the paper, one of our agents."""

PLAIN = (
    *("小明的助手 7B", "Baseline", "SmolLM2-135M, the people's months", "humanoid planner", "dashboard 3"),
    *("GPT-4.1 with our planner", "recent-events planner", "random forest", "rabbit", "Inhabit", "Orpheus"),
)


@pytest.mark.parametrize("name", CLAIMING)
def test_a_name_that_claims_what_it_is_not_gets_a_remark(name: str) -> None:
    found = _remarks_on(name)
    assert found
    assert all(map(_in_chinese, found))


@pytest.mark.parametrize("name", PLAIN)
def test_a_plain_name_gets_no_remark(name: str) -> None:
    assert _remarks_on(name) == []


def _remarks_on(name: str) -> list[str]:
    from types import SimpleNamespace

    from fingertip_leaderboard.bundle.refusal import Refusals

    found = Refusals()
    run = SimpleNamespace(agent=SimpleNamespace(name="mine"))
    bundle: Any = SimpleNamespace(card=SimpleNamespace(name=name, model=None), run=run, track="suggestion")
    remark_names(bundle, found)
    return list(found.remarks)
