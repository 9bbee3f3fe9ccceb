"""Safety rules for actions on a person's phone, and the judgement of an action by them."""
