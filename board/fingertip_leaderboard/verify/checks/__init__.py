"""Checks of bundles, a module for each kind of forgery."""
