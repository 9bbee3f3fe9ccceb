"""Steps in one app, for the tests of what it does outside any strategy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from simulated_phone import GesturePlayer, Phone
from simulated_phone.goals.steps import Open, Step, Tap, TypeText
from simulated_phone.voice import LISTENS


@dataclass(frozen=True, slots=True)
class AppSteps:
    """Steps that begin by opening the app of a package."""

    package: str

    def play(self, phone: Phone, *steps: Step) -> None:
        GesturePlayer(phone).play((Open(self.package), *steps))

    def spoken(self, phrase: str) -> Sequence[Step]:
        return (Open(self.package), Tap("语音"), TypeText(phrase, into=LISTENS), Tap("完成"))

    def speak(self, phone: Phone, phrase: str) -> None:
        GesturePlayer(phone).play(self.spoken(phrase))
