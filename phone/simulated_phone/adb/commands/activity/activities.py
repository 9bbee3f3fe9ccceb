"""`am` and `monkey`: start and stop apps, send broadcasts."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from android_shell.command_call import CommandError, UnsupportedError
from simulated_phone.adb.commands.activity.implicit_intents import Destination
from simulated_phone.adb.commands.activity.instrumentation import start_instrumentation
from simulated_phone.adb.commands.activity.intents import (
    INTENT_OPTIONS,
    ActivityIntent,
    full_name,
    read_intent,
    resolve,
)
from simulated_phone.adb.commands.activity.shown_tasks import list_tasks
from simulated_phone.adb.commands.device_call import DeviceCall
from simulated_phone.adb.commands.keys import keyboards
from simulated_phone.adb.commands.properties import SDK, list_properties
from simulated_phone.adb.commands.subcommand import Subcommand, take_options
from simulated_phone.device_servers.appium import settings_app
from simulated_phone.language.language import tag
from simulated_phone.screens.nodes import ActionRef

if TYPE_CHECKING:
    from simulated_phone.phone import Phone

ANSWER, ASK = "com.fingertip.ANSWER", "com.fingertip.ASK"
"""Broadcasts with which an agent answers a question of its task, and asks the person; the extra is `text`."""
_HOME_CATEGORY = "android.intent.category.HOME"


async def am(call: DeviceCall) -> None:
    """`am start|force-stop|kill|broadcast|stack|task|startservice|instrument|get-config ...`."""
    await call.run_subcommand(SUBCOMMANDS)


def _start(call: DeviceCall) -> None:
    wait, stop = "-W" in call.args, "-S" in call.args
    intent = read_intent(call)
    target = resolve(call, intent)
    if stop and target:
        call.phone.stop(target.partition("/")[0])
    call.print(f"Starting: {intent}\n")
    before, running = call.phone.foreground, [task.package for task in list_tasks(call.phone)]
    if target is None:
        package = (intent.component or intent.package or "").partition("/")[0]
        if package in call.device.installed:
            _run_helper(call, package)
            return
        raise CommandError(_start_problem(intent))
    call.phone.start(target)
    opened = open_intent(call, intent)
    shown = call.phone.foreground == before and not opened and not stop
    if shown:
        call.print_error("Warning: Activity not started, its current task has been brought to the front\n")
    if wait:
        state = "HOT" if target.partition("/")[0] in running and not stop else "COLD"
        call.print(
            f"Status: ok\nLaunchState: {'UNKNOWN (0)' if shown else state}\nActivity: {target}\n"
            f"TotalTime: {0 if shown else 120}\nWaitTime: {5 if shown else 125}\nComplete\n"
        )


def _run_helper(call: DeviceCall, package: str) -> None:
    """Let a helper app run; its page is not shown, as it has nothing to do there."""
    call.device.helpers.setdefault(package, lambda: None)


def open_intent(call: DeviceCall, intent: ActivityIntent) -> bool:
    """Open the page that an intent without a component leads to; return whether there is one."""
    if intent.component or _HOME_CATEGORY in intent.categories:
        return False
    found = intent.find_destination(call.phone.zone)
    if found is None or found.package not in call.phone.apps:
        return False
    call.phone.follow_intent(call.args, partial(_follow, call.phone, found))
    return found.page is not None or bool(found.actions)


def _follow(phone: Phone, found: Destination) -> None:
    known = found.arguments.get("package")
    if found.page is not None and (known is None or known in phone.apps):
        phone.open_page(found.package, found.page, found.arguments, found.fields)
    for action in found.actions:
        # named by its app: a dialog may cover the page
        phone.act(ActionRef(f"{found.package}/{action.name}", action.arguments))


def _start_problem(intent: ActivityIntent) -> str:
    if intent.component:
        package, _, activity = intent.component.partition("/")
        full = full_name(package, activity)
        return f"Error type 3\nError: Activity class {{{package}/{full}}} does not exist."
    return f"Error: Activity not started, unable to resolve {intent}"


def _force_stop(call: DeviceCall) -> None:
    call.pop_option("--user")
    if len(call.args) < 2:
        raise call.missing_argument(call.args[0])
    call.device.end_helper(call.args[1])
    call.phone.stop(call.args[1])


def _kill(call: DeviceCall) -> None:
    """`am kill PACKAGE`: only apps in the background end."""
    call.pop_option("--user")
    # an app under the shade or the lock screen is not in the background
    if len(call.args) > 1 and call.phone.data["front"] != call.args[1]:
        call.phone.stop(call.args[1])


def _kill_all(call: DeviceCall) -> None:
    for task in list(call.phone.data["tasks"]):
        if task["package"] != call.phone.data["front"]:
            call.phone.tasks.close(task["package"])


def _send_broadcast(call: DeviceCall) -> None:
    intent = read_intent(call)
    call.print(f"Broadcasting: {intent}\n")
    answer = settings_app.answer(call.device, intent.action or "")
    if answer is not None:
        call.print(f'Broadcast completed: result=-1, data="{answer}"\n')
        return
    # a word too many, as of a text whose space is not quoted, is a package that the broadcast is for
    package = intent.package or (intent.component or "").partition("/")[0]
    reached = not package or call.phone.current_ime.startswith(f"{package}/")
    acted = reached and keyboards.receive(call, intent.action or "", intent.extras)
    if intent.action == "android.intent.action.CLOSE_SYSTEM_DIALOGS":
        call.phone.close_panel()
    if intent.action == ASK:
        _ask_person(call, None if package else intent.extras.get("text"))
        return
    if intent.action == ANSWER:
        acted = not package and _take_answer(call, intent.extras)
    if acted and (intent.action or "").startswith(("ADB_KEYBOARD_", ANSWER)):
        call.print('Broadcast completed: result=-1, data="success"\n')
    else:
        call.print("Broadcast completed: result=0\n")


def _take_answer(call: DeviceCall, extras: Mapping[str, str]) -> bool:
    """Note an agent's answer to the question of its task, the last one of several; whether there was one."""
    text = extras.get("text")
    if text is not None:
        call.phone.take_answer(text)
    return text is not None


