"""Who answers the questions of an attempt: the simulated person, by rule."""

from __future__ import annotations

from dataclasses import dataclass

from fingertip_dataset.tasks.task import ExecutionTask
from fingertip_runs.instructed_tasks import InstructedTasks
from simulated_phone.dialogue.knowledge import Source
from simulated_phone.dialogue.person_answers import PersonAnswers
from simulated_phone.dialogue.vague_task import find_task_goal
from simulated_phone.people.simulation import Simulation


@dataclass(frozen=True, slots=True, kw_only=True)
class PeopleByRule:
    """Makes the simulated person of each attempt, who answers by rule.

    Args:
        tasks: The tasks with what can be known of them.
    """

    tasks: InstructedTasks

    def __call__(self, task: ExecutionTask, simulation: Simulation) -> PersonAnswers:
        """The person of a task, before its first question."""
        _, goal = find_task_goal(simulation)
        described = self.tasks.tasks[task.task_id]
        # what the instruction says need not be asked for either
        known: dict[str, Source] = dict.fromkeys(described.sources, "history")
        return PersonAnswers(
            goal=goal,
            case=simulation.goal_instance.arguments,
            sources=known if described.says_arguments else described.sources,
            locale=simulation.setup.locale,
            seed=simulation.setup.seed,
            person_seed=simulation.setup.seed,
        )
