"""Reading of a suggestion as its person reads it: which of the things that they do does it state?

The rule is that of the judge `simulated`: a suggestion states the goals of the person's own phone whose
wordings it fits best, with all arguments that this wording mentions. A suggestion that quotes an intent of
the person needs no search among all wordings: it states the quoted goal, and is compared with the wordings of
the two goals alone. A test holds that both ways give the same verdicts.
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
        self._pairs: dict[frozenset[WordedGoal], PhoneWordings] = {}

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
        return wanted in self._list_wordings(quoted, wanted).read(text).exact

    def quotes(self, text: str) -> bool:
        """Whether a suggestion has the words of an intent of the person."""
        return bare(text) in self._quoted

    def is_own(self, text: str) -> bool:
        """Whether a suggestion states something that the person does in the month."""
        return self.quotes(text) or bool(self._own & self._read(text))

    def is_same(self, text: str, other: str) -> bool:
        """Whether two suggestions state the same thing, or are the same words."""
        return bare(text) == bare(other) or bool(self._list_goals(text) & self._list_goals(other))

    def _list_goals(self, text: str) -> frozenset[WordedGoal]:
        """Goals that a suggestion states."""
        quoted = self._quoted.get(bare(text))
        return self._read(text) if quoted is None else frozenset((quoted,))

    def _read(self, text: str) -> frozenset[WordedGoal]:
        return phone_wordings(*self._phone).read(text).exact

    def _list_wordings(self, *goals: WordedGoal) -> PhoneWordings:
        """The wordings of some goals alone."""
        pair = frozenset(goals)
        if pair not in self._pairs:
            self._pairs[pair] = PhoneWordings(*self._phone, only=pair)
        return self._pairs[pair]


def _read_goal(simulation: Mapping[str, Any]) -> WordedGoal:
    try:
        return WordedGoal.of(simulation["package"], simulation["goal"], simulation["arguments"])
    except (LookupError, TypeError, ValueError) as error:
        raise DatasetError(f"a simulation is broken: {error!r}") from None
