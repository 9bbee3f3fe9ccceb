"""Fixtures that the tests of the main house and of the wings share."""

pytest_plugins = ["tests.shared_fixtures", "tests.checked_tables"]
