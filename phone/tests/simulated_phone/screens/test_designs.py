"""Design languages and dark mode: legible, equal in what can be done, kept over resets and in records."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

from simulated_phone.apps import APPS
from simulated_phone.goals.app_definition import GoalInstance
from simulated_phone.goals.steps import Press
from simulated_phone.machine.state import BEIJING
from simulated_phone.people.gestures import GesturePlayer
from simulated_phone.people.life import Life, PhoneSetup
from simulated_phone.people.person import make_person
from simulated_phone.people.simulation import Simulation
from simulated_phone.phone import Phone
from simulated_phone.phone_errors import PhoneSetupError
from simulated_phone.screens.layouts.widgets import IMAGE
from simulated_phone.screens.nodes import Fill, Node, PixelBox, Words
from simulated_phone.screens.skin import AA, AA_LARGE, PLAIN, compute_contrast, designs, mix_colors, skin

SIZE, DENSITY = (540, 1200), 210
GOLDENS = Path(__file__).parent / "designs"
MODES = [(design, dark) for design in designs() for dark in (False, True)]
LEGIBLE = [mode for mode in MODES if mode != (PLAIN, False)]
LARGE, LARGE_BOLD = 24, 18.6
"""Size from which text is large by WCAG, dp."""


def phone_of(design: str, dark: bool, seed: int = 3) -> Phone:
    return Phone(seed=seed, size=SIZE, density=DENSITY, design=design, dark=dark)


def some_pages(phone: Phone, taps: int = 4) -> Iterator[str]:
    """Each app's first page and some that taps lead to; their names."""
    for app in phone.apps.values():
        rng = random.Random(app.package)  # noqa: S311 - taps, not secrets
        phone.reset()
        phone.start(app.package)
        for tap in range(taps):
            yield f"{app.package} {tap}"
            nodes = [node for node in phone.screen().nodes() if node.clickable]
            phone.tap(*rng.choice(nodes).box.centre)
            if phone.foreground[0] != app.package:
                phone.start(app.package)


def poor_texts(phone: Phone) -> list[str]:
    """Texts whose contrast with what is drawn below them is too low; those of pictures are left out."""
    fills: list[Fill] = []
    poor: list[str] = []

    def under(box: PixelBox) -> str:
        x, y = box.left + 2, box.centre[1]
        for fill in reversed(fills):
            if fill.box.contains(x, y):
                share = (y - fill.box.top) / max(1, fill.box.height)
                return mix_colors(fill.color, fill.to, share) if fill.to else fill.color
        return "#000000"

    def visit(node: Node, picture: bool, clip: PixelBox) -> None:
        picture = picture or node.kind == IMAGE or node.view_id == "map"
        for mark in node.marks:
            if isinstance(mark, Fill):
                fills.append(replace(mark, box=mark.box.clip(clip)))
            elif isinstance(mark, Words) and not (
                picture or not node.enabled or mark.box.clip(clip) != mark.box
            ):
                ground = under(mark.box)
                size = mark.size * 160 / DENSITY
                least = AA_LARGE if size >= LARGE or (mark.bold and size >= LARGE_BOLD) else AA
                if compute_contrast(mark.color, ground) < least:
                    poor.append(
                        f"{mark.text!r} {mark.color} on {ground}: {compute_contrast(mark.color, ground):.2f}"
                    )
        if node.scroll is not None:
            clip = clip.clip(node.box)
        for child in node.children:
            visit(child, picture, clip)

    for window in phone.screen().windows:
        if not window.behind:
            visit(window.root, picture=False, clip=PixelBox(0, 0, *SIZE))
    return poor


@pytest.mark.parametrize(("design", "dark"), LEGIBLE)
def test_pairs_of_tokens_are_legible(design: str, dark: bool) -> None:
    colors = skin(design, dark=dark).colors
    grounds = ("paper", "background", "well", "field", "chip")
    pairs = [(ink, ground) for ink in ("ink", "grey", "hint", "red", "green") for ground in grounds]
    pairs += [("ink", "key"), ("ink", "special_key"), ("bar", "background")]
    ratios = {pair: compute_contrast(colors[pair[0]], colors[pair[1]]) for pair in pairs}
    assert {pair: ratio for pair, ratio in ratios.items() if ratio < AA} == {}
    assert compute_contrast("#ffffff", colors["toast"]) >= AA


