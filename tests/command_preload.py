"""Imports of nearly every command, done once in the process that the commands are forked from.

Modules that read the environment on import (`HF_HOME`, `HF_HUB_OFFLINE`) are excluded: it differs by command.
Ours import each other within functions, so those that the commands reach are named one by one.
"""

from __future__ import annotations

import asyncio  # noqa: F401

import aiohttp  # noqa: F401
import click  # noqa: F401
import jinja2  # noqa: F401
import lxml.etree  # noqa: F401
import matplotlib.backends.backend_agg
import matplotlib.figure
import matplotlib.layout_engine
import matplotlib.table  # noqa: F401
import openai.resources.chat.completions  # noqa: F401
import PIL.Image  # noqa: F401
import pyarrow.parquet  # noqa: F401
import rich.table  # noqa: F401
import sklearn.feature_extraction.text  # noqa: F401
import yaml  # type: ignore[import-untyped]  # noqa: F401

import execution_runner.environments.open_environments
import execution_runner.execution_run
import execution_runner.safety.gate  # noqa: F401
import fingertip_agents.imitate
import fingertip_agents.model_suggester
import fingertip_agents.nearest  # noqa: F401
import fingertip_analysis.experiments.suggestion_experiment
import fingertip_analysis.report.report_page
import fingertip_analysis.statistics.figures  # noqa: F401
import fingertip_cli.build
import fingertip_cli.check
import fingertip_cli.execute
import fingertip_cli.experiment
import fingertip_cli.experiment_suggestion
import fingertip_cli.main
import fingertip_cli.paper
import fingertip_cli.phone
import fingertip_cli.report
import fingertip_cli.review
import fingertip_cli.score
import fingertip_cli.stats
import fingertip_cli.submit
import fingertip_cli.suggest  # noqa: F401
import fingertip_dataset.parquet.build
import fingertip_dataset.release.checking  # noqa: F401
import fingertip_leaderboard.bundle.schema  # noqa: F401
import suggestion_runner.suggestion_run  # noqa: F401
