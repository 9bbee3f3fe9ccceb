"""Reading of a model's answer: thinking, calls, arguments, actions."""
