"""The process that verifies bundles within limits of time and memory."""
