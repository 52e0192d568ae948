"""What stops a command: one line for the operator, no traceback."""


class CannotGoOn(Exception):
    """Something that the operator has to change. The text is one line and shows no secret."""