@pytest.mark.parametrize(("design", "dark"), LEGIBLE)
def test_drawn_texts_are_legible(design: str, dark: bool) -> None:
    phone = phone_of(design, dark)
    poor = {name: texts for name in some_pages(phone) if (texts := poor_texts(phone))}
    assert poor == {}


def test_the_check_of_drawn_texts_finds_poor_ones() -> None:
    phone = phone_of(PLAIN, dark=False)
    assert any(poor_texts(phone) for _name in some_pages(phone, taps=1))


@pytest.mark.parametrize(("design", "dark"), MODES)
def test_strategies_reach_their_goals_in_every_design(design: str, dark: bool) -> None:
    phone, number = phone_of(design, dark), MODES.index((design, dark))
    combinations = [
        (app, goal, strategy) for app in APPS for goal in app.goals[:1] for strategy in goal.strategies
    ]
    for app, goal, strategy in combinations[number % 5 :: 5]:
        case = goal.cases(phone.seed)[0]
        phone.reset()
        GesturePlayer(phone).play(strategy.steps(case))
        wanted = GoalInstance(package=app.package, goal=goal.name, arguments=case)
        assert phone.achieved(wanted), (app.package, goal.name, strategy.name)


@pytest.mark.parametrize(("design", "dark"), MODES)
def test_pictures_are_those_on_file(design: str, dark: bool) -> None:
    """Drawn again after an intended change: python -m phone.tests.simulated_phone.screens.test_designs."""
    name = picture_name(design, dark)
    golden = Image.open(GOLDENS / name).convert("RGB")
    difference = ImageChops.difference(small_picture(design, dark), golden)
    # other versions of the text library move edges of letters a little
    assert max(ImageStat.Stat(difference).mean) < 3, name


def picture_name(design: str, dark: bool) -> str:
    return f"{design}-{'dark' if dark else 'light'}.png"


def small_picture(design: str, dark: bool) -> Image.Image:
    """A third of the size: home screen, settings, alarms, and a search with the keyboard, side by side."""
    phone, shots = phone_of(design, dark), []
    for package in (phone.launcher.package, "com.android.settings", "com.android.deskclock"):
        phone.start(package)
        shots.append(phone.screenshot())
    phone.start("com.simulated.gouwu")
    field = next(node for node in phone.screen().nodes() if node.tap and "搜索" in node.label())
    phone.tap(*field.box.centre)
    shots.append(phone.screenshot())
    width, height = SIZE[0] // 3, SIZE[1] // 3
    sheet = Image.new("RGB", (width * len(shots), height))
    for place, shot in enumerate(shots):
        sheet.paste(shot.resize((width, height), Image.Resampling.BOX), (place * width, 0))
    return sheet


