"""The rules that answer when no model does: the local providers, and the fallback of both in an outage.

They run in activities only, so that a changed rule never meets a recorded history.
"""

MODEL = "local-rules-1"
"""Who answered, as recorded with each decision. Its figures are not calibrated probabilities."""
