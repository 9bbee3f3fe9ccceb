"""Chat client of OpenAI-compatible endpoints: requests, streams, failures, the key."""
