"""The board's web page: a Space on the Hub, or a local page."""
