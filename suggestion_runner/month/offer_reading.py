"""Reading of a suggestion as its person reads it: which of the things that they do does it state?

The rule is that of the judge `simulated`: a suggestion states the goals of the person's own phone whose
wordings it fits best, with all arguments that this wording mentions. A suggestion that quotes an intent of
the person needs no search among all wordings: it states the quoted goal, and is compared with other cases of
this goal alone. A test holds that both ways give the same verdicts.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from fingertip_dataset.errors import DatasetError
from fingertip_metrics.judges.read_back import PhoneWordings, WordedGoal, bare, phone_wordings


class OfferReading:
    """Reads suggestions to a person. Wordings are made when a suggestion needs them.

    Args:
        own: Text of each intent of the person in the month -> its simulation, a line of simulations.jsonl.

    Raises:
        DatasetError: A simulation is broken.
    """

    def __init__(self, own: Mapping[str, Mapping[str, Any]]) -> None:
        self._goals = {text: _read_goal(simulation) for text, simulation in own.items()}
        self._quoted = {bare(text): goal for text, goal in self._goals.items()}
        self._own = frozenset(self._goals.values())
        some = next(iter(own.values()), {})
        self._phone = (int(some.get("seed", 0)), str(some.get("locale", "zh")))
        self._cases: dict[tuple[str, str], PhoneWordings] = {}

    @property
    def intents(self) -> Collection[str]:
        """Texts of the person's intents."""
        return self._goals.keys()

    def states(self, text: str, intent: str) -> bool:
        """Whether a suggestion states an intent of the person: its goal, with the arguments that it words.

        Args:
            text: The suggestion.
            intent: Text of an intent of the person.
        """
        wanted = self._goals[intent]
        quoted = self._quoted.get(bare(text))
        if quoted is None:
            return wanted in self._read(text)
        if quoted == wanted or not quoted.same_goal(wanted):
            return quoted == wanted
        # the quoted words may leave open what the two cases differ by
        return wanted in self._read_cases(quoted).read(text).exact

    def is_own(self, text: str) -> bool:
        """Whether a suggestion states something that the person does in the month."""
        return bare(text) in self._quoted or bool(self._own & self._read(text))

    def is_same(self, text: str, other: str) -> bool:
        """Whether two suggestions state the same thing, or are the same words."""
        return bare(text) == bare(other) or bool(self._list_goals(text) & self._list_goals(other))

    def _list_goals(self, text: str) -> frozenset[WordedGoal]:
        """Goals that a suggestion states."""
        quoted = self._quoted.get(bare(text))
        return self._read(text) if quoted is None else frozenset((quoted,))

    def _read(self, text: str) -> frozenset[WordedGoal]:
        return phone_wordings(*self._phone).read(text).exact

    def _read_cases(self, goal: WordedGoal) -> PhoneWordings:
        """The wordings of all cases of a goal."""
        name = (goal.package, goal.goal)
        if name not in self._cases:
            self._cases[name] = PhoneWordings(*self._phone, only=(name,))
        return self._cases[name]


def _read_goal(simulation: Mapping[str, Any]) -> WordedGoal:
    try:
        return WordedGoal.of(simulation["package"], simulation["goal"], simulation["arguments"])
    except (LookupError, TypeError, ValueError) as error:
        raise DatasetError(f"a simulation is broken: {error!r}") from None
