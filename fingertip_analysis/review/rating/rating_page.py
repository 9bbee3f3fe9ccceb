"""The server side of the page of style ratings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from fingertip_analysis.review.rating.rating_session import Rating, RatingSession
from fingertip_analysis.review.trajectories import Trajectory, both_words, draw_action
from fingertip_dataset.actions import is_finished
from fingertip_runs.annotation import AnnotationPage


class RatingPage(AnnotationPage[RatingSession]):
    """Shows each task once, with the user's own trajectory and the agents' in random order."""

    annotation_path = "rating"
    annotation_model = Rating

    def get_unnamed_state(self) -> Mapping[str, object]:
        """Whether the raters are the user; no tasks, as their order is the rater's."""
        return {"own": self.session.user_id is not None, "tasks": []}

    def state(self, rater: str) -> Mapping[str, object]:
        """The tasks in the rater's order; a label is whether every trajectory of the task is rated."""
        session = self.session
        tasks = [{"key": key, "label": session.is_rated(key, rater)} for key in session.task_order(rater)]
        return {"own": session.user_id is not None, "tasks": tasks}

    def reply(self, rater: str) -> Mapping[str, object]:
        """The number of tasks that are rated."""
        return {"rated": self.session.rated(rater)}

    def item(self, key: str, rater: str) -> Mapping[str, object]:
        """A task with its trajectories in the rater's order, and this rater's ratings."""
        name, session = self.rater(rater), self.session
        task, order = session.tasks[key], session.trajectory_order(key, name)
        return {
            "intent": task.target.intent,
            "app": task.target.app,
            "own": [both_words(action) for action in task.target.user_actions],
            "ways": [
                {"key": one, "rating": session.rating(one, name), "steps": _list_steps(session[one])}
                for one in order
            ],
        }

    def screens(self, key: str) -> Sequence[Path | None]:
        """The picture of each step of a trajectory."""
        return [step.screen for step in self.session[key].steps]


def _list_steps(trajectory: Trajectory) -> list[dict[str, object]]:
    """The agent's actions, without the `finished()` at the end, which no person's trajectory has."""
    steps = trajectory.steps
    if steps and is_finished(steps[-1].action):
        steps = steps[:-1]
    return [
        {
            **draw_action(step.action, step.size),
            "words": both_words(step.action),
            "screen": step.screen is not None,
            "size": step.size,
        }
        for step in steps
    ]
