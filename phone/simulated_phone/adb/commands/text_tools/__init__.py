"""Tools that read text and write text: grep, sed, sort, cut and the like, as toybox has them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from simulated_phone.adb.commands.command_call import Run
from simulated_phone.adb.commands.text_tools import byte_tools, columns, lines, output
from simulated_phone.adb.commands.text_tools.grep import egrep, fgrep, grep
from simulated_phone.adb.commands.text_tools.sed import sed
from simulated_phone.adb.commands.text_tools.xargs import xargs

TEXT_TOOLS: Mapping[str, Run] = MappingProxyType(
    {
        "base64": output.base64_,
        "cut": columns.cut,
        "dd": byte_tools.dd,
        "echo": output.echo,
        "egrep": egrep,
        "fgrep": fgrep,
        "grep": grep,
        "head": lines.head,
        "nl": lines.nl,
        "od": byte_tools.od,
        "paste": columns.paste,
        "printf": output.printf,
        "rev": lines.rev,
        "sed": sed,
        "seq": output.seq,
        "sort": lines.sort,
        "tac": lines.tac,
        "tail": lines.tail,
        "tee": output.tee,
        "tr": columns.tr,
        "uniq": lines.uniq,
        "wc": lines.wc,
        "xargs": xargs,
        "xxd": byte_tools.xxd,
        "yes": output.yes,
    }
)
"""Name of a tool -> implementation."""
