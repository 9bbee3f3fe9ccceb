"""The front door of FingerTip 20K: `import fingertip_20k` gives the names that the documentation uses.

Each name is imported from its own package on first use: importing this package takes no time, and loads
neither torch nor datasets nor the phone. It also has the name under which Inspect looks up tasks:
`inspect eval fingertip_20k/suggestion` and `inspect eval fingertip_20k/execution`.

>>> import fingertip_20k
>>> fingertip_20k.format_action(fingertip_20k.parse_action("press_home()"))
'press_home()'
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fingertip_dataset.lazy_names import lazy_names

if TYPE_CHECKING:
    from execution_runner import (
        AdbDevice,
        Device,
        Environment,
        ExecutionView,
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
        moment_baseline_names,
    )
    from fingertip_analysis import read_result_csv, score_csv, score_types
    from fingertip_dataset import (
        Ask,
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
        read_moment_odds,
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
        moment_scores,
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
    ScreenPictures: Any
    asking_reward: Any
    benchmark_yaml: Any
    check_export: Any
    decide_finds: Any
    export_samples: Any
    get_experiment: Any
    goal_reward: Any
    identification_reward: Any
    live_tasks: Any
    load_tasks: Any
    make_bundle: Any
    moment_reward: Any
    personal_reward: Any
    phone_app: Any
    phone_client: Any
    phone_tools: Any
    progress_reward: Any
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
    "Ask",
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
    "ExecutionView",
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
    "ScreenPictures",
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
    "asking_reward",
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
    "identification_reward",
    "install_modules",
    "live_tasks",
    "load",
    "load_tasks",
    "make_bundle",
    "metric_path",
    "moment_baseline_names",
    "moment_reward",
    "moment_scores",
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
    "progress_reward",
    "prompt_rows",
    "published_rows",
    "published_table",
    "published_tables",
    "ray_rollouts",
    "read_attempts",
    "read_finds",
    "read_moment_odds",
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
    "score_types",
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

_WINGS = {
    "CoreStep": "fingertip_environments",
    "ExportOrder": "fingertip_training",
    "PhoneCore": "fingertip_environments",
    "PhoneEnv": "fingertip_environments",
    "PhoneTools": "fingertip_environments",
    "ScreenPictures": "fingertip_environments",
    "PhoneVectorEnv": "fingertip_environments",
    "asking_reward": "fingertip_environments",
    "benchmark_yaml": "fingertip_leaderboard",
    "check_export": "fingertip_training",
    "decide_finds": "fingertip_privacy",
    "export_samples": "fingertip_training",
    "get_experiment": "fingertip_studies",
    "goal_reward": "fingertip_environments",
    "identification_reward": "fingertip_environments",
    "live_tasks": "fingertip_environments",
    "load_tasks": "fingertip_environments",
    "make_bundle": "fingertip_leaderboard",
    "moment_reward": "fingertip_environments",
    "personal_reward": "fingertip_environments",
    "phone_app": "fingertip_environments",
    "phone_client": "fingertip_environments",
    "phone_tools": "fingertip_environments",
    "progress_reward": "fingertip_environments",
    "prompt_rows": "fingertip_environments",
    "ray_rollouts": "fingertip_environments",
    "read_finds": "fingertip_privacy",
    "redact": "fingertip_privacy",
    "run_experiment": "fingertip_studies",
    "sim2_reward": "fingertip_environments",
    "verify_bundle": "fingertip_leaderboard",
    "verify_bundles": "fingertip_leaderboard",
}
"""Name -> package of a wing that has it."""

if not TYPE_CHECKING:  # a type checker would take every name for one of the package's
    __getattr__, __dir__ = lazy_names(__name__, moved=_WINGS, extras={"inspect_ai": "inspect"})
