"""The line that says how many problems a release has."""

from __future__ import annotations


def describe_problem_count(problems: int, kinds: int) -> str:
    """Return the line with the number of problems and of their kinds.

    >>> describe_problem_count(0, 0)
    'problems: none'
    >>> describe_problem_count(1, 1), describe_problem_count(7, 2)
    ('problems: 1 of 1 kind', 'problems: 7 of 2 kinds')
    """
    if not problems:
        return "problems: none"
    return f"problems: {problems} of {kinds} {'kind' if kinds == 1 else 'kinds'}"
