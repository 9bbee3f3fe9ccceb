"""The command line `fingertip`: one file per command; a command imports its package only when it runs."""
