"""The phone's shell: parser, expansions and interpreter of the language that adb's callers send.

A phone has mksh. Nothing that can be installed acts as one: bashlex is under the GPL; tree-sitter-bash gives
a tree even for lines that a shell refuses, and leaves expansion and execution to do; the interpreters for
agents (bashkit, just-bash) are Bash with GNU tools, and cap output at 1 MiB, which a raw screenshot exceeds,
or keep all of it until a command has ended. So the shell is our own, compared with real ones in its tests.
"""
