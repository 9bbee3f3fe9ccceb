"""The front door of FingerTip 20K: `import fingertip_20k` gives the names that the documentation uses.

Each name is imported from its own package on first use: importing this package takes no time, and loads
neither torch nor datasets nor the phone. It also has the name under which Inspect looks up tasks:
`inspect eval fingertip_20k/suggestion` and `inspect eval fingertip_20k/execution`.

>>> import fingertip_20k
>>> fingertip_20k.format_action(fingertip_20k.parse_action("press_home()"))
'press_home()'
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from execution_runner import (
        AdbDevice,
        Device,
        Environment,
        GateDecision,
        Observation,
        perform,
        read_attempts,
        run_execution,
    )
    from execution_runner import score_run as score_execution
    from fingertip_20k.inspect.execution_task import execution
    from fingertip_20k.inspect.log_to_run import write_run
    from fingertip_20k.inspect.suggestion_task import suggestion
    from fingertip_agents import (
        AgentSetup,
        AgentTraits,
        Decision,
        ExecutionAgent,
        PastStep,
        ScreenInput,
        Suggestion,
        SuggestionAgent,
        agent_names,
        execution_agent_names,
        get_agent,
        get_execution_agent,
    )
    from fingertip_analysis import read_result_csv, score_csv
    from fingertip_dataset import (
        BuiltDataset,
        Click,
        EndpointError,
        Episode,
        ExecutionInput,
        ExecutionTask,
        FingerTipError,
        Finished,
        Intent,
        LongClick,
        ModelError,
        PressBack,
        PressHome,
        PressRecent,
        Scroll,
        Step,
        SuggestionInput,
        SuggestionTask,
        TaskTarget,
        Type,
        UsageError,
        UserProfile,
        Wait,
        build,
        canonical,
        check_release,
        describe_screen,
        execution_task,
        format_action,
        load,
        parse_action,
        parse_tree,
        read_release,
        references_from,
        suggestion_task,
    )
    from fingertip_metrics import (
        Embedder,
        Interval,
        Judge,
        Sim1Item,
        Sim2Item,
        Sr1Item,
        Sr2Item,
        Verdict,
        bootstrap_mean,
        get_embedder,
        install_modules,
        open_judge,
        paired_difference,
        published_rows,
        published_table,
        published_tables,
        sim1,
        sim2,
        sr1,
        sr2,
        text_similarity,
    )
    from fingertip_metrics import path as metric_path
    from fingertip_models import ChatClient, Message, Model, ModelAnswer, ModelOptions, open_model
    from fingertip_recorder import SampleOrder, write_sample
    from fingertip_runs import read_targets
    from simulated_phone import (
        APPS,
        FAULTS,
        GesturePlayer,
        GoalInstance,
        Phone,
        PhoneError,
        SimulatedPhoneServer,
        Snapshot,
    )
    from suggestion_runner import read_predictions, run_suggestions
    from suggestion_runner import score_run as score_suggestions

    CoreStep: Any
    ExportOrder: Any
    PhoneCore: Any
    PhoneEnv: Any
    PhoneTools: Any
    PhoneVectorEnv: Any
    benchmark_yaml: Any
    check_export: Any
    decide_finds: Any
    export_samples: Any
    get_experiment: Any
    goal_reward: Any
    live_tasks: Any
    load_tasks: Any
    make_bundle: Any
    personal_reward: Any
    phone_app: Any
    phone_client: Any
    phone_tools: Any
    prompt_rows: Any
    ray_rollouts: Any
    read_finds: Any
    redact: Any
    run_experiment: Any
    sim2_reward: Any
    verify_bundle: Any
    verify_bundles: Any

__all__ = [
    "APPS",
    "FAULTS",
    "AdbDevice",
    "AgentSetup",
    "AgentTraits",
    "BuiltDataset",
    "ChatClient",
    "Click",
    "CoreStep",
    "Decision",
    "Device",
    "Embedder",
    "EndpointError",
    "Environment",
    "Episode",
    "ExecutionAgent",
    "ExecutionInput",
    "ExecutionTask",
    "ExportOrder",
    "FingerTipError",
    "Finished",
    "GateDecision",
    "GesturePlayer",
    "GoalInstance",
    "Intent",
    "Interval",
    "Judge",
    "LongClick",
    "Message",
    "Model",
    "ModelAnswer",
    "ModelError",
    "ModelOptions",
    "Observation",
    "PastStep",
    "Phone",
    "PhoneCore",
    "PhoneEnv",
    "PhoneError",
    "PhoneTools",
    "PhoneVectorEnv",
    "PressBack",
    "PressHome",
    "PressRecent",
    "SampleOrder",
    "ScreenInput",
    "Scroll",
    "Sim1Item",
    "Sim2Item",
    "SimulatedPhoneServer",
    "Snapshot",
    "Sr1Item",
    "Sr2Item",
    "Step",
    "Suggestion",
    "SuggestionAgent",
    "SuggestionInput",
    "SuggestionTask",
    "TaskTarget",
    "Type",
    "UsageError",
    "UserProfile",
    "Verdict",
    "Wait",
    "agent_names",
    "benchmark_yaml",
    "bootstrap_mean",
    "build",
    "canonical",
    "check_export",
    "check_release",
    "decide_finds",
    "describe_screen",
    "execution",
    "execution_agent_names",
    "execution_task",
    "export_samples",
    "format_action",
    "get_agent",
    "get_embedder",
    "get_execution_agent",
    "get_experiment",
    "goal_reward",
    "install_modules",
    "live_tasks",
    "load",
    "load_tasks",
    "make_bundle",
    "metric_path",
    "open_judge",
    "open_model",
    "paired_difference",
    "parse_action",
    "parse_tree",
    "perform",
    "personal_reward",
    "phone_app",
    "phone_client",
    "phone_tools",
    "prompt_rows",
    "published_rows",
    "published_table",
    "published_tables",
    "ray_rollouts",
    "read_attempts",
    "read_finds",
    "read_predictions",
    "read_release",
    "read_result_csv",
    "read_targets",
    "redact",
    "references_from",
    "run_execution",
    "run_experiment",
    "run_suggestions",
    "score_csv",
    "score_execution",
    "score_suggestions",
    "sim1",
    "sim2",
    "sim2_reward",
    "sr1",
    "sr2",
    "suggestion",
    "suggestion_task",
    "text_similarity",
    "verify_bundle",
    "verify_bundles",
    "write_run",
    "write_sample",
]

_PLACES = {
    "APPS": "simulated_phone",
    "FAULTS": "simulated_phone",
    "AdbDevice": "execution_runner",
    "AgentSetup": "fingertip_agents",
    "AgentTraits": "fingertip_agents",
    "BuiltDataset": "fingertip_dataset",
    "ChatClient": "fingertip_models",
    "Click": "fingertip_dataset",
    "CoreStep": "fingertip_environments",
    "Decision": "fingertip_agents",
    "Device": "execution_runner",
    "Embedder": "fingertip_metrics",
    "EndpointError": "fingertip_dataset",
    "Environment": "execution_runner",
    "Episode": "fingertip_dataset",
    "ExecutionAgent": "fingertip_agents",
    "ExecutionInput": "fingertip_dataset",
    "ExecutionTask": "fingertip_dataset",
    "ExportOrder": "fingertip_training",
    "FingerTipError": "fingertip_dataset",
    "Finished": "fingertip_dataset",
    "GateDecision": "execution_runner",
    "GesturePlayer": "simulated_phone",
    "GoalInstance": "simulated_phone",
    "Intent": "fingertip_dataset",
    "Interval": "fingertip_metrics",
    "Judge": "fingertip_metrics",
    "LongClick": "fingertip_dataset",
    "Message": "fingertip_models",
    "Model": "fingertip_models",
    "ModelAnswer": "fingertip_models",
    "ModelError": "fingertip_dataset",
    "ModelOptions": "fingertip_models",
    "Observation": "execution_runner",
    "PastStep": "fingertip_agents",
    "Phone": "simulated_phone",
    "PhoneCore": "fingertip_environments",
    "PhoneEnv": "fingertip_environments",
    "PhoneError": "simulated_phone",
    "PhoneTools": "fingertip_environments",
    "PhoneVectorEnv": "fingertip_environments",
    "PressBack": "fingertip_dataset",
    "PressHome": "fingertip_dataset",
    "PressRecent": "fingertip_dataset",
    "SampleOrder": "fingertip_recorder",
    "ScreenInput": "fingertip_agents",
    "Scroll": "fingertip_dataset",
    "Sim1Item": "fingertip_metrics",
    "Sim2Item": "fingertip_metrics",
    "SimulatedPhoneServer": "simulated_phone",
    "Snapshot": "simulated_phone",
    "Sr1Item": "fingertip_metrics",
    "Sr2Item": "fingertip_metrics",
    "Step": "fingertip_dataset",
    "Suggestion": "fingertip_agents",
    "SuggestionAgent": "fingertip_agents",
    "SuggestionInput": "fingertip_dataset",
    "SuggestionTask": "fingertip_dataset",
    "TaskTarget": "fingertip_dataset",
    "Type": "fingertip_dataset",
    "UsageError": "fingertip_dataset",
    "UserProfile": "fingertip_dataset",
    "Verdict": "fingertip_metrics",
    "Wait": "fingertip_dataset",
    "agent_names": "fingertip_agents",
    "benchmark_yaml": "fingertip_leaderboard",
    "bootstrap_mean": "fingertip_metrics",
    "build": "fingertip_dataset",
    "canonical": "fingertip_dataset",
    "check_export": "fingertip_training",
    "check_release": "fingertip_dataset",
    "decide_finds": "fingertip_privacy",
    "describe_screen": "fingertip_dataset",
    "execution": "fingertip_20k.inspect.execution_task",
    "execution_agent_names": "fingertip_agents",
    "execution_task": "fingertip_dataset",
    "export_samples": "fingertip_training",
    "format_action": "fingertip_dataset",
    "get_agent": "fingertip_agents",
    "get_embedder": "fingertip_metrics",
    "get_execution_agent": "fingertip_agents",
    "get_experiment": "fingertip_studies",
    "goal_reward": "fingertip_environments",
    "install_modules": "fingertip_metrics",
    "live_tasks": "fingertip_environments",
    "load": "fingertip_dataset",
    "load_tasks": "fingertip_environments",
    "make_bundle": "fingertip_leaderboard",
    "metric_path": "fingertip_metrics:path",
    "open_judge": "fingertip_metrics",
    "open_model": "fingertip_models",
    "paired_difference": "fingertip_metrics",
    "parse_action": "fingertip_dataset",
    "parse_tree": "fingertip_dataset",
    "perform": "execution_runner",
    "personal_reward": "fingertip_environments",
    "phone_app": "fingertip_environments",
    "phone_client": "fingertip_environments",
    "phone_tools": "fingertip_environments",
    "prompt_rows": "fingertip_environments",
    "published_rows": "fingertip_metrics",
    "published_table": "fingertip_metrics",
    "published_tables": "fingertip_metrics",
    "ray_rollouts": "fingertip_environments",
    "read_attempts": "execution_runner",
    "read_finds": "fingertip_privacy",
    "read_predictions": "suggestion_runner",
    "read_release": "fingertip_dataset",
    "read_result_csv": "fingertip_analysis",
    "read_targets": "fingertip_runs",
    "redact": "fingertip_privacy",
    "references_from": "fingertip_dataset",
    "run_execution": "execution_runner",
    "run_experiment": "fingertip_studies",
    "run_suggestions": "suggestion_runner",
    "score_csv": "fingertip_analysis",
    "score_execution": "execution_runner:score_run",
    "score_suggestions": "suggestion_runner:score_run",
    "sim1": "fingertip_metrics",
    "sim2": "fingertip_metrics",
    "sim2_reward": "fingertip_environments",
    "sr1": "fingertip_metrics",
    "sr2": "fingertip_metrics",
    "suggestion": "fingertip_20k.inspect.suggestion_task",
    "suggestion_task": "fingertip_dataset",
    "text_similarity": "fingertip_metrics",
    "verify_bundle": "fingertip_leaderboard",
    "verify_bundles": "fingertip_leaderboard",
    "write_run": "fingertip_20k.inspect.log_to_run",
    "write_sample": "fingertip_recorder",
}
"""Name -> package or module that has it; behind a colon its name there, where that differs."""

if not TYPE_CHECKING:  # a type checker would take every name for one of the package's

    def __getattr__(name: str) -> object:
        """Import a public name from its package on first use."""
        if name not in _PLACES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        place, _, there = _PLACES[name].partition(":")
        value = getattr(import_module(place), there or name)
        setattr(sys.modules[__name__], name, value)
        return value

    def __dir__() -> list[str]:
        """Return the names of the module with the public ones that are not imported yet."""
        return sorted({*globals(), *__all__})
