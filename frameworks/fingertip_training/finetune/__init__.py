"""Fine-tuning of a chat model on exported samples: training, choice of a checkpoint, adapter card."""
