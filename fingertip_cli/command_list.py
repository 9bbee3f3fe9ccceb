"""The commands of `fingertip`, in sections, without their files: `fingertip --help` imports none of them."""

SECTIONS = {
    "Start": {
        "demo": "Run the whole pipeline on simulated users, up to the scores of both tracks, offline.",
        "doctor": "Check what a phone needs for track 2, and how to fix it.",
    },
    "Data": {
        "check": "List every problem of a raw release, by kind.",
        "build": "Build a dataset that load_dataset reads from a raw release.",
        "stats": "Write tables and figures of a built dataset.",
        "quality": "Find flaws of the demonstrations in a built dataset, and score each episode.",
        "record": "Record your own episode on a phone, with a review before it is kept.",
        "sample": "Record a month of simulated users' phones in the raw layout.",
    },
    "Track 1, proactive suggestion": {
        "suggest": "Run an agent that predicts the intents of a split.",
        "infer-intents": "Infer intents from earlier episodes, as a history in place of declared ones.",
    },
    "Track 2, personalized execution": {
        "execute": "Run an agent that carries out the tasks of a split on a phone.",
        "phone": "Run a simulated phone that any adb can connect to.",
    },
    "Both tracks": {
        "benchmark": "Test a model or an agent on both tracks: runs, scores, one page, bundles.",
        "assist": "Predict what people want, have it accepted, and carry it out on the simulated phone.",
    },
    "Scores": {
        "score": "Score runs of either track.",
        "report": "Write runs as one HTML page.",
        "review": "Open a local page where people label or rate the results of runs.",
        "experiment": "Reproduce the paper's tables and figures, beside the published numbers.",
        "score-csv": "Score results in the CSV columns of the authors' scripts.",
        "install-metrics": 'Make evaluate.load("fingertip_sim2") work from any folder, offline.',
    },
    "Leaderboard": {
        "submit": "Make leaderboard bundles of runs: preview, write, and push to the Hub.",
        "verify": "Check bundles against the dataset and recompute their scores.",
        "leaderboard": "Show a leaderboard of bundles, with recomputed scores only.",
        "publish": "Send a built dataset, a metric or a board to the Hub, after a look at what would go.",
        "hidden-test": "Run an agent on a private benchmark made from a secret seed, as the board itself.",
    },
    "Training": {
        "export": "Write prompts and right answers of a built dataset as rows for fine-tuning.",
        "finetune": "Fine-tune a model on training episodes: LoRA or full, checkpoints chosen by score.",
    },
    "Privacy": {
        "privacy": "Find, review and redact private parts of a raw release or built dataset.",
    },
    "Lists and set-up": {
        "tasks": "List the tasks of a built dataset: id, person, app, steps and intent.",
        "agents": "List the agents that can be tested.",
        "devices": "List what tasks of track 2 can be carried out on.",
        "faults": "List the faults that simulated phones can have.",
        "paper": "Print the numbers that the paper published, by table.",
        "completion": "Print a script that completes commands and names in your shell.",
    },
}
"""Section of --help -> command name -> its line."""

FOLDERS = {
    "Start": "start",
    "Data": "data",
    "Track 1, proactive suggestion": "suggestion",
    "Track 2, personalized execution": "execution",
    "Scores": "scores",
    "Lists and set-up": "lists",
}
"""Section of --help -> folder of this package with the files of its commands.

A file `<name>.py` holds the click command, called `command`. A command without one is a wing's, found by the
entry points of `ENTRY_POINTS`."""

ENTRY_POINTS = "fingertip.commands"
"""Group of entry points whose names are commands of the wings."""

COMMANDS = {name: line for commands in SECTIONS.values() for name, line in commands.items()}
"""Command name -> its line in --help."""
