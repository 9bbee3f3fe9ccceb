"""Plugin of pytest that gives a suite the addresses of the stand-in for its emulator."""

import os

import pytest


def pytest_collection_finish(session: pytest.Session) -> None:
    """Put the stand-in's addresses into the suite's conftest, which names an emulator's."""
    for plugin in session.config.pluginmanager.get_plugins():
        if getattr(plugin, "adb_host", None) and getattr(plugin, "emulator_port", None):
            plugin.adb_host = "127.0.0.1"
            plugin.adb_port = int(os.environ["SUITE_SERVER_PORT"])
            plugin.emulator_port = int(os.environ["SUITE_CONSOLE_PORT"])
