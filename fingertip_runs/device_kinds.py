"""Device kinds: the devices that tasks of track 2 are carried out on, one record per kind.

Everything that depends on the kind of device (titles, caveats, whether success is known, help texts) is read
from its record. A new kind is a name in `DeviceKindName`, a record in `_KINDS`, an environment, and its maker
in `MAKERS` (`execution_runner/environments/open_environments.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

from fingertip_dataset.errors import UsageError

DeviceKindName = Literal["adb", "simulated", "replay", "teacher_forced"]
"""Name of a device kind in run.json. Scores of different kinds are never mixed: only "adb" is the paper's own
setting."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceKind:
    """A device kind: properties of every run on it, and its names in tables, pages and commands.

    Attributes:
        name: Name in run.json.
        recorded: Whether the environment is a recorded episode: no action is carried out.
        simulated: Whether it is a simulated phone, set up from the dataset and reset before each task; only
            such a phone has switchable faults.
        success_by_rule: Whether a rule on the final state decides success; otherwise a person or a judge.
        ends_off_trace: Whether an attempt ends at the first action that is not the recorded one.
        own_trajectory: Whether the agent's actions lead from one screen to the next. False if the agent is
            queried once per recorded screen, so that its actions form no trajectory.
        score_title: End of the title of `fingertip score`'s table.
        command_title: Name in the output of `fingertip execute`.
        board_title: Name on the leaderboard's page.
        board_filter: Option of the leaderboard's device filter; several kinds may share one.
        hub_title: Name in the benchmark's eval.yaml on the Hub.
        caveat: Why scores cannot be compared with the paper's; None if the device is no reason.
        board_caveat: Caveat under the leaderboard's tables; "" for none.
        summary: What it is, for `fingertip devices`.
        needs: What it needs, as options, extras and settings.
        prefixes: Spellings of the command line before the serial of a person's phone.
        trace_columns: Field of `TraceScores` -> column head of the table about the recorded steps; empty
            for devices without a recording.
    """

    name: DeviceKindName
    recorded: bool = False
    simulated: bool = False
    success_by_rule: bool = False
    ends_off_trace: bool = False
    own_trajectory: bool = True
    score_title: str
    command_title: str
    board_title: str
    board_filter: str
    hub_title: str
    caveat: str | None = None
    board_caveat: str = ""
    summary: str
    needs: str
    prefixes: tuple[str, ...] = ()
    trace_columns: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def spec(self) -> str:
        """The spelling on the command line; a real phone is named by its serial instead."""
        return self.name.replace("_", "-")

    @property
    def spellings(self) -> tuple[str, ...]:
        """All its spellings on the command line, SERIAL standing for that of a person's phone."""
        return tuple(f"{prefix}SERIAL" for prefix in self.prefixes) if self.real_phone else (self.spec,)

    @property
    def real_phone(self) -> bool:
        """Whether it is a person's phone behind adb: the paper's setting."""
        return not self.recorded and not self.simulated


_KINDS = (
    DeviceKind(
        name="adb",
        score_title="on phones",
        command_title="phones",
        board_title="real phones",
        board_filter="real phones",
        hub_title="phones behind adb",
        summary="a person's Android phone: the paper's setting",
        needs="adb, USB debugging; u2: the extra uiautomator2",
        prefixes=("", "adb:", "uiautomator2:", "u2:"),
    ),
    DeviceKind(
        name="simulated",
        simulated=True,
        success_by_rule=True,
        score_title="on the simulated phone",
        command_title="a simulated phone",
        board_title="simulated phones",
        board_filter="simulated phones",
        hub_title="simulated phones",
        summary="a simulated phone, reset for each task; simulated:8 are eight",
        needs="simulated people; adb or the extra phone",
        caveat="simulated phone: the paper's agents worked on real phones with real apps",
        board_caveat="Simulated people on simulated phones: an example of the commands and metrics, not a "
        "result on how an agent performs with real people. The targets of these tasks are public, so a row "
        "can be copied from them; rows run by the board are on private tasks.",
    ),
    DeviceKind(
        name="replay",
        recorded=True,
        ends_off_trace=True,
        score_title="replay of recorded episodes",
        command_title="recorded episodes",
        board_title="recorded episodes, replayed",
        board_filter="recorded episodes",
        hub_title="recordings, free",
        summary="recorded episodes, until an action is not the recorded one",
        needs="the dataset only",
        caveat="replay of recorded episodes: an attempt ends at the first action that is not the recorded "
        "one, so Sim_2 covers only attempts without one; the paper's numbers are online",
        board_caveat="Recorded episodes: an attempt ends at the first action that is not the recorded one. "
        "Nothing is carried out.",
        trace_columns=MappingProxyType(
            {"whole": "without a deviation %", "steps_on_trace": "steps before a deviation %"}
        ),
    ),
    DeviceKind(
        name="teacher_forced",
        recorded=True,
        own_trajectory=False,
        score_title="teacher-forced on recorded episodes",
        command_title="recorded steps, one decision each",
        board_title="recorded steps, one decision each",
        board_filter="recorded episodes",
        hub_title="recordings, teacher-forced",
        summary="recorded steps, one decision on each",
        needs="the dataset only",
        caveat="teacher-forced: the agent is queried once per recorded screen; the paper's numbers are "
        "online",
        board_caveat="Recorded episodes: the agent is queried once per recorded screen. Nothing is carried "
        "out.",
        trace_columns=MappingProxyType(
            {"action_type": "action type %", "click_hit": "click hit %", "text_match": "text %"}
        ),
    ),
)

