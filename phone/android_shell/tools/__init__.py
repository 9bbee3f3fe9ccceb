"""Tools that need only a file system and a clock, as in toybox: ls, grep, sed, sort, sleep and the like."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from android_shell.shell_device import Run
from android_shell.tools import basics, byte_tools, columns, conditions, output
from android_shell.tools import line_tools as lines
from android_shell.tools.expr import expr
from android_shell.tools.files import copying, digests, disk, making, removing, status
from android_shell.tools.files.archives import gzip, tar
from android_shell.tools.files.diff import diff
from android_shell.tools.files.finding import find
from android_shell.tools.files.listing import ls
from android_shell.tools.grep import egrep, fgrep, grep
from android_shell.tools.sed import sed
from android_shell.tools.sorting import sort
from android_shell.tools.tool_options import Tool, declare
from android_shell.tools.xargs import xargs

_GREP = "EFHIRZabce:f:hilnm:oqrsvwxzA:B:C:M:S:X:~?!"
_GREP_NAMES = {
    "byte-offset": "b",
    "color": "~",
    "colour": "~",
    "count": "c",
    "exclude": "S",
    "exclude-dir": "X",
    "files-with-matches": "l",
    "files-without-match": "L",
    "include": "M",
    "line-buffered": "!",
    "no-filename": "h",
    "only-matching": "o",
    "quiet": "q",
    "silent": "q",
}
_DIFF_NAMES = {
    "brief": "q",
    "color": "c",
    "expand-tabs": "t",
    "ignore-all-space": "w",
    "ignore-blank-lines": "B",
    "ignore-case": "i",
    "ignore-space-change": "b",
    "initial-tab": "T",
    "label": "L",
    "minimal": "d",
    "new-file": "N",
    "new-line-format": "@",
    "old-line-format": "!",
    "recursive": "r",
    "report-identical-files": "s",
    "show-function-line": "F",
    "starting-file": "S",
    "strip-trailing-cr": "~",
    "text": "a",
    "unchanged-line-format": "#",
    "unified": "U",
}
_HASH = declare(digests.sums, "bcs", long={"check": "c", "status": "s"}, conflicts=("bc",))
_GZIP = declare(gzip, "cdfkn123456789", long={"no-name": "n"}, switches=("123456789",))
_TAR_NAMES = {
    "create": "c",
    "directory": "C",
    "exclude": "E",
    "extract": "x",
    "file": "f",
    "gzip": "z",
    "keep-old": "k",
    "list": "t",
    "same-permissions": "p",
    "to-stdout": "O",
    "touch": "m",
    "verbose": "v",
}

TOOLS: Mapping[str, Run] = MappingProxyType(
    {
        "[": conditions.test,
        "base64": declare(output.base64_, "diw:", conflicts=("dw",)),
        "basename": declare(status.basename, "as:", stops=True, minimum=1),
        "cat": declare(lines.cat, "etuv"),
        "chmod": declare(making.chmod, "Rfv", minimum=2, passes=True),
        "cksum": declare(digests.cksum, refused="HILNP"),
        "cmp": declare(
            digests.cmp,
            "ln:s",
            long={"quiet": "s", "silent": "s"},
            conflicts=("ls",),
            minimum=1,
            maximum=4,
            failure=2,
        ),
        "cp": declare(
            copying.cp,
            "FHLPRTadfinprt:uv=?",
            refused="Dls",
            long={"parents": "D", "preserve": "=", "remove-destination": "F"},
            switches=("HLP", "Pd", "niu"),
            minimum=1,
        ),
        "cut": declare(
            columns.cut, "DF:O:b:c:d:f:s", refused="C:n", long={"output-delimiter": "O"}, conflicts=("cbfF",)
        ),
        "date": declare(
            basics.date, "I?d:r:s:u", refused="D:", long={"iso-8601": "I", "utc": "u"}, conflicts=("dr",)
        ),
        "dd": byte_tools.dd,
        "df": declare(disk.df, "HPahkt:", refused="i", switches=("HPh",)),
        "diff": declare(
            diff,
            "L:NTU:abdiqrstuw",
            refused="BF:S:c~!@#",
            long=_DIFF_NAMES,
            minimum=2,
            maximum=2,
            failure=2,
        ),
        "dirname": declare(status.dirname, minimum=1, passes=True),
        "du": declare(disk.du, "HKabcd:hkms", refused="Llx", switches=("kKmh",)),
        "echo": declare(output.echo, "Een", stops=True, passes=True, switches=("eE",)),
        "egrep": declare(egrep, _GREP, refused="L", long=_GREP_NAMES, conflicts=("wx", "EF"), failure=2),
        "env": declare(basics.env, "0iu:", stops=True, failure=125),
        "expr": declare(expr, passes=True, stops=True, failure=2),
        "false": basics.false,
        "fgrep": declare(fgrep, _GREP + "L", long=_GREP_NAMES, conflicts=("wx", "EF"), failure=2),
        "find": declare(find, "HL", stops=True, passes=True, switches=("HL",)),
        "grep": declare(grep, _GREP + "L", long=_GREP_NAMES, conflicts=("wx", "EF"), failure=2),
        "gunzip": _GZIP,
        "gzip": _GZIP,
        "head": declare(
            lines.head, "c:n:qv", long={"bytes": "c", "lines": "n"}, switches=("nc",), passes=True
        ),
        "ln": declare(making.ln, "Tfnst:v", refused="r", minimum=1),
        "ls": declare(
            ls,
            "1AFHLRSacdfghilmnoprstu",
            refused="CNZbkqw:x@~?",
            long={"color": "~", "full-time": "N", "show-control-chars": "N"},
            switches=("m1", "ml", "mo", "mg", "cu", "ftS", "HL"),
        ),
        "md5sum": _HASH,
        "mkdir": declare(making.mkdir, "m:pv", refused="Z:", long={"parent": "p", "parents": "p"}, minimum=1),
        "mktemp": declare(making.mktemp, "dp:qtu", long={"directory": "d", "tmpdir": "p"}, maximum=1),
        "mount": declare(disk.mount, "o:t:w", refused="RO:afnrv"),
        "mv": declare(
            copying.mv,
            "FTfint:v",
            long={"remove-destination": "F", "verbose": "v"},
            switches=("ni",),
            minimum=1,
        ),
        "nice": declare(basics.nice, "n:", stops=True, minimum=1),
        "nl": declare(lines.nl, "b:l:n:s:v:w:", refused="E"),
        "nohup": declare(basics.nohup, stops=True, minimum=1, failure=125),
        "od": declare(byte_tools.od, "A:N:bcdj:ost:vw:x"),
        "paste": declare(columns.paste, "d:s"),
        "printenv": declare(basics.printenv, "0", long={"null": "0"}),
        "printf": declare(output.printf, minimum=1, stops=True, passes=True),
        "readlink": declare(
            status.readlink, "efmnqvz", long={"canonicalize": "f"}, switches=("mef", "qv"), minimum=1
        ),
        "realpath": declare(
            status.realpath,
            "emqsz",
            refused="LPR:",
            long={"no-symlinks": "s", "relative-base": "R", "relative-to": "R"},
            switches=("me",),
            minimum=1,
        ),
        "rev": declare(lines.rev),
        "rm": declare(removing.rm, "Rfirv", long={"force": "f"}, switches=("fi",)),
        "rmdir": declare(
            removing.rmdir, "pF", long={"ignore-fail-on-non-empty": "F", "parents": "p"}, minimum=1
        ),
        "sed": declare(sed, "Ee:f:i?nrszV", long={"null-data": "z", "version": "V"}),
        "seq": declare(output.seq, "f:s:w", conflicts=("fw",), minimum=1, maximum=3, passes=True),
        "setsid": declare(basics.setsid, "w", refused="cd", stops=True, minimum=1),
        "sha1sum": _HASH,
        "sha224sum": _HASH,
        "sha256sum": _HASH,
        "sha384sum": _HASH,
        "sha512sum": _HASH,
        "sleep": declare(basics.sleep, minimum=1),
        "sort": declare(sort, "CMbcdfgik:no:rst:uxz", refused="S:T:Vm", failure=2),
        "split": declare(lines.split, "a:b:l:", refused="n:", conflicts=("bl",), maximum=2),
        "stat": declare(status.stat_, "Lc:t", refused="f", long={"format": "c"}, minimum=1),
        "strings": declare(digests.strings, "fn:ot:", refused="a"),
        "sync": declare(disk.sync),
        "tac": declare(lines.tac),
        "tail": declare(
            lines.tail,
            "Fc:fn:s:",
            long={"bytes": "c", "lines": "n"},
            switches=("cn", "fF"),
            passes=True,
        ),
        "tar": declare(
            tar,
            "C:E:Ocf:kmptvxz",
            refused="I:JPST:X:ahjo",
            long=_TAR_NAMES,
            dashless=True,
        ),
        "tee": declare(output.tee, "a", refused="i"),
        "test": conditions.test,
        "timeout": declare(
            basics.timeout, "k:s:v", refused="i", long={"signal": "s"}, stops=True, minimum=2, failure=125
        ),
        "touch": declare(making.touch, "acd:fhmr:t:", conflicts=("dtr",), minimum=1),
        "tr": declare(columns.tr, "Ccds", stops=True, minimum=1, maximum=2),
        "true": basics.true,
        "truncate": declare(making.truncate, "cs:", minimum=1),
        "uniq": declare(lines.uniq, "cdf:is:uw:z"),
        "wc": declare(lines.wc, "clmw"),
        "which": declare(basics.which, "a", minimum=1),
        "xargs": declare(
            xargs,
            "0E:P:n:rt",
            refused="ops:",
            long={"max-args": "n", "no-run-if-empty": "r", "null": "0"},
            conflicts=("0E",),
            stops=True,
        ),
        "xxd": declare(byte_tools.xxd, "c:g:il:o:prs:", maximum=1),
        "yes": declare(output.yes),
        "zcat": _GZIP,
    }
)
"""Name of a tool -> implementation; `sh` is not one of them, since toybox has no shell."""

OPTIONS: Mapping[str, Tool] = MappingProxyType(
    {name: run for name, run in TOOLS.items() if isinstance(run, Tool)}
)
"""Name of a tool -> the tool with its options, of those that have options of letters."""
