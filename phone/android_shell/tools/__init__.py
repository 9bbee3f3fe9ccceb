"""Tools that need only a file system and a clock, as in toybox: ls, grep, sed, sort, sleep and the like."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from android_shell.shell_device import Run
from android_shell.tools import basics, byte_tools, columns, conditions, file_tools, output
from android_shell.tools import line_tools as lines
from android_shell.tools.grep import egrep, fgrep, grep
from android_shell.tools.sed import sed
from android_shell.tools.xargs import xargs

TOOLS: Mapping[str, Run] = MappingProxyType(
    {
        "[": conditions.test,
        "base64": output.base64_,
        "basename": file_tools.basename,
        "cat": file_tools.cat,
        "chmod": file_tools.chmod,
        "cp": file_tools.copy,
        "cut": columns.cut,
        "date": basics.date,
        "dd": byte_tools.dd,
        "df": file_tools.df,
        "dirname": file_tools.dirname,
        "du": file_tools.du,
        "echo": output.echo,
        "egrep": egrep,
        "env": basics.env,
        "false": basics.false,
        "fgrep": fgrep,
        "find": file_tools.find,
        "grep": grep,
        "head": lines.head,
        "ls": file_tools.ls,
        "md5sum": file_tools.sums,
        "mkdir": file_tools.mkdir,
        "mktemp": file_tools.mktemp,
        "mv": file_tools.copy,
        "nice": basics.run_wrapped,
        "nl": lines.nl,
        "nohup": basics.run_wrapped,
        "od": byte_tools.od,
        "paste": columns.paste,
        "printenv": basics.env,
        "printf": output.printf,
        "readlink": file_tools.realpath,
        "realpath": file_tools.realpath,
        "rev": lines.rev,
        "rm": file_tools.rm,
        "rmdir": file_tools.rmdir,
        "sed": sed,
        "seq": output.seq,
        "setsid": basics.run_wrapped,
        "sha1sum": file_tools.sums,
        "sha256sum": file_tools.sums,
        "sleep": basics.sleep,
        "sort": lines.sort,
        "stat": file_tools.stat_,
        "tac": lines.tac,
        "tail": lines.tail,
        "tee": output.tee,
        "test": conditions.test,
        "time": basics.run_wrapped,
        "timeout": basics.timeout,
        "touch": file_tools.touch,
        "tr": columns.tr,
        "true": basics.true,
        "uniq": lines.uniq,
        "wc": lines.wc,
        "which": basics.which,
        "xargs": xargs,
        "xxd": byte_tools.xxd,
        "yes": output.yes,
    }
)
"""Name of a tool -> implementation; `sh` is not one of them, since toybox has no shell."""
