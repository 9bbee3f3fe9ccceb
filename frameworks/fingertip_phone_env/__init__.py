"""The simulated phone as an OpenEnv environment: client, action and observation."""

from .client import FingertipPhoneAction, FingertipPhoneEnv, FingertipPhoneObservation

__all__ = ["FingertipPhoneAction", "FingertipPhoneEnv", "FingertipPhoneObservation"]
