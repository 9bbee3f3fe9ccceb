"""Android's own commands: forms that clients parse, and options that are refused."""

from __future__ import annotations

import re
import time

import pytest

from phone.tests.simulated_phone.conftest import LocalPhone
from simulated_phone.adb.commands import CMD_SERVICES, window
from simulated_phone.adb.commands.activity import activities
from simulated_phone.adb.commands.keys import input as keys
from simulated_phone.adb.commands.package import packages

CLOCK = "com.android.deskclock"
LAUNCHER = "-a android.intent.action.MAIN -c android.intent.category.LAUNCHER"
TABLES = {
    "am": activities.SUBCOMMANDS,
    "input": keys.SUBCOMMANDS,
    "pm": packages.SUBCOMMANDS,
    "wm": window.SUBCOMMANDS,
}
SINGLE = (
    *("content query", "dumpsys", "getevent", "getprop", "ime list", "ime set", "logcat", "monkey"),
    *("screencap", "service", "settings get", "svc", "svc wifi", "appops", "media"),
    *(f"cmd {name}" for name in CMD_SERVICES),
)


@pytest.mark.parametrize("line", [f"{name} {word}" for name, table in TABLES.items() for word in table])
def test_an_option_that_no_code_reads_is_refused(local: LocalPhone, line: str) -> None:
    name, word = line.split()
    if TABLES[name][word].flags is None:
        pytest.skip("its arguments may begin with a dash")
    for option in ("--no-such-option", "-Q"):
        code, out, err = local.shell(f"{line} {option}")
        assert code == 255, (out, err)
        assert f"Unknown option: {option}" in err


@pytest.mark.parametrize("line", SINGLE)
def test_what_no_command_knows_is_refused(local: LocalPhone, line: str) -> None:
    code, out, err = local.shell(f"{line} --no-such-option")
    # content ends well whatever it says, as on a phone
    assert code != 0 or "[ERROR] Unsupported argument: --no-such-option" in out, (out, err)


@pytest.mark.parametrize("line", ["am", "pm", "wm", "ime", "cmd package", "cmd statusbar", "cmd battery"])
def test_an_unknown_subcommand_is_refused_on_stdout_as_on_a_phone(local: LocalPhone, line: str) -> None:
    assert local.shell(f"{line} paint") == (255, "Unknown command: paint\n", "")
    code, out, err = local.shell(line)
    assert (code, err) == (255, "")
    assert " commands:\n  " in out


def test_activities_are_listed_as_records_or_bare(local: LocalPhone) -> None:
    bare = local.output(f"cmd package query-activities --components {LAUNCHER}").splitlines()
    assert f"{CLOCK}/.DeskClock" in bare
    brief = local.output(f"cmd package query-activities --brief {LAUNCHER}").splitlines()
    assert brief[:2] == [f"{len(bare)} activities found:", "  Activity #0:"]
    assert [line.strip() for line in brief if "/" in line] == bare
    whole = local.output(f"cmd package query-activities {LAUNCHER}")
    assert re.findall(r"(?m)^      packageName=(\S+)$", whole) == [name.partition("/")[0] for name in bare]
    assert local.output("cmd package query-activities -a no.such.ACTION") == "No activities found\n"


def test_the_activity_of_an_app_is_resolved_in_each_form(local: LocalPhone) -> None:
    match = "priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=true\n"
    assert local.output(f"cmd package resolve-activity --brief {CLOCK}") == f"{match}{CLOCK}/.DeskClock\n"
    assert local.output(f"cmd package resolve-activity --components {CLOCK}") == f"{CLOCK}/.DeskClock\n"
    assert f"{match}ActivityInfo:\n  name={CLOCK}.DeskClock\n  packageName={CLOCK}\n" in local.output(
        f"cmd package resolve-activity {CLOCK}"
    )


@pytest.mark.parametrize(
    ("namespace", "key", "value"),
    [
        ("system", "screen_brightness_mode", "0"),
        ("global", "window_animation_scale", "1.0"),
        ("global", "device_provisioned", "1"),
        ("global", "adb_enabled", "1"),
    ],
)
def test_no_phone_lacks_these_settings(local: LocalPhone, namespace: str, key: str, value: str) -> None:
    assert local.output(f"settings get {namespace} {key}") == f"{value}\n"
    assert f"{key}={value}\n" in local.output(f"settings list {namespace}")
    assert local.output(f"settings delete {namespace} {key}") == "Deleted 1 rows\n"
    assert local.output(f"settings get {namespace} {key}") == "null\n"
    local.output(f"settings put {namespace} {key} 7")
    assert local.output(f"settings get {namespace} {key}") == "7\n"
    local.device.deleted_settings.clear()


