"""Checks of one episode on small made screens, and the score of flaws."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from fingertip_dataset.actions import parse_action
from fingertip_studies.quality.action_checks import action_flaws
from fingertip_studies.quality.compared_episodes import EpisodeComparer
from fingertip_studies.quality.episode_flaws import WHOLE_EPISODE, Flaw, quality_score
from fingertip_studies.quality.flaw_kinds import KINDS, FlawKind
from fingertip_studies.quality.measured_episode import MeasuredEpisode
from fingertip_studies.quality.screen_checks import screen_flaws
from fingertip_studies.quality.screen_state import PictureState, ScreenState, picture_hash, read_screen
from tests.stored_pictures import StoredPicture

SIZE = (200, 400)
TEXTS = ("设置", "闹钟", "新建", "删除全部", "返回")


def picture(name: str | None, clock: int = 0, kind: str = "PNG") -> bytes:
    """A screen with a row of strokes for each letter, whose length the letter gives; None is black."""
    image = Image.new("RGB", SIZE, "black" if name is None else "white")
    draw = ImageDraw.Draw(image)
    if name is not None:
        draw.rectangle((5 + clock, 2, 15 + clock, 10), fill="black")
        for number, letter in enumerate(name):
            place = 40 + 60 * number
            for x in range(20, 20 + ord(letter) % 90, 6):
                draw.rectangle((x, place, x + 2, place + 9), fill="black")
    stream = io.BytesIO()
    image.save(stream, kind)
    return stream.getvalue()


def tree(name: str, clock: str = "08:00", frame: tuple[int, int] = SIZE) -> str:
    """The tree of the screen of a name: a text at each bar, and a clock in the status bar."""
    nodes = "".join(
        f'<node text="{TEXTS[number]}{letter}" bounds="[20,{40 + 60 * number}][{20 + ord(letter) % 90},'
        f'{50 + 60 * number}]" clickable="true" visible="true"/>'
        for number, letter in enumerate(name)
    )
    clocks = f'<node text="{clock}" bounds="[5,2][20,10]" visible="true"/>'
    return f'<hierarchy><node bounds="[0,0][{frame[0]},{frame[1]}]">{clocks}{nodes}</node></hierarchy>'


def screens(*names: str | None) -> list[ScreenState]:
    """A screen for each name; the clock in the status bar of each is another."""
    return [
        read_screen(picture(name, clock), None if name is None else tree(name, f"08:{clock:02}"))
        for clock, name in enumerate(names)
    ]


def found(flaws: Sequence[Flaw]) -> list[tuple[str, int | None, int]]:
    return [(flaw.kind.value, flaw.step, flaw.length) for flaw in flaws]


def actions_on(names: Sequence[str | None], *raws: str) -> list[tuple[str, int | None, int]]:
    return found(list(action_flaws(screens(*names), [parse_action(raw) for raw in raws])))


TAP, BACK, END = "click(coordinates=(30, 45), content='')", "press_back()", "finished()"


def test_an_action_that_the_next_one_takes_back_is_undone() -> None:
    assert actions_on(["aaaa", "bbbb", "aaaa", "cccc"], TAP, BACK, TAP, END) == [("undone_action", 0, 2)]
    assert actions_on(["aaaa", "bbbb", "cccc", "dddd"], TAP, BACK, TAP, END) == []
    # a menu that closes after a choice, and the way out at the end
    choice = "click(coordinates=(90, 90), content='15分钟')"
    assert actions_on(["aaaa", "bbbb", "aaaa", "cccc"], TAP, choice, TAP, END) == []
    assert actions_on(["aaaa", "bbbb", "aaaa", "dddd"], TAP, BACK, BACK, END) == []
    cancel = choice.replace("15分钟", "取消")
    assert actions_on(["aaaa", "bbbb", "aaaa", "cccc"], TAP, cancel, TAP, END) == [("undone_action", 0, 2)]
    down, up = (f"scroll(coordinates=(9, 9), direction='{direction}')" for direction in ("down", "up"))
    assert actions_on(["aaaa", "bbbb", "aaaa", "cccc"], down, up, TAP, END) == []


def test_what_an_unknown_screen_shows_between_is_not_guessed() -> None:
    between = [*screens("aaaa"), read_screen(None, None), *screens("aaaa", "cccc")]
    actions = [parse_action(raw) for raw in (TAP, BACK, TAP, END)]
    assert list(action_flaws(between, actions)) == []


def test_the_same_tap_on_an_unchanged_screen_is_repeated() -> None:
    near = TAP.replace("30", "33")
    assert actions_on(["aaaa", "aaaa", "bbbb"], TAP, near, END) == [("repeated_action", 1, 1)]
    far = TAP.replace("30", "90")
    assert actions_on(["aaaa", "aaaa", "bbbb"], TAP, far, END) == []
    assert actions_on(["aaaa", "aaaa", "bbbb"], "wait()", "wait()", END) == []


def test_a_screen_that_comes_again_is_a_loop_unless_home_was_pressed() -> None:
    names = ["aaaa", "bbbb", "cccc", "aaaa", "dddd"]
    assert actions_on(names, TAP, TAP, TAP, TAP, END) == [("screen_again", 0, 3)]
    assert actions_on(names, TAP, TAP, "press_home()", TAP, END) == []


@pytest.mark.parametrize(
    ("raws", "steps"),
    [
        (["type(text='运河这')", "click(coordinates=(9, 9), content='删除')", "type(text='两岸')"], (1, 2)),
        (["type(text='ab')", "click(coordinates=(9, 9), content='Backspace')", "type(text='c')"], (1, 2)),
        (["type(text='weather in Xian')", "type(text='weather in Xian now')"], (1, 1)),
        (["type(text='晴天')", "click(coordinates=(9, 9), content='搜索')", "type(text='快递')"], None),
        (["type(text='删除')", "click(coordinates=(9, 9), content='删除')"], None),
    ],
)
def test_corrected_typing_is_found_without_screens(raws: list[str], steps: tuple[int, int] | None) -> None:
    flaws = found(list(action_flaws([], [parse_action(raw) for raw in raws])))
    assert flaws == ([("typing_corrected", *steps)] if steps else [])


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        *((label, "closed") for label in ("跳过 5", "跳过广告", "Skip 3s", "Skip ad")),
        *((label, "opened") for label in ("广告", "Sponsored")),
        *((label, None) for label in ("关闭", "跳过片头", "Add", "广告法")),
    ],
)
def test_advertisements_are_known_by_their_words(label: str, expected: str | None) -> None:
    flaws = list(action_flaws([], [parse_action(f"click(coordinates=(1, 2), content='{label}')")]))
    assert [flaw.detail for flaw in flaws] == ([expected] if expected else [])


def test_missing_black_and_unreadable_screens() -> None:
    damaged = bytearray(picture("aaaa"))
    begin = damaged.index(b"IDAT") + 4
    damaged[begin : begin + 40] = bytes(40)
    states = [
        read_screen(picture("abcd"), tree("abcd")),
        read_screen(None, None),
        read_screen(picture(None), tree("bcde")),
        read_screen(bytes(damaged), tree("cdef")),
        read_screen(b"", "<broken"),
    ]
    flaws = found(list(screen_flaws(states, [parse_action(TAP)] * 4 + [parse_action(END)])))
    assert flaws == [
        ("missing_screenshot", 1, 1),
        ("missing_tree", 1, 1),
        ("black_screenshot", 2, 1),
        ("unreadable_screenshot", 3, 1),
        ("unreadable_screenshot", 4, 1),
        ("missing_tree", 4, 1),
    ]


def test_dark_screens_are_not_black() -> None:
    image = Image.new("RGB", SIZE, "#101010")
    ImageDraw.Draw(image).rectangle((20, 100, 160, 140), fill="#909090")
    stream = io.BytesIO()
    image.save(stream, "JPEG")
    assert read_screen(stream.getvalue(), None).picture is PictureState.SHOWN


def test_trees_of_another_moment_are_out_of_step() -> None:
    def flaws(*pairs: tuple[str, str]) -> list[str]:
        states = [read_screen(picture(shown), tree(listed)) for shown, listed in pairs]
        action = parse_action(END)
        return [flaw.detail for flaw in screen_flaws(states, [action] * len(states))]

    assert flaws(("abcd", "abcd"), ("zzzz", "zzzz")) == []
    assert flaws(("abcd", "abcd"), ("abcd", "zzzz")) == ["the tree changed, no pixel did"]


def test_a_touch_that_only_a_neighbouring_tree_explains_is_out_of_step() -> None:
    states = [read_screen(picture("abcd"), tree("abcd")), read_screen(picture("bcde"), tree("abcd"))]
    states += [read_screen(picture("cdef"), tree("bcde"))]
    click = "click(coordinates=(25, 45), content='设置{}')"
    actions = [parse_action(click.format(letter)) for letter in "abc"]
    assert [flaw.step for flaw in screen_flaws(states, actions) if "touched" in flaw.detail] == [1]


def test_a_frame_larger_than_the_screenshot_does_not_fit() -> None:
    state = read_screen(picture("abcd"), tree("abcd", frame=(400, 200)))
    assert found(list(screen_flaws([state], [None]))) == [("tree_off_screen", 0, 1)]


def test_jpeg_noise_and_the_clock_change_nothing() -> None:
    states = [read_screen(picture("abcd", clock, "JPEG"), tree("abcd", f"08:0{clock}")) for clock in (1, 5)]
    flaws = found(list(screen_flaws(states, [parse_action(TAP), parse_action(END)])))
    assert flaws == [("unchanged_screen", 0, 1)]


FLAWS = st.builds(
    lambda kind, step, length: Flaw(kind=kind, step=None if kind in WHOLE_EPISODE else step, length=length),
    st.sampled_from(list(FlawKind)),
    st.integers(0, 12),
    st.integers(1, 5),
)


@given(st.lists(FLAWS, max_size=8), FLAWS, st.integers(1, 12))
def test_another_flaw_never_raises_the_score(flaws: list[Flaw], more: Flaw, steps: int) -> None:
    before, after = quality_score(flaws, steps), quality_score([*flaws, more], steps)
    assert before is not None
    assert after is not None
    assert 0 <= after <= before <= 1


def test_an_episode_without_steps_has_no_score() -> None:
    assert quality_score([], 0) is None
    assert quality_score([], 3) == 1.0
    assert set(KINDS) == set(FlawKind)


def episode(
    name: str, *, at: float = 0, actions: int = 6, key: str = "k", user: str = "5"
) -> MeasuredEpisode:
    state = screens("abcd")[0]
    return MeasuredEpisode(
        episode_id=name, user_id=user, app="com.a/.Main", intent="打开", at=at, split="train",
        steps=actions + 1, actions=actions, kinds=("click",) * (actions + 1), actions_key=key,
        screen_hashes=(picture_hash(state),) * (actions + 1), shortest=None, flaws=(),
    )  # fmt: skip


def test_a_duplicate_is_the_later_of_two_within_minutes() -> None:
    episodes = [
        episode("1", at=100),
        episode("2", at=400),
        episode("3", at=3000),
        episode("4", at=3300, key="x"),
    ]
    comparer = EpisodeComparer([*episodes, episode("5", at=120, user="6")])
    kinds = [[flaw.detail for flaw in comparer.compare(one).flaws] for one in episodes]
    assert kinds == [[], ["the actions of 1, 300 s later"], [], ["the screens of 3, 300 s later"]]


def test_a_detour_is_against_the_shortest_other_recording() -> None:
    episodes = [
        episode("1", at=0, actions=9),
        episode("2", at=9e5, actions=4),
        episode("3", at=9e6, actions=5),
    ]
    comparer = EpisodeComparer(episodes)
    compared = [comparer.compare(one) for one in episodes]
    assert [(one.shortest, one.shortest_from) for one in compared] == [(4, "2"), (5, "3"), (4, "2")]
    assert [len(one.flaws) for one in compared] == [1, 0, 0]
    alone = EpisodeComparer(episodes[:1]).compare(episodes[0])
    assert (alone.shortest, alone.shortest_from, alone.flaws) == (None, "", ())


@pytest.mark.parametrize("fields", [{"orientation": 6}, {"mode": "CMYK"}, {"mode": "L"}, {"orientation": 3}])
def test_a_screen_is_upright_however_it_is_stored(fields: dict[str, Any]) -> None:
    plain, other = (StoredPicture(format="JPEG", size=(400, 800), **more) for more in ({}, fields))
    known, found = read_screen(plain.write(), None), read_screen(other.write(), None)
    assert found.size == (400, 800)
    assert known.pixels is not None
    assert found.pixels is not None
    assert np.abs(found.pixels.astype(int) - known.pixels).max() < 24