def test_a_gesture_pill_has_no_keys_and_takes_swipes_from_the_edges() -> None:
    phone = phone_of("pebble", dark=False)
    assert phone.settings["secure"]["navigation_mode"] == "2"
    assert not [node for node in phone.screen().nodes() if node.view_id in ("back", "home", "recent_apps")]
    width, height = SIZE
    phone.start("com.android.settings")
    search = next(node for node in phone.screen().nodes() if node.clickable)
    phone.tap(*search.box.centre)
    phone.press_key("KEYCODE_BACK")
    phone.swipe(1, 600, 200, 600)
    assert phone.tasks.depth == 1 or phone.foreground[0] == phone.launcher.package
    phone.start("com.android.settings")
    phone.swipe(width // 2, height - 2, width // 2, height // 2, 200)
    assert phone.foreground[0] == phone.launcher.package
    phone.start("com.android.settings")
    phone.swipe(width // 2, height - 2, width // 2, height // 2, 800)
    assert phone.data["panel"]["page"] == "android.recents"
    # on a phone with keys the same swipes are swipes
    keys = phone_of("slate", dark=False)
    keys.start("com.android.settings")
    keys.swipe(width // 2, height - 2, width // 2, height // 2, 200)
    assert keys.foreground[0] == "com.android.settings"


@pytest.mark.parametrize("key", ["back", "home", "recents"])
@pytest.mark.parametrize("design", ["prism", "linen"])
def test_people_press_keys_in_the_design_s_way(design: str, key: str) -> None:
    phone, plain = phone_of(design, dark=False), phone_of(PLAIN, dark=False)
    for one in (phone, plain):
        one.start("com.android.deskclock")
        GesturePlayer(one).play([Press(key)])
    assert phone.foreground == plain.foreground
    assert (phone.data["panel"], phone.tasks.depth) == (plain.data["panel"], plain.tasks.depth)


def test_dark_mode_is_a_switch_of_the_settings_app() -> None:
    phone = phone_of("slate", dark=False)
    goal = next(app for app in APPS if app.package == "com.android.settings")
    light = phone.screenshot()
    phone.start(goal.package)
    GesturePlayer(phone).play([])
    phone.tap(*next(n for n in phone.screen().nodes() if n.tap and n.label() == "显示与亮度").box.centre)
    phone.tap(*next(n for n in phone.screen().nodes() if n.tap and n.label() == "深色模式").box.centre)
    assert phone.skin.dark
    phone.press_key("KEYCODE_HOME")
    assert phone.screenshot() != light
    phone.reset()
    assert not phone.skin.dark
    assert phone.screenshot() == light


def test_design_and_mode_stay_over_resets_snapshots_and_languages() -> None:
    phone = phone_of("linen", dark=True)
    snapshot, digest = phone.snapshot(), phone.state_sha256()
    phone.reset(9)
    phone.speak("en")
    assert (phone.design, phone.skin.dark) == ("linen", True)
    other = Phone(size=SIZE, density=DENSITY)
    other.restore(snapshot)
    assert (other.design, other.skin.dark) == ("linen", True)
    assert other.state_sha256() == digest
    other.wear()
    assert other.state_sha256() != digest
    assert other.snapshot() != snapshot


def test_an_unknown_design_is_one_line_with_those_there_are() -> None:
    with pytest.raises(PhoneSetupError, match=r"^expected a design of plain, pebble, .*, got 'glass'$"):
        Phone(design="glass")


def test_a_plain_light_phone_has_the_hash_of_one_without_a_design() -> None:
    assert Phone().state_sha256() == Phone(design=PLAIN, dark=False).state_sha256()
    assert Phone().state_sha256() != Phone(design="prism").state_sha256()


def test_people_have_designs_and_modes_of_their_own_and_records_keep_them() -> None:
    people = [make_person(number, 7) for number in range(24)]
    assert {person.design for person in people} == set(designs()) - {PLAIN}
    assert 2 < sum(person.dark for person in people) < 14
    person = next(person for person in people if person.dark)
    episode = next(iter(Life(person, Phone(seed=person.seed, size=SIZE, density=DENSITY)).month(1)))
    assert (episode.setup.design, episode.setup.dark) == (person.design, True)
    record = Simulation(setup=episode.setup, goal_instance=episode.goal_instance, size=SIZE).to_json()
    assert Simulation.from_json(record).setup == episode.setup


def test_records_of_plain_phones_name_no_design() -> None:
    setup = PhoneSetup(seed=1, moment=datetime(2025, 3, 10, 9, tzinfo=BEIJING))
    goal = GoalInstance(package="com.android.deskclock", goal="add_alarm")
    record = Simulation(setup=setup, goal_instance=goal, size=SIZE).to_json()
    assert not {"design", "dark"} & set(record)
    with pytest.raises(TypeError, match="expected true or false under 'dark', got 'yes'"):
        Simulation.from_json({**record, "dark": "yes"})


if __name__ == "__main__":
    GOLDENS.mkdir(exist_ok=True)
    for one, is_dark in MODES:
        small_picture(one, is_dark).quantize(64).save(GOLDENS / picture_name(one, is_dark), optimize=True)
        sys.stdout.write(f"{picture_name(one, is_dark)}\n")
