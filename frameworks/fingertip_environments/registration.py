"""Registration of the environment with Gymnasium, which has no plugins: something has to be imported."""

from __future__ import annotations

ENVIRONMENT_ID = "fingertip/Phone-v1"


def register() -> None:
    """Makes the environment known to Gymnasium; does nothing where it is."""
    from gymnasium.envs import registration

    if ENVIRONMENT_ID not in registration.registry:
        registration.register(
            id=ENVIRONMENT_ID,
            entry_point="fingertip_environments.gymnasium_env:PhoneEnv",
            vector_entry_point="fingertip_environments.gymnasium_vector:PhoneVectorEnv",
        )
