"""Options that several commands have, and what every option gets."""
