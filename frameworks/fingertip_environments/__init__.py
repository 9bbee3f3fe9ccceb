"""Environments for training and testing agents on simulated phones: Gymnasium, OpenEnv, TRL, and Ray actors.

One core, `PhoneCore`, carries out the tasks; the adapters are thin, and each needs its extra only when used.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from fingertip_dataset.lazy_names import lazy_names

if TYPE_CHECKING:
    from fingertip_environments.gymnasium_env import PhoneEnv
    from fingertip_environments.gymnasium_vector import PhoneVectorEnv
    from fingertip_environments.moment_rewards import moment_reward
    from fingertip_environments.named_calls import call_tool, list_call_schemas
    from fingertip_environments.openenv_server import phone_app, phone_client
    from fingertip_environments.phone_core import CoreStep, PhoneCore
    from fingertip_environments.phone_task import PhoneTask, live_tasks, load_tasks
    from fingertip_environments.ray_actors import ray_rollouts
    from fingertip_environments.rewards import (
        EpisodeOutcome,
        Reward,
        asking_reward,
        goal_reward,
        identification_reward,
        personal_reward,
        progress_reward,
        sim2_reward,
    )
    from fingertip_environments.rollout import Rollout, make_answered_agent, roll_out_agent
    from fingertip_environments.screen_pictures import ScreenPictures
    from fingertip_environments.trl_tools import PhoneTools, phone_tools, prompt_rows
    from fingertip_environments.verl_rows import make_verl_rows

__all__ = [
    "CoreStep",
    "EpisodeOutcome",
    "PhoneCore",
    "PhoneEnv",
    "PhoneTask",
    "PhoneTools",
    "PhoneVectorEnv",
    "Reward",
    "Rollout",
    "ScreenPictures",
    "asking_reward",
    "call_tool",
    "goal_reward",
    "identification_reward",
    "list_call_schemas",
    "live_tasks",
    "load_tasks",
    "make_answered_agent",
    "make_verl_rows",
    "moment_reward",
    "personal_reward",
    "phone_app",
    "phone_client",
    "phone_tools",
    "progress_reward",
    "prompt_rows",
    "ray_rollouts",
    "roll_out_agent",
    "sim2_reward",
]


if not TYPE_CHECKING:  # a type checker would take every name for one of the package's
    __getattr__, __dir__ = lazy_names(__name__, extras={"gymnasium": "gymnasium"})

if "gymnasium" in sys.modules:  # `import gymnasium, fingertip_environments` is enough for gymnasium.make
    from fingertip_environments.registration import register as _register

    _register()
