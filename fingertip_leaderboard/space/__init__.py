"""The board's page: a Space on the Hub, or on this computer alone."""
