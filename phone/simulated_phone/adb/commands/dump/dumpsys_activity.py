"""`dumpsys activity`: tasks and activities, recent tasks, services of helper apps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from simulated_phone.adb.commands.activity.shown_tasks import AndroidTask, list_tasks
from simulated_phone.adb.commands.device_call import DeviceCall
from simulated_phone.adb.commands.processes import pid_of, processes, uid_of


def dump_activity(call: DeviceCall) -> None:
    """`dumpsys activity [activities|processes|recents|services|top]`, or what most tools read of it."""
    section = call.argument(1)
    if section and section not in _SECTIONS:
        call.print(f"Bad activity command, or no activities match: {section}\nUse -h for help.\n")
        return
    for run in _SECTIONS[section] if section else (_activities, _top):
        run(call)


def _format_line(task: AndroidTask) -> str:
    kind = "home" if "launcher" in task.package else "standard"
    shown = "true" if task.visible else "false"
    return (
        f"Task{{8b1c3d8 #{task.number} type={kind} A={uid_of(task.package)}:{task.package} U=0"
        f" visible={shown} visibleRequested={shown} mode=fullscreen translucent=false sz=1}}"
    )


def _activities(call: DeviceCall) -> None:
    tasks = list_tasks(call.phone)
    call.print(
        "ACTIVITY MANAGER ACTIVITIES (dumpsys activity activities)\n"
        "Display #0 (activities from top to bottom):\n"
    )
    for task in tasks:
        call.print(
            f"  * {_format_line(task)}\n    * Hist #0: {task.record}\n      packageName={task.package}\n"
        )
    record = tasks[0].record
    call.print(
        f"  mResumedActivity: {record}\n  topResumedActivity={record}\n  ResumedActivity: {record}\n"
        f"  mFocusedApp={record}\n"
    )


def _recents(call: DeviceCall) -> None:
    tasks = list_tasks(call.phone)
    call.print(
        "ACTIVITY MANAGER RECENT TASKS (dumpsys activity recents)\nmRecentsUid=10101\n  Recent tasks:\n"
    )
    for number, task in enumerate(tasks):
        call.print(f"  * Recent #{number}: {_format_line(task)}\n")
    call.print("\n  Visible recent tasks (most recent first):\n")
    for number, task in enumerate(tasks):
        call.print(
            f"  * RecentTaskInfo #{number}:\n    id={task.number} userId=0 hasTask=true"
            f" lastActiveTime={int(call.phone.uptime * 1000)}\n"
            f"    baseActivity={{{task.full_component}}} topActivity={{{task.full_component}}}\n"
        )


def _processes(call: DeviceCall) -> None:
    call.print("ACTIVITY MANAGER RUNNING PROCESSES (dumpsys activity processes)\n")
    for one in processes(call):
        call.print(
            f"  *APP* UID {uid_of(one.name)} ProcessRecord{{5c0ffee {one.pid}:{one.name}/{one.user}}}\n"
        )


def _services(call: DeviceCall) -> None:
    """The enabled accessibility services, and those of running helper apps; an argument chooses by name."""
    wanted = call.argument(2)
    enabled = call.phone.settings["secure"].get("enabled_accessibility_services", "").split(":")
    foreground = [f"{package}/.ForegroundService" for package in sorted(call.device.helpers)]
    bound = [name for name in enabled if name.partition("/")[0] in call.device.installed]
    shown = [name for name in (*bound, *foreground) if wanted in name]
    call.print("ACTIVITY MANAGER SERVICES (dumpsys activity services)\n")
    if not shown:
        call.print("  (nothing)\n")
    for name in shown:
        call.print(
            f"  User 0 active services:\n  * ServiceRecord{{5c0ffee u0 {name}}}\n"
            f"    packageName={name.partition('/')[0]}\n"
        )
        if name in foreground:
            call.print("    isForeground=true foregroundId=1\n")


def _top(call: DeviceCall) -> None:
    task = list_tasks(call.phone)[0]
    call.print(
        f"TASK 10100:{task.package} id={task.number} userId=0\n"
        f"  ACTIVITY {task.component} 5c0ffee pid={pid_of(task.package)}\n"
    )


_SECTIONS: Mapping[str, tuple[Callable[[DeviceCall], None], ...]] = MappingProxyType(
    {
        "a": (_activities,),
        "activities": (_activities,),
        "p": (_processes,),
        "processes": (_processes,),
        "r": (_recents,),
        "recents": (_recents,),
        "s": (_services,),
        "services": (_services,),
        "top": (_top,),
    }
)