def _ask_person(call: DeviceCall, question: str | None) -> None:
    """Put an agent's question to the person, and print the reply, or why there is none."""
    if question is None:
        call.print('Broadcast completed: result=0, data="no question: give it as --es text, quoted"\n')
        return
    reply = call.phone.put_question(question)
    if reply is None:
        call.print('Broadcast completed: result=0, data="nobody answers questions in this task"\n')
    else:
        call.print(f'Broadcast completed: result=-1, data="{reply}"\n')


def _print_stack(call: DeviceCall) -> None:
    """`am stack list`: the shown app and those behind it; `am stack remove ID` closes one."""
    tasks = list_tasks(call.phone)
    if call.args[1:2] == ["remove"] and len(call.args) == 3:
        # like Android, silent about a task that is not there
        for task in tasks:
            if str(task.number) == call.args[2]:
                call.phone.stop(task.package)
        return
    if call.args[1:2] != ["list"]:
        raise CommandError(f"Error: unknown command '{' '.join(call.args[1:2])}'", 255)
    width, height = call.phone.size
    for task in tasks:
        call.print(
            f"RootTask id={task.number} bounds=[0,0][{width},{height}] displayId=0 userId=0\n"
            f"  taskId={task.number}: {task.component} bounds=[0,0][{width},{height}] userId=0"
            f" visible={'true' if task.visible else 'false'}"
            f" topActivity=ComponentInfo{{{task.full_component}}}\n"
        )


def _lock_task(call: DeviceCall) -> None:
    """`am task lock ID|stop`: the task comes to the front; that it cannot be left is not simulated."""
    if call.args[1:2] != ["lock"] or len(call.args) != 3:
        raise CommandError(f"Error: unknown command '{' '.join(call.args[1:2])}'", 255)
    chosen = [task for task in list_tasks(call.phone) if str(task.number) == call.args[2]]
    if not chosen and call.args[2] != "stop":
        raise call.java_error(f"No task for ID {call.args[2]}")
    for task in chosen:
        call.phone.start(task.package)
    call.print(f"Activity manager is {'' if chosen else 'not '}in lockTaskMode\n")


def _start_service(call: DeviceCall) -> None:
    """`am startservice`: services of helper apps start, which has no effect by itself."""
    intent = read_intent(call)
    call.print(f"Starting service: {intent}\n")
    package = (intent.component or intent.package or "").partition("/")[0]
    if package not in call.device.installed:
        raise CommandError("Error: Not found; no service started.")
    _run_helper(call, package)


