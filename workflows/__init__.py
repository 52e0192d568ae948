"""Deterministic: the conversation, the turn and its steps, and one policy per boundary."""