DEVICE_KINDS: Mapping[DeviceKindName, DeviceKind] = MappingProxyType({kind.name: kind for kind in _KINDS})
"""Name -> record, in the order of tables: the paper's own setting first."""

PAPER_DEVICE: DeviceKindName = "adb"
"""Device kind of the paper's scores: real phones."""

OTHER_DEVICES: tuple[str, ...] = tuple(kind.spec for kind in _KINDS if not kind.real_phone)
"""Names on the command line of the devices that are no real phone."""

DEVICE_SPECS: Mapping[str, DeviceKindName] = MappingProxyType(
    {spelling: kind.name for kind in _KINDS if not kind.real_phone for spelling in (kind.spec, kind.name)}
)
"""Device name on the command line -> its kind; any other name is the serial of a real phone."""

UIAUTOMATOR2 = ("uiautomator2:", "u2:")
"""Prefixes of the serial of a phone whose trees and typing go through uiautomator2."""

HDC = "hdc:"
"""Prefix of a phone behind hdc, which is refused."""

MOST_DEVICES = 256
"""Largest number of devices that "simulated:NUMBER" stands for."""


def expand_devices(specs: Sequence[str]) -> tuple[str, ...]:
    """The devices of a command line, one by one: "simulated:8" stands for eight simulated phones.

    Raises:
        UsageError: The number is none, or too large.

    >>> expand_devices(["simulated:3", "10.0.0.7:5555"])
    ('simulated', 'simulated', 'simulated', '10.0.0.7:5555')
    """
    found: list[str] = []
    for spec in specs:
        name, sign, number = spec.partition(":")
        if not sign or name not in DEVICE_SPECS:
            found.append(spec)
            continue
        if not (number.isascii() and number.isdecimal() and 1 <= int(number[:9]) <= MOST_DEVICES):
            raise UsageError(f"expected {name}:NUMBER with 1 to {MOST_DEVICES} devices, got {spec!r}")
        found += [name] * int(number)
    return tuple(found)


def device_kind(specs: Sequence[str]) -> DeviceKindName:
    """The kind of the devices named on a command line.

    Raises:
        UsageError: There is no device, several kinds, or one phone twice.

    >>> device_kind(["simulated", "simulated"]), device_kind(["adb:R58M123"]), device_kind(["10.0.0.7:5555"])
    ('simulated', 'adb', 'adb')
    """
    kinds = {DEVICE_SPECS.get(spec, PAPER_DEVICE) for spec in specs}
    if len(kinds) != 1:
        raise UsageError(f"expected devices of one kind, got {' and '.join(sorted(kinds)) or 'none'}")
    kind = kinds.pop()
    if DEVICE_KINDS[kind].real_phone:
        serials = [serial_of(spec) for spec in specs]
        for serial in serials:
            if serials.count(serial) > 1:
                raise UsageError(f"phone {serial} is given {serials.count(serial)} times")
    return kind


def serial_of(spec: str) -> str:
    """The serial of a phone, without the prefix "adb:", "uiautomator2:" or "u2:".

    Raises:
        UsageError: It has no serial, or is a phone behind hdc.
    """
    if spec.startswith(HDC):
        raise UsageError(
            f"no device kind drives HarmonyOS NEXT, got {spec!r}: only phones behind adb, such as those with "
            "HarmonyOS 4 and earlier"
        )
    serial = spec
    for prefix in ("adb:", *UIAUTOMATOR2):
        serial = serial.removeprefix(prefix)
    if not serial or serial.startswith("-") or not serial.isprintable() or " " in serial:
        kinds = [kind.spec for kind in DEVICE_KINDS.values() if not kind.real_phone]
        raise UsageError(
            f"expected a device: adb:SERIAL, {', '.join(kinds[:-1])} or {kinds[-1]}, got {spec!r}"
        )
    return serial
