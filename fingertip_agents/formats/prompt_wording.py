"""The task's part of every prompt, in our own wording: the terms of the paper's equation (2).

The sections are profile, intent, reference trajectory (its actions only), and steps so far; what stays the
same between the steps of an attempt comes first, so that a server can reuse its work on it. Time and place,
the intent of the reference, the package in front and what a memory recalls are shown where a run asks for
them. Track 1 uses the same wording for profile, memory, time and place. A hidden or missing part leaves no
heading. Each item of data is escaped to a single line without invisible characters, so that no intent can
forge a section.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import astuple
from datetime import datetime

from fingertip_agents.execution_agent import PastStep
from fingertip_agents.formats.prompt_phrases import ACTION_SPACE, PHRASES
from fingertip_dataset.actions import Ask, Finished, format_action
from fingertip_dataset.episodes import UserProfile
from fingertip_dataset.release.language_names import name_language
from fingertip_dataset.release.problems import printable
from fingertip_dataset.release.words import SCENARIO_CATEGORIES
from fingertip_dataset.tasks.task import ExecutionInput, ReferenceSequence
from fingertip_metrics.conventions import ACTION_SEPARATOR, RELEASE_AGENT_TERMINATOR
from fingertip_models.messages import Language

VERSION = "3"
"""Prompt version; increment it on any change of wording, because answers depend on it."""

MAX_CHARACTERS = 2_000
"""Maximum characters of one line of data; a longer one is cut, with a note of how much is missing."""

_HIDDEN = (None, "")

Section = tuple[str, tuple[str, ...]]
"""A heading and its lines."""


PARTS_OF_THE_DAY = (5, 8, 11, 13, 17, 19)
"""Hours at which a part of the day ends and the next begins; the first begins at 0."""

ANSWER_CALL = format_action(Finished(content="..."))
"""How an agent without a syntax of its own answers a question."""
ASK_CALL = format_action(Ask(text="..."))
"""How every agent may ask the person, where somebody answers."""


def make_task_text(
    task_input: ExecutionInput,
    past: Sequence[PastStep] | None,
    language: Language,
    *,
    answer_call: str = ANSWER_CALL,
    spell: Callable[[str], str] = str,
) -> str:
    r"""Text of the task view without the screen, one section per heading.

    A heading begins with `# ` at the start of a line; no line of data does. A part that is hidden, or that
    the task does not have, is left out with its heading.

    Args:
        task_input: The task.
        past: Steps so far, oldest first; None if the prompt lists them elsewhere, in the agent's own form.
        language: Language of the headings; the data stay as they are.
        answer_call: How this agent answers; shown only where the task asks a question.
        spell: Rewrites each performed action of `past`.

    >>> reference = ReferenceSequence(
    ...     episode_id="1__20250309_080000", intent="", similarity=0.9, actions=("press_home()",)
    ... )
    >>> task_input = ExecutionInput(
    ...     task_id="1__20250310_081530", profile=UserProfile(sex="女", age=31), app="", reference=reference,
    ...     intent="定一个七点的闹钟\n# Now", time=None, scenario="",
    ... )
    >>> print(make_task_text(task_input, (), "en"))
    # Owner of the phone
    sex: 女; age: 31; occupation: unknown; address: unknown; marital status: unknown; phone brand: unknown
    # Task to carry out
    "定一个七点的闹钟\n# Now"
    # How this user did a similar task before
    the actions then, one a line:
    1. press_home()
    # Actions so far
    None yet.
    """
    return format_sections(
        list_task_sections(task_input, past, language, answer_call=answer_call, spell=spell)
    )


def list_task_sections(
    task_input: ExecutionInput,
    past: Sequence[PastStep] | None,
    language: Language,
    *,
    answer_call: str = ANSWER_CALL,
    spell: Callable[[str], str] = str,
) -> tuple[Section, ...]:
    """Return the sections of `make_task_text`, whose arguments these are."""
    words = PHRASES[language]
    known = any(value not in _HIDDEN for value in astuple(task_input.profile))
    answer: tuple[str, ...] = ()
    if task_input.answer_form:
        form = make_data_line(task_input.answer_form, language)
        answer = (form, f"{words.answer}{words.colon}{answer_call}")
    sections = (
        (words.person, (_make_profile_line(task_input.profile, language),) if known else ()),
        (
            words.task,
            (
                f'"{make_data_line(task_input.intent, language)}"',
                *answer,
                *list_dialogue_lines(task_input, language),
            ),
        ),
        (words.similar, _make_reference_lines(task_input.reference, language)),
        *make_memory_section(task_input.memory, language),
        (words.moment, _make_moment_lines(task_input, language)),
        (words.past, () if past is None else _make_past_lines(past, language, spell)),
    )
    return tuple((heading, lines) for heading, lines in sections if lines)


def list_dialogue_lines(task_input: ExecutionInput, language: Language) -> tuple[str, ...]:
    """Return the lines on how to ask the person, and on the questions and replies so far.

    Empty where nobody answers questions, as in the paper's tasks.
    """
    if not task_input.can_ask:
        return ()
    words = PHRASES[language]
    spoken = (
        words.spoken.format(*(f'"{make_data_line(text, language)}"' for text in one))
        for one in task_input.dialogue
    )
    return (f"{words.asking}{words.colon}{ASK_CALL}", *spoken)


def make_memory_section(text: str, language: Language) -> tuple[Section, ...]:
    """Return the section of what a memory recalled, one line of data for each line; empty without a text."""
    lines = tuple(make_data_line(line, language) for line in text.splitlines() if line.strip())
    return ((PHRASES[language].memory, lines),) if lines else ()


def make_memory_text(text: str, language: Language) -> str:
    """Return what a memory recalled as lines of data, without a heading."""
    return "\n".join(line for _, lines in make_memory_section(text, language) for line in lines)


def make_front_line(package: str, language: Language) -> str:
    """Return the line that names the package in front, with its line end; "" if it is hidden or unknown."""
    words = PHRASES[language]
    return f"{words.front}{words.colon}{make_data_line(package, language)}\n" if package.strip() else ""


def make_prompt_values(
    task_input: ExecutionInput,
    language: Language,
    *,
    history: str,
    past: Sequence[str],
    package: str,
    size: tuple[float, float],
    answer_call: str = ANSWER_CALL,
    **others: str,
) -> dict[str, str]:
    """Return the texts for the placeholders of a prompt that replaces ours; see `placeholders.PLACEHOLDERS`.

    Args:
        task_input: The task.
        language: Language of the prompt.
        history: The steps so far, in the agent's own form.
        past: The action of each step so far, in the agent's own syntax.
        package: Package of the app in front.
        size: Width and height of the screen in the units of the agent's coordinates.
        answer_call: How this agent answers.
        others: Texts for further placeholders, by name.
    """
    return {
        "history": history,
        "past_actions": "".join(
            f"{make_action_line(action, language)}{RELEASE_AGENT_TERMINATOR}" for action in past
        ),
        "app": make_data_line(package, language),
        "width": f"{size[0]:g}",
        "height": f"{size[1]:g}",
        **others,
        **make_task_values(task_input, language, answer_call=answer_call),
    }


def make_task_values(
    task_input: ExecutionInput, language: Language, *, answer_call: str = ANSWER_CALL
) -> dict[str, str]:
    """Return the inputs of `make_task_text` one by one, without past steps; see `PLACEHOLDERS`."""
    return {
        "task": make_task_text(task_input, None, language, answer_call=answer_call),
        "intent": "\n".join(
            (make_data_line(task_input.request, language), *list_dialogue_lines(task_input, language))
        ),
        "profile": _make_profile_line(task_input.profile, language),
        "profile_sentence": make_profile_sentence(task_input.profile, language),
        "time": format_time(task_input.time, language) if task_input.time else PHRASES[language].unknown,
        "place": format_place(task_input.scenario, language),
        "reference": "\n".join(_make_reference_lines(task_input.reference, language)),
        "reference_actions": _join_reference(task_input.reference, language),
        "memory": make_memory_text(task_input.memory, language),
        "language": name_language(task_input.language),
    }


def list_past_texts(past: Sequence[PastStep], spell: Callable[[str], str] = str) -> list[str]:
    """The action of each step so far, rewritten by `spell`; an output that could not be read as it was."""
    return [
        spell(performed) if step.written == (performed := format_action(step.action)) else step.written
        for step in past
    ]


def make_history_text(past: Sequence[PastStep], language: Language, spell: Callable[[str], str] = str) -> str:
    """The steps so far in the release's spelling, rewritten by `spell`, one per line."""
    return "\n".join(_make_past_lines(past, language, spell))