def _stop_service(call: DeviceCall) -> None:
    """`am stopservice`: a service of a helper app ends with its app."""
    intent = read_intent(call)
    call.print(f"Stopping service: {intent}\n")
    package = (intent.component or intent.package or "").partition("/")[0]
    running = package in call.device.helpers
    call.device.end_helper(package)
    call.print("Service stopped\n" if running else "Service not stopped: was not running.\n")


def _print_config(call: DeviceCall) -> None:
    """`am get-config`: language, size in dp, orientation, density and API level."""
    phone, props = call.phone, list_properties(call.phone)
    language, country = tag(phone.locale).split("-")
    width, height = (round(side * 160 / phone.density) for side in phone.size)
    small, tall = min(width, height), "land" if width > height else "port"
    call.print(
        f"config: {language}-r{country}-ldltr-sw{small}dp-w{width}dp-h{height}dp-normal-long-notround-"
        f"lowdr-nowidecg-{tall}-notnight-{phone.density}dpi-finger-keysexposed-nokeys-navhidden-nonav-v{SDK}\n"
        f"abi: {props['ro.product.cpu.abilist']}\n"
    )


_START = f"{INTENT_OPTIONS} -W -S --user= --display= --windowingMode= --activityType="
_SEND = f"{INTENT_OPTIONS} --user= --receiver-permission= --async"
_USER = "--user="

SUBCOMMANDS: dict[str, Subcommand] = {
    "broadcast": take_options(_send_broadcast, _SEND, java=True),
    "force-stop": take_options(_force_stop, _USER),
    "get-config": take_options(_print_config),
    "get-current-user": take_options(lambda call: call.print("0\n")),
    "instrument": take_options(start_instrumentation, "-w -r -e== -p= --user= --abi= --no-window-animation"),
    "kill": take_options(_kill, _USER),
    "kill-all": take_options(_kill_all),
    "stack": take_options(_print_stack),
    "start": take_options(_start, _START, java=True),
    "start-activity": take_options(_start, _START, java=True),
    "start-foreground-service": take_options(_start_service, _SEND, java=True),
    "start-service": take_options(_start_service, _SEND, java=True),
    "startservice": take_options(_start_service, _SEND, java=True),
    "stopservice": take_options(_stop_service, _SEND, java=True),
    "task": take_options(_lock_task),
}
"""Subcommand -> implementation."""


_MONKEY_VALUES = ("-p", "-c", "-s", "--throttle", "--pct-syskeys")
_MONKEY_FLAGS = ("-v", "-vv", "-vvv", "--ignore-crashes", "--ignore-timeouts", "--ignore-security-exceptions")


def monkey(call: DeviceCall) -> None:
    """`monkey -p PACKAGE [-c CATEGORY] [-v] [--throttle MS] 1`: start an app; no random events."""
    values = {option: call.pop_option(option) for option in _MONKEY_VALUES}
    verbose = call.pop_flag("-v", "-vv", "-vvv")
    call.pop_flag(*_MONKEY_FLAGS)
    unknown = next((arg for arg in call.args if arg.startswith("-")), None)
    if unknown is not None:
        raise CommandError(f"** Error: Unknown option: {unknown}\n{_MONKEY_USAGE}", 251)
    package, count = values["-p"], call.args[-1] if call.args else ""
    if package is None or not count.isdecimal():
        raise CommandError(_MONKEY_USAGE, 251)
    activity = call.phone.activity_of(package)
    if activity is None:
        raise CommandError("** No activities found to run, monkey aborted.", 252)
    if int(count) != 1:
        raise UnsupportedError("monkey: the simulated phone takes one event, the start of the app")
    call.phone.start(f"{package}/{activity}")
    if verbose:
        call.print(f":Monkey: seed=0 count=1\n:AllowPackage: {package}\n")
    call.print(
        "Events injected: 1\n## Network stats: elapsed time=10ms (0ms mobile, 0ms wifi, 10ms not connected)\n"
    )


_MONKEY_USAGE = "usage: monkey -p ALLOWED_PACKAGE [-c MAIN_CATEGORY] COUNT"
