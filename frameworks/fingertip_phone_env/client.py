"""The names under which `AutoEnv` and `AutoAction` look for an environment called fingertip_phone_env."""

from fingertip_environments.openenv_env import PhoneAction as FingertipPhoneAction
from fingertip_environments.openenv_env import PhoneClient as FingertipPhoneEnv
from fingertip_environments.openenv_env import PhoneObservation as FingertipPhoneObservation

__all__ = ["FingertipPhoneAction", "FingertipPhoneEnv", "FingertipPhoneObservation"]
