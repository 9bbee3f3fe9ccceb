"""The paper's tables and figures as commands: what each varies, its runs, its table and its plots."""
