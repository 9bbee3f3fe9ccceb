"""An agent of its own: performs a person's recorded actions with the adb program, and knows no runner.

Called as `python attached_agent.py DATASET SPLIT TASK_ID`; the phone is the one of ANDROID_SERIAL.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

from execution_runner.devices.adb_client import find_adb
from fingertip_dataset import BuiltDataset, parse_action
from fingertip_dataset.actions import (
    Action,
    Click,
    Finished,
    LongClick,
    PressBack,
    PressHome,
    PressRecent,
    Scroll,
    Type,
)

MOVES = {"down": (0, -1), "up": (0, 1), "right": (-1, 0), "left": (1, 0)}
KEYS = {PressBack: "BACK", PressHome: "HOME", PressRecent: "APP_SWITCH"}


def line(action: Action) -> str:
    """The shell line of an action; "" for one that is not performed."""
    match action:
        case Click():
            return f"input tap {action.x} {action.y}"
        case LongClick():
            return f"input swipe {action.x} {action.y} {action.x} {action.y} 900"
        case Type():
            return f"am broadcast -a ADB_INPUT_TEXT --es msg {shlex.quote(action.text)}"
        case Scroll():
            across, down = MOVES[action.direction]
            end = f"{max(0, action.x + 240 * across)} {max(0, action.y + 240 * down)}"
            return f"input swipe {action.x} {action.y} {end} 300"
        case Finished(content=str(answer)):
            return f"am broadcast -a com.fingertip.ANSWER --es text {shlex.quote(answer)}"
    return f"input keyevent {KEYS[type(action)]}" if type(action) in KEYS else ""


def main() -> None:
    dataset, split, task_id = sys.argv[1:]
    rows = BuiltDataset.open(Path(dataset)).rows(split, columns=("episode_id", "actions"))
    actions = next(row["actions"] for row in rows if row["episode_id"] == task_id)
    lines = ["ime set com.android.adbkeyboard/.AdbIME", *(line(parse_action(one["raw"])) for one in actions)]
    for one in filter(None, lines):
        words = [str(find_adb()), "-s", os.environ["ANDROID_SERIAL"], "shell", one]
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
