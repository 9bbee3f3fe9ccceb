"""The id of the simulated phone's tasks in verifiers and prime-rl: `vf-eval fingertip-phone-tasks`."""

from fingertip_environments.verifiers_env import PhoneHarness, PhoneRuns, PhoneTaskset

__all__ = ["PhoneHarness", "PhoneRuns", "PhoneTaskset"]
