"""Dialogue about a task: vague instructions, which arguments are known, the person's answers, and consent."""
