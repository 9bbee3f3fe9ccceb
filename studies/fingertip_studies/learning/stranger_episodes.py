"""Episodes of simulated people who are not the benchmark's, carried out on a phone that draws no pictures."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

from execution_runner.environments.recorded_episodes import RecordedStep
from fingertip_agents.touch_actions import convert_gesture
from fingertip_dataset.actions import Finished, format_action
from fingertip_dataset.episodes import Episode, Intent, Step
from fingertip_dataset.tasks.references import References, find_references
from fingertip_dataset.tasks.task import ExecutionInput, ReferenceSequence
from fingertip_dataset.times import format_time
from fingertip_studies.learning.strangers import FIRST_POPULATION, profile_of
from simulated_phone.people.life import Life, SimulatedEpisode
from simulated_phone.people.person import Person, make_person
from simulated_phone.phone import Phone

SIZE = (360, 800)
"""Width and height of the phones, px; as those of the benchmark's people."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StrangerEpisode:
    """An episode of a stranger.

    Attributes:
        intent: The intent.
        person: The stranger.
        steps: Its screens with the actions; every screenshot is the same blank picture.
        answer_form: Form of the answer, if the intent asks a question.
    """

    intent: Intent
    person: Person
    steps: tuple[RecordedStep, ...]
    answer_form: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Population:
    """The episodes of a population, and the references of each.

    Attributes:
        episodes: By id.
        references: By id.
    """

    episodes: Mapping[str, StrangerEpisode]
    references: Mapping[str, References]

    def task(self, episode_id: str, reference: str) -> ExecutionInput:
        """The task of track 2 for an episode.

        Args:
            episode_id: Id of the episode.
            reference: "same_user", "other_type" or "none".
        """
        episode = self.episodes[episode_id]
        return ExecutionInput(
            task_id=episode_id,
            profile=profile_of(episode.person),
            intent=episode.intent.text,
            app=episode.intent.app,
            time=episode.intent.moment,
            scenario=episode.intent.scenario,
            reference=self._find_reference(episode_id, reference),
            answer_form=episode.answer_form,
        )

    def _find_reference(self, episode_id: str, kind: str) -> ReferenceSequence | None:
        found = None if kind == "none" else getattr(self.references[episode_id], kind)
        if found is None:
            return None
        other = self.episodes[found.episode_id]
        return ReferenceSequence(
            episode_id=found.episode_id,
            similarity=found.similarity,
            intent=other.intent.text,
            actions=tuple(step.action for step in other.steps),
        )


def stranger_population(number: int, users: int, episodes: int) -> Population:
    """Simulate the first `users` people of population `number` (from 0), each with a month of `episodes`."""
    people = [make_person(person, FIRST_POPULATION + number) for person in range(users)]
    blank = _draw_blank_picture()
    found = [episode for person in people for episode in _make_month(person, episodes, blank)]
    groups = sorted({person.group for person in people})
    references = find_references(
        [episode.intent for episode in found],
        [_as_recorded(episode) for episode in found],
        {person.user_id: 1 + groups.index(person.group) for person in people},
    )
    return Population(
        episodes={episode.intent.episode_id: episode for episode in found}, references=references
    )


def _make_month(person: Person, episodes: int, blank: bytes) -> Iterator[StrangerEpisode]:
    life = Life(person, Phone(seed=person.seed, size=SIZE))
    for episode in life.month(episodes):
        yield StrangerEpisode(
            intent=_intent(episode),
            person=person,
            steps=tuple(_make_steps(episode, blank)),
            answer_form=episode.answer_form,
        )


def _intent(episode: SimulatedEpisode) -> Intent:
    return Intent(
        user_id=episode.person.user_id,
        time=format_time(episode.setup.moment),
        scenario=episode.place,
        app=episode.goal_instance.package,
        text=episode.intent,
    )


def _make_steps(episode: SimulatedEpisode, blank: bytes) -> Iterator[RecordedStep]:
    for frame in episode.frames:
        last = Finished(content=episode.answer)
        action = last if frame.gesture is None else convert_gesture(frame.gesture)
        yield RecordedStep(action=format_action(action), screenshot=blank, xml=frame.tree)


def _as_recorded(episode: StrangerEpisode) -> Episode:
    return Episode(
        intent=episode.intent,
        profile=profile_of(episode.person),
        folder=Path(episode.intent.episode_id),
        steps=tuple(Step(raw=step.action, action=None, screenshot=None, tree=None) for step in episode.steps),
    )


def _draw_blank_picture() -> bytes:
    stream = io.BytesIO()
    Image.new("1", SIZE).save(stream, "PNG")
    return stream.getvalue()