def test_a_phone_has_an_android_id_of_its_own(local: LocalPhone) -> None:
    assert re.fullmatch(r"[0-9a-f]{16}\n", local.output("settings get secure android_id"))


def test_the_battery_can_be_set_and_reset(local: LocalPhone) -> None:
    local.output("dumpsys battery unplug; cmd battery set level 50")
    printed = local.output("dumpsys battery")
    assert "(UPDATES STOPPED" in printed
    assert "USB powered: false" in printed
    assert "  level: 50\n" in printed
    assert local.output("cmd battery get level") == "50\n"
    local.output("dumpsys battery reset")
    assert "USB powered: true" in local.output("dumpsys battery")
    assert local.shell("dumpsys battery set charm 5")[0] == 255


def test_services_switch_what_settings_show(local: LocalPhone) -> None:
    for line, namespace, key, value in (
        ("cmd location set-location-enabled false", "secure", "location_mode", "0"),
        ("cmd -w wifi set-wifi-enabled disabled", "global", "wifi_on", "0"),
        ("cmd phone data disable", "global", "mobile_data", "0"),
        ("media volume --stream 3 --set 2", "system", "volume_music", "2"),
    ):
        local.output(line)
        assert local.output(f"settings get {namespace} {key}") == f"{value}\n"
    assert local.output("cmd location is-location-enabled") == "false\n"
    assert local.output("media volume --stream 3 --get").endswith("[V] volume is 2 in range [0..15]\n")


def test_a_property_that_was_set_is_read_again(local: LocalPhone) -> None:
    assert local.output("setprop debug.x 7; getprop debug.x") == "7\n"
    assert local.shell("getprop -Q") == (1, "", "getprop: Unknown option 'Q' (see \"getprop --help\")\n")


def test_a_started_app_says_whether_it_was_running(local: LocalPhone) -> None:
    start = f"am start -W -n {CLOCK}/.DeskClock"
    assert "LaunchState: COLD\n" in local.output(start)
    code, out, err = local.shell(start)
    assert (code, err[:8]) == (0, "Warning:")
    assert "LaunchState: UNKNOWN (0)\n" in out
    local.output("input keyevent HOME")
    assert "LaunchState: HOT\n" in local.output(start)
    assert "LaunchState: COLD\n" in local.output(f"am start -S -W -n {CLOCK}/.DeskClock")


def test_a_text_of_an_extra_may_begin_with_a_dash(local: LocalPhone) -> None:
    assert local.shell("am broadcast -a a.b --es msg -x --receiver-foreground")[0] == 0


def test_the_log_ends_after_as_many_lines_as_were_asked_for(local: LocalPhone) -> None:
    local.output("logcat -c; log -t own one; log -t own two")
    assert local.output("logcat -m 1 -v tag own:I '*:S'") == "--------- beginning of main\nI/own: one\n"
    assert local.output("logcat -c; logcat -d") == ""
    assert local.shell("logcat -d -b no")[0] == 1


@pytest.mark.parametrize(("real", "least"), [(True, 0.3), (False, 0)])
def test_a_swipe_lasts_as_long_as_it_says_where_the_clock_runs(
    local: LocalPhone, real: bool, least: float
) -> None:
    local.device.real_time = real
    before, began = local.phone.uptime, time.monotonic()
    local.output("input swipe 100 900 100 500 300")
    assert time.monotonic() - began >= least
    # the phone's clock counts it once
    assert 0.3 <= local.phone.uptime - before < 3


@pytest.mark.parametrize("real", [True, False])
def test_time_passes_within_a_line(local: LocalPhone, real: bool) -> None:
    local.device.real_time = real
    before, after = local.output("date +%s%3N; sleep 0.2; date +%s%3N").split()
    assert 200 <= int(after) - int(before) < 5000


def test_the_log_of_a_running_clock_is_not_silent(local: LocalPhone) -> None:
    local.device.real_time = True
    local.output("logcat -c")
    assert "D/BatteryService: level:80" in local.output("logcat -v tag -m 1")


def test_an_intent_that_shows_no_page_sets_its_alarm_below_a_dialog(local: LocalPhone) -> None:
    before = len(local.phone.data["apps"][CLOCK]["alarms"])
    local.phone.set_fault("advertisement", True)
    local.output(
        "am start -a android.intent.action.SET_ALARM --ei android.intent.extra.alarm.HOUR 7 "
        "--ei android.intent.extra.alarm.MINUTES 5 --ez android.intent.extra.alarm.SKIP_UI true"
    )
    assert len(local.phone.data["apps"][CLOCK]["alarms"]) == before + 1