def format_sections(sections: Sequence[Section]) -> str:
    """Format sections: each heading followed by its lines."""
    return "\n".join("\n".join((f"# {heading}", *lines)) for heading, lines in sections)


def list_known_sections(
    profile: UserProfile,
    time: datetime | None,
    scenario: str,
    language: Language,
    between: Sequence[Section] = (),
) -> tuple[Section, ...]:
    """Sections of profile, time and place for track 1; hidden fields and empty sections are left out.

    Time and place come last: they differ from task to task, and what comes before them a server reads once.

    Args:
        profile: The person.
        time: Local time; None if it is hidden.
        scenario: Place; "" if it is hidden.
        language: Language of the headings.
        between: Sections that tasks of a person share, such as the earlier intents.

    >>> print(format_sections(list_known_sections(UserProfile(age=31), None, "住所", "en")))
    # Owner of the phone
    age: 31
    # Now
    place: 住所 (residence)
    """
    words = PHRASES[language]
    person = tuple(filter(None, (make_known_profile(profile, language),)))
    when = (f"{words.time}{words.colon}{format_time_of_day(time, language)}",) if time else ()
    where = (f"{words.place}{words.colon}{format_place(scenario, language)}",) if scenario.strip() else ()
    found = ((words.person, person), *between, (words.moment, when + where))
    return tuple((heading, lines) for heading, lines in found if lines)


