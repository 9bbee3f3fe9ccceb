from __future__ import annotations

from collections import defaultdict

import pytest

from fingertip_dataset.errors import DatasetError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_metrics.judges import SimulatedJudge
from suggestion_runner.month.offer_reading import OfferReading
from tests.shared_datasets import simulated_people

FOREIGN = ("", "nothing of the sort", "播放一首歌，再打车去机场", "倒计时999分钟", "今天天气怎么样")


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> BuiltDataset:
    return BuiltDataset.open(simulated_people(tmp_path_factory) / "dataset")


@pytest.fixture(scope="module")
def own(dataset: BuiltDataset) -> dict[str, object]:
    """The first person's text of each intent -> its simulation."""
    return next(iter(read_people(dataset).values()))


def read_people(built: BuiltDataset) -> dict[str, dict[str, object]]:
    simulations, people = built.simulations(), defaultdict(dict)
    for split in built.split_names:
        for row in built.rows(split, columns=("episode_id", "user_id", "intent")):
            people[row["user_id"]][row["intent"]] = simulations[row["episode_id"]]
    return people


def test_suggestions_are_read_as_the_judge_reads_them(dataset: BuiltDataset, own: dict[str, object]) -> None:
    judge, reading, seen = SimulatedJudge.of_dataset(dataset), OfferReading(own), set()
    for intent in own:
        offers = [*own, *FOREIGN, f"please {intent}"]
        verdicts = judge.judge([(offer, intent) for offer in offers])
        for offer, verdict in zip(offers, verdicts, strict=True):
            assert reading.states(offer, intent) == (verdict.state == "same"), (offer, intent)
            seen.add((offer in own, verdict.state))
    assert {(True, "same"), (True, "different"), (False, "same"), (False, "different")} <= seen


def test_own_are_the_things_that_the_person_does(own: dict[str, object]) -> None:
    reading = OfferReading(own)
    intent = next(iter(own))
    assert reading.is_own(intent)
    assert reading.is_own(f"{intent}!")
    assert not reading.is_own("倒计时999分钟")


def test_the_same_suggestion_in_other_words_is_the_same(own: dict[str, object]) -> None:
    reading = OfferReading(own)
    first, *others = own
    assert reading.is_same(first, f"{first}。")
    assert reading.is_same("nothing known", "Nothing known!")
    assert not reading.is_same("nothing known", "nothing else")
    assert any(not reading.is_same(first, other) for other in others)


def test_a_broken_simulation_is_refused() -> None:
    with pytest.raises(DatasetError, match="a simulation is broken: KeyError"):
        OfferReading({"text": {"seed": 1}})
