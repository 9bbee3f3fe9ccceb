"""Quality of whole datasets: simulated people with known slips, injected flaws, real screens, a judge."""

from __future__ import annotations

import io
import shutil
from pathlib import Path

import pytest
from PIL import Image

from fingertip_analysis.review.screen_question import SCREENS
from fingertip_analysis.review.vision_judge import PROMPTS, read_verdict
from fingertip_dataset.parquet.build import build
from fingertip_models.chat.chat_client import ChatClient
from fingertip_models.options import ModelOptions
from fingertip_studies.quality.episode_flaws import Flaw
from fingertip_studies.quality.flaw_agreement import SLIP_KINDS, injection_agreements
from fingertip_studies.quality.flaw_kinds import FlawKind
from fingertip_studies.quality.intent_judge import judge_intents, write_intent_question
from fingertip_studies.quality.measure_dataset import QualityMeasurement, measure_dataset
from fingertip_studies.quality.quality_effect import clean_actions
from fingertip_studies.quality.quality_injection import INJECTIONS, inject_flaws
from tests.obedient_judge import obey, read_injected_texts, read_question, repeat_code
from tests.shared_datasets import simulated_people
from tests.shared_fixtures import OpenAIServer


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return simulated_people(tmp_path_factory)


@pytest.fixture(scope="module")
def measurement(people: Path, tmp_path_factory: pytest.TempPathFactory) -> QualityMeasurement:
    return measure_dataset(people / "dataset", tmp_path_factory.mktemp("parts"))


def test_slips_of_simulated_people_are_found(measurement: QualityMeasurement) -> None:
    simulations = measurement.built.simulations()
    episodes = measurement.ordered()
    assert {one.episode_id for one in episodes} == set(simulations)
    for slip, kind in SLIP_KINDS.items():
        slipped = {name for name, one in simulations.items() if slip in one["slips"]}
        assert {one.episode_id for one in episodes if one.counts[kind]} == slipped
    assert all(one.shortest_from == "simulation" for one in episodes)
    assert all(one.score == 1 for one in episodes if not one.flaws)


def test_a_measurement_goes_on_from_its_shards(people: Path, measurement: QualityMeasurement) -> None:
    folder = measurement.parts[0].parent
    times = {file: file.stat().st_mtime_ns for file in measurement.parts}
    broken = measurement.parts[-1]
    content = broken.read_bytes()
    broken.write_text('{"quality_version":0}\n', encoding="utf-8")
    again = measure_dataset(people / "dataset", folder)
    assert broken.read_bytes() == content
    assert {file: file.stat().st_mtime_ns for file in again.parts if file != broken} == {
        file: at for file, at in times.items() if file != broken
    }


def test_injected_flaws_are_found_at_their_step(people: Path, tmp_path: Path) -> None:
    raw = tmp_path / "raw"
    shutil.copytree(people / "sample" / "raw", raw)
    injected = inject_flaws(raw, share=1, seed=8)
    assert {one.injection for one in injected} == set(INJECTIONS)
    build(raw, tmp_path / "dataset", workers=1)
    episodes = measure_dataset(tmp_path / "dataset", tmp_path / "parts").ordered()
    for row in injection_agreements(episodes, injected):
        assert (row.truth, row.found, row.placed in (None, 1.0)) == (row.truth, row.known, True)


def test_a_judge_is_queried_once_per_episode_and_its_word_costs_score(
    measurement: QualityMeasurement, openai_server: OpenAIServer, tmp_path: Path
) -> None:
    verdict = {"reason": "The list is empty.", "done": False}
    openai_server.replies = repeat_code(openai_server, "no JSON", verdict)
    options = ModelOptions(model="tiny-1", base_url=openai_server.base_url)
    with ChatClient(options) as client:
        first = judge_intents(measurement, tmp_path, client, language="zh", reasons="de")
        count = len(measurement.ordered())
        assert (first.judged, first.unparsable, first.unseen) == (count - 1, 1, 0)
        again = judge_intents(measurement, tmp_path, client, language="zh", reasons="de")
    assert again.judged == count
    assert len(openai_server.requests) == count + 1
    for query in openai_server.requests:
        assert "用德语写的一两句话" in query.body["messages"][0]["content"]
        assert "第 1 个动作之前" in query.text or len(read_question(query.text)["actions"]) > SCREENS
    judged = {one.episode_id: one for one in measurement.ordered(again.flaws)}
    plain = {one.episode_id: one for one in measurement.ordered()}
    for name, one in judged.items():
        score = plain[name].score
        assert score is not None
        assert one.score == pytest.approx(0.5 * score, abs=1e-3)
        assert "The list is empty." in one.flaws[-1].detail


@pytest.mark.parametrize("echo", [False, True])
def test_no_text_of_an_episode_changes_a_verdict(openai_server: OpenAIServer, echo: bool) -> None:
    picture = io.BytesIO()
    Image.new("L", (120, 240), 80).save(picture, "PNG")
    openai_server.replies = obey(openai_server, {"done": False}, echo=echo)
    with ChatClient(ModelOptions(model="tiny-1", base_url=openai_server.base_url)) as client:
        for name, text in read_injected_texts().items():
            row = {
                "intent": text,
                "app": text,
                "screenshots": [{"bytes": picture.getvalue()}],
                "actions": [{"type": "type", "direction": None, "text": text}],
            }
            question = write_intent_question(row, PROMPTS["en"], "en")
            assert question is not None
            verdict = read_verdict(client.ask(question.messages).text, question.code)
            if verdict is None:
                assert (echo, "</think>" in text) == (True, True), name
            else:
                assert not verdict.done, name


def test_a_cleaned_reference_lacks_what_its_flaws_cover() -> None:
    raws = [
        "press_home()",
        "type(text='运河这')",
        "click(coordinates=(9, 9), content='删除')",
        "type(text='两岸')",
    ]
    raws += ["click(coordinates=(1, 1), content='图')", "press_back()", "finished()"]
    flaws = [
        Flaw(kind=FlawKind.TYPING_CORRECTED, step=2, length=2, detail="1 deleted after typing"),
        Flaw(kind=FlawKind.UNDONE_ACTION, step=4, length=2),
        Flaw(kind=FlawKind.DETOUR, step=None),
    ]
    assert clean_actions(raws, flaws) == ("press_home()", "type(text='运河两岸')", "finished()")