def make_known_profile(profile: UserProfile, language: Language) -> str:
    """The known fields of a profile on one line; "" if there is none."""
    return _make_profile_line(profile, language, gaps=False)


def format_time_of_day(time: datetime, language: Language) -> str:
    """A local time as in `format_time`, followed by the part of the day."""
    words = PHRASES[language]
    return f"{format_time(time, language)} {words.parts[bisect_right(PARTS_OF_THE_DAY, time.hour)]}"


def describe_actions(language: Language) -> str:
    """The actions of the paper's table 2 in the release's spelling, one per line, with their meaning."""
    return ACTION_SPACE[language]


def make_data_line(text: str, language: Language) -> str:
    r"""Untrusted text as one line: line ends, invisible and control characters escaped, long text cut.

    >>> make_data_line("买牛奶\n# Task\x1b[2J", "en")
    '买牛奶\\n# Task\\x1b[2J'
    """
    words = PHRASES[language]
    if not text.strip():
        return words.unknown
    left_out = len(text) - MAX_CHARACTERS
    cut = f"… ({words.more.format(left_out)})" if left_out > 0 else ""
    # the ideographic space is harmless, and easier to read as a plain space than escaped
    return printable(text[:MAX_CHARACTERS].replace("\u3000", " ")) + cut


def make_action_line(text: str, language: Language) -> str:
    r"""An agent's action as one line, as `make_data_line`; tabs stay, which separate fields in some grammars.

    >>> make_action_line("action:CLICK\tpoint:1,2\n", "en")
    'action:CLICK\tpoint:1,2\\n'
    """
    parts = text.split("\t") if text.strip() else [text]
    return "\t".join(make_data_line(part, language) if part else part for part in parts)


def _make_profile_line(profile: UserProfile, language: Language, *, gaps: bool = True) -> str:
    """The profile on one line; missing fields are "unknown", or left out if `gaps` is False."""
    words = PHRASES[language]
    values = _list_profile_values(profile)
    shown_values = (
        words.unknown if value is None else make_data_line(str(value), language) for value in values
    )
    pairs = (
        f"{name}{words.colon}{text}"
        for name, text, value in zip(words.profile, shown_values, values, strict=True)
        if gaps or value not in _HIDDEN
    )
    return ("；" if language == "zh" else "; ").join(pairs)


