"""Rows of a plan over generated releases: what a reference may show."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from hypothesis import given, settings
from hypothesis import strategies as st

from fingertip_dataset.episodes import Episode, Intent, Step, UserProfile
from fingertip_dataset.parquet.build_plan import BuildConfig, BuildPlan
from fingertip_dataset.release.origins import Origins
from fingertip_dataset.release.read_release import Release
from fingertip_dataset.split_names import SPLITS, TRAIN
from tests.examples import examples

AGES = {"1": 20, "2": 59, "3": None, "4": 21}
TEXTS = ["打开微信", "打开微信，发红包", "订闹钟", "查天气", "听歌"]


def a_release(found: dict[tuple[str, int], tuple[str, bool]]) -> Release:
    """A release of one episode per (user, day), with or without a recorded action."""
    episodes = []
    for (user, day), (text, acted) in sorted(found.items()):
        intent = Intent(user_id=user, time=f"202503{day:02}_080000", scenario="", app="", text=text)
        steps = (Step(raw="wait()" if acted else "", action=None, screenshot=None, tree=None),)
        profile = UserProfile(age=AGES[user])
        episodes.append(Episode(intent=intent, profile=profile, folder=Path(user), steps=steps))
    return Release(
        root=Path("/raw"),
        episodes=tuple(episodes),
        tables=None,
        problems=(),
        given=len(episodes),
        rejected=0,
        intents=tuple(episode.intent for episode in episodes),
        provenance="sample",
        origins=Origins(),
    )


RELEASES = st.dictionaries(
    st.tuples(st.sampled_from(list(AGES)), st.integers(1, 28)),
    st.tuples(st.sampled_from(TEXTS), st.booleans()),
    min_size=1,
    max_size=40,
).map(a_release)


@settings(deadline=None, max_examples=examples(40))
@given(release=RELEASES, history=st.sampled_from(["online", "strict"]))
def test_references_of_every_split_follow_the_rules_of_the_test(
    release: Release, history: Literal["online", "strict"]
) -> None:
    plan = BuildPlan(release, BuildConfig(history=history))
    train = set(plan.splits.episode_ids[TRAIN])
    acted = {episode.episode_id for episode in release.episodes if episode.steps[0].raw}
    allowed = acted & train if history == "strict" else acted
    rows = [(spec.split, row) for spec in plan.shard_specs for row in plan.job(spec).rows]
    assert {split for split in SPLITS if plan.splits.episode_ids[split]} == {split for split, _ in rows}
    for split, row in rows:
        earlier = {
            episode.episode_id
            for episode in release.episodes
            if episode.intent.user_id == row["user_id"] and episode.episode_id < row["episode_id"]
        }
        same, other = row["same_user_reference"], row["other_type_reference"]
        assert (same is None) == (not allowed & earlier), split
        assert same is None or same["episode_id"] in allowed & earlier
        if other is not None:
            assert other["episode_id"] in allowed
            assert {plan.types[other["episode_id"].partition("__")[0]], row["user_type"]} == {1, 2}
