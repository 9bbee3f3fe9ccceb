"""Commands that start apps and pages: am, monkey and intents."""