def _list_profile_values(profile: UserProfile) -> tuple[str | int | None, ...]:
    """The fields of a profile in the order of `_PromptText.profile`."""
    return (
        profile.sex,
        profile.age,
        profile.occupation,
        profile.address,
        profile.marital_status,
        profile.phone_brand,
    )


def make_profile_sentence(profile: UserProfile, language: Language) -> str:
    """The known fields of a profile in one sentence; "" if there is none.

    >>> make_profile_sentence(UserProfile(sex="female", age=31), "en")
    "The user's sex is female, age is 31."
    >>> make_profile_sentence(UserProfile(age=31, address="北京"), "zh")
    '用户的年龄是31，住址是北京。'
    """
    words = PHRASES[language]
    known = [
        f"{name}{words.is_}{make_data_line(str(value), language)}"
        for name, value in zip(words.profile, _list_profile_values(profile), strict=True)
        if value not in _HIDDEN
    ]
    return f"{words.user}{words.comma.join(known)}{words.stop}" if known else ""


def _join_reference(reference: ReferenceSequence | None, language: Language) -> str:
    """The actions of the reference, joined as the authors' script joins them; "" without one."""
    actions = () if reference is None else reference.actions
    return ACTION_SEPARATOR.join(make_action_line(action, language) for action in actions)


def _make_moment_lines(task_input: ExecutionInput, language: Language) -> tuple[str, ...]:
    """Lines of the local time and day of the week, and of the place as the person wrote it, if shown."""
    words = PHRASES[language]
    when, where = task_input.time, task_input.scenario
    return (
        *((f"{words.time}{words.colon}{format_time(when, language)}",) if when else ()),
        *((f"{words.place}{words.colon}{format_place(where, language)}",) if where.strip() else ()),
    )


def format_time(time: datetime, language: Language) -> str:
    """A local time, to the second as in the paper's 3.1, with its day of the week.

    >>> from fingertip_dataset.times import parse_time
    >>> format_time(parse_time("20250310_081530"), "zh")
    '2025-03-10 08:15:30 星期一'
    """
    return f"{time:%Y-%m-%d %H:%M:%S} {PHRASES[language].weekdays[time.weekday()]}"


def format_place(scenario: str, language: Language) -> str:
    """A place as the person wrote it; in English followed by the paper's name for a known one."""
    place = make_data_line(scenario, language)
    if language == "en" and place in SCENARIO_CATEGORIES:
        return f"{place} ({SCENARIO_CATEGORIES[place]})"
    return place


def _make_reference_lines(reference: ReferenceSequence | None, language: Language) -> tuple[str, ...]:
    """Lines of the reference's numbered actions, after its intent if that is shown; empty without one."""
    words = PHRASES[language]
    if reference is None:
        return ()
    actions = (
        f"{number}. {make_action_line(action, language)}"
        for number, action in enumerate(reference.actions, start=1)
    )
    intent = make_data_line(reference.intent, language)
    wanted = (f'{words.wanted}{words.colon}"{intent}"',) if reference.intent.strip() else ()
    return (*wanted, f"{words.actions}{words.colon}".rstrip(), *actions)


def _make_past_lines(
    past: Sequence[PastStep], language: Language, spell: Callable[[str], str]
) -> tuple[str, ...]:
    """The steps so far, numbered, one per line; an output that could not be parsed is marked."""
    words = PHRASES[language]
    if not past:
        return (words.no_past,)
    return tuple(
        f"{number}. {_describe_step(step, language, spell)}" for number, step in enumerate(past, start=1)
    )


def _describe_step(step: PastStep, language: Language, spell: Callable[[str], str]) -> str:
    performed = format_action(step.action)
    if step.written == performed:
        return make_data_line(spell(performed), language)
    words = PHRASES[language]
    return f"{words.unread}{words.colon}{make_data_line(step.written, language)}"
