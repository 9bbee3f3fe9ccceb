"""Time in which a simulated person answers an agent's question, over the questions that its tests have.

The goal is at most 1 ms for each question. A question is answered several times, and the fastest counts.
"""

from __future__ import annotations

import statistics
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path

from simulated_phone.apps import list_apps
from simulated_phone.dialogue.person_answers import PersonAnswers

SEED, ROUNDS = 7, 5
FILE = "phone/tests/simulated_phone/dialogue/seen_questions.toml"


def read_questions() -> Iterator[tuple[PersonAnswers, str]]:
    """Each question with the person who answers it."""
    text = (Path(__file__).parents[1] / FILE).read_text(encoding="utf-8")
    goals = {
        (locale, app.english, goal.name): goal
        for locale in ("en", "zh")
        for app in list_apps(locale)
        for goal in app.goals
    }
    for app, names in tomllib.loads(text).items():
        for name, locales in names.items():
            for locale, questions in locales.items():
                goal = goals[locale, app, name]
                case = goal.cases(SEED)[0]
                for question in questions:
                    yield (
                        PersonAnswers(
                            goal=goal, case=case, sources={}, locale=locale, seed=SEED, patience=ROUNDS + 1
                        ),
                        question,
                    )


def measure_answer(person: PersonAnswers, question: str) -> float:
    """CPU time of an answer, ms."""
    person.answer(question)
    times = []
    for _ in range(ROUNDS):
        start = time.process_time_ns()
        person.answer(question)
        times.append((time.process_time_ns() - start) / 1e6)
    return min(times)


def main() -> None:
    """Prints the times."""
    times = [measure_answer(person, question) for person, question in read_questions()]
    median, longest = statistics.median(times), max(times)
    print(f"{len(times)} questions: {median:.2f} ms each (median), {longest:.2f} ms the slowest; goal 1 ms")


if __name__ == "__main__":
    main()
