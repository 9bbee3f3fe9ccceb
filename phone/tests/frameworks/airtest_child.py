"""Airtest in a process of its own, because it wants an older numpy than the simulated phone.

Started as `python airtest_child.py SERIAL ADB_PORT`; imports nothing of the project. Reads one JSON object a
line, {"call": NAME, "arguments": [...]}, and answers {"result": ...} or {"error": TEXT}.
"""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Callable
from typing import Any


def main(serial: str, port: str) -> None:
    """Answer calls until the standard input ends."""
    output = sys.stdout
    # what Airtest prints must not be taken for an answer
    sys.stdout = sys.stderr
    logging.getLogger("airtest").setLevel(logging.WARNING)
    from airtest.core import api

    methods = "cap_method=ADBCAP&touch_method=ADBTOUCH&ori_method=ADBORI"
    device = api.connect_device(f"Android://127.0.0.1:{port}/{serial}?{methods}")

    def touch(picture: str) -> None:
        api.touch(api.Template(picture, resolution=device.get_current_resolution(), threshold=0.9))

    calls: dict[str, Callable[..., Any]] = {
        "start_app": api.start_app,
        "top": device.get_top_activity_name,
        "touch": touch,
        "text": lambda text: api.text(text, enter=False),
        "snapshot": lambda: list(device.snapshot().shape[:2]),
    }
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = {"result": calls[request["call"]](*request["arguments"])}
        except Exception as error:
            answer = {"error": repr(error)}
        output.write(json.dumps(answer) + "\n")
        output.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
